"""Writes docs/schema.md from the views, macros and tables themselves: `python docs/make_schema.py`. A test holds the two together."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from pathlib import Path

from pmg.store.duckdb import migrations, schema
from pmg.store.duckdb.macros import MACROS
from pmg.store.duckdb.relation import Relation
from pmg.store.duckdb.views import VIEWS

HEAD = """# What you can ask in SQL

Everything is in one DuckDB file, `memory.duckdb`. `pmg sql "…"` asks it (through the server when that runs), `engine.sql("…")` does the same in
Python and gives `.rows`, `.arrow()` or `.df()`. Both only read: a statement that would write, open a file, load an extension or run another
statement is refused, and what takes longer than `--seconds` is stopped. [analytics.md](analytics.md) has worked examples.

- **Views** (`v_…`) hold every namespace and have a `namespace` column. The file is yours, so your SQL may join several namespaces; the page never does.
- **Macros** look into one namespace: `FROM growth('default')`, and where it makes sense inside a range of time:
  `FROM growth('default', since := '2026-01-01', until := '2026-02-01')` (`until` is the first moment that is left out). The charts use nothing else.
- **Times** are UTC without a zone. Days, weeks and months in macros are those of the clock of whoever spoke, except in the recall log and
  the journal, which are in UTC.
- **Text** is as it was said, without secrets. What no database can hold, a lone surrogate from a half-broken export, is stored as U+10FFFF
  and four hexadecimal digits (U+10FFFF itself as U+10FFFF and `!`); `pmg.base.text.unescape` brings the original back.
- Views and macros are made anew at each version of PMG; the tables below them may change with it. Rely on the first two.
"""


def page() -> str:
    parts = [
        HEAD,
        "## Views\n",
        *map(_relation, VIEWS),
        "## Macros\n",
        *map(_relation, MACROS),
        "## Tables\n",
        _tables(),
    ]
    return "\n".join(parts)


def _relation(one: Relation) -> str:
    rows = "\n".join(f"| `{name}` | {about} |" for name, about in one.columns.items())
    return f"### `{one.call}`\n\n{one.about}\n\n| column | |\n|---|---|\n{rows}\n"


def _tables() -> str:
    """The statements that make them, with their comments, in the order of the migrations."""
    found = [
        sql
        for step in migrations.MIGRATIONS
        for sql in re.findall(r'"""\s*(CREATE .*?)"""', inspect.getsource(step), re.S)
    ]
    text = "\n".join(inspect.cleandoc("\n" + _dedented(sql)).strip() for sql in found)
    return f"```sql\n{text}\n\n-- one a model: vectors_1, vectors_2 …\n{schema.vectors_table(1, 384)};\n```\n"


def _dedented(sql: str) -> str:
    lines: Sequence[str] = sql.splitlines()
    return "\n".join(line.removeprefix("        ") for line in lines)


if __name__ == "__main__":
    (Path(__file__).parent / "schema.md").write_text(page(), encoding="utf-8")
