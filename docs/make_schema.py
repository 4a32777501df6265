"""Writes docs/schema.md from the views and macros themselves: `python docs/make_schema.py`. A test holds the two together."""

from __future__ import annotations

from pathlib import Path

from pmg.store.duckdb.relation import Relation
from pmg.store.duckdb.views import MACROS, VIEWS

HEAD = """# What you can ask in SQL

```
pmg sql "SELECT said_at, text FROM v_segments ORDER BY said_at DESC LIMIT 5"
```

`engine.sql("…")` does the same in Python and gives `.rows`, `.arrow()` or `.df()`. Both only read, and stop after `--seconds`. [analytics.md](analytics.md) has worked examples.

- **Views** (`v_…`) hold every namespace and have a column `namespace`, which is not repeated below.
- **Macros** look into one namespace: `FROM growth('default')`, many of them inside a range: `FROM growth('default', since := '2026-01-01', until := '2026-02-01')`.
  `until` is the first moment that is left out.
- **Times** are UTC without a zone. Days, weeks and months in macros are on the clock of whoever spoke, except in the recall log and the journal.
- **Text** is as it was said, without secrets. A lone surrogate from a half-broken export is stored as U+10FFFF and four hexadecimal digits; `pmg.base.text.unescape` brings it back.
- **Tables** lie below and may change with any version: rely on views and macros. `pmg sql "SHOW TABLES"` lists them, `pmg sql "DESCRIBE segments"` shows one.
"""


def page() -> str:
    parts = [
        HEAD,
        "## Views\n",
        *map(_relation, VIEWS),
        "## Macros\n",
        *map(_relation, MACROS),
    ]
    return "\n".join(parts)


def _relation(one: Relation) -> str:
    rows = "\n".join(f"- `{name}`: {about}" for name, about in one.columns.items() if name != "namespace")
    return f"### `{one.call}`\n\n{one.about}\n\n{rows}\n"


if __name__ == "__main__":
    (Path(__file__).parent / "schema.md").write_text(page(), encoding="utf-8")
