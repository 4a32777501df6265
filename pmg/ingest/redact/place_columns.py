"""Where literals stand in a long text, as columns: which count, and which finder is told of which, without a step for each.

The same as literals.py and scan.py do one by one for a short text. Does not know: how literals are found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from operator import itemgetter
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from pmg.ingest.redact.literals import Literals, Place
from pmg.ingest.redact.marks import Secret, mark_size
from pmg.ingest.redact.rule import Span

Numbers = NDArray[np.int64]
_START, _STOP, _KIND = itemgetter(0), itemgetter(1), itemgetter(2)  # of a secret
_SMALL = frozenset(b"abcdefghijklmnopqrstuvwxyz")
_BLANK = ord(" ")
_OF_WORDS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789[")  # or a mark
WORD_AHEAD = 256  # no byte: a blank and then a word or a mark; what follows a tab is told by the tab, which some finders do not want
_IS_OF_WORDS = np.zeros(256, np.bool_)
_IS_OF_WORDS[list(_OF_WORDS)] = True
_LENGTH = 7  # bits of the length of a literal (literals.py)


class SpanColumns(Sequence[Span]):
    """Spans in order, as two columns: a tuple for each of tens of thousands would take as long as looking at them."""

    __slots__ = ("begins", "ends")

    def __init__(self, begins: Numbers, ends: Numbers) -> None:
        self.begins, self.ends = begins, ends

    def __len__(self) -> int:
        return len(self.begins)

    def __iter__(self) -> Iterator[Span]:
        return zip(self.begins.tolist(), self.ends.tolist(), strict=True)

    @overload
    def __getitem__(self, index: int) -> Span: ...

    @overload
    def __getitem__(self, index: slice) -> SpanColumns: ...

    def __getitem__(self, index: int | slice) -> Span | SpanColumns:
        if isinstance(index, slice):
            return SpanColumns(self.begins[index], self.ends[index])
        return int(self.begins[index]), int(self.ends[index])


class PlaceColumns:
    """The literals found in a text: their numbers, beginnings and ends, in order of the ends."""

    __slots__ = ("begins", "ends", "numbers")

    def __init__(self, numbers: Numbers, begins: Numbers, ends: Numbers) -> None:
        self.numbers, self.begins, self.ends = numbers, begins, ends

    def __len__(self) -> int:
        return len(self.numbers)

    def of(self, chosen: NDArray[np.bool_]) -> PlaceColumns:
        return PlaceColumns(self.numbers[chosen], self.begins[chosen], self.ends[chosen])

    def places(self) -> list[Place]:
        return list(zip(self.numbers.tolist(), self.begins.tolist(), self.ends.tolist(), strict=True))

    def counting(self, data: bytes, literals: Literals) -> PlaceColumns:
        """Of those found in any case, those that count as they are written."""
        kept = literals.always_count[self.numbers]
        doubtful = ~kept
        kept[doubtful] = literals.count(data, self.of(doubtful).places())
        return self.of(kept)

    def moved(self, secrets: Sequence[Secret]) -> PlaceColumns:
        """Where they stand once marks are written in place of the secrets, which are in order. Those in secrets are gone."""
        count = len(secrets)
        starts = np.fromiter(map(_START, secrets), np.int64, count)
        ends = np.fromiter(map(_STOP, secrets), np.int64, count)
        sizes = np.fromiter(map(mark_size, map(_KIND, secrets)), np.int64, count)
        shift = np.concatenate(([0], np.cumsum(sizes - (ends - starts))))
        behind = np.searchsorted(ends, self.begins, "right")
        is_outside = self.ends <= np.append(starts, np.iinfo(np.int64).max)[behind]
        kept, by = self.of(is_outside), shift[behind[is_outside]]
        return PlaceColumns(kept.numbers, kept.begins + by, kept.ends + by)


def columns_outside(found: list[Place], marks: Sequence[Span], size: int) -> PlaceColumns:
    """What was found in any case in a text of this size, save in marks."""
    table = np.fromiter(chain.from_iterable(found), np.int64, 3 * len(found)).reshape(-1, 3)
    columns = PlaceColumns(table[:, 0], table[:, 1], table[:, 2])
    if not marks:
        return columns
    edges = np.fromiter(chain.from_iterable(marks), np.int64, 2 * len(marks))
    after = np.searchsorted(edges[1::2], columns.ends)
    return columns.of(columns.begins < np.append(edges[::2], size + 1)[after])


def following_of(data: bytes, stop: int) -> int:
    """What a wish asks for: the byte that follows, or WORD_AHEAD."""
    if stop >= len(data):
        return 0
    is_word_ahead = data[stop] == _BLANK and stop + 1 < len(data) and data[stop + 1] in _OF_WORDS
    return WORD_AHEAD if is_word_ahead else data[stop]


class FinderWish(NamedTuple):
    """Which literals a finder is told of, by what follows them: one of some bytes (b"" is any), for some no small letter,
    for some no word behind a blank."""

    follow: bytes
    whole: tuple[str, ...]
    unspaced: tuple[str, ...] = ()

    def wants(self, literal: str, following: int) -> bool:
        """`following` is a byte, or WORD_AHEAD."""
        if following == WORD_AHEAD:
            return (not self.follow or _BLANK in self.follow) and literal not in self.unspaced
        if self.follow and following not in self.follow:
            return False
        return not (following in _SMALL and literal in self.whole)


class FinderTable:
    """By a literal and the byte behind it: the finders that are told of it."""

    def __init__(
        self, literals: Sequence[str], finders_of: Sequence[Sequence[int]], wishes: Sequence[FinderWish]
    ) -> None:
        """`literals` and `finders_of` by the number of a literal, `wishes` by that of a finder."""
        alike: dict[tuple[bool, ...], list[int]] = {}  # bytes that no wish tells apart
        for byte in range(WORD_AHEAD):
            alike.setdefault((byte in _SMALL, *(byte in wish.follow for wish in wishes)), []).append(byte)
        alike[()] = [WORD_AHEAD]
        self._class_of = np.zeros(WORD_AHEAD + 1, np.int64)
        for number, members in enumerate(alike.values()):
            self._class_of[members] = number
        # A group is a set of finders that are told together.
        groups: dict[tuple[int, ...], int] = {}
        # Short numbers, which are sorted fast.
        self._group_of = np.zeros((len(finders_of), len(alike)), np.uint16)
        for literal, finders in enumerate(finders_of):
            for number, members in enumerate(alike.values()):
                wanted = tuple(finder for finder in finders if wishes[finder].wants(literals[literal], members[0]))
                self._group_of[literal, number] = groups.setdefault(wanted, len(groups))
        self._groups = list(groups)

    def told(self, data: bytes, places: PlaceColumns) -> list[tuple[int, SpanColumns]]:
        """The numbers of the finders that look at literals, and the places where each should look, all in order."""
        text = np.frombuffer(data + b"\0\0", np.uint8)  # which stands for the end of a text
        following = text[places.ends].astype(np.int64)
        following[(following == _BLANK) & _IS_OF_WORDS[text[places.ends + 1]]] = WORD_AHEAD
        groups = self._group_of[places.numbers, self._class_of[following]]
        by_group = np.argsort(groups, kind="stable")
        keys = (places.begins << _LENGTH | places.ends - places.begins)[by_group]
        counts = np.bincount(groups, minlength=len(self._groups))
        stops = np.cumsum(counts).tolist()
        members: dict[int, list[Numbers]] = {}  # by finder: the places of its groups
        for group in np.flatnonzero(counts).tolist():
            here = keys[stops[group] - int(counts[group]) : stops[group]]
            for finder in self._groups[group]:
                members.setdefault(finder, []).append(here)
        return [(finder, _in_order(members[finder])) for finder in sorted(members)]


def _in_order(keys: Sequence[Numbers]) -> SpanColumns:
    """By their beginnings, then their ends: the pieces are nearly in order, which this sort makes use of."""
    ordered = np.sort(keys[0] if len(keys) == 1 else np.concatenate(keys), kind="stable")
    begins = ordered >> _LENGTH
    return SpanColumns(begins, begins + (ordered & (1 << _LENGTH) - 1))
