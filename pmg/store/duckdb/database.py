"""The one owner of the `duckdb` library: a database file, a cursor for each thread, one writer at a time.

Knows: opening safely (owner lock, modes, no downloads), transactions, and how a database error becomes one of ours.
"""

from __future__ import annotations

import json
import re
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from pmg.base.errors import InputError, StoreError
from pmg.base.low_priority import at_low_priority
from pmg.store import disk_space
from pmg.store.duckdb import attached
from pmg.store.duckdb.time_limit import TimeLimit, out_of_time
from pmg.store.keys import key_for
from pmg.store.seal import Key
from pmg.store.sql_result import SqlResult

# Nothing may be fetched or loaded from outside: every extension we use comes inside a package. The memory limit keeps a
# bulk ingest from taking the machine; DuckDB spills to the store's own directory beyond it.
# A name in SQL is never a variable of this program.
MEMORY_LIMIT, IDLE_MEMORY = "768MB", "32MB"
MAX_SPILLED = "16GB"  # beside the file, for what does not fit into memory: no question fills the disk
_SETTINGS = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "max_temp_directory_size": MAX_SPILLED,
    "memory_limit": MEMORY_LIMIT,
    "python_enable_replacements": "false",
}
_PIVOT = re.compile(r"\s*(?:(?:EXPLAIN|SELECT|FROM|WITH)\b.*)?\bPIVOT(?:_WIDER)?\b", re.IGNORECASE | re.DOTALL)
_BATCH = 20_000  # rows read at a time
MAX_ANSWER = 256_000_000  # bytes that a person's question is answered with: they are held, and written from there


def _connected() -> Any:
    connection = duckdb.connect(":memory:", config=dict(_SETTINGS))
    # Under `python -c` the library draws on the standard output whatever takes two seconds; progress is ours to show.
    connection.execute("PRAGMA disable_progress_bar")
    return connection


