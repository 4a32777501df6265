"""A new memory in a test is a copy of an empty one, with an id of its own: making its tables and views costs more than opening it twice.

tests/pmg/test_migrations.py makes its own, and so does every process that a test starts.
"""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pmg.store.duckdb import migrations
from pmg.store.duckdb.checkpoint import CLOSED, WRITTEN
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.store import FILE_NAME
from pmg.store.keys import key_for

MADE = Database.__dict__["open"]  # as the program has it
STEPS = migrations.MIGRATIONS


@contextmanager
def copied_from(template: Path) -> Iterator[None]:
    def opened(cls: type[Database], path: Path, **options: Any) -> Database:
        new = not options and path.name == FILE_NAME and not path.exists() and key_for(path) is None
        if not new or migrations.MIGRATIONS is not STEPS:
            return MADE.__func__(cls, path, **options)  # type: ignore[no-any-return]
        shutil.copyfile(template, path)
        database: Database = MADE.__func__(cls, path)
        database.run(f"UPDATE meta SET value = '{uuid.uuid4().hex}' WHERE key = 'store_id'")
        database.run(f"DELETE FROM meta WHERE key IN ('{CLOSED}', '{WRITTEN}')")  # that the empty one was closed
        return database

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "open", classmethod(opened))
        yield
