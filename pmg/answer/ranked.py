"""Excerpts in the order in which they answer, and which of them are shown. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pmg.answer import excerpts
from pmg.answer.excerpts import Excerpt
from pmg.answer.signals import AnswerSignals
from pmg.embed.embedder import Vectors

LOOKED_AT = 4  # stretches of one line that may stand before an excerpt of another turn (candidates.STRETCHES)
AS_GOOD = 0.5  # of score: of two that say the same the later one is shown


@dataclass(frozen=True, slots=True)
class ScoredExcerpt:
    excerpt: Excerpt
    signals: AnswerSignals
    score: float
    vector: Vectors | None = None
    logit: float | None = None  # how well the reader thinks it answers; None: not read
    answer: str = ""  # the words of it that do

    def nearness_to(self, other: ScoredExcerpt) -> float:
        """Cosine; 0 where one has no vector."""
        return float(self.vector @ other.vector) if self.vector is not None and other.vector is not None else 0.0


def ordered(
    found: Sequence[Excerpt],
    signals: Sequence[AnswerSignals],
    scores: Sequence[float],
    vectors: Sequence[Vectors | None] = (),
) -> list[ScoredExcerpt]:
    """Best first; of equals the later one."""
    rows = zip(found, signals, scores, vectors or [None] * len(found), strict=True)
    return sorted((ScoredExcerpt(*row) for row in rows), key=_order)


def _order(one: ScoredExcerpt) -> tuple[float, float, str, int, int]:
    anchor = one.excerpt.anchor
    return (-one.score, -anchor.passage.at.timestamp(), anchor.passage.id, anchor.line, anchor.start)


def different(ranked: Sequence[ScoredExcerpt], most: int) -> list[ScoredExcerpt]:
    """The best that do not overlap and do not repeat one another. Of two that say the same and answer as well the later one: "I see the dentist on Monday" is of another
    Monday each time."""
    chosen: list[ScoredExcerpt] = []
    for one in ranked:
        same = next((place for place, held in enumerate(chosen) if held.excerpt.text == one.excerpt.text), None)
        if same is not None:
            chosen[same] = one if _is_as_good_and_later(one, chosen[same]) else chosen[same]
        elif len(chosen) < most and not any(held.excerpt.overlaps(one.excerpt) for held in chosen):
            chosen.append(one)
    return chosen


def _is_as_good_and_later(one: ScoredExcerpt, held: ScoredExcerpt) -> bool:
    is_later = one.excerpt.anchor.passage.at > held.excerpt.anchor.passage.at
    return is_later and held.score - one.score <= AS_GOOD


def of_different_turns(ranked: Sequence[ScoredExcerpt], most: int) -> list[ScoredExcerpt]:
    """What is shown of them. One turn is shown once: if its best stretch is not the answer, the next best excerpt of another turn more likely is."""
    first: dict[tuple[str, str, int], ScoredExcerpt] = {}
    for one in different(ranked, LOOKED_AT * most):
        passage = one.excerpt.anchor.passage
        first.setdefault((passage.id, passage.session_id, passage.index), one)
    return list(first.values())[:most]


def grown(chosen: Sequence[ScoredExcerpt], ranked: Sequence[ScoredExcerpt]) -> list[ScoredExcerpt]:
    longer = excerpts.grown([one.excerpt for one in chosen], [one.excerpt for one in ranked])
    return [replace(one, excerpt=excerpt) for one, excerpt in zip(chosen, longer, strict=True)]
