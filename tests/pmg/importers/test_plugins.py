"""Readers of other packages: found by their entry point, asked first, and never able to end an import."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from pmg.base.model import Role
from pmg.engine import Engine
from pmg.importers import plugins, readers, result_check
from pmg.importers.conversation import Branch, Conversation, Level, Problem, SourceMessage, Where
from pmg.importers.import_run import import_paths
from pmg.importers.read import read
from tests.pmg.importers.places import ROOT

MODULE = """
from datetime import UTC, datetime

from pmg.importers.conversation import Conversation, SourceMessage, Where
from pmg.importers.reader import PageReader, ValueReader
from pmg.base.model import Role

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
ENDING = ValueReader(claims, lambda value, where: exit(3))
NO_READER = 7

def message(**given):
    return SourceMessage(**{"origin_id": "m0", "role": Role.USER, "speaker": "User", "text": "which tea?", **given})

def talk(**given):
    said = {"source": "parley", "origin_id": "p1", "title": "Tea", "created_at": None, "messages": (message(),)}
    return Conversation(**{**said, **given})

WRONG = {
    "a mapping": {"title": "x"},
    "a text": "hello",
    "messages as mappings": talk(messages=[{"text": "tea"}]),
    "a numbered id": talk(origin_id=77),
    "a role as text": talk(messages=(message(role="user"),)),
    "no text": talk(messages=(message(text=None),)),
    "a time as text": talk(created_at="2026-01-01"),
    "no title": talk(title=None),
    "notes of numbers": talk(meta={"stars": 5}),
    "a branch as a list": talk(branches=([message()],)),
    "no source": talk(source=" "),
    "a source of two lines": talk(source="par\\nley"),
}
LISTED = ValueReader(
    claims, lambda value, where: iter([WRONG[value["wrong"]] if "wrong" in value else talk(origin_id=value["id"])])
)
EMPTY = ValueReader(claims, lambda value, where: iter([talk(messages=()), talk()]))
MIXED_TIMES = ValueReader(claims, lambda value, where: iter([talk(messages=[
    message(at=datetime(2026, 1, 5, 9)), message(origin_id="m1", at=datetime(2026, 1, 5, 9, 1, tzinfo=UTC))])]))
PAGE = PageReader(lambda head: head.startswith("Parley"), lambda chunks, where: iter([None]))
"""
WRONG = {
    "a mapping": "gave dict: give a Conversation or a Problem",
    "a text": "gave str: give a Conversation or a Problem",
    "messages as mappings": "gave Conversation.messages[0] as dict: give a SourceMessage",
    "a numbered id": "gave Conversation.origin_id as int: give text",
    "a role as text": "gave Conversation.messages[0].role as str: give a member of pmg.base.model.Role",
    "no text": "gave Conversation.messages[0].text as None: give text",
    "a time as text": "gave Conversation.created_at as str: give a datetime",
    "no title": "gave Conversation.title as None: give text",
    "notes of numbers": "gave Conversation.meta['stars'] as int: give a mapping of text to text",
    "a branch as a list": "gave Conversation.branches[0] as list: give a Branch",
    "no source": "gave Conversation.source as an empty text: give the name",
    "a source of two lines": "gave Conversation.source as a text of several lines",
}


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
    assert "Traceback" not in caplog.text


def test_a_reader_that_raises_becomes_a_problem_with_the_raw_piece(
    tmp_path: Path, installed: Callable[[str], None]
) -> None:
    installed("parley_pmg:BROKEN")
    (found,) = read([file_of(tmp_path)])
    assert isinstance(found, Problem) and "parley failed: KeyError" in found.reason and "which tea?" in found.raw


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_result_is_told_with_its_field_and_the_mend_and_all_else_comes_in(
    tmp_path: Path, installed: Callable[[str], None], engine: Engine, wrong: str
) -> None:
    installed("parley_pmg:LISTED")
    talks = [{"id": "p1"}, {"id": "p2", "wrong": wrong, "said": "a lost cup"}, {"id": "p3"}]
    for number, talk in enumerate(talks):
        (tmp_path / f"{number}.json").write_text(json.dumps({"format": "parley/1", **talk}), encoding="utf-8")
    report = import_paths(engine, [tmp_path / f"{number}.json" for number in range(3)])
    (problem,) = report.problems
    assert problem.file.endswith("1.json")
    assert f"the importer parley {WRONG[wrong]}" in problem.reason
    assert "a lost cup" in problem.raw and report.kept_raw == 1
    assert report.sources["parley"].conversations == 2


def test_a_conversation_without_messages_is_skipped_and_counted(
    tmp_path: Path, installed: Callable[[str], None], engine: Engine
) -> None:
    installed("parley_pmg:EMPTY")
    report = import_paths(engine, [file_of(tmp_path)])
    assert report.levels == {Level.SKIPPED: 1} and "'Tea' has no messages" in report.problems[0].reason
    assert report.sources["parley"].conversations == 1


def test_a_reader_that_ends_the_program_ends_only_itself(tmp_path: Path, installed: Callable[[str], None]) -> None:
    installed("parley_pmg:ENDING")
    (found,) = read([file_of(tmp_path)])
    assert isinstance(found, Problem) and "parley failed: SystemExit" in found.reason


def test_times_with_and_without_a_zone_come_in_together(
    tmp_path: Path, installed: Callable[[str], None], engine: Engine
) -> None:
    installed("parley_pmg:MIXED_TIMES")
    assert import_paths(engine, [file_of(tmp_path)]).sources["parley"].turns == 2


def test_a_page_that_could_not_be_read_is_kept_raw(tmp_path: Path, installed: Callable[[str], None]) -> None:
    installed("parley_pmg:PAGE")
    file = tmp_path / "talk.txt"
    file.write_text("Parley of Monday\nwhich tea?\n", encoding="utf-8")
    (found,) = read([file])
    assert isinstance(found, Problem) and "gave None" in found.reason and "which tea?" in found.raw


@pytest.mark.parametrize(
    ("kind", "known"),
    [
        (SourceMessage, result_check.MESSAGE),
        (Branch, result_check.BRANCH),
        (Conversation, result_check.CONVERSATION),
        (Problem, result_check.PROBLEM),
    ],
)
def test_every_field_of_a_result_is_checked(kind: Any, known: dict[str, Any]) -> None:
    assert [field.name for field in fields(kind)] == list(known)


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
