"""What stands beside the newest of several lines that answer: what was so before, only where it took its place, and else another answer."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from pmg.base.model import Line, Passage, Role
from pmg.chat.answer_scoring import SIGNALS
from pmg.chat.answer_signals import AnswerSignals, asked_question
from pmg.chat.evidence import judged
from pmg.chat.excerpts import Excerpt, ExcerptPiece
from pmg.chat.newer_value import was_before
from pmg.chat.responder import QuoteKind, Tone
from pmg.chat.time_order import DatedExcerpt, ScoredExcerpt, in_time_order

ALIKE = 0.8  # cosine of the two lines


def said(text: str, month: int, vector: tuple[float, float], role: Role = Role.USER) -> ScoredExcerpt:
    name = f"m{month}"
    at = datetime(2026, month, 1, tzinfo=UTC)
    passage = Passage(month, f"seg_{name}_0", name, 0, "default", at, (Line("User", role, text),), "", "chat")
    piece = ExcerptPiece(passage, 0, 0, len(text))
    signals = AnswerSignals(**dict.fromkeys(SIGNALS, 0.5))
    return ScoredExcerpt(Excerpt((piece,), piece, 1.0), signals, 5.0, np.array(vector, dtype=np.float32))


def ordered(
    older: str, newer: str, question: str, near: float = ALIKE, role: Role = Role.USER
) -> list[tuple[str, QuoteKind]]:
    """The better first, as they are ranked: here that is the older one."""
    found = dated(older, newer, question, near, role)
    return [(one.found.excerpt.anchor.passage.session_id, one.kind) for one in found]


def dated(older: str, newer: str, question: str, near: float = ALIKE, role: Role = Role.USER) -> list[DatedExcerpt]:
    asked = asked_question(question, question, {}, 10, ())
    best = said(older, 2, (1.0, 0.0), role)
    return in_time_order(asked, [best, said(newer, 9, (near, (1 - near**2) ** 0.5), role)])


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        ("The rent is 940 euros.", "The rent is 1010 euros.", "How high is the rent?"),
        ("My dentist is Dr. Marsch.", "My new dentist is Dr. Kowalski.", "Who is my dentist?"),
        ("Die Miete ist 940 Euro.", "Die Miete ist jetzt 1010 Euro.", "Wie hoch ist die Miete?"),
    ],
)
def test_before_that_is_said_of_a_value_that_another_took_the_place_of(older: str, newer: str, question: str) -> None:
    assert ordered(older, newer, question) == [("m9", QuoteKind.ANSWER), ("m2", QuoteKind.OLDER)]


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        ("Heron 0.8 is blocked by the migration.", "Heron 1.0 is blocked by a licence.", "Why is Heron blocked?"),
        ("The boiler is from Vaillant.", "The boiler is gurgling.", "What is the boiler?"),
        ("We drive to work.", "I cycle 9 km now.", "How do I get there now?"),  # no word in common
    ],
)
def test_what_replaces_nothing_is_one_more_answer(older: str, newer: str, question: str) -> None:
    assert ordered(older, newer, question) == [("m9", QuoteKind.ANSWER), ("m2", QuoteKind.ALSO)]


def test_a_long_line_tells_of_many_things_and_not_of_what_was_so_before() -> None:
    day = (
        "First day in the team of 9: Henrike, Karsten, Aylin and me. " + "We had coffee and were shown the cranes. " * 4
    )
    found = ordered(day, "The team meets on Thursdays now.", "Who is in my team?")
    assert found == [("m9", QuoteKind.ANSWER), ("m2", QuoteKind.ALSO)]


def test_an_explanation_of_the_assistant_was_not_so_before() -> None:
    found = ordered("Seit takes 3 cases.", "Seit takes 1 case now.", "What does seit take?", role=Role.ASSISTANT)
    assert found == [("m9", QuoteKind.ANSWER), ("m2", QuoteKind.ALSO)]


def test_being_newer_counts_only_among_lines_about_the_same_thing() -> None:
    found = ordered("Lena works at Siemens.", "I start to work 1 April.", "Where does Lena work?", near=0.33)
    assert found == [("m2", QuoteKind.ANSWER), ("m9", QuoteKind.ANSWER)]


def test_a_sure_answer_shows_what_answers_as_well() -> None:
    found = dated("The boiler is from Vaillant.", "The boiler is gurgling.", "What is the boiler?")
    verdict = judged(found, chance=1.0, presence=1.0)
    assert (verdict.tone, [quote.kind for quote in verdict.quotes]) == (Tone.SURE, [QuoteKind.ANSWER, QuoteKind.ALSO])


def test_a_reason_is_not_put_back_to_what_was_said_earlier() -> None:
    asked = asked_question("Why did we leave originally?", "Why did we leave originally?", {}, 10, ())
    best, older = said("We left because of the noise.", 9, (1.0, 0.0)), said("We like the noise.", 2, (0.8, 0.6))
    found = in_time_order(asked, [best, older])
    assert [one.found.excerpt.anchor.passage.session_id for one in found] == ["m9", "m2"]


def test_now_in_a_line_that_has_nothing_of_the_question_changes_nothing() -> None:
    """What stands around it may have the question's words; what is another now it must say itself."""
    asked = asked_question("When is the exam?", "When is the exam?", {"exam": 2}, 10, ())
    best = said("The exam is on 7 November.", 2, (1.0, 0.0))
    talk = said("Now I am going to Lena, for cake.", 9, (0.8, 0.6))
    found = in_time_order(asked, [best, replace(talk, score=4.0)])
    assert found[0].found.excerpt.anchor.passage.session_id == "m2"


@pytest.mark.parametrize(
    ("older", "question", "is_so"),
    [
        ("Hofmann offers me 50 euros.", "What did Hofmann offer me at first?", True),
        ("Should Hofmann offer a discount?", "What did Hofmann offer me at first?", False),
        ("Ruth offers me 50 euros.", "What did Hofmann offer me at first?", False),
        ("Ruth offers me 50 euros.", "What was I offered before Hofmann?", True),
    ],
)
def test_what_was_so_before_is_no_question_and_of_the_same(older: str, question: str, is_so: bool) -> None:
    asked = asked_question(question, question, {}, 10, ())
    newer = said("Hofmann offers me 70 euros.", 9, (1.0, 0.0))
    assert was_before(asked, said(older, 2, (0.8, 0.6)).excerpt, newer.excerpt, ALIKE) is is_so
