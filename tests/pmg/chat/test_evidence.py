"""How sure an answer is said to be: sure, unsure, or nothing with or without the nearest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from pmg.base.model import CHAT_SOURCE, Line, Role
from pmg.chat import answer_scoring, evidence, turn
from pmg.chat.answer_scoring import LIKELY, NEAR, NEAR_AMONG_FEW, PRESENT, SURE
from pmg.chat.excerpts import Excerpt, ExcerptPiece
from pmg.chat.responder import QuoteKind, Tone
from pmg.chat.time_order import DatedExcerpt, ScoredExcerpt
from pmg.chat.turn import ChatTarget
from pmg.engine import Engine


@pytest.fixture
def found(open_engine: Callable[..., Engine]) -> list[DatedExcerpt]:
    engine = open_engine()
    with engine.session(session_id="s") as opened:
        opened.add(user="We use Postgres because we need joins.", assistant="Noted.")
    ask = turn.requested(engine, ChatTarget("default"), "Why did we choose Postgres?", None)
    question = evidence.standalone_question(ask)
    ranked = evidence.rank(engine, ask, evidence.understood(engine, ask, question), question.leans)
    return [DatedExcerpt(ranked[0], QuoteKind.ANSWER)]


@pytest.mark.parametrize(
    ("chance", "presence", "tone", "shows"),
    [
        (SURE, PRESENT, Tone.SURE, True),
        (SURE - 0.01, PRESENT, Tone.UNSURE, True),
        (SURE, PRESENT - 0.01, Tone.UNSURE, True),  # likely, although a word of the question is foreign to this memory
        (LIKELY, 0.0, Tone.UNSURE, True),
        (LIKELY - 0.01, NEAR, Tone.NOTHING, True),
        (LIKELY - 0.01, NEAR - 0.01, Tone.NOTHING, False),
    ],
)
def test_chance_and_presence_decide_how_sure_it_is_said(
    found: list[DatedExcerpt], chance: float, presence: float, tone: Tone, shows: bool
) -> None:
    judged = evidence.judged(found, chance, presence)
    assert (judged.tone, bool(judged.quotes)) == (tone, shows)


@pytest.mark.parametrize(("many_lines", "shows"), [(200, True), (0, False)])
def test_a_small_memory_that_declines_shows_what_comes_nearest(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, many_lines: int, shows: bool
) -> None:
    with engine.session("a") as session:
        session.add(user="The cat is called Biscuit.", assistant="A good name.")
    monkeypatch.setattr(answer_scoring, "chance", lambda traits: LIKELY - 0.01)
    monkeypatch.setattr(answer_scoring, "presence", lambda traits: (NEAR + NEAR_AMONG_FEW) / 2)
    monkeypatch.setattr(evidence, "MANY_LINES", many_lines)
    verdict = evidence.find(engine, turn.requested(engine, ChatTarget("default", kept=False), "Who has a cat?", None))
    assert (verdict.tone, bool(verdict.quotes)) == (Tone.NOTHING, shows)


def test_an_unsure_answer_shows_a_turn_once_and_goes_on_to_another(found: list[DatedExcerpt]) -> None:
    best = found[0].found
    passage = best.excerpt.anchor.passage
    early, late = (ExcerptPiece(passage, 0, start, start + 9) for start in (0, 9))
    other = replace(best.excerpt.anchor, passage=replace(passage, id="seg_t_0", session_id="t"))
    ranked = [replace(best, excerpt=Excerpt((piece,), piece, 1.0)) for piece in (early, late, other)]
    assert [one.excerpt.anchor for one in evidence.different(ranked, 2)] == [early, late]
    assert [one.excerpt.anchor for one in evidence.of_different_turns(ranked, 2)] == [early, other]


def test_what_was_added_right_after_is_shown_once_and_only_if_it_was_told_here(found: list[DatedExcerpt]) -> None:
    best = found[0].found
    texts = ("Tom is coming", "Also Ned, and Cyril", "Betty rang", "Also Sue")

    def rows(source: str) -> list[ScoredExcerpt]:
        turns = [
            replace(
                best.excerpt.anchor.passage,
                id=f"seg_{place}",
                index=place,
                source=source,
                lines=(Line("User", Role.USER, text),),
            )
            for place, text in enumerate(texts)
        ]
        pieces = [ExcerptPiece(turn, 0, 0, len(turn.lines[0].text)) for turn in turns]
        return [replace(best, excerpt=Excerpt((piece,), piece, 1.0)) for piece in pieces]

    tom, ned, *_ = ranked = rows(CHAT_SOURCE)
    assert evidence.added_to([tom], ranked) == [ned]
    assert evidence.added_to([tom, ned], ranked) == []
    assert evidence.added_to(rows("claude")[:1], rows("claude")) == []


def test_of_two_that_say_the_same_and_answer_as_well_the_later_is_taken(found: list[DatedExcerpt]) -> None:
    old = found[0].found
    piece = old.excerpt.anchor
    passage = replace(piece.passage, id="seg_t_0", session_id="t", at=piece.passage.at + timedelta(days=200))
    anchor = replace(piece, passage=passage)
    new = replace(old, excerpt=Excerpt((anchor,), anchor, old.excerpt.relevance, False), score=old.score - 0.1)
    assert evidence.different([old, new], 3) == [new]
    assert evidence.different([old, replace(new, score=old.score - 1.0)], 3) == [old]
