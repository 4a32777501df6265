"""How differences between two texts are shown: marked in both, or named by their kinds. guard/compare.py finds them."""

from __future__ import annotations

from collections.abc import Iterable

from pmg.ingest.guard.compare import Difference, Span, found_in

Runs = list[tuple[str, bool]]  # (text, differs)


def marked(a: str, b: str) -> tuple[Runs, Runs]:
    """Both texts as runs; the runs of a text joined are that text."""
    found = list(found_in(a, b))
    return _runs(a, [x for _, x, _ in found]), _runs(b, [y for _, _, y in found])


def kinds(found: Iterable[Difference]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(difference.kind.replace(" ", "-") for difference in found))


def _runs(text: str, spans: list[Span]) -> Runs:
    runs, at = [], 0
    for start, end in sorted(spans):
        runs += [(text[at:start], False), (text[max(at, start) : end], True)]
        at = max(at, end)
    return [run for run in (*runs, (text[at:], False)) if run[0]]
