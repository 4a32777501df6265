"""The page's own scripts: the vendored one is the one that was looked at, every file comes with the wheel, nothing is asked of outside."""

from __future__ import annotations

import hashlib
import re
import tomllib
from pathlib import Path

import gradio as gr
from fastapi import FastAPI
from starlette.testclient import TestClient

from pmg.ui import static_files
from pmg.ui.static_files import CYTOSCAPE, FOLDER

ROOT = Path(__file__).resolve().parent.parent.parent
# Of dist/cytoscape.min.js in the package cytoscape 3.34.4 of the npm registry.
CYTOSCAPE_SHA256 = "081591ab735b2b6a3b31a3c60f8f3a3e2fee8c92939e0c7820ad1208571b6cd8"


def test_the_vendored_library_is_the_released_file_with_its_licence() -> None:
    assert hashlib.sha256((FOLDER / CYTOSCAPE).read_bytes()).hexdigest() == CYTOSCAPE_SHA256
    licence = (FOLDER / CYTOSCAPE.replace(".min.js", ".LICENSE.txt")).read_text(encoding="utf-8")
    assert "The Cytoscape Consortium" in licence and "without restriction" in licence


def test_the_wheel_is_told_to_carry_every_static_file() -> None:
    packed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["package-data"]
    carried = {file for pattern in packed["pmg.ui"] for file in (ROOT / "pmg" / "ui").glob(pattern)}
    assert {file for file in FOLDER.rglob("*") if file.is_file()} == carried


def test_a_script_is_served_under_an_address_that_changes_with_it() -> None:
    app = FastAPI()
    static_files.mount(app, "/place")
    (address,) = re.findall(r'src="([^"]+)"', static_files.scripts("graph.js"))
    assert not address.startswith(("/", "http"))  # beside the page, wherever that stands
    answer = TestClient(app).get(f"/place/{address}")
    assert answer.status_code == 200 and answer.text == (FOLDER / "graph.js").read_text(encoding="utf-8")
    assert TestClient(app).get("/place/pmg-static/../static_files.py").status_code == 404


def test_our_scripts_name_no_other_machine() -> None:
    for file in FOLDER.glob("*.js"):
        if file.name != CYTOSCAPE:
            found = re.findall(r"https?://[^\s'\"]+", file.read_text(encoding="utf-8"))
            assert set(found) <= {"http://www.w3.org/2000/svg"}, file.name


def test_gradio_still_leaves_a_template_alone_that_does_not_change() -> None:
    """What the scripts draw stands inside the template; gradio compares the template's text before it touches the page."""
    folder = Path(gr.__file__).parent / "templates" / "frontend" / "assets"
    (source,) = [
        text for file in folder.glob("HTML-*.js") if "js_on_load" in (text := file.read_text(encoding="utf-8"))
    ]
    assert re.search(r"if\(!\w+\|\|(\w+)===(\w+)\)return;let \w+=document\.createElement\(`div`\)", source)
