"""Where something was taken out of what came in, with the words around it: by these a person sees a false one.

Only some are kept, and of every kind a few; counts are kept by those who ask (pipeline.py). The marks themselves are
written by redact/.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pmg.ingest.redact import excerpts
from pmg.ingest.turns import CleanedTurn

MAX_PLACES = 100  # enough to see what a rule takes by mistake
MAX_OF_A_KIND = 5  # so that a kind found a thousand times does not hide the others


@dataclass(frozen=True, slots=True)
class RedactedPlace:
    """A mark in what came in, and the words around it on one line."""

    kind: str
    session: str
    excerpt: str


def places_of(session: str, cleaned: CleanedTurn) -> list[RedactedPlace]:
    if not cleaned.redacted:
        return []
    return [RedactedPlace(kind, session, shown) for line in cleaned.turn.lines for kind, shown in excerpts(line.text)]


def some_places(places: Iterable[RedactedPlace]) -> tuple[RedactedPlace, ...]:
    """The first few of each kind, in order."""
    seen: Counter[str] = Counter()
    out: list[RedactedPlace] = []
    for place in places:
        seen[place.kind] += 1
        if seen[place.kind] <= MAX_OF_A_KIND and len(out) < MAX_PLACES:
            out.append(place)
    return tuple(out)


def one_of_each(places: Iterable[RedactedPlace]) -> dict[str, RedactedPlace]:
    """The first place of every kind, by kind."""
    out: dict[str, RedactedPlace] = {}
    for place in places:
        out.setdefault(place.kind, place)
    return dict(sorted(out.items()))


def place_rows(places: Iterable[RedactedPlace]) -> Iterator[str]:
    """One place of every kind, so that a false one is seen."""
    for kind, place in one_of_each(places).items():
        yield f"  {kind}, for instance in {place.session}: {place.excerpt}"
