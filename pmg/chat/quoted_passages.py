"""Quotes as the passages they make: an answer with what was said just before and after it is read as one.

Knows: which quotes follow one another in one session. Does not know: how they are found (pmg/answer) or shown. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pmg.answer.evidence import Quote, QuoteKind

_PLACE = re.compile(r"(.*)_(\d+)", re.DOTALL)  # a segment's id ends with its place in its session


def passages(quotes: Sequence[Quote]) -> list[tuple[Quote, ...]]:
    """In the order they came. A new one begins where a quote does not follow the one before, or is a second answer."""
    found: list[list[Quote]] = []
    for quote in quotes:
        if found and _follows(found[-1][-1], quote) and not (_answers(quote) and any(map(_answers, found[-1]))):
            found[-1].append(quote)
        else:
            found.append([quote])
    return [tuple(group) for group in found]


def _answers(quote: Quote) -> bool:
    return quote.kind is not QuoteKind.AROUND


def _follows(a: Quote, b: Quote) -> bool:
    """Whether one was said right after the other, in one session."""
    before, after = _PLACE.fullmatch(a.segment), _PLACE.fullmatch(b.segment)
    if before is None or after is None or before[1] != after[1]:
        return False
    return 0 <= int(after[2]) - int(before[2]) <= 1
