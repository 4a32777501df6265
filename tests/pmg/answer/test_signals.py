"""By what an excerpt is judged as the answer to a question."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pmg.answer.excerpt_vectors import Nearness
from pmg.answer.excerpts import Excerpt, ExcerptPiece
from pmg.answer.signals import asked_question, cover, kindred_cover, measure, proper_names
from pmg.base.model import Line, Passage, Role

AT = datetime(2026, 1, 1, tzinfo=UTC)
NOTHING_NEAR = [Nearness(0.0, 0.0, 0.0)] * 2


def said(speaker: str, text: str) -> Excerpt:
    passage = Passage(1, "seg_a_0", "a", 0, "default", AT, (Line(speaker, Role.PERSON, text),), "", "")
    piece = ExcerptPiece(passage, 0, 0, len(text))
    return Excerpt((piece,), piece, 1.0)


@pytest.mark.parametrize(
    ("text", "share"), [("Heron 0.8.0 is out", 1.0), ("Heron 0.8 is out", 1.0), ("Heron 0.80 and 10.8 are out", 0.5)]
)
def test_a_version_is_named_by_its_beginning(text: str, share: float) -> None:
    assert cover({"heron": 1.0, "0.8": 1.0}, text) == share


def test_who_somebody_is_is_not_told_by_their_own_name_as_the_speaker() -> None:
    found = [said("Anna Berg", "I would sign it in my boots."), said("Mara", "Anna Berg is from the gauge office.")]
    who = asked_question("Who is Anna Berg?", "Who is Anna Berg?", {"anna": 1, "berg": 1}, 9, ())
    assert [one.words for one in measure(who, found, NOTHING_NEAR)] == [0.0, 1.0]
    what = asked_question("What did Anna Berg sign?", "What did Anna Berg sign?", {"anna": 1, "berg": 1}, 9, ())
    assert measure(what, found, NOTHING_NEAR)[0].words == 1.0


def test_whoever_is_asked_about_is_the_one_to_say_what_they_did_but_not_who_they_are() -> None:
    found = [said("Anna Berg", "I would sign it in my boots."), said("Mara", "It rains.")]
    who = asked_question("Who is Anna Berg?", "Who is Anna Berg?", {}, 9, ())
    assert [one.by_another for one in measure(who, found, NOTHING_NEAR)] == [1.0, 0.0]
    what = asked_question("What did Anna Berg sign?", "What did Anna Berg sign?", {}, 9, ())
    assert [one.by_another for one in measure(what, found, NOTHING_NEAR)] == [0.0, 1.0]


def test_a_title_is_nobodys_name() -> None:
    assert proper_names("Was hat Frau Seidel gesagt?") == {"seidel"}


def test_a_word_close_in_meaning_counts_for_part_of_the_one_asked_for() -> None:
    weights = {"kitten": 1.0}
    assert kindred_cover(weights, "a kitten") == 1.0
    assert 0 < kindred_cover(weights, "a cat") < 1 and kindred_cover(weights, "a lease") == 0.0
    assert cover(weights, "a cat") == 0.0
