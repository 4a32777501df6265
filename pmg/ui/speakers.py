"""Who says what is shown: the owner of the memory is "You" on every page, under however many names their lines have.

Knows: how segments, quotes and pairs get that name before they are drawn. Whose a line is, the store says (pmg/store/duckdb/speaking.py); what
goes to a model or into a file keeps the names as they were told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from pmg.answer.evidence import Quote
from pmg.base.model import YOU, Passage, Segment
from pmg.engine import Engine

if TYPE_CHECKING:
    from steward.review import Runs, SideBySide

SegmentOrPassage = TypeVar("SegmentOrPassage", Segment, Passage)


def named(engine: Engine, segments: Iterable[SegmentOrPassage]) -> list[SegmentOrPassage]:
    """The same segments; a line of the owner is said by `YOU`."""
    listed = list(segments)
    mine = engine.reads.browse.owner_lines(one.number for one in listed)
    return [
        replace(
            one,
            lines=tuple(
                replace(line, speaker=YOU) if (one.number, place) in mine else line
                for place, line in enumerate(one.lines)
            ),
        )
        for one in listed
    ]


def named_quotes(engine: Engine, quotes: Sequence[Quote]) -> tuple[Quote, ...]:
    numbers = engine.reads.numbers_of(sorted({one.segment for one in quotes if one.segment}))
    mine = engine.reads.browse.owner_lines(numbers.values()) if numbers else set()
    return tuple(
        replace(one, speaker=YOU) if (numbers.get(one.segment, 0), one.line) in mine else one for one in quotes
    )


def named_pairs(engine: Engine, pairs: Sequence[SideBySide]) -> list[SideBySide]:
    """Their rows have the names of the lines, in an order of their own."""
    ends = {one.number: one for pair in pairs for one in (pair.a, pair.b)}
    mine = engine.reads.browse.owner_lines(ends)
    names = {
        number: {line.speaker: YOU for place, line in enumerate(one.lines) if (number, place) in mine}
        for number, one in ends.items()
    }
    return [replace(pair, lines=_rows(pair, names[pair.a.number], names[pair.b.number])) for pair in pairs]


def _rows(pair: SideBySide, a: Mapping[str, str], b: Mapping[str, str]) -> tuple[tuple[str, Runs, str, Runs], ...]:
    return tuple((a.get(x, x), left, b.get(y, y), right) for x, left, y, right in pair.lines)
