"""Readers of other packages: found by their entry point, asked first, and never able to end an import."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pmg.importers import plugins, readers
from pmg.importers.conversation import Conversation, Problem, Where
from pmg.importers.read import read
from pmg.model import Role
from tests.pmg.importers.places import ROOT

MODULE = """
from pmg.importers.conversation import Conversation, SourceMessage, Where
from pmg.importers.reader import PageReader, ValueReader
from pmg.model import Role

def claims(value):
    return value.get("format") == "parley/1"

def parse(value, where):
    said = tuple(
        SourceMessage(f"m{n}", Role.USER if n % 2 == 0 else Role.ASSISTANT, "User" if n % 2 == 0 else "Parley", text)
        for n, text in enumerate(value["said"])
    )
    yield Conversation("parley", value["id"], value.get("name", ""), None, said)

READERS = [ValueReader(claims, parse)]
BROKEN = ValueReader(claims, lambda value, where: iter([value["nothing"]]))
NO_READER = 7
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Puts a package with one entry point on the path, as pip would."""

    def install(target: str) -> None:
        site = tmp_path / "site"
        (site / "parley_pmg-1.0.dist-info").mkdir(parents=True)
        (site / "parley_pmg.py").write_text(textwrap.dedent(MODULE), encoding="utf-8")
        (site / "parley_pmg-1.0.dist-info" / "METADATA").write_text(
            "Metadata-Version: 2.1\nName: parley-pmg\nVersion: 1.0\n", encoding="utf-8"
        )
        (site / "parley_pmg-1.0.dist-info" / "entry_points.txt").write_text(
            f"[pmg.importers]\nparley = {target}\n", encoding="utf-8"
        )
        monkeypatch.syspath_prepend(str(site))
        _forget()

    yield install
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    for loaded in (plugins.plugin_readers, readers.json_readers, readers.platform_values, readers.platform_rows):
        loaded.cache_clear()
    readers.pages.cache_clear()
    readers.databases.cache_clear()


def file_of(tmp_path: Path) -> Path:
    file = tmp_path / "talk.json"
    # It has `messages` too: without the plugin the plain reader would take it.
    talk = {"format": "parley/1", "id": "p1", "name": "Tea", "said": ["which tea?", "green"]}
    file.write_text(json.dumps({**talk, "messages": [{"role": "user", "content": "which tea?"}]}), encoding="utf-8")
    return file


def test_a_reader_of_another_package_is_asked_before_ours(tmp_path: Path, installed: Callable[[str], None]) -> None:
    installed("parley_pmg:READERS")
    (found,) = read([file_of(tmp_path)])
    assert isinstance(found, Conversation)
    assert (found.source, found.title, [m.text for m in found.messages]) == ("parley", "Tea", ["which tea?", "green"])


@pytest.mark.parametrize("target", ["parley_pmg:missing", "not_there:READERS", "parley_pmg:NO_READER"])
def test_a_package_that_cannot_be_loaded_is_told_and_left_out(
    tmp_path: Path, installed: Callable[[str], None], caplog: pytest.LogCaptureFixture, target: str
) -> None:
    installed(target)
    (found,) = read([file_of(tmp_path)])
    assert isinstance(found, Conversation) and found.source == "generic"
    assert "parley" in caplog.text


def test_a_reader_that_raises_becomes_a_problem_with_the_raw_piece(
    tmp_path: Path, installed: Callable[[str], None]
) -> None:
    installed("parley_pmg:BROKEN")
    (found,) = read([file_of(tmp_path)])
    assert isinstance(found, Problem) and "parley failed: KeyError" in found.reason and "which tea?" in found.raw


def test_the_example_in_the_documentation_works(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "importing.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    made: dict[str, Any] = {}
    exec(compile(code, "parley_pmg.py", "exec"), made)
    (reader,) = made["READERS"]
    value = {"format": "parley/1", "id": "p1", "said": [{"by": "me", "words": "tea?", "when": "2026-01-05T09:00:00Z"}]}
    assert reader.claims(value)
    (found,) = reader.parse(value, Where("a.json"))
    assert [(m.role, m.text) for m in found.messages] == [(Role.USER, "tea?")]
    (problem,) = reader.parse({**value, "said": []}, Where("a.json"))
    assert "without words" in problem.reason
