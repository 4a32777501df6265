"""Another PMG memory, its backup or its JSON lines, found among the paths and made readable.

Knows: how they are told from exports of other tools (by their first bytes), and that another memory is read from a copy:
it is never written to, and one made by an older PMG is brought up to date in the copy only.
Does not know: how sessions are joined (memory_merge.py).
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from pmg.base.errors import InputError, PmgError
from pmg.base.model import Session
from pmg.engine import Engine
from pmg.importers.conversation import Problem, Where
from pmg.importers.memory_merge import MergeItem, merge_records
from pmg.importers.reading.archive import plain_files
from pmg.importers.report import ImportReport
from pmg.people.portable import portable
from pmg.store.contract import Store
from pmg.store.duckdb import foreign
from pmg.store.duckdb.store import FILE_NAME, DuckStore
from pmg.store.exchange import ExportFilter, StoredSegment
from pmg.store.keys import key_for
from pmg.store.owner import Owner
from pmg.store.records import HEAD, record, store_of

MAGIC = b"DUCK"  # at byte 8 of every DuckDB file


@dataclass(slots=True)
class FoundPaths:
    memories: list[Path] = field(default_factory=list)  # database files
    exports: list[Path] = field(default_factory=list)  # our own JSON lines
    others: list[Path] = field(default_factory=list)


def find_memories(paths: Sequence[Path]) -> FoundPaths:
    """What each path is. A folder is only taken apart where it holds something of ours."""
    found = FoundPaths()
    for path in paths:
        if path.is_dir() and (path / FILE_NAME).is_file():
            found.memories.append(path / FILE_NAME)
        elif path.is_dir():
            files = [each[0] for each in plain_files([path]) if not isinstance(each, Problem)]
            inside = [(file, _kind(file)) for file in files]
            if any(kind != "other" for _, kind in inside):
                for file, kind in inside:
                    _put(found, file, kind)
            else:
                found.others.append(path)
        else:
            _put(found, path, _kind(path))
    return found


def _put(found: FoundPaths, file: Path, kind: str) -> None:
    {"memory": found.memories, "export": found.exports, "other": found.others}[kind].append(file)


def _kind(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            head = opened.read(64)
    except OSError:
        return "other"  # whoever reads it says why it cannot be read
    if head[8:12] == MAGIC:
        return "memory"
    return "export" if head.startswith(HEAD) else "other"


def merge_memory(engine: Engine, file: Path, namespace: str, dry_run: bool, report: ImportReport) -> None:
    """The sessions of another memory, by a copy of its file."""
    if file.resolve() == engine.reads.path.resolve():
        report.problem(Where(str(file)).problem("this memory itself: nothing to take in"))
        return
    try:
        with _copy(engine.config.home, file) as other:
            merge_records(engine, _items(other), other.store_id, namespace, dry_run, report)
    except PmgError as error:
        report.problem(Where(str(file)).problem(f"cannot be taken in: {error}"))


@contextmanager
def _copy(home: Path, file: Path) -> Iterator[Store]:
    with tempfile.TemporaryDirectory(prefix=".incoming-", dir=home) as folder:
        target = Path(folder) / FILE_NAME
        _copy_files(file, raw := Path(folder) / "foreign.duckdb")
        try:
            with foreign.reading(raw) as found:
                foreign.refuse_wrong_values(found)
            foreign.copied(
                raw, target, key=key_for(target)
            )  # values only: the file may hold statements of somebody else's
        except PmgError as error:  # told of the file that the person named, not of our copy of it
            raise type(error)(str(error).replace(str(raw), str(file))) from None
        store = DuckStore.open(Path(folder))
        try:
            yield store
        finally:
            store.close()


def _copy_files(file: Path, target: Path) -> None:
    """The file and its log, while nobody writes them."""
    owner = Owner.claim(file.parent) if (file.parent / "owner.lock").exists() else None
    try:
        log = file.with_name(file.name + ".wal")
        shutil.copyfile(file, target)
        with suppress(FileNotFoundError):
            shutil.copyfile(log, target.with_name(target.name + ".wal"))
    except OSError as error:
        raise InputError(f"{file} cannot be copied: {error.strerror or error}. Check that it can be read.") from None
    finally:
        if owner is not None:
            owner.release()


def _items(store: Store) -> Iterator[MergeItem]:
    for session in store.exchange.chosen(ExportFilter()):
        yield session, store.exchange.stored_segments(session.id)
    yield from store.exchange.lasting_edges()
    for namespace in sorted({session.namespace for session in store.sessions()}):
        yield from portable(store.people, namespace)


def merge_export(engine: Engine, file: Path, namespace: str, dry_run: bool, report: ImportReport) -> None:
    with file.open(encoding="utf-8", errors="replace", newline="\n") as rows:
        try:
            store_id = store_of(next(rows))
        except InputError as error:
            report.problem(Where(str(file), "line 1").problem(str(error)))
            return
        merge_records(engine, _rows(rows, str(file), report), store_id, namespace, dry_run, report)


def _rows(rows: Iterator[str], file: str, report: ImportReport) -> Iterator[MergeItem]:
    """Sessions with their turns, then edges; a row that cannot be read is listed and passed over."""
    session: Session | None = None
    turns: list[StoredSegment] = []
    for number, row in enumerate(rows, 2):
        report.bytes_read += len(row)
        if not row.strip():
            continue
        try:
            entry = record(row)
        except InputError as error:
            report.problem(Where(file, f"line {number}").problem(str(error), raw=row))
            continue
        if isinstance(entry, StoredSegment):
            if session is None or entry.segment.session_id != session.id:
                report.problem(Where(file, f"line {number}").problem("a turn without its session before it", raw=row))
            else:
                turns.append(entry)
            continue
        if session is not None:
            yield session, turns
        session, turns = (entry, []) if isinstance(entry, Session) else (None, [])
        if entry is not None and not isinstance(entry, Session):
            yield entry
    if session is not None:
        yield session, turns
