"""A wrong type is told at the verb that it was given to: the argument's name, the type that came, and what to give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pmg
from pmg.base import arguments
from pmg.base.errors import InputError
from pmg.base.model import Kind, Line, Origin, Role, Turn
from pmg.engine import Engine

MONDAY = datetime(2026, 1, 5, 9, tzinfo=UTC)
TEXT, TIME, DAY = "give text", "give a datetime", "give a date"
Verb = Callable[[Any], object]
WRONG: dict[str, tuple[Verb, str]] = {
    "a query": (lambda engine: engine.recall(None), f"query is None: {TEXT}"),
    "the moment of asking": (lambda engine: engine.recall("cat", at="2026-01-05"), f"at is str: {TIME}"),
    "a day for a moment": (lambda engine: engine.recall("cat", at=date(2026, 1, 5)), f"at is date: {TIME}"),
    "a context": (lambda engine: engine.recall("cat", active_context=[1]), rf"active_context\[0\] is int: {TEXT}"),
    "a session to leave out": (
        lambda engine: engine.recall("cat", exclude_session=3),
        "exclude_session is int: give a text or a list of texts",
    ),
    "a segment to leave out": (
        lambda engine: engine.recall("cat", exclude_segments=[1.5]),
        r"exclude_segments\[0\] is float: give a segment's id",
    ),
    "a number that no segment has": (
        lambda engine: engine.recall("cat", exclude_segments=[10**30]),
        r"exclude_segments\[0\] is a number of more than 63 bits: give a segment's id",
    ),
    "several numbers for one": (
        lambda engine: engine.recall("cat", exclude_segments=[np.array([1, 2])]),
        r"exclude_segments\[0\] is ndarray: give a segment's id",
    ),
    "a floor that is no number": (
        lambda engine: engine.recall("cat", floor=float("nan")),
        "floor is nan: give a finite",
    ),
    "several floors": (
        lambda engine: engine.recall("cat", floor=np.array([0.1, 0.2])),
        "floor is ndarray: give a number",
    ),
    "a floor": (lambda engine: engine.recall("cat", floor="a"), "floor is str: give a number"),
    "a question": (lambda engine: pmg.ask(engine, 4), f"query is int: {TEXT}"),
    "a day": (lambda engine: pmg.ask(engine, "who is Anna?", as_of="2026-01-05"), f"as_of is str: {DAY}"),
    "a title": (lambda engine: engine.session(5), f"title is int: {TEXT}"),
    "a beginning": (lambda engine: engine.session(started_at="2026-01-05"), f"started_at is str: {TIME}"),
    "bytes": (lambda engine: engine.session().add(user=b"cat"), f"user is bytes: {TEXT}"),
    "lines as a text": (lambda engine: engine.session().add(lines="cat"), "lines is str: give a list of pmg.Line"),
    "a line as a mapping": (lambda engine: engine.session().add(lines=[{}]), r"lines\[0\] is dict: give a pmg.Line"),
    "a role": (
        lambda engine: engine.session().add(lines=[Line("A", "nobody", "cat")]),  # type: ignore[arg-type]
        r"lines\[0\].role is 'nobody': give one of user, assistant",
    ),
    "notes": (lambda engine: engine.session().add(user="cat", meta={"a": 1}), rf"meta\['a'\] is int: {TEXT}"),
    "a turn": (lambda engine: engine.add_turn("s1", "cat"), "turn is str: give a pmg.Turn"),
    "one session": (
        lambda engine: engine.ingest(pmg.SessionInput([])),
        "sessions is SessionInput: give a list of pmg.SessionInput",
    ),
    "turns as a text": (
        lambda engine: engine.ingest([pmg.SessionInput("cat")]),  # type: ignore[arg-type]
        r"sessions\[0\].turns is str: give a list of pmg.Turn",
    ),
    "the words of a line": (
        lambda engine: engine.ingest([pmg.SessionInput([Turn((Line("A", Role.PERSON, None),))])]),  # type: ignore[arg-type]
        rf"sessions\[0\].turns\[0\].lines\[0\].text is None: {TEXT}",
    ),
    "a kind": (
        lambda engine: engine.link("a", "b", "nonsense"),
        "kind is 'nonsense': give one of related_to, supports",
    ),
    "an origin": (lambda engine: engine.link("a", "b", "supports", 1.0, 3), "origin is int: give one of auto, user"),
    "a weight": (lambda engine: engine.link("a", "b", "supports", "1"), "weight is str: give a number"),
    "a segment": (lambda engine: engine.segment(1), f"segment_id is int: {TEXT}"),
    "a segment's links": (lambda engine: engine.edges(1), f"segment_id is int: {TEXT}"),
    "a model by name": (lambda engine: engine.reembed("foo"), "embedder is str: give an embedding model"),
    "no model": (lambda engine: engine.reembed(None), "embedder is None: give an embedding model"),
    "a namespace": (lambda engine: engine.sessions(3), f"namespace is int: {TEXT}"),
    "a statement": (lambda engine: engine.sql(4), f"statement is int: {TEXT}"),
    "a limit below nought": (lambda engine: engine.sql("SELECT 1", limit=-1), "limit is -1: give 0 or more"),
    "no time to answer": (lambda engine: engine.sql("SELECT 1", seconds=-1), "seconds is -1: give the time"),
    "endless time": (
        lambda engine: engine.sql("SELECT 1", seconds=float("inf")),
        "seconds is inf: give a finite number",
    ),
    "time without measure": (lambda engine: engine.sql("SELECT 1", seconds=10**400), "seconds is inf: give a finite"),
    "centuries": (
        lambda engine: engine.sql("SELECT 1", seconds=1e12),
        r"seconds is 1e\+12: give the time that .* at most",
    ),
    "one value for a list": (
        lambda engine: engine.sql("SELECT 1", 5),
        r"parameters is int: give a list with a value for each \?",
    ),
    "a text for values": (lambda engine: engine.sql("SELECT ?", "a"), "parameters is str: give a list"),
    "a limit without measure": (
        lambda engine: engine.sql("SELECT 1", limit=10**30),
        "limit is a number of more than 63",
    ),
    "a document": (lambda engine: engine.learn(5), "file is int: give a path"),
    "a backup": (lambda engine: engine.backup(5), "file is int: give a path"),
    "settings": (lambda engine: engine.with_config(None), "config is None: give a pmg.Config"),
    "other settings": (lambda engine: engine.reconfigure("x"), "config is str: give a pmg.Config"),
    "a home": (lambda _engine: pmg.open(5), "home is int: give a path"),  # type: ignore[arg-type]
    "a NUL in a path": (lambda _engine: pmg.open("a\0b"), "home holds a NUL character"),
    "an empty home": (lambda _engine: pmg.open(""), "home is empty: give a path"),
    "an empty name for a backup": (lambda engine: engine.backup(" "), "file is empty: give a path"),
    "a section that is none": (
        lambda engine: pmg.open(config=replace(engine.config, recall={"top_k": 3})),  # type: ignore[arg-type]
        r"config\.recall is dict: give a pmg\.config\.RecallConfig",
    ),
    "two homes": (
        lambda engine: pmg.open(engine.config.home / "other", engine.config),
        r"home is .*other and config\.home is .*: leave one of them out",
    ),
    "settings to open with": (lambda engine: pmg.open(engine.config.home, "x"), "config is str: give a pmg.Config"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_argument_is_told_by_name_with_the_mend(engine: Engine, what: str) -> None:
    verb, told = WRONG[what]
    with pytest.raises(InputError, match=f"^{told}"):
        verb(engine)
    assert not any(session.segments for session in engine.sessions())
    assert not engine.reads.maintenance.journal_entries()  # nothing was kept aside as if it were damaged


def told_two(engine: Engine) -> tuple[str, str]:
    with engine.session(session_id="s1") as session:
        return session.add(user="the cat has to see the vet"), session.add(user="bread needs a hot oven")


def test_one_text_is_one_context(engine: Engine) -> None:
    told_two(engine)
    known = "the cat has to see the vet"
    as_text, as_list = (engine.recall("cat", active_context=given) for given in (known, [known]))
    assert [s.id for s in as_text.segments] == [s.id for s in as_list.segments]


def test_a_segment_is_left_out_by_its_id_or_by_its_number(engine: Engine) -> None:
    a, _ = told_two(engine)
    number = engine.segment(a).number
    for given in (a, [a], [number], [np.int64(number)]):
        assert a not in {s.id for s in engine.recall("cat", exclude_segments=given).segments}


def test_kinds_origins_and_roles_may_be_given_as_text(engine: Engine) -> None:
    a, b = told_two(engine)
    engine.link(a, b, "supports", 1.0, "model")
    assert (Kind.SUPPORTS, Origin.MODEL) in {(edge.kind, edge.origin) for edge in engine.edges(a)}
    assert engine.unlink(a, b, "supports") == 1
    name = engine.session(session_id="s2").add(lines=[Line("Anna", "person", "hello")])  # type: ignore[arg-type]
    assert engine.segment(name).lines[0].role is Role.PERSON


def test_paths_may_be_given_as_text(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("the cat has to see the vet", encoding="utf-8")
    assert engine.learn(str(tmp_path / "notes.md")).turns == 1
    engine.backup(str(tmp_path / "new" / "b.duckdb"))
    assert (tmp_path / "new" / "b.duckdb").is_file()


def test_a_moment_given_for_a_day_is_its_day() -> None:
    assert arguments.day(MONDAY, "as_of") == date(2026, 1, 5)


def test_one_folder_may_be_named_in_two_ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pmg.open("memory", pmg.Config(home=tmp_path / "memory"), wait=False) as engine:
        assert engine.config.home == tmp_path / "memory"
