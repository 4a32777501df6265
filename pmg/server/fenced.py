"""Rows of what was stored as they leave for a model: one line each, behind a fence, and marked where they read like an order.

Every list that MCP gives goes through here; whole turns go through recall/assemble.py, which fences and marks alike. What an answer has outside
of these blocks are our own words, dates and ids.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from pmg.engine import Engine
from pmg.recall.assemble import WARNING, label, reads_like_order
from pmg.recall.fence import ORDER, quoted, trust_of

MAX_ROW = 400  # characters


@dataclass(frozen=True, slots=True)
class StoredRow:
    """`segments` are those it was told in: they are judged whole, for a row shows a part."""

    text: str
    segments: tuple[str, ...] = ()


def fenced(engine: Engine, rows: Iterable[StoredRow]) -> str:
    """Nothing at all where there are no rows."""
    listed = list(rows)
    marked = _ordering(engine, {name for row in listed for name in row.segments})
    return quoted("\n".join(_shown(row, marked) for row in listed), engine.reads.store_id)


def _ordering(engine: Engine, names: Collection[str]) -> frozenset[str]:
    numbers = engine.reads.numbers_of(sorted(names)) if names else {}
    segments = engine.reads.segments(sorted(numbers.values())) if numbers else ()
    return frozenset(one.id for one in segments if reads_like_order(one))


def _shown(row: StoredRow, marked: Collection[str]) -> str:
    is_order = trust_of(row.text) == ORDER or any(name in marked for name in row.segments)
    return label(row.text, MAX_ROW) + (WARNING if is_order else "")
