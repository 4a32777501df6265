"""Which line is told as the answer, and which as what was so before it."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime

import numpy as np
import pytest

from pmg.answer import find
from pmg.answer.evidence import Question
from pmg.answer.excerpts import Excerpt, ExcerptPiece
from pmg.answer.ranked import ScoredExcerpt
from pmg.answer.signals import AnswerSignals
from pmg.base.model import Line, Passage, Role
from pmg.engine import Engine

ALIKE = AnswerSignals(*[1.0] * len(fields(AnswerSignals)))


def said(number: int, text: str, score: float = 1.0) -> ScoredExcerpt:
    """In a month of its own, as near to the others in meaning as can be."""
    at = datetime(2026, number, 1, tzinfo=UTC)
    passage = Passage(
        number, f"seg_{number}", f"s{number}", 0, "default", at, (Line("User", Role.USER, text),), "", "chat"
    )
    piece = ExcerptPiece(passage, 0, 0, len(text))
    return ScoredExcerpt(Excerpt((piece,), piece, 1.0), ALIKE, score, np.ones(1, dtype=np.float32))


@pytest.mark.parametrize(
    ("ranked", "shown", "has_older"),
    [
        ([said(2, "I live in Ulm."), said(1, "I live in Bonn.")], ["I live in Ulm.", "I live in Bonn."], True),
        # Told twice in the same words, it was not otherwise before; what comes next is of something else.
        (
            [said(2, "I live in Ulm."), said(1, "I live in Ulm."), said(3, "The cat was sick.", score=-9.0)],
            ["I live in Ulm.", "The cat was sick."],
            False,
        ),
    ],
)
def test_only_the_earlier_telling_stands_as_what_was_so_before(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, ranked: list[ScoredExcerpt], shown: list[str], has_older: bool
) -> None:
    monkeypatch.setattr(find, "rank", lambda *_: ranked)
    best = find.best_lines(engine, Question("Where do I live?", None, (), "default"))
    assert best is not None
    assert [one.excerpt.said for one in best.chosen] == shown
    assert best.has_older is has_older
