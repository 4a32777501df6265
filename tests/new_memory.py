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

from pmg.store.duckdb import migrations, store
from pmg.store.duckdb.checkpoint import CLOSED, WRITTEN
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.store import FILE_NAME
from pmg.store.keys import key_for

STEPS = migrations.MIGRATIONS


class CopiedDatabase(Database):
    """In the place of `Database` where a memory is opened, and nowhere else."""

    template = Path()

    @classmethod
    def open(cls, path: Path, **options: Any) -> Database:
        new = not options and path.name == FILE_NAME and not path.exists() and key_for(path) is None
        if not new or migrations.MIGRATIONS is not STEPS:
            return Database.open(path, **options)
        shutil.copyfile(cls.template, path)
        database = Database.open(path)
        database.run(f"UPDATE meta SET value = '{uuid.uuid4().hex}' WHERE key = 'store_id'")
        database.run(f"DELETE FROM meta WHERE key IN ('{CLOSED}', '{WRITTEN}')")  # that the empty one was closed
        return database


@contextmanager
def copied_from(template: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CopiedDatabase, "template", template)
        patch.setattr(store, "Database", CopiedDatabase)
        yield
