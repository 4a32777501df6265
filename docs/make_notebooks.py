"""Runs the notebooks and keeps what they show: `python docs/make_notebooks.py [NAME …]`.

Each gets a copy of the sample memory, embedded with the real model. A figure is kept twice: as data, which a notebook draws, and as a picture, which a reader
without plotly sees. What tells of this machine (the address of an app in a cell) is not kept.
"""

from __future__ import annotations

import argparse
import base64
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
import plotly
from make_screenshots import CHROMIUM
from nbclient import NotebookClient
from playwright.sync_api import sync_playwright

from pmg import config, sample
from pmg.engine import Engine
from steward.steward import Steward

if TYPE_CHECKING:
    from playwright.sync_api import Page

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
FIGURE, PICTURE = "application/vnd.plotly.v1+json", "image/png"
WIDE, HIGH = 900, 340  # of a picture; a figure that has a height of its own keeps it
SECONDS = 600  # a cell
DRAW = """async ([figure, width, height]) => {
  const place = document.createElement('div');
  document.body.append(place);
  await Plotly.newPlot(place, figure.data, {...figure.layout, paper_bgcolor: 'white', width, height});
  const made = await Plotly.toImage(place, {format: 'png', width, height});
  place.remove();
  return made.split(',')[1];
}"""


@contextmanager
def drawing() -> Iterator[Page]:
    """A page with plotly on it."""
    alone = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=alone)
        page = browser.new_page()
        page.add_script_tag(path=Path(plotly.__file__).parent / "package_data" / "plotly.min.js")
        yield page
        browser.close()


def taken_in(home: Path, kept: Path | None) -> None:
    """The sample memory; from the folder of an earlier run, where it is kept."""
    if kept and kept.exists():
        shutil.copytree(kept, home, ignore=shutil.ignore_patterns("server.json", "*.lock"))
    with Engine.open(config.load(home, {})) as engine:
        engine.model.wait()
        if not engine.sessions():
            engine.ingest(sample.sessions())
        Steward(engine).run(["score", "links"])
    if kept and not kept.exists():
        shutil.copytree(home, kept)


def run(file: Path, memory: Path, page: Page) -> None:
    notebook = nbformat.read(file, as_version=4)
    os.environ["PMG_NOTEBOOK_HOME"] = str(memory)
    NotebookClient(
        notebook, timeout=SECONDS, kernel_name="python3", resources={"metadata": {"path": str(file.parent)}}
    ).execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.metadata.pop("execution", None)  # times of day
            cell.outputs = [kept(one, page) for one in cell.outputs if tells_nothing_of_here(one)]
    notebook.metadata["language_info"] = {"name": "python"}
    nbformat.write(notebook, file)


def tells_nothing_of_here(output: Any) -> bool:
    return "127.0.0.1" not in str(output.get("data", "")) and output.get("name") != "stderr"


def kept(output: Any, page: Page) -> Any:
    data = output.get("data", {})
    if "text/plain" in data:  # where an object lay in memory tells nothing, and is another place each time
        data["text/plain"] = re.sub(r" at 0x[0-9a-f]+", "", data["text/plain"])
    if FIGURE in data:
        figure = {name: data[FIGURE][name] for name in ("data", "layout")}
        height = figure["layout"].get("height") or HIGH
        png = page.evaluate(DRAW, [figure, WIDE, height])
        assert base64.b64decode(png)
        output["data"] = {FIGURE: figure, PICTURE: png, "text/plain": "a figure"}
    return output


def main(names: Sequence[str], kept: Path | None) -> None:
    files = [file for file in sorted(FOLDER.glob("*.ipynb")) if not names or file.stem in names]
    with drawing() as page, tempfile.TemporaryDirectory() as scratch:
        first = Path(scratch) / "memory"
        taken_in(first, kept)
        for file in files:
            mine = Path(scratch) / file.stem
            shutil.copytree(first, mine)
            run(file, mine, page)
            print(file.name, f"{file.stat().st_size / 1e3:,.0f} kB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Runs the notebooks and keeps what they show.")
    parser.add_argument("name", nargs="*", help="01_quick_start …; none: all")
    parser.add_argument("--kept", type=Path, help="a folder in which the sample memory is kept for the next run")
    asked = parser.parse_args()
    main(asked.name, asked.kept)
