"""The answer to a question as CSV, JSON or Parquet: on the page, on the command line and over the server alike.

Knows: Arrow tables of any columns and how their values are written.
Text is as it is stored: what no database can hold is escaped there (docs/schema.md), and stays so.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from pmg.base.text import counted
from pmg.exporters.files import write_rows, written
from pmg.exporters.tables import cell

FORMS = ("table", "csv", "json", "parquet")


def csv_text(table: pa.Table) -> str:
    return "".join(_csv_rows(table))


def _csv_rows(table: pa.Table) -> Iterator[str]:
    yield _row([cell(name) for name in table.column_names])
    for batch in table.to_batches(5_000):
        for values in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            yield _row([_cell(value) for value in values])


def _row(cells: list[str]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    found = plain(value)
    return cell(found if isinstance(found, str | bool | int | float) else json.dumps(found, ensure_ascii=False))


def duration_text(value: pa.MonthDayNano) -> str:
    """As DuckDB writes an INTERVAL: `1 month 2 days 00:04:47`."""
    years, months = divmod(abs(value.months), 12)
    sign = "-" if value.months < 0 else ""
    named = ((years, sign, "year"), (months, sign, "month"), (abs(value.days), "-" if value.days < 0 else "", "day"))
    parts = [f"{before}{counted(number, name)}" for number, before, name in named if number]
    micros = abs(value.nanoseconds) // 1_000
    seconds, rest = divmod(micros, 1_000_000)
    clock = f"{seconds // 3_600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}" + (
        f".{rest:06}".rstrip("0") if rest else ""
    )
    if micros or not parts:
        parts.append(f"{'-' if value.nanoseconds < 0 else ''}{clock}")
    return " ".join(parts)


def plain(value: Any) -> Any:
    """A value as JSON knows it: times and durations as text, whole decimals as whole numbers, bytes in hexadecimal."""
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, pa.MonthDayNano):
        return duration_text(value)
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else str(value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    return value if value is None or isinstance(value, str | bool | int) else str(value)


def json_rows(table: pa.Table) -> list[dict[str, Any]]:
    names, columns = distinct(table.column_names), [column.to_pylist() for column in table.columns]
    return [dict(zip(names, map(plain, row), strict=True)) for row in zip(*columns, strict=True)]


def distinct(names: Sequence[str]) -> list[str]:
    """Each name once, for forms that cannot hold one twice: the second `a` is `a_1`, as DuckDB calls it where it makes a table."""
    found: dict[str, None] = {}
    for name in names:
        others = (f"{name}_{number}" for number in itertools.count(1))
        found[name if name not in found else next(one for one in others if one not in found and one not in names)] = (
            None
        )
    return list(found)


def write(table: pa.Table, file: Path, form: str) -> None:
    """Into a file that is its owner's alone, whole or not at all."""
    if form == "csv":
        write_rows(file, _csv_rows(table))
    elif form == "json":
        write_rows(file, iter([json.dumps(json_rows(table), ensure_ascii=False, indent=2) + "\n"]))
    else:
        with written(file) as stream:
            parquet.write_table(table.rename_columns(distinct(table.column_names)), stream)
