"""What of the recalled segments goes into a block, and how much of each: room is spent where the ranking is.

Knows: the parts of every line, what each is worth and what it costs to show it. Does not know: how a block is written (assemble.py),
or how lines were ranked. Pure: the same segments give the same choice.

A line at place r of the ranking, counted from 0, is worth 1 / (r + FIRST), a part of it its share of that (passages.py). What has the
most worth for its size goes in first, worth / bytes^SIZE, and so on while anything fits. So the first answer is shown at length, a
short remark far down still finds room, and of a long text only the sentences that matter. What was told otherwise since waits until the
newer telling is in. Without a ranking everything goes in from the first line on.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pmg.base.model import Passage
from pmg.base.sentences import Range
from pmg.base.text import printable
from pmg.recall.passages import MARK, NearPart, TextPart, WantedWords, merged, parts, size

FIRST = 1.0  # how little the first place stands out from the next ones
SIZE = 0.7  # 1 would count worth per byte, which favours short remarks far down the ranking; 0 the ranking alone
SHORT = 320  # bytes: a line up to this long is shown whole or not at all

Shown = Mapping[int, tuple[Range, ...]]  # line → the characters of it that are shown


@dataclass(frozen=True, slots=True)
class BlockItem:
    """A segment with what the block needs to know of it."""

    segment: Passage
    role: str
    ranks: Mapping[int, int] = field(default_factory=dict)  # line → its place in the ranking of all lines, from 0
    near: Mapping[int, Sequence[NearPart]] = field(default_factory=dict)  # line → its windows, where it has several
    note: str = ""  # what has changed since
    newer: tuple[int, int] | None = (
        None  # segment and line that tell its matter otherwise, and later: without them it finds no room
    )


@dataclass(frozen=True, slots=True)
class Costs:
    """Bytes beside the texts: of each item's header, which the items of one group share, of a turn, and of every line's speaker."""

    group: Sequence[int]  # item → its group
    header: Mapping[int, int]  # group → bytes
    turn: int
    speaker: Sequence[Sequence[int]]  # item → line → bytes


@dataclass(frozen=True, slots=True)
class _Unit:
    """What is shown whole or not at all: a short line, or a part of a long one."""

    item: int
    line: int
    part: TextPart
    worth: float
    cost: int  # bytes of its text alone


class _Room:
    """What is left of the budget. A header and a speaker's name are paid for by the first that needs them."""

    def __init__(self, room: int, costs: Costs) -> None:
        self.left = room
        self._costs = costs
        self._groups: set[int] = set()
        self._lines: set[tuple[int, int]] = set()
        self._items: set[int] = set()

    def cost(self, unit: _Unit) -> int:
        group = self._costs.group[unit.item]
        header = 0 if group in self._groups else self._costs.header[group]
        turn = 0 if unit.item in self._items else self._costs.turn
        known = (unit.item, unit.line) in self._lines
        return unit.cost + header + turn + (0 if known else self._costs.speaker[unit.item][unit.line])

    def has(self, item: int, line: int) -> bool:
        return (item, line) in self._lines

    def take(self, unit: _Unit) -> bool:
        cost = self.cost(unit)
        if cost > self.left:
            return False
        self.left -= cost
        self._groups.add(self._costs.group[unit.item])
        self._lines.add((unit.item, unit.line))
        self._items.add(unit.item)
        return True


def pack(
    items: Sequence[BlockItem], costs: Costs, room: int, wanted: WantedWords, least: float = 0.0
) -> dict[int, Shown]:
    """For every item that has a place, which characters of which lines are shown."""
    ranked = any(item.ranks for item in items)
    units = [unit for place, item in enumerate(items) for unit in _units(place, item, wanted, room, least)]
    taken = _by_worth(units, _newer(items), _Room(room, costs)) if ranked else _in_order(units, _Room(room, costs))
    found: dict[int, dict[int, list[Range]]] = {}
    for unit in taken:
        found.setdefault(unit.item, {}).setdefault(unit.line, []).append((unit.part.start, unit.part.end))
    return {
        place: {i: merged(items[place].segment.lines[i].text, ranges) for i, ranges in sorted(lines.items())}
        for place, lines in sorted(found.items())
    }


def _units(place: int, item: BlockItem, wanted: WantedWords, room: int, least: float) -> Iterator[_Unit]:
    last = max(item.ranks.values(), default=0)
    for i, line in enumerate(item.segment.lines):
        text = line.text
        worth = 1 / (item.ranks.get(i, last) + FIRST)
        if size(text) <= SHORT:
            yield _Unit(place, i, TextPart(0, len(text), 1.0), worth, size(printable(text)))
            continue
        some = parts(text, wanted, room, item.near.get(i, ()))
        enough = least * max((part.share for part in some), default=0.0)
        for part in (part for part in some if part.share >= enough):
            cost = size(printable(text[part.start : part.end])) + MARK
            yield _Unit(place, i, part, worth * part.share, cost)


def _in_order(units: Sequence[_Unit], room: _Room) -> list[_Unit]:
    return [unit for unit in units if room.take(unit)]


def _newer(items: Sequence[BlockItem]) -> dict[int, tuple[int, int]]:
    """Of what was told otherwise since, the item and line that do so."""
    places = {item.segment.number: place for place, item in enumerate(items)}
    pairs = [(place, item.newer) for place, item in enumerate(items) if item.newer is not None]
    return {place: (places[segment], line) for place, (segment, line) in pairs if segment in places}


def _by_worth(units: Sequence[_Unit], newer: Mapping[int, tuple[int, int]], room: _Room) -> list[_Unit]:
    """The most worth for its bytes first. A unit waits with what it would cost had all its headers been paid for; if it still has to pay
    for one when its turn comes, it goes back to where that puts it. What was told otherwise since brings the newer telling in first, or stays out."""
    waiting = [(-_density(unit.worth, unit.cost), at, False) for at, unit in enumerate(units)]
    best: dict[tuple[int, int], int] = {}
    for _, at, _ in sorted(waiting):
        best.setdefault((units[at].item, units[at].line), at)
    heapq.heapify(waiting)
    taken: dict[int, _Unit] = {}

    def take(at: int) -> bool:
        needed = newer.get(units[at].item)
        is_allowed = needed is None or room.has(*needed) or (needed in best and take(best[needed]))
        if is_allowed and room.take(units[at]):
            taken[at] = units[at]
        return at in taken

    while waiting:
        density, at, settled = heapq.heappop(waiting)
        real = -_density(units[at].worth, room.cost(units[at]))
        if at in taken:
            continue
        if real > density and not settled:
            heapq.heappush(waiting, (real, at, True))
        else:
            take(at)
    return list(taken.values())


def _density(worth: float, cost: int) -> float:
    return float(worth / max(1, cost) ** SIZE)
