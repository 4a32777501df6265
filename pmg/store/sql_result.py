"""What a question in SQL gives: a table, in the form the asker wants.

Knows: Arrow, and the way to pandas and to plain rows. The question is asked by duckdb/user_sql.py.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pyarrow as pa


@dataclass(frozen=True, slots=True)
class SqlResult:
    """`more` says that rows were left off at the limit that was asked for."""

    table: pa.Table
    more: bool = False
    milliseconds: float = 0.0

    @property
    def columns(self) -> list[str]:
        return list(self.table.column_names)

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        """Plain values, row by row. A duration is a timedelta; one of months, which are not of one length, or of millions of years stays Arrow's."""
        columns = [[_plain(value) for value in column.to_pylist()] for column in self.table.columns]
        return list(zip(*columns, strict=True)) if columns else []

    def arrow(self) -> pa.Table:
        return self.table

    def df(self) -> Any:
        """A pandas data frame."""
        return self.table.to_pandas()

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def _repr_html_(self) -> str:
        """A notebook shows the first rows as a table; pandas escapes what is stored."""
        return str(self.table.slice(0, 50).to_pandas().to_html(escape=True, max_rows=20, notebook=True))


def _plain(value: Any) -> Any:
    if isinstance(value, pa.MonthDayNano) and not value.months:
        with suppress(OverflowError):  # longer than Python knows
            return timedelta(value.days, 0, value.nanoseconds // 1_000)
    return value
