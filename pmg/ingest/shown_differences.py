"""How differences between two texts are shown: marked in both, or named by their kinds. guard/compare.py finds them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from pmg.ingest.guard.compare import Difference, Span, found_in

Runs = list[tuple[str, bool]]  # (text, differs)

MIN_PIECES, MAX_PIECES = (
    6,
    600,
)  # words of a stretch that is looked into: a short one is seen at once, a very long one costs too much
MOSTLY_SAME = 0.5  # of the words of two stretches, from which on only what differs in them is marked
_PIECE = re.compile(r"\w+|[^\w\s]")


def marked(a: str, b: str) -> tuple[Runs, Runs]:
    """Both texts as runs; the runs of a text joined are that text."""
    found = [pair for _, x, y in found_in(a, b) for pair in _narrowed(a, b, x, y)]
    return _runs(a, [x for x, _ in found]), _runs(b, [y for _, y in found])


def _narrowed(a: str, b: str, x: Span, y: Span) -> list[tuple[Span, Span]]:
    """A text with code in it differs as a whole, for there every sign counts; who reads it wants to see the one word."""
    left, right = _pieces(a, x), _pieces(b, y)
    if not MIN_PIECES <= min(len(left), len(right)) <= max(len(left), len(right)) <= MAX_PIECES:
        return [(x, y)]
    same = SequenceMatcher(None, [a[slice(*one)] for one in left], [b[slice(*one)] for one in right], False)
    if same.ratio() < MOSTLY_SAME:
        return [(x, y)]
    codes = [code for code in same.get_opcodes() if code[0] != "equal"]
    # Only blanks differ: there is no word to mark.
    return [(_across(left, i, to, x), _across(right, j, end, y)) for _, i, to, j, end in codes] or [(x, y)]


def _pieces(text: str, span: Span) -> list[Span]:
    return [one.span() for one in _PIECE.finditer(text, *span)]


def _across(pieces: list[Span], start: int, end: int, whole: Span) -> Span:
    """From the first to the last of some pieces; where there is none, the place where one is missing."""
    if start < end:
        return pieces[start][0], pieces[end - 1][1]
    at = pieces[start][0] if start < len(pieces) else whole[1]
    return at, at


def kinds(found: Iterable[Difference]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(difference.kind.replace(" ", "-") for difference in found))


def _runs(text: str, spans: list[Span]) -> Runs:
    runs, at = [], 0
    for start, end in sorted(spans):
        runs += [(text[at:start], False), (text[max(at, start) : end], True)]
        at = max(at, end)
    return [run for run in (*runs, (text[at:], False)) if run[0]]
