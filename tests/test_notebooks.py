"""Every notebook runs from its first cell to its last, on a memory of its own; what is kept in the files needs no network.

The sample memory is embedded once, with the real model, and copied for each notebook that opens it. One process runs them all, each with
names of its own: to import everything again is half of what a notebook costs. A day in test_nothing_leaves.py begins one in a new process.
"""

from __future__ import annotations

import ast
import importlib
import json
import re
import shutil
import textwrap
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from jupyter_client import KernelManager
from nbclient import NotebookClient

from pmg import config as configuration
from pmg.engine import Engine

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
SECONDS = 300  # a cell; a busy machine is slow
NAMES = (
    "01_quick_start",
    "02_your_memory_in_numbers",
    "03_how_recall_works",
    "04_tuning_thresholds",
    "05_reproducing_our_benchmark",
    "06_asking_with_sql",
    "07_the_app_inside_a_notebook",
)


@pytest.fixture(scope="module")
def sample_memory(embedded_sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from steward.steward import Steward

    home = tmp_path_factory.mktemp("notebooks") / "memory"
    shutil.copytree(embedded_sample, home)
    with Engine.open(configuration.load(home, {})) as engine:
        Steward(engine).run(["score", "links"])
    return home


def test_they_are_all_there() -> None:
    assert tuple(file.stem for file in NOTEBOOKS) == NAMES


@pytest.fixture(scope="module")
def kernel() -> Iterator[KernelManager]:
    place = {"metadata": {"path": str(ROOT / "notebooks")}}
    client = NotebookClient(nbformat.v4.new_notebook(), kernel_name="python3", resources=place)
    with client.setup_kernel():
        assert client.km is not None
        yield client.km


def beginning(**environment: str) -> nbformat.NotebookNode:
    """A cell that takes away every name of the notebook before, and every setting of the person."""
    code = f"""
        get_ipython().run_line_magic("reset", "-f")
        import os
        for name in list(os.environ):
            if name.startswith("PMG_"):
                del os.environ[name]
        os.environ.update({environment!r})
        del os, name
    """
    return nbformat.v4.new_code_cell(textwrap.dedent(code))


@pytest.mark.slow
@pytest.mark.model
@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs_from_its_first_cell_to_its_last(
    file: Path, sample_memory: Path, tmp_path: Path, kernel: KernelManager
) -> None:
    home = tmp_path / "memory"
    shutil.copytree(sample_memory, home)
    notebook = nbformat.read(file, as_version=4)
    notebook.cells.insert(
        0,
        beginning(
            PMG_NOTEBOOK_HOME=str(home),
            PMG_HOME=str(tmp_path / "of-nobody"),  # a notebook must not touch the person's own memory
            PMG_LOCOMO_QUESTIONS="0",  # the benchmark has tests of its own
        ),
    )
    NotebookClient(notebook, km=kernel, timeout=SECONDS).execute()
    assert not (tmp_path / "of-nobody").exists()


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_what_is_kept_shows_without_a_network_and_tells_nothing_of_a_machine(file: Path) -> None:
    notebook = nbformat.read(file, as_version=4)
    nbformat.validate(notebook)
    outputs = [one for cell in notebook.cells if cell.cell_type == "code" for one in cell.outputs]
    kept = json.dumps(outputs)
    assert not re.search(r"<script[^>]+src=|<link[^>]+href=|cdn\.|127\.0\.0\.1", kept)
    assert not re.search(r"/(?:home|root|tmp|work|Users)/", kept)
    assert all(one.output_type != "error" for one in outputs)
    assert file.stat().st_size < 1_500_000
    for one in outputs:
        if "application/vnd.plotly.v1+json" in one.get("data", {}):
            assert "image/png" in one["data"], "a reader without plotly sees the picture"


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_says_what_it_is_about_and_shows_something(file: Path) -> None:
    notebook = nbformat.read(file, as_version=4)
    assert notebook.cells[0].cell_type == "markdown" and notebook.cells[0].source.startswith("# ")
    shown = [one for cell in notebook.cells if cell.cell_type == "code" for one in cell.outputs]
    assert shown


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_what_a_notebook_takes_from_here_is_there(file: Path) -> None:
    """Also in a part that only runs where a benchmark's data lies."""
    notebook = nbformat.read(file, as_version=4)
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    for one in ast.walk(ast.parse(code)):
        if isinstance(one, ast.ImportFrom) and (one.module or "").split(".")[0] in ("pmg", "steward"):
            assert one.module
            holder = importlib.import_module(one.module)
            for name in one.names:
                assert hasattr(holder, name.name) or importlib.import_module(f"{one.module}.{name.name}")


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_no_share_that_is_shown_is_over_the_whole(file: Path) -> None:
    notebook = nbformat.read(file, as_version=4)
    shown = json.dumps([one for cell in notebook.cells if cell.cell_type == "code" for one in cell.outputs])
    assert not [share for share in re.findall(r">\s*([\d.]+) ?%", shown) if float(share) > 100]
