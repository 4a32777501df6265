"""The documentation says what the code does: every knob, every command, and nothing that is not there."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import re
import sys
import textwrap
from pathlib import Path

import pytest
import typer

from pmg.cli.main import load_commands
from pmg.cli.root import app

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
HOW_TOS = "\n".join(page.read_text(encoding="utf-8") for page in sorted((ROOT / "docs" / "how-to").glob("*.md")))


def _inside(command: object) -> dict[str, object]:
    """The commands of a group; none of a plain command."""
    return dict(getattr(command, "commands", {}))


def commands() -> set[str]:
    load_commands()
    names = set()
    for name, command in _inside(typer.main.get_command(app)).items():
        names |= {f"{name} {sub}" for sub in _inside(command)} or {name}
    return names


def test_the_page_of_knobs_is_made_from_the_code() -> None:
    spec = importlib.util.spec_from_file_location("make_configuration", ROOT / "docs" / "make_configuration.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert page == made.page(), "run `python docs/make_configuration.py`"


def test_the_picture_of_the_rooms_is_drawn_from_the_code() -> None:
    spec = importlib.util.spec_from_file_location("make_architecture", ROOT / "docs" / "make_architecture.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules["make_architecture"] = made  # its dataclasses look there for their types
    spec.loader.exec_module(made)
    assert (ROOT / "docs" / "architecture.svg").read_text(encoding="utf-8") == made.picture(), (
        "run `python docs/make_architecture.py`"
    )


def test_every_command_is_on_the_page_of_commands() -> None:
    missing = [name for name in sorted(commands()) if f"pmg {name}" not in COMMANDS]
    assert not missing


@pytest.mark.parametrize("page", [README, COMMANDS, HOW_TOS], ids=["README", "commands", "how-tos"])
def test_no_command_is_named_that_is_not_there(page: str) -> None:
    known = commands()
    first = {name.split()[0] for name in known}
    named = re.findall(r"^pmg ([a-z]+)(?: ([a-z]+))?", page, re.MULTILINE)
    assert len(named) > 5
    for one, two in named:
        assert f"{one} {two}" in known or one in known or (one in first and not two), f"pmg {one} {two}"


def test_the_two_commands_stand_in_the_first_screen() -> None:
    screen = README.splitlines()[:25]
    assert any("make run" in line for line in screen)
    assert any("make test" in line for line in screen)


def test_every_test_that_is_named_as_a_proof_is_there() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    named = {(page.name, name) for page in pages for name in re.findall(r"`((?:tests/[\w/]+/)?test_\w+\.py)", page.read_text("utf-8"))}  # fmt: skip
    assert len(named) > 10
    missing = [
        one for one in sorted(named) if not (ROOT / one[1]).exists() and not any(ROOT.glob(f"tests/**/{one[1]}"))
    ]
    assert missing == []


def _anchors(page: Path) -> set[str]:
    """The headings of a page, as a link names them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_local_link_leads_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]:
        for target, anchor in re.findall(r"\]\(([^)#:]*)#?([^)#:]*)\)", page.read_text(encoding="utf-8")):
            place = page.parent / target if target else page
            assert place.exists(), f"{page.name} links to {target}"
            assert not anchor or anchor in _anchors(place), f"{page.name} links to {target}#{anchor}"


# api.md is made from the code and has signatures, which are no examples
PAGES = [ROOT / "README.md", *(page for page in sorted((ROOT / "docs").rglob("*.md")) if page.name != "api.md")]
EXAMPLES = [
    pytest.param(textwrap.dedent(block), id=f"{page.name}-{number}")
    for page in PAGES
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL), 1)
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_in_python_imports_what_is_there(example: str) -> None:
    for node in ast.walk(ast.parse(example)):
        if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] in ("pmg", "steward"):
            module = importlib.import_module(str(node.module))
            for name in node.names:
                if not hasattr(module, name.name):
                    importlib.import_module(f"{node.module}.{name.name}")
