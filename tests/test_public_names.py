"""The public names: there, typed, light to import, on their page, and with one version number."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

import pmg
from pmg.cli.main import load_commands
from pmg.cli.root import app

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("name", pmg.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(pmg, name) is not None


def test_public_names_are_sorted_and_stand_once() -> None:
    assert list(pmg.__all__) == sorted(set(pmg.__all__))


def test_nothing_public_is_left_out() -> None:
    """What the module binds without an underscore is public, a module of ours, or imported only to be used here."""
    used_here = {"annotations", "Path", "TYPE_CHECKING", "import_module", "load", "disable_telemetry"}
    bound = {name for name, value in vars(pmg).items() if not name.startswith("_") and not isinstance(value, type(pmg))}
    assert bound - used_here <= set(pmg.__all__)


def test_completion_offers_every_public_name() -> None:
    assert set(pmg.__all__) <= set(dir(pmg))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Engin'"):
        pmg.Engin  # noqa: B018


def test_importing_pmg_brings_no_heavy_library() -> None:
    told = (
        "import sys, pmg; print(*sorted({'numpy', 'pyarrow', 'duckdb', 'faiss', 'torch', 'gradio'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", told], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_the_page_of_public_names_is_made_from_the_code() -> None:
    spec = importlib.util.spec_from_file_location("make_api", ROOT / "docs" / "make_api.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert page == made.page(), "run `python docs/make_api.py`"
    assert all(f"`pmg.{name}`" in page for name in pmg.__all__)
    assert set(dir(pmg.Engine)) >= made.ENGINE_VERBS


@pytest.mark.parametrize("package", ["pmg", "steward"])
def test_the_packages_carry_their_types(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()
    shipped = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["package-data"]
    assert "py.typed" in shipped[package]


def test_the_version_has_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in project["project"] and "version" in project["project"]["dynamic"]
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "pmg.__version__"}
    assert re.fullmatch(r"\d+\.\d+\.\d+", pmg.__version__)


def test_the_newest_section_of_the_changelog_is_this_version() -> None:
    versions = re.findall(r"^## (\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert versions[0] == pmg.__version__
    assert versions == sorted(set(versions), key=lambda one: tuple(map(int, one.split("."))), reverse=True)


def test_the_command_says_the_version() -> None:
    load_commands()
    told = CliRunner().invoke(app, ["--version"])
    assert (told.exit_code, told.output.strip()) == (0, f"pmg {pmg.__version__}")
