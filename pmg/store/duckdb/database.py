"""The one owner of the `duckdb` library: a database file, a cursor for each thread, one writer at a time.

Knows: opening safely (owner lock, modes, no downloads), transactions, and how a database error becomes one of ours.
Does not know: which tables there are.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from pmg.errors import StoreError

# Nothing may be fetched or loaded from outside: every extension we use comes inside a package. The memory limit keeps a
# bulk ingest from taking the machine; DuckDB spills to the store's own directory beyond it.
_SETTINGS = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false", "memory_limit": "768MB"}


class Database:
    """An open file. `cursor()` is safe in any thread; inside `writing()` it is the transaction's own cursor."""

    def __init__(self, path: Path, connection: Any) -> None:
        self.path = path
        self._connection = connection
        self._local = threading.local()
        self._lock = threading.RLock()
        self._depth = 0
        self._writer = 0  # the thread that is inside a transaction
        self.ended = 0  # how many transactions came to an end: what was read before may be out of date since

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> Database:
        try:
            connection = duckdb.connect(str(path), read_only=read_only, config=dict(_SETTINGS))
        except duckdb.Error as error:
            raise StoreError(
                f"{path} cannot be opened: {_first_line(error)}. If the file is damaged, restore the newest backup "
                f"with `pmg restore FILE`; the damaged file is left as it is."
            ) from error
        if not read_only:
            protect(path)
        return cls(path, connection)

    def cursor(self) -> Any:
        cursor = getattr(self._local, "cursor", None)
        if cursor is None:
            cursor = self._connection.cursor()
            self._local.cursor = cursor
        return cursor

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with _our_errors(self.path):
            return list(self.cursor().execute(sql, list(parameters)).fetchall())

    def row(self, sql: str, parameters: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        found = self.rows(sql, parameters)
        return found[0] if found else None

    def arrow(self, sql: str, parameters: Sequence[Any] = ()) -> pa.Table:
        with _our_errors(self.path):
            return self.cursor().execute(sql, list(parameters)).to_arrow_table()

    def batches(self, sql: str, size: int, parameters: Sequence[Any] = ()) -> Iterator[Any]:
        """Record batches of a large result, on a cursor of its own so that other queries may run in between."""
        with _our_errors(self.path):
            yield from self._connection.cursor().execute(sql, list(parameters)).to_arrow_reader(size)

    def run(self, sql: str, parameters: Sequence[Any] = ()) -> None:
        with _our_errors(self.path):
            self.cursor().execute(sql, list(parameters))

    def insert(self, table: str, columns: Mapping[str, Any]) -> None:
        """Bulk insert by Arrow: tens of times faster than row by row."""
        incoming = pa.table(dict(columns))
        if incoming.num_rows == 0:
            return
        with self.reading(incoming) as name:
            self.run(f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(columns)} FROM {name}")

    @contextmanager
    def reading(self, table: pa.Table, name: str = "incoming") -> Iterator[str]:
        """Lends an Arrow table to SQL under a name."""
        cursor = self.cursor()
        cursor.register(name, table)
        try:
            yield name
        finally:
            cursor.unregister(name)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction, one writer. Nested uses join the outer one; any error undoes the whole."""
        with self._lock:
            if self._depth:
                yield
                return
            self._depth, self._writer = 1, threading.get_ident()
            try:
                self.run("BEGIN TRANSACTION")
                yield
                self.run("COMMIT")
            except BaseException:
                self._undo()
                raise
            finally:
                self._depth = self._writer = 0
                self.ended += 1

    @property
    def inside(self) -> bool:
        """Whether this thread is inside a transaction of its own."""
        return self._writer == threading.get_ident()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Holds other writers off without a transaction, for statements that cannot run inside one."""
        with self._lock:
            yield

    def _undo(self) -> None:
        # A commit that failed has ended its transaction already; there is then nothing to roll back, and the first error counts.
        try:
            self.cursor().execute("ROLLBACK")
        except duckdb.Error:
            return

    def close(self) -> None:
        with self._lock:
            self._connection.close()
        if self.path.exists():
            protect(self.path)


def protect(path: Path) -> None:
    """Only the owner may read a file of the store, whatever the umask was when the library made it."""
    for file in (path, path.with_name(path.name + ".wal")):
        if file.exists():
            file.chmod(0o600)


@contextmanager
def _our_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except duckdb.Error as error:
        raise StoreError(
            f"{path} could not be read or written: {_first_line(error)}. Nothing acknowledged is lost; "
            f"check free disk space and permissions, then start again."
        ) from error


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
