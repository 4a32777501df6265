"""DuckDB connections that are lent again: to make one takes a processor twenty milliseconds, a quarter of opening and closing a small memory.

A memory is a file that is attached to a connection of its own; when it is closed, the file is detached here and the connection kept for the next.
What was locked to one file, has loaded an extension or does not let go of its file is closed as ever. Processes that a test starts make their own.
The signature of the extension that encrypts is not computed here: for each encrypted file that is opened it takes a processor a tenth of a second.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import duckdb
import pytest

from pmg.store.duckdb import attached, database

UNSIGNED = {"allow_unsigned_extensions": "true"}
ONE_THREAD = {"threads": "1"}  # a small statement takes a sixth longer where a second one is woken for it
KEPT = 8  # more memories than that are seldom open at once
SPOILS = ("LOAD ", "SET lock_configuration")  # statements after which a connection is not as it was


class LentConnection:
    """What `Database` needs of a connection; closed, it says so like a real one."""

    def __init__(self, real: Any, free: list[Any]) -> None:
        self._real, self._free = real, free
        self._cursors: weakref.WeakSet[Any] = weakref.WeakSet()
        self._is_spoiled = False

    def cursor(self) -> Any:
        made = self._open().cursor()
        self._cursors.add(made)
        return made

    def execute(self, sql: str, *parameters: Any) -> Any:
        self._is_spoiled = self._is_spoiled or sql.startswith(SPOILS)
        return self._open().execute(sql, *parameters)

    def close(self) -> None:
        real, self._real = self._real, None
        if real is None:
            return
        for cursor in list(self._cursors):
            cursor.close()
        if self._is_spoiled or len(self._free) >= KEPT or not _let_go(real):
            real.close()
        else:
            self._free.append(real)

    def _open(self) -> Any:
        if self._real is None:
            raise duckdb.ConnectionException("Connection already closed!")
        return self._real


def _let_go(real: Any) -> bool:
    """Whether the connection is as good as new: it holds no file, and has not begun to spill rows into a folder."""
    try:
        real.execute("USE memory")
        real.execute(f"DETACH DATABASE IF EXISTS {attached.NAME}")
        real.execute("SET temp_directory = ''")
    except duckdb.Error:
        return False
    return True


class LendingDuckdb:
    """Stands for the library where `Database` asks it for a connection."""

    def __init__(self) -> None:
        self._free: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(duckdb, name)

    def connect(self, place: str, config: dict[str, str]) -> LentConnection:
        try:
            real = self._free.pop()
        except IndexError:
            real = duckdb.connect(place, config=ONE_THREAD | config | UNSIGNED)
        return LentConnection(real, self._free)

    def end(self) -> None:
        for real in self._free:
            real.close()


@contextmanager
def lent_again() -> Iterator[None]:
    lending = LendingDuckdb()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "duckdb", lending)
        yield
    lending.end()