class Database:
    """An open file. `cursor()` is safe in any thread; inside `writing()` it is the transaction's own cursor."""

    def __init__(self, path: Path, connection: Any, key: Key | None = None) -> None:
        self.path = path
        self.key = key  # None: the file is not encrypted
        self._connection = connection
        self._local = threading.local()
        self._lock = threading.RLock()
        self._copying = threading.Lock()
        self._depth = 0
        self._writer = 0  # the thread that is inside a transaction
        self._quiet = threading.Condition()  # guards the next two
        self._asking: Counter[int] = Counter()  # questions under way, by thread
        self._away = False  # the file is being replaced, or is about to be
        self.after_commit: Callable[[], None] = _nothing  # called inside the writer's lock
        self.before_switch: Callable[[], None] = _nothing  # another file is about to be put in this one's place …
        self.after_switch: Callable[[], None] = _nothing  # … and was
        self._time_limit = TimeLimit()
        self._refusal = ""  # why nothing may be written any more
        self._is_closed = False
        self.ended = 0  # how many transactions came to an end: what was read before may be out of date since

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False, key: Key | None = None) -> Database:
        """`key` is for a file under another key than its directory's."""
        key = key or key_for(path)
        try:
            connection = attached.attach(_connected(), path, key, read_only)
        except duckdb.Error as error:
            raise StoreError(
                f"{path} cannot be opened: {_first_line(error)}. If the file is damaged, restore the newest backup "
                f"with `pmg restore FILE`; the damaged file is left as it is."
            ) from error
        if not read_only:
            protect(path)
        return cls(path, connection, key)

    @classmethod
    def open_foreign(cls, path: Path, key: Key | None = None) -> Database:
        """Read-only, and with access to nothing but the file: for one that somebody else may have made (foreign.py)."""
        key = key or key_for(path)
        try:
            connection = attached.attach_foreign(_connected(), path, key)
        except duckdb.Error as error:
            raise StoreError(f"{path} cannot be opened: {_first_line(error)}. It is left as it is.") from error
        return cls(path, connection, key)

    @classmethod
    def create(cls, path: Path, key: Key | None) -> Database:
        """A new file under this key, whatever key its directory has."""
        with _our_errors(path):
            connection = _connected()
            return cls(path, attached.attach(connection, path, key, read_only=False), key)

    @classmethod
    def scratch(cls) -> Database:
        """An empty database in memory."""
        connection = _connected()
        connection.execute(f"ATTACH ':memory:' AS {attached.NAME}")
        return cls(Path(":memory:"), connection)

    def cursor(self) -> Any:
        cursor = getattr(self._local, "cursor", None)
        if cursor is None:
            cursor = self._local.cursor = self._fresh_cursor()
        return cursor

    def _fresh_cursor(self) -> Any:
        cursor = self._connection.cursor()
        cursor.execute(attached.USE)
        return cursor

    @contextmanager
    def _own_cursor(self) -> Iterator[Any]:
        """A cursor for one question: closed after it, and what is left of the question is broken off."""
        cursor = self._fresh_cursor()
        try:
            yield cursor
        except BaseException:
            self._break_off(cursor)
            raise
        finally:
            cursor.close()

    def _break_off(self, cursor: Any) -> None:
        """A statement that a signal interrupted goes on in the library's own threads: the next one could wait for its end."""
        with suppress(duckdb.Error):
            if cursor is not None:
                cursor.interrupt()

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._at_work():
            return list(self.cursor().execute(sql, list(parameters)).fetchall())

    def row(self, sql: str, parameters: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        found = self.rows(sql, parameters)
        return found[0] if found else None

    def arrow(self, sql: str, parameters: Sequence[Any] = ()) -> pa.Table:
        with self._at_work():
            return self.cursor().execute(sql, list(parameters)).to_arrow_table()

    def batches(self, sql: str, size: int, parameters: Sequence[Any] = ()) -> Iterator[Any]:
        """Record batches of a large result, on a cursor of its own so that other queries may run in between."""
        with self._at_work(), self._own_cursor() as cursor:
            yield from cursor.execute(sql, list(parameters)).to_arrow_reader(size)

    def run(self, sql: str, parameters: Sequence[Any] = ()) -> None:
        with self._at_work():
            self.cursor().execute(sql, list(parameters))

    def copy_into(self, target: Path, key: Key | None) -> None:
        """Everything into a new file, as it stands at one moment: one transaction reads it, and whoever writes goes on.

        It is done by one thread that steps back for everybody else: a backup has time, a person has not.
        """
        disk_space.require_free(target.parent, self.path.stat().st_size)
        with self._copying, self._at_work():
            (threads,) = self.cursor().execute("SELECT current_setting('threads')").fetchone()
            self.run("SET GLOBAL threads = 1")
            try:
                at_low_priority(lambda: self._copy(target, key))
            finally:
                self.run(f"SET GLOBAL threads = {threads}")

    def _copy(self, target: Path, key: Key | None) -> None:
        name = f"copy_{secrets.token_hex(4)}"
        with self._own_cursor() as cursor:
            if key is not None:
                attached.load(self._connection)
            cursor.execute(attached.attach_statement(target, name, key))
            cursor.execute("BEGIN TRANSACTION")
            try:
                cursor.execute(f"COPY FROM DATABASE {attached.NAME} TO {name}")
                cursor.execute("COMMIT")
                cursor.execute(f"CHECKPOINT {name}")
            except BaseException:
                self._break_off(cursor)
                with suppress(duckdb.Error):  # a commit that failed has ended its transaction: the first error counts
                    cursor.execute("ROLLBACK")
                raise
            finally:
                cursor.execute(f"DETACH {name}")

    def parsed(self, statement: str) -> dict[str, Any]:
        """A question as a tree; InputError unless it is exactly one statement that gives rows."""
        with self._at_work():
            try:
                (told,) = self.cursor().execute("SELECT json_serialize_sql(?::VARCHAR)", [statement]).fetchone()
                found: dict[str, Any] = json.loads(told)
            except (duckdb.Error, RecursionError, UnicodeEncodeError) as error:
                self.require_open()
                raise InputError(f"This SQL cannot be read: {_first_line(error)}.") from None
        if found.get("error"):
            raise InputError(_unreadable(str(found.get("error_message")), statement))
        if not found["statements"]:
            raise InputError("The question is empty: give a statement, such as SHOW TABLES.")
        if len(found["statements"]) != 1:
            raise InputError(f"{len(found['statements'])} statements were given: ask them one at a time.")
        return found

    def ask(self, statement: str, parameters: Sequence[Any], limit: int | None, seconds: float) -> SqlResult:
        """Runs a question on a cursor of its own that cannot write, and stops it when its time is over."""
        with self._at_work():
            cursor = self._fresh_cursor()
            work = partial(self._answer, cursor, statement, parameters, limit, seconds)
            return self._time_limit.run(work, seconds, partial(self._break_off, cursor))

    def _answer(
        self, cursor: Any, statement: str, parameters: Sequence[Any], limit: int | None, seconds: float
    ) -> SqlResult:
        watch = threading.Timer(seconds, cursor.interrupt)
        begun = time.perf_counter()
        try:
            cursor.execute("BEGIN TRANSACTION READ ONLY")
            watch.start()
            table, more = _some(cursor.execute(statement, list(parameters)).to_arrow_reader(_BATCH), limit)
            return SqlResult(table, more, 1000 * (time.perf_counter() - begun))
        except duckdb.InterruptException:
            raise out_of_time(seconds) from None
        except duckdb.Error as error:
            self.require_open()
            raise InputError(f"This cannot be answered: {_first_line(error)}") from None
        finally:
            watch.cancel()
            self._break_off(cursor)  # of an answer that is too large the rest is still there
            cursor.close()

    def insert(self, table: str, columns: Mapping[str, Any] | pa.Table) -> None:
        """Bulk insert by Arrow: tens of times faster than row by row."""
        incoming = columns if isinstance(columns, pa.Table) else pa.table(dict(columns))
        if incoming.num_rows == 0:
            return
        listed = ", ".join(incoming.column_names)
        with self.reading(incoming) as name:
            self.run(f"INSERT INTO {table} ({listed}) SELECT {listed} FROM {name}")

    @contextmanager
    def reading(self, table: pa.Table, name: str = "incoming") -> Iterator[str]:
        """Lends an Arrow table to SQL under a name."""
        with self._at_work():
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
            if self._refusal:
                raise StoreError(
                    f"{self.path} is not written to any more: {self._refusal}. Nothing is lost; start again."
                )
            if self.path.is_absolute():  # not for one in memory
                disk_space.require_free(self.path.parent)
            self._depth, self._writer = 1, threading.get_ident()
            try:
                self.run("BEGIN TRANSACTION")
                yield
                self.run("COMMIT")
                self._protect_log()
            except BaseException:
                self._undo()
                raise
            finally:
                self._depth = self._writer = 0
                self.ended += 1
            self.after_commit()

    def refuse_writes(self, why: str) -> None:
        self._refusal = why

    @property
    def in_transaction(self) -> bool:
        """Whether this thread is inside a transaction of its own."""
        return self._writer == threading.get_ident()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Holds other writers off without a transaction, for statements that cannot run inside one."""
        with self._lock:
            yield

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        """Counts who is asking, so that the file is replaced between two questions and never under one."""
        me = threading.get_ident()
        with self._quiet:
            # Who is inside already is let through to its end: waiting for it, the change must not make it wait.
            self._quiet.wait_for(lambda: not self._away or me in self._asking)
            self._asking[me] += 1
        try:
            self.require_open()
            with _our_errors(self.path):
                yield
        except (KeyboardInterrupt, SystemExit):
            self._break_off(getattr(self._local, "cursor", None))
            raise
        except StoreError as error:
            if self._is_closed:  # by another thread, in the middle of this question: the disk is not to blame
                raise self._closed() from error
            raise
        finally:
            with self._quiet:
                self._asking[me] -= 1
                if not self._asking[me]:
                    del self._asking[me]
                self._quiet.notify_all()

    @contextmanager
    def set_aside(self, wait: float = 60.0) -> Iterator[None]:
        """Closes the file while the block puts another in its place, then opens that one. Who asks meanwhile waits."""
        with self._lock:
            try:
                with self._quiet:
                    self._away = True
                    if not self._quiet.wait_for(lambda: not self._asking, wait):
                        raise self._in_use()
                if not self._time_limit.is_clear(wait):
                    raise self._in_use()
                self._connection.close()
                self.before_switch()
                try:
                    yield
                finally:
                    self._connection, self._local = type(self).open(self.path)._connection, threading.local()
                    self.after_switch()
            finally:
                with self._quiet:
                    self._away = False
                    self._quiet.notify_all()
                self.ended += 1

    def _in_use(self) -> StoreError:
        return StoreError(f"{self.path} is being read without a pause: nothing was replaced. Try again.")

    def _undo(self) -> None:
        """A commit that failed has ended its transaction already; there is then nothing to roll back, and the first error counts."""
        for _ in range(2):  # a second Ctrl-C interrupts the rollback itself
            try:
                self.cursor().execute("ROLLBACK")
            except duckdb.Error:
                return
            except RuntimeError as error:
                if _signalled(error) is None:
                    raise
            else:
                return

    @contextmanager
    def _snapshot_reader(self) -> Iterator[None]:
        """Somebody who reads during a checkpoint: what the log holds is then added to the file as it is.

        When nobody reads, the library also merges row groups, which takes seconds and hundreds of megabytes in a large memory.
        """
        with self._own_cursor() as cursor:
            cursor.execute("BEGIN TRANSACTION READ ONLY")
            cursor.execute("SELECT count(*) FROM duckdb_databases()").fetchall()
            yield

    def log_bytes(self) -> int:
        """What is written but not yet in the file itself."""
        with suppress(FileNotFoundError):
            return self._log.stat().st_size
        return 0

    def release_pages(self) -> None:
        """Gives up the pages of the file that are held in memory, all but a few: they are read again when they are needed.

        Not while somebody else is asking: a question that needs more than the few would fail for want of memory.
        """
        with self._quiet:  # nobody begins to ask meanwhile
            if self._asking.keys() - {threading.get_ident()}:
                return
            with suppress(StoreError):  # this thread's own question holds more than that just now
                self.run(f"SET GLOBAL memory_limit = '{IDLE_MEMORY}'")
            self.run(f"SET GLOBAL memory_limit = '{MEMORY_LIMIT}'")

    def checkpoint(self, last: Callable[[], None]) -> None:
        """What the log holds goes into the file with this last transaction, before which somebody reads: row groups stay as they are."""
        with self._snapshot_reader():
            self.run(f"SET GLOBAL wal_autocheckpoint = '{attached.EAGER_CHECKPOINT}'")
            try:
                with self.writing():
                    last()
            finally:
                self.run(f"SET GLOBAL wal_autocheckpoint = '{attached.NO_CHECKPOINT}'")

    def merge(self) -> None:
        """A checkpoint that also merges row groups where it can: slow, and while nobody reads."""
        self.run(f"CHECKPOINT {attached.NAME}")

    @property
    def _log(self) -> Path:
        return self.path.with_name(self.path.name + ".wal")

    def _protect_log(self) -> None:
        """The library makes the log anew after each checkpoint, in the mode that the umask leaves."""
        with suppress(FileNotFoundError):
            if self._log.stat().st_mode & 0o077:
                self._log.chmod(0o600)

    def require_open(self) -> None:
        if self._is_closed:
            raise self._closed()

    def _closed(self) -> StoreError:
        return StoreError(f"The memory in {self.path.parent} is closed: open it again with pmg.open().")

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            self._connection.close()
        if self.path.exists():
            protect(self.path)


def numbers_table(numbers: Iterable[int]) -> pa.Table:
    """Numbers to be lent to SQL, each once, as the column `n`."""
    return pa.table({"n": pa.array(sorted({int(number) for number in numbers}), pa.int64())})


def _nothing() -> None:
    return None


def _some(reader: Any, limit: int | None) -> tuple[pa.Table, bool]:
    """The first rows, and whether there are more; a result too large for memory is not read to its end."""
    size = 0
    batches, held = [], 0
    for batch in reader:
        batches.append(batch)
        held += batch.num_rows
        size += batch.nbytes
        if size > MAX_ANSWER:
            raise InputError(f"This answer has more than {MAX_ANSWER / 1e6:.0f} MB: ask for less, or in parts.")
        if limit is not None and held > limit:
            break
    table = pa.Table.from_batches(batches, reader.schema)
    return (table.slice(0, limit), True) if limit is not None and held > limit else (table, False)


def _unreadable(problem: str, statement: str) -> str:
    if problem.startswith("Only SELECT") and _PIVOT.match(statement):  # DuckDB would make a type of the values first
        return "A PIVOT is answered with its values written out, like ON role IN ('user', 'assistant'). Nothing was changed."
    if problem.startswith("Only SELECT"):
        return "Only questions are answered here: SELECT, WITH, FROM, VALUES, EXPLAIN, DESCRIBE, SHOW or SUMMARIZE. Nothing was changed."
    return f"This SQL cannot be read: {problem}."


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
        if _first_line(error).startswith(KeyboardInterrupt.__name__):  # while it read a table of ours
            raise KeyboardInterrupt from None
        raise StoreError(
            f"{path} could not be read or written: {_first_line(error)}. Nothing acknowledged is lost; "
            f"check free disk space and permissions, then start again."
        ) from error
    except RuntimeError as error:
        signalled = _signalled(error)
        if signalled is None:
            raise
        raise signalled from None


def _signalled(error: RuntimeError) -> BaseException | None:
    """What a signal's handler raised while a statement ran, a KeyboardInterrupt after Ctrl-C: the library makes an error of its own of it."""
    cause = error.__cause__ or error.__context__
    return cause if cause is not None and not isinstance(cause, Exception) else None


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
