"""Tables for analysis: CSV that no spreadsheet takes for a formula, and Parquet with types.

Knows: the columns (one row a line of a turn) and how a cell is made harmless.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from datetime import UTC
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from pmg.base.model import Segment, Session
from pmg.base.text import escape
from pmg.exporters.files import write_rows, written
from pmg.ingest.asked import ASKED, YES

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
ROW_GROUP = 5_000
MICROS = pa.timestamp("us", tz="UTC")
COLUMNS: dict[str, Any] = {
    "namespace": pa.string(),
    "conversation": pa.string(),
    "session": pa.string(),
    "title": pa.string(),
    "source": pa.string(),
    "segment": pa.string(),
    "position": pa.int32(),
    "line": pa.int32(),
    "said_at": MICROS,
    "speaker": pa.string(),
    "role": pa.string(),
    "text": pa.large_string(),
    "state": pa.string(),
    "stands_for": pa.string(),
    "hits": pa.int32(),
    "pinned": pa.bool_(),
    "tags": pa.list_(pa.string()),
    "quality": pa.float32(),
    "asked": pa.bool_(),
}


def rows_of(session: Session, segments: Iterable[Segment]) -> Iterator[tuple[Any, ...]]:
    for s in segments:
        for place, line in enumerate(s.lines):
            yield (
                session.namespace,
                session.conversation,
                session.id,
                session.title,
                session.source,
                s.id,
                s.index,
                place,
                line.at or s.at,
                line.speaker,
                line.role.value,
                line.text,
                s.state.value,
                s.stands_for,
                s.hits,
                s.pinned,
                list(s.tags),
                s.quality,
                s.meta.get(ASKED) == YES,
            )


def write_csv(file: Path, rows: Iterable[tuple[Any, ...]]) -> None:
    write_rows(file, _csv(rows))


def _csv(rows: Iterable[tuple[Any, ...]]) -> Iterator[str]:
    yield _csv_row(list(COLUMNS))
    for row in rows:
        yield _csv_row([cell(value) for value in row])


def _csv_row(cells: list[str]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue()


def cell(value: Any) -> str:
    """The value as a spreadsheet may see it: a text that could begin a formula gets an apostrophe before it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"{value:g}" if isinstance(value, float) else str(value)
    if isinstance(value, list):
        value = "; ".join(value)
    text = value if isinstance(value, str) else value.isoformat()
    text = text.replace("\0", "␀")
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) else text


def write_parquet(file: Path, rows: Iterable[tuple[Any, ...]]) -> None:
    schema = pa.schema(list(COLUMNS.items()))
    with written(file) as stream, parquet.ParquetWriter(stream, schema) as writer:
        for batch in _batches(rows):
            columns = [
                _column(list(values), kind) for values, kind in zip(zip(*batch, strict=True), schema, strict=True)
            ]
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))


def _column(values: list[Any], field: Any) -> Any:
    if field.type == MICROS:
        return pa.array([at.astimezone(UTC) for at in values], MICROS)
    plain = [escape(v) if isinstance(v, str) else [escape(t) for t in v] if isinstance(v, list) else v for v in values]
    return pa.array(plain, field.type)


def _batches(rows: Iterable[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    batch: list[tuple[Any, ...]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == ROW_GROUP:
            yield batch
            batch = []
    if batch:
        yield batch
