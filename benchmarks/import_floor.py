"""What no import can go below: the same export read by the plain JSON decoder, and its rows put into an empty database at once.

Knows: how to time these two on a memory that was just imported.
"""

from __future__ import annotations

import json
import tempfile
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path

from pmg.store.duckdb.database import Database
from pmg.store.duckdb.store import FILE_NAME

_ROWS = ("sessions", "segments", "lines", "edges")


@dataclass(frozen=True, slots=True)
class Floor:
    """Seconds of CPU."""

    decode: float
    insert: float

    @property
    def seconds(self) -> float:
        return self.decode + self.insert


def floor(export: Path, home: Path) -> Floor:
    """Of a zipped export and the closed memory that it was imported into."""
    return Floor(_decode(export), _insert(home / FILE_NAME))


def _decode(export: Path) -> float:
    with zipfile.ZipFile(export) as archive:
        written = archive.read("conversations.json")
    begun = time.process_time()
    json.loads(written)
    return time.process_time() - begun


def _insert(memory: Path) -> float:
    """All rows as Arrow columns into tables without anything around them, one transaction."""
    source = Database.open(memory)
    rows = {name: source.arrow(f"SELECT * FROM {name}") for name in _ROWS}
    source.close()
    with tempfile.TemporaryDirectory(prefix="pmg-bench-floor-") as folder:
        target = Database.open(Path(folder) / FILE_NAME)
        for name, table in rows.items():
            with target.reading(table) as incoming:
                target.run(f"CREATE TABLE {name} AS FROM {incoming} LIMIT 0")
        columns = {name: dict(zip(table.column_names, table.columns, strict=True)) for name, table in rows.items()}
        begun = time.process_time()
        with target.writing():
            for name in _ROWS:
                target.insert(name, columns[name])
        spent = time.process_time() - begun
        target.close()
    return spent
