"""Which values the columns of a memory may hold: what could not be read back is named by table, column and row.

Shapes are foreign.py's matter. Most laws follow from a column's type: a number is finite and not negative, a moment has a date in every zone,
a name is no book. Beside them stand the few columns that hold JSON or one of some words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pmg.base.claim import Modality
from pmg.base.model import Kind, Origin, Role, State
from pmg.base.text import printable
from pmg.store.duckdb.attached import NAME
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.schema import TIMESTAMP
from pmg.store.people import EntityKind, Identity, Ruling

_BATCH = 8_192  # rows
MAX_TOLD = 60  # characters of a value in a sentence
MAX_NAME = 1_000_000  # characters of a title, a name, a tag: an answer holds hundreds of them
_FIRST, _LAST = date(1, 1, 2), date(9999, 12, 30)  # every moment of these days has a date in every zone
MAX_OFFSET = 86_399  # seconds between a clock and UTC
_LONG = {("lines", "text"), ("recalls", "query"), ("journal", "before"), ("journal", "after"), ("meta", "value")}
_OBJECTS = {("sessions", "meta"), ("segments", "meta")}  # JSON, of texts by their names
_WORDS: Mapping[tuple[str, str], type[StrEnum]] = {
    ("segments", "state"): State,
    ("lines", "role"): Role,
    ("edges", "kind"): Kind,
    ("edges", "origin"): Origin,
    ("claims", "modality"): Modality,
    ("entities", "kind"): EntityKind,
    ("claim_rulings", "ruling"): Ruling,
    ("identity_decisions", "verdict"): Identity,
}
# Without these a row cannot be read; others may be empty.
_NEEDED = {
    "sessions": "id namespace conversation title source started_at started_offset is_open meta",
    "segments": "number id session_id idx namespace said_at said_offset state stands_for hits pinned tags quality meta",
    "lines": "id segment idx speaker role text",
    "edges": "source target kind weight origin created_at",
}
CHECKED = tuple(
    sorted({*_NEEDED, *(table for table, _ in _WORDS)})
)  # by upkeep, in the memory itself: what holds words and times


@dataclass(frozen=True, slots=True)
class WrongValue:
    """`row` is its place in the table, from 1 on; `key` its first column."""

    table: str
    column: str
    row: int
    key: str
    problem: str

    @property
    def place(self) -> str:
        return f"{self.table}.{self.column} in row {self.row} ({self.key})"

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}"


def wrong_values(database: Database, tables: tuple[str, ...]) -> Iterator[WrongValue]:
    """The first one of each column."""
    for table in tables:
        named: set[str] = set()
        first = 1
        for batch in database.batches(f'SELECT * FROM {NAME}.main."{table}"', _BATCH):
            for found in _wrong_in(table, batch, first):
                if found.column not in named:
                    named.add(found.column)
                    yield found
            first += batch.num_rows


def _wrong_in(table: str, batch: pa.RecordBatch, first: int) -> Iterator[WrongValue]:
    needed = _NEEDED.get(table, "").split()
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        found = _first_wrong((table, name), column, name in needed)
        if found is not None:
            place, problem = found
            yield WrongValue(table, name, first + place, _told(batch.column(0)[place]), problem)


def _first_wrong(place: tuple[str, str], column: pa.Array, is_needed: bool) -> tuple[int, str] | None:
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        return 0, "here or below is text that is no text"
    if is_needed and column.null_count:
        return int(pc.index(column.is_null(), True).as_py()), "nothing stands there"
    if pa.types.is_list(column.type) or pa.types.is_fixed_size_list(column.type):
        found = _first_wrong(place, pc.list_flatten(column), False)
        return None if found is None else (int(pc.list_parent_indices(column)[found[0]].as_py()), found[1])
    wrong, problem = _law(place, column)
    at = -1 if wrong is None else int(pc.index(wrong, True).as_py())
    return None if at < 0 else (at, f"{_told(column[at])} {problem}")


def _law(place: tuple[str, str], column: pa.Array) -> tuple[Any, str]:
    """Which values are wrong, and what is wrong with them."""
    kind = column.type
    if pa.types.is_floating(kind):
        return pc.invert(pc.is_finite(column)), "is no finite number"
    if pa.types.is_integer(kind) and place[1].endswith("_offset"):
        return pc.greater(pc.abs(pc.cast(column, pa.int64())), MAX_OFFSET), "is no offset of a clock"
    if pa.types.is_integer(kind):
        return pc.less(column, 0), "is below 0"
    if pa.types.is_temporal(kind):
        return _outside(column), "has no date in some zones"
    if place in _OBJECTS:
        return pa.array([not _is_object(text) for text in column.to_pylist()], pa.bool_()), "is no JSON object of texts"
    if place in _WORDS:
        words = [word.value for word in _WORDS[place]]
        return pc.invert(pc.is_in(column, pa.array(words, kind))), f"is none of {', '.join(words)}"
    if pa.types.is_string(kind) and place not in _LONG:
        return pc.greater(pc.utf8_length(column), MAX_NAME), f"is longer than {MAX_NAME:,} characters"
    return None, ""


def _outside(column: pa.Array) -> Any:
    if pa.types.is_date(column.type):  # a day has no zone; those of a claim that never held are the first there is
        first, last = pa.scalar(date.min), pa.scalar(date.max)
    else:
        first = pa.scalar(datetime.combine(_FIRST, datetime.min.time()), TIMESTAMP)
        last = pa.scalar(datetime.combine(_LAST, datetime.max.time()), TIMESTAMP)
    return pc.or_(pc.less(column, first), pc.greater(column, last))


def _is_object(text: str | None) -> bool:
    try:
        parsed = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        return False
    return isinstance(parsed, dict) and all(isinstance(value, str) for value in parsed.values())


def _told(value: pa.Scalar) -> str:
    try:
        text = printable(str(value.as_py())).replace("\n", " ")
    except (OverflowError, ValueError):  # a moment or a day beyond Python's
        text = str(value.value)
    return repr(text if len(text) <= MAX_TOLD else text[:MAX_TOLD] + "…")
