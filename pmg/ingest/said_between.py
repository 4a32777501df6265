"""Was something else said of the matter between two tellings of the same? Then the later telling is news: it has gone back to what it was.

"I take 5 mg" in 2021, "I take 10 mg" in 2023, "I take 5 mg" in 2025: the third repeats the first and is no duplicate of it. Knows: what counts as
something else of the same matter, by words and cosines that are at hand. duplicates.py asks it at ingest, steward/merge.py before merging.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from pmg.ingest.guard import allows
from pmg.ingest.guard.compare import Reader
from pmg.ingest.spoken import own_words
from pmg.ingest.timed_text import TimedText

SHARED = 0.5  # of the words of the longer text: "My brother Ben lives in | Leeds" / "… York" share five of six


def told_otherwise(
    a: TimedText, near: Iterable[tuple[TimedText, float]], alike: float, reader: Reader
) -> list[datetime]:
    """When these, each with its cosine, tell of the matter of `a` otherwise. From the cosine `alike` on they are of its matter whatever the words: in
    doubt it was told otherwise, for a memory that is shown twice is a nuisance and one that is outdated a lie."""
    return [
        other.at
        for other, cosine in near
        if other.lines != a.lines and _tells_otherwise(a, other, cosine >= alike, reader)
    ]


def _tells_otherwise(a: TimedText, b: TimedText, is_alike: bool, reader: Reader) -> bool:
    """With what was answered, or in people's words alone: an answer is there in one telling and not in another."""
    if _is_otherwise(a, b, is_alike, reader):
        return True
    own, others = own_words(a), own_words(b)
    has_answers = own.lines != a.lines or others.lines != b.lines
    return has_answers and _is_otherwise(own, others, is_alike, reader)


def _is_otherwise(a: TimedText, b: TimedText, is_alike: bool, reader: Reader) -> bool:
    return _same_form(a, b) and (is_alike or _shares_words(a, b, reader)) and not allows(a, b, reader)


def changed_between(a: TimedText, b: TimedText, otherwise: Iterable[datetime]) -> bool:
    """Was it told otherwise after the one and before the other?"""
    first, last = sorted((a.at, b.at))
    return any(first < at < last for at in otherwise)


def _same_form(a: TimedText, b: TimedText) -> bool:
    """Line for line by the same people: what another says does not end what one said oneself."""
    return [(x.role, x.speaker.casefold()) for x in a.lines] == [(x.role, x.speaker.casefold()) for x in b.lines]


def _shares_words(a: TimedText, b: TimedText, reader: Reader) -> bool:
    """In every line: a question asked twice with two answers is no change of what was said."""
    return all(_share(x.text, y.text, reader) >= SHARED for x, y in zip(a.lines, b.lines, strict=True))


def _share(x: str, y: str, reader: Reader) -> float:
    one, two = (Counter(token.key for token in reader(text) if token.key) for text in (x, y))
    return (one & two).total() / max(one.total(), two.total(), 1)
