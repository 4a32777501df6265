"""Gradio comes in without parsing its own source for stub files, and is otherwise the same."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import ast, sys
def refuse(*_, **__): raise AssertionError("the source of a component is parsed for its stub")
ast.get_source_segment = refuse
import pmg.ui, pmg.ui.gradio_import as ours
ours.without_stubs()
print(sum(isinstance(one, ours._Finder) for one in sys.meta_path))
import gradio
with gradio.Blocks():
    box = gradio.Textbox()
    box.change(lambda text: text, box, box)
print(gradio.component_meta.__spec__.name, gradio.component_meta.__file__.endswith("component_meta.py"))
"""


def test_the_stubs_are_not_made_and_components_work() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["1", "gradio.component_meta", "True"]
