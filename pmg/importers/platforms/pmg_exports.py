"""What `pmg export` writes to be read or analysed, given back to an import.

Knows: how its tables, vaults, pages and Parquet files are told, and that only JSON lines hold a memory whole. A table is read (generic.py);
the others are refused with the way, for as notes they would say everything once more, without its times.
Does not know: JSON lines (memory_files.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pmg.base.patterns import linear
from pmg.importers.conversation import Level, Result, Where
from pmg.importers.reading.markdown import split_front_matter

COLUMNS = frozenset(("conversation", "session", "segment", "position", "said_at", "stands_for"))
FRONT_MATTER = frozenset(("session", "conversation", "namespace", "source", "started", "turns", "people"))
PAGE = linear(r"(?s)<title>Memory</title><style>.*?</style></head><body><h1>Memory</h1>")
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # before these a cell gets an apostrophe
PARQUET = b"PAR1"  # how every Parquet file begins

WAY = "import what `pmg export --format jsonl` writes of that memory"
TABLE_READ = "a table of `pmg export`, without platforms, links and marks: to have them too, " + WAY
PARQUET_REFUSED = "a Parquet table, which is not read: if it is of PMG, " + WAY


def is_table(record: dict[str, str]) -> bool:
    return record.keys() >= COLUMNS


def unguarded(record: dict[str, str]) -> dict[str, str]:
    """The cells without the apostrophe that keeps a spreadsheet from running them."""
    return {name: value[1:] if _is_guarded(value) else value for name, value in record.items()}


def _is_guarded(value: str) -> bool:
    return value.startswith("'") and value[1:].lstrip(" ").startswith(FORMULA)


def claims_vault(head: str) -> bool:
    return split_front_matter(head)[0].keys() >= FRONT_MATTER


def refuse_vault(chunks: Iterable[bytes], where: Where) -> Iterator[Result]:
    yield where.problem(f"a note of PMG's own vault, made to be read: {WAY}", level=Level.UNSUPPORTED)


def claims_page(head: str) -> bool:
    return PAGE.search(head[:8_000]) is not None


def refuse_page(chunks: Iterable[bytes], where: Where) -> Iterator[Result]:
    yield where.problem(f"PMG's own page, made to be read: {WAY}", level=Level.UNSUPPORTED)
