"""The reader: what it says of lines, that the same pair always scores the same, and what happens without it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import pytest

import pmg
from pmg.base.errors import ModelUnavailable
from pmg.doctor import examine
from pmg.embed.load import default_cache_dir
from pmg.engine import Engine
from pmg.reader import reader as reading
from pmg.reader.holder import ReaderHolder
from pmg.reader.reader import CARD, MODEL, Reader
from pmg.reader.text import LaterLine, ReadLine
from tests.pmg.people.talk import told_to_assistant

pytestmark = pytest.mark.usefixtures("with_reader")
SEATTLE, AUSTIN = ReadLine("me", "I live in Seattle."), ReadLine("me", "I live in Austin now.")
SISTER = ReadLine("me", "My sister lives in Boston.", "me: we talked about family")
WHERE = "Where do I live?"
MARCH, MAY, JULY = (datetime(2026, month, 3, 12, tzinfo=UTC) for month in (3, 5, 7))


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.open(default_cache_dir())


def test_the_line_that_answers_stands_above_those_that_do_not(reader: Reader) -> None:
    mine, hers = (reader.read(question, [SEATTLE, SISTER]) for question in (WHERE, "Where does my sister live?"))
    assert mine[0].logit > mine[1].logit and hers[1].logit > hers[0].logit
    assert SISTER.text[hers[1].start : hers[1].end] == "Boston"
    unknown = reader.read("What is my dog called?", [SEATTLE, AUSTIN, SISTER])
    assert max(one.logit for one in unknown) < min(mine[0].logit, hers[1].logit) - 2


def test_a_later_line_replaces_an_earlier_one_and_another_matter_does_not(reader: Reader) -> None:
    moved, other = reader.stands(WHERE, [(SEATTLE, AUSTIN), (AUSTIN, SISTER)])
    assert moved[LaterLine.REPLACES] > 0.5 > other[LaterLine.REPLACES]
    assert sum(moved.values()) == pytest.approx(1)


def test_the_same_pair_scores_the_same_whatever_is_read_beside_it(reader: Reader) -> None:
    lines = [SEATTLE, ReadLine("Ana", "a" * 3_000), SISTER, AUSTIN, ReadLine("", "")]
    together = reader.read(WHERE, lines)
    assert together == [reader.read(WHERE, [line])[0] for line in lines]
    assert together == reader.read(WHERE, lines[::-1])[::-1]


def test_what_nobody_would_say_is_read_all_the_same(reader: Reader) -> None:
    odd = [
        ReadLine("\ud83d", "half \ud83d", "\ud83d"),
        ReadLine("me", "word " * 200_000),
        ReadLine("", ""),
        ReadLine("李", "我们昨天去了长城。", "\x00" * 900),
    ]
    for question in ("half \ud83d?", "我住在哪里？", "", "?" * 100_000):
        for line, found in zip(odd, reader.read(question, odd), strict=True):
            assert 0 <= found.start <= found.end <= len(line.text)


@pytest.mark.parametrize("harm", ["gone", "damaged", "no card"])
def test_a_file_that_is_not_the_one_that_was_made_is_refused_and_ranking_answers(
    harm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_engine: Callable[..., Engine]
) -> None:
    for name in (MODEL, CARD):
        shutil.copy(str(files("pmg.reader").joinpath(name)), tmp_path / name)
    spoilt = tmp_path / (CARD if harm == "no card" else MODEL)
    if harm == "damaged":
        data = bytearray(spoilt.read_bytes())
        data[len(data) // 2] ^= 1
        spoilt.write_bytes(data)
    else:
        spoilt.unlink()
    monkeypatch.setattr(reading, "files", lambda _: tmp_path)
    with pytest.raises(ModelUnavailable, match=r"Reinstall PMG"):
        Reader.open(default_cache_dir())
    engine = open_engine()
    engine._memory.reader = ReaderHolder()
    with engine.session() as session:
        session.add(user="I live in Seattle.")
    answer = pmg.ask(engine, WHERE)
    assert answer.lines[0].text == "I live in Seattle." and "reader is not there" in answer.notes[0]
    assert any("Reinstall PMG" in finding.what for finding in examine(engine))


def test_a_later_value_answers_and_the_earlier_is_told_as_older(open_engine: Callable[..., Engine]) -> None:
    engine = open_engine()
    engine.ingest([told_to_assistant("one", MARCH, SEATTLE.text), told_to_assistant("two", JULY, AUSTIN.text)])
    answer = pmg.ask(engine, WHERE, at=JULY)
    assert [(line.text, line.note) for line in answer.lines] == [(AUSTIN.text, ""), (SEATTLE.text, "before that")]


def test_what_is_told_again_in_other_words_replaces_nothing(open_engine: Callable[..., Engine]) -> None:
    engine = open_engine()
    told = ("My boss is called Karen Smith.", "Karen Smith is my boss.")
    engine.ingest(
        [told_to_assistant(f"s{day.month}", day, text) for day, text in zip((MARCH, JULY), told, strict=True)]
    )
    assert all(not line.note for line in pmg.ask(engine, "Who is my boss?", at=JULY).lines)


def test_before_that_is_the_value_just_before(open_engine: Callable[..., Engine]) -> None:
    engine = open_engine()
    told = ((MARCH, SEATTLE.text), (MAY, AUSTIN.text), (JULY, "I live in Boston now."))
    engine.ingest([told_to_assistant(f"s{day.month}", day, text) for day, text in told])
    lines = pmg.ask(engine, WHERE, at=JULY).lines
    assert [line.text for line in lines] == ["I live in Boston now.", AUSTIN.text]


def test_a_runtime_that_cannot_be_imported_leaves_the_ranking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pmg.reader.reader", None)
    holder = ReaderHolder()
    assert holder.ready() is None and holder.problem
