"""What could report home is switched off in code, whatever the environment says."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from pmg.ui.gradio_import import SWITCHES, UNSET, disable_telemetry


def test_the_environment_is_overruled(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*SWITCHES, *UNSET):
        monkeypatch.setenv(name, "True")
    disable_telemetry()
    assert {name: os.environ[name] for name in SWITCHES} == SWITCHES
    assert not [name for name in UNSET if name in os.environ]


def test_importing_any_part_of_the_page_is_enough_and_imports_no_gradio() -> None:
    code = "import os, sys, pmg.ui.render; print(os.environ['GRADIO_ANALYTICS_ENABLED'], 'gradio' in sys.modules)"
    environ = {**os.environ, "GRADIO_ANALYTICS_ENABLED": "True"}
    done = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
