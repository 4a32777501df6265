"""Recall from end to end, on the stand-in and on the sample memory with the real model."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pmg import sample
from pmg.base.model import Kind, Line, Role, Turn
from pmg.config import Config
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput


def said(engine: Engine, session: str, *texts: str, speaker: str = "Mara") -> None:
    turns = [Turn((Line(speaker, Role.PERSON, text),)) for text in texts]
    engine.ingest([SessionInput(turns, title=session, id=session)])


def found(engine: Engine, query: str, **knobs: object) -> list[str]:
    return [segment.id for segment in engine.recall(query, **knobs).segments]  # type: ignore[arg-type]


def test_the_answer_is_found_through_the_question_before_it(engine: Engine) -> None:
    said(
        engine,
        "talk",
        "We bake bread today.",
        "Which doctor did you see about the knee?",
        "Her name is Vogt.",
        "The film was long.",
    )
    said(engine, "other", "The garden needs seeds.", "The train was late.", "My guitar is out of tune.")
    first, second = engine.recall("which doctor was it about the knee?").receipt.found[:2]
    assert first.segment == "seg_talk_1"
    assert second.segment == "seg_talk_2"
    assert "it answers the turn before it" in second.why
    assert second.via == "seg_talk_1"


@pytest.mark.parametrize(
    ("stored", "query"),
    [
        ("我昨天在图书馆借了一本关于宋朝的书", "宋朝的书"),
        ("京都の旅館を三泊予約しました", "旅館の予約"),
        ("Die Steuererklärung muss bis Ende Juli beim Finanzamt sein", "Steuererklärung Finanzamt"),
        ("Mañana tengo cita con la dentista a las nueve", "cita dentista"),
    ],
)
def test_other_languages_are_found_by_their_words(engine: Engine, stored: str, query: str) -> None:
    said(engine, "filler", *(f"The garden needs seeds number {i}." for i in range(10)))
    said(engine, "other", stored)
    assert found(engine, query)[0] == "seg_other_0"


def test_a_contradiction_brings_its_counterpoint(engine: Engine) -> None:
    said(engine, "a", "The release ships in version two.")
    said(engine, "b", "My sister likes the cinema.")
    engine.link("seg_a_0", "seg_b_0", Kind.CONTRADICTS)
    entry = next(e for e in engine.recall("when does the release ship?").receipt.found if e.segment == "seg_b_0")
    assert (entry.role, entry.edge, entry.via) == ("lateral", "contradicts", "seg_a_0")


def test_one_segment_is_a_memory_too(engine: Engine) -> None:
    said(engine, "only", "The bread needs an hour in the oven.")
    assert found(engine, "bread oven") == ["seg_only_0"]


@pytest.mark.slow
def test_ten_thousand_identical_segments_give_the_oldest_session(open_engine: Callable[..., Engine]) -> None:
    engine = open_engine()
    turns = [Turn((Line("Mara", Role.PERSON, "Bake the bread in the oven."),))] * 100
    engine.ingest([SessionInput(turns, id=f"same-{n:03}") for n in range(100)])
    assert all(name.startswith("seg_same-000_") for name in found(engine, "bread oven"))
    assert sum(engine.counts().segments.values()) == 10_000


@pytest.mark.parametrize("query", ["", "   ", "\n\t"])
def test_a_query_without_words_finds_nothing_and_says_so(engine: Engine, query: str) -> None:
    said(engine, "a", "Bread.")
    result = engine.recall(query)
    assert result.segments == ()
    assert "no words" in result.receipt.note


def test_only_stop_words_still_have_a_defined_outcome(engine: Engine) -> None:
    said(engine, "a", "What is it that you have?", "Bread in the oven.")
    assert engine.recall("what is it that you have").receipt.note == ""


def test_relative_times_are_counted_from_the_moment_of_asking(engine: Engine) -> None:
    for day, text in ((3, "The dough was too wet."), (20, "The dough was too dry.")):
        turn = Turn((Line("Mara", Role.PERSON, text),), datetime(2026, 5, day, 12, tzinfo=UTC))
        engine.ingest([SessionInput([turn], id=f"day-{day}")])
    asked = datetime(2026, 5, 21, 9, tzinfo=UTC)
    result = engine.recall("what about the dough yesterday?", at=asked)
    assert result.receipt.cues == ("around yesterday",)
    assert result.segments[0].id == "seg_day-20_0"
    assert found(engine, "what about the dough yesterday?", at=datetime(2026, 5, 4, tzinfo=UTC))[0] == "seg_day-3_0"


@pytest.mark.slow
@pytest.mark.model
def test_the_sample_questions_are_answered(embedded_sample: Path, home: Path) -> None:
    """A floor that a person would notice: most questions find their evidence among the first ten."""
    shutil.copytree(embedded_sample, home)
    with Engine.open(Config(home=home)) as engine:
        shares = []
        for question in sample.questions():
            first = [s.id for s in engine.recall(question.question, limit=10, count=False).segments]
            shares.append(sum(e in first for e in question.expect) / len(question.expect))
    assert sum(shares) / len(shares) >= 0.65
