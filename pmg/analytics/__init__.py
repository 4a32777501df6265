"""A memory as data: questions in SQL and what follows from their answers. No charts here: pmg.figures draws.

`run_sql` answers one question as a table, for the command line, the server and the page alike, within limits that keep an answer bearable. What
may be asked is told by the store, which refuses what does not only read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from pmg.engine import Engine


ROWS = 10_000  # more than this is not read by eye: `limit=None` gives all
SECONDS = 60.0


def run_sql(engine: Engine, statement: str, *, limit: int | None = ROWS, seconds: float = SECONDS) -> pa.Table:
    """The answer to `statement`, reading only. The table's metadata says `more` when rows were left off at `limit`."""
    answer = engine.sql(statement, limit=limit, seconds=seconds)
    return answer.table.replace_schema_metadata({"more": "true"} if answer.more else None)
