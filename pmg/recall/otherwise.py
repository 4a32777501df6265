"""Which of the recalled segments tell the same matter otherwise: of those the newest is the first to find room in a block.

Handles pairs joined by a `contradicts` link, and pairs in which the same people say nearly the same with another value ("CI is on node 18", "… on node 20"), as ingest
tells them apart from duplicates (ingest/said_between.py). What is made of it stands in pack.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from itertools import combinations

import numpy as np

from pmg.base.sentences import asks, pieces
from pmg.components import Components
from pmg.ingest.guard.words import read
from pmg.ingest.said_between import told_otherwise
from pmg.ingest.spoken import PEOPLE
from pmg.ingest.timed_text import SaidText
from pmg.recall.diffuse_mode import CONTRADICTS
from pmg.recall.pack import SHORT, BlockItem
from pmg.recall.passages import size
from pmg.recall.picks import Pick

MAX_LINE_BYTES = 4 * SHORT  # bytes of a line whose sentences are looked at: a log tells of many things


@dataclass(frozen=True, slots=True)
class Telling:
    """What is told in a line of an item: all that people say in the turn, or a sentence."""

    item: int
    line: int
    said: SaidText


Pair = tuple[Telling, Telling]  # the older, the newer


def with_newer(components: Components, found: Sequence[tuple[Pick, BlockItem]]) -> list[tuple[Pick, BlockItem]]:
    """The items, each with the newest that tells its matter otherwise, which is ranked with it; and so is what contradicts it."""
    items = [item for _, item in found]
    linked = _in_time(items, _linked(components, items))
    made = list(items)
    for older, newer in _in_time(items, [*linked, *_alike(items)]):  # the latest of them comes last
        made[older.item] = replace(made[older.item], newer=(items[newer.item].segment.number, newer.line))
        made[newer.item] = _as_high_as(made[newer.item], newer.line, made[older.item])
    for older, newer in linked:
        made[older.item] = _as_high_as(made[older.item], older.line, made[newer.item])
    return [(chosen, item) for (chosen, _), item in zip(found, made, strict=True)]


def _as_high_as(item: BlockItem, line: int, other: BlockItem) -> BlockItem:
    """This line of it at the place of the other's best, where that is before it."""
    if not item.ranks or not other.ranks:
        return item
    return replace(item, ranks={**item.ranks, line: min(item.ranks[line], *other.ranks.values())})


def _in_time(items: Sequence[BlockItem], pairs: Iterable[Pair]) -> list[Pair]:
    def told(one: Telling) -> tuple[datetime, int]:
        return items[one.item].segment.at, items[one.item].segment.number

    ordered = [(a, b) if told(a) < told(b) else (b, a) for a, b in pairs]
    return sorted(ordered, key=lambda pair: (told(pair[1]), told(pair[0])))


def _linked(components: Components, items: Sequence[BlockItem]) -> Iterator[Pair]:
    places = {item.segment.number: place for place, item in enumerate(items)}
    links = components.indexes.catalogue.links(np.array(sorted(places), dtype=np.int64)).of_kinds([CONTRADICTS])
    for source, target in zip(links.source.tolist(), links.target.tolist(), strict=True):
        if source < target and target in places:
            yield _best(items, places[source]), _best(items, places[target])


def _best(items: Sequence[BlockItem], place: int) -> Telling:
    item = items[place]
    line = min(item.ranks, key=lambda at: (item.ranks[at], at), default=0)
    return Telling(place, line, SaidText(item.segment.lines, item.segment.at))


def _alike(items: Sequence[BlockItem]) -> Iterator[Pair]:
    """Short turns, and sentences with figures in them, which may stand in a longer one."""
    reader = cache(read)
    for tellings in (list(_turns(items)), list(_figures(items))):
        for one, other in combinations(tellings, 2):
            if one.item != other.item and told_otherwise(one.said, [(other.said, 0.0)], 1.0, reader):
                yield one, other


def _turns(items: Sequence[BlockItem]) -> Iterator[Telling]:
    """What people said themselves; a note of a program is its own."""
    for place, item in enumerate(items):
        lines = item.segment.lines
        own = [at for at, line in enumerate(lines) if line.role in PEOPLE] or list(range(len(lines)))
        if sum(size(lines[at].text) for at in own) <= SHORT:
            yield Telling(place, own[0], SaidText(tuple(lines[at] for at in own), item.segment.at))


def _figures(items: Sequence[BlockItem]) -> Iterator[Telling]:
    for place, item in enumerate(items):
        for at, line in enumerate(item.segment.lines):
            for start, end in pieces(line.text) if size(line.text) <= MAX_LINE_BYTES else []:
                sentence = line.text[start:end].strip()
                if not asks(sentence) and any(character.isdigit() for character in sentence):
                    yield Telling(place, at, SaidText((replace(line, text=sentence),), item.segment.at))
