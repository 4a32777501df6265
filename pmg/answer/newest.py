"""Of lines that answer about equally well the newest: it holds now, and the best of the others was so before. Pure.

Knows: a score, a nearness and a date, and no words. It stands in where there is no reader (`reading.py`), who says what a later line does to an earlier one.
"""

from __future__ import annotations

from collections.abc import Sequence

from pmg.answer.ranked import ScoredExcerpt

FAR = 2.0  # of score behind the best
NEAR = 0.5  # cosine of the two
MAX_RIVALS = 6  # of the next best


def newest_first(ranked: Sequence[ScoredExcerpt]) -> tuple[list[ScoredExcerpt], bool]:
    """All in their order, but for the newest of those that answer about as well as the first and the earlier one behind it; whether there is one."""
    first, *others = ranked
    rivals = [first, *(one for one in others[:MAX_RIVALS] if _is_rival(first, one))]
    newest = max(rivals, key=lambda one: (one.excerpt.anchor.passage.at, one.score))
    older = [one for one in rivals if one.excerpt.anchor.passage.at < newest.excerpt.anchor.passage.at]
    head = [newest, *older[:1]]
    return [*head, *(one for one in ranked if not any(one is shown for shown in head))], bool(older)


def _is_rival(first: ScoredExcerpt, other: ScoredExcerpt) -> bool:
    is_near = first.score - other.score <= FAR and first.nearness_to(other) >= NEAR
    return is_near and apart_and_of_one_voice(first, other)


def apart_and_of_one_voice(first: ScoredExcerpt, other: ScoredExcerpt) -> bool:
    """Said by the same one, in another passage."""
    a, b = first.excerpt.anchor, other.excerpt.anchor
    is_same_voice = b.role is a.role and b.speaker == a.speaker
    return is_same_voice and b.passage.at != a.passage.at and not first.excerpt.overlaps(other.excerpt)
