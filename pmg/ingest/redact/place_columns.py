"""Where literals stand in a long text, as columns: which count, and which finder is told of which, without a step for each.

The same as literals.py and scan.py do one by one for a short text. Does not know: how literals are found.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from pmg.ingest.redact.literals import Literals, Place
from pmg.ingest.redact.rule import Span

Numbers = NDArray[np.int64]
_FEW = 500  # spans are sorted faster one by one


class PlaceColumns:
    """The literals found in a text: their numbers, beginnings and ends, in order of the ends."""

    __slots__ = ("begins", "ends", "numbers")

    def __init__(self, numbers: Numbers, begins: Numbers, ends: Numbers) -> None:
        self.numbers, self.begins, self.ends = numbers, begins, ends

    def of(self, chosen: NDArray[np.bool_]) -> PlaceColumns:
        return PlaceColumns(self.numbers[chosen], self.begins[chosen], self.ends[chosen])

    def places(self) -> list[Place]:
        return list(zip(self.numbers.tolist(), self.begins.tolist(), self.ends.tolist(), strict=True))


def counting_columns(data: bytes, literals: Literals, found: list[Place], marks: Sequence[Span]) -> PlaceColumns:
    """Of what was found in any case, what counts as it is written and stands in no mark."""
    table = np.fromiter(chain.from_iterable(found), np.int64, 3 * len(found)).reshape(-1, 3)
    numbers, ends = table[:, 0], table[:, 2]
    kept = literals.always_count[numbers]
    doubtful = np.flatnonzero(~kept)
    kept[doubtful] = literals.count(data, [found[index] for index in doubtful.tolist()])
    if marks:
        edges = np.array(marks, np.int64)
        after = np.searchsorted(edges[:, 1], ends)
        starts = np.append(edges[:, 0], len(data) + 1)
        kept &= table[:, 1] < starts[after]
    return PlaceColumns(numbers, table[:, 1], ends).of(kept)


class FinderTable:
    """By a literal and the byte behind it: the finders that are told of it."""

    def __init__(self, finders_of: Sequence[Sequence[int]], follows: Sequence[bytes]) -> None:
        """`finders_of` by the number of a literal; `follows` by that of a finder, the bytes it asks for (b"" is any)."""
        asked = [frozenset(follow) for follow in follows]
        alike: dict[tuple[int, ...], list[int]] = {}
        for byte in range(256):
            alike.setdefault(tuple(n for n, follow in enumerate(asked) if byte in follow), []).append(byte)
        self._class_of = np.zeros(256, np.int64)
        for number, members in enumerate(alike.values()):
            self._class_of[members] = number
        # A group is a set of finders that are told together.
        groups: dict[tuple[int, ...], int] = {}
        self._group_of = np.zeros((len(finders_of), len(alike)), np.int64)
        for literal, finders in enumerate(finders_of):
            for number, asking in enumerate(alike):
                wanted = tuple(finder for finder in finders if not asked[finder] or finder in asking)
                self._group_of[literal, number] = groups.setdefault(wanted, len(groups))
        self._groups = list(groups)

    def told(self, data: bytes, places: PlaceColumns) -> list[tuple[int, list[Span]]]:
        """The numbers of the finders that look at literals, and the places where each should look, all in order."""
        text = np.frombuffer(data + b"\0", np.uint8)  # no finder asks for that byte
        groups = self._group_of[places.numbers, self._class_of[text[places.ends]]]
        by_group = np.argsort(groups, kind="stable")
        begins, ends = places.begins[by_group], places.ends[by_group]
        counts = np.bincount(groups, minlength=len(self._groups))
        stops = np.cumsum(counts).tolist()
        members: dict[int, list[tuple[int, int]]] = {}  # by finder: where its groups lie
        for group in np.flatnonzero(counts).tolist():
            for finder in self._groups[group]:
                members.setdefault(finder, []).append((stops[group] - int(counts[group]), stops[group]))
        return [(finder, _in_order(begins, ends, members[finder])) for finder in sorted(members)]


def _in_order(begins: Numbers, ends: Numbers, slices: Sequence[tuple[int, int]]) -> list[Span]:
    begun = np.concatenate([begins[start:stop] for start, stop in slices])
    ended = np.concatenate([ends[start:stop] for start, stop in slices])
    spans = list(zip(begun.tolist(), ended.tolist(), strict=True))
    if len(spans) < _FEW:
        return sorted(spans)
    order = np.lexsort((ended, begun))
    return list(zip(begun[order].tolist(), ended[order].tolist(), strict=True))
