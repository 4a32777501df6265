"""DuckStore: the Store contract on one DuckDB file.

Knows: the order of opening (lock, refuse, migrate), the counters, and which module does what. Most of the SQL stands in the
modules beside this one; a statement of one line stands here.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pmg.base.errors import NotFound
from pmg.base.model import Edge, Kind, Line, Segment, Session, State
from pmg.base.times import from_micros, now, to_micros
from pmg.store import evidence, switch
from pmg.store.duckdb import append_turn, backup, edges, feeds, logs, migrations, sessions, user_sql, vectors, wal_copy
from pmg.store.duckdb.browse import DuckBrowse
from pmg.store.duckdb.checkpoint import Checkpoints
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.exchange import DuckExchange
from pmg.store.duckdb.feeds import SAID_AT
from pmg.store.duckdb.forget import DuckForget, next_place
from pmg.store.duckdb.graph import DuckGraph
from pmg.store.duckdb.maintenance import DuckMaintenance
from pmg.store.duckdb.people import DuckPeople
from pmg.store.duckdb.schema import COUNTERS
from pmg.store.duckdb.sealed import DuckSealed
from pmg.store.owner import Owner, prepare_home
from pmg.store.rows import (
    Counts,
    IndexLine,
    JournalEntry,
    NewEdges,
    NewSegment,
    NewVectors,
    Numbers,
    PendingLine,
    RecallRecord,
    Removed,
    StateChange,
    StoredTurn,
    StoreModel,
)
from pmg.store.sql_result import SqlResult

FILE_NAME = "memory.duckdb"
T = TypeVar("T")
logger = logging.getLogger(__name__)


def _mended(home: Path, path: Path) -> list[str]:
    """What a kill or a damage left is put right before the file is opened; each with what to tell of it."""
    done = []
    if switch.finish(home):
        done.append(
            "a change of the database file was interrupted: the memory is as it was before it, or after it, whole"
        )
    evidence.refuse_missing(home)
    done += [told] if (told := wal_copy.mend(path)) else []
    for what in done:
        logger.warning("%s: %s", path, what)
    return done


class DuckStore:
    """One open memory. Made by `DuckStore.open`; every public verb may be called from any thread."""

    def __init__(self, database: Database, owner: Owner | None, mended: Sequence[str] = ()) -> None:
        self._database = database
        self._owner = owner
        self._checkpoints = Checkpoints(database)
        self._mended = mended
        self.store_id = migrations.get_meta(database, "store_id") or ""
        self._remembered: dict[str, tuple[int, Any]] = {}  # asked for at every recall; good until a transaction ends
        self._waiting = vectors.PendingSegments()
        self._next = {name: self._highest(sql) + 1 for name, sql in COUNTERS.items()}

    @classmethod
    def open(cls, home: Path) -> DuckStore:
        """Refuses, before anything is written: a store held by another process, or made by a newer PMG."""
        prepare_home(home)
        owner = Owner.claim(home)
        try:
            path = home / FILE_NAME
            mended = _mended(home, path)
            database = Database.open(path)
            try:
                migrations.migrate(database, migrations.refuse_newer(database))
                return cls(database, owner, mended)
            except BaseException:
                database.close()
                raise
        except BaseException:
            owner.release()
            raise

    def _highest(self, sql: str) -> int:
        row = self._database.row(sql)
        return int(row[0] or 0) if row else 0

    def _take(self, counter: str, count: int = 1) -> int:
        """The first of `count` fresh numbers. Only called by the one writer."""
        first = self._next[counter]
        self._next[counter] = first + count
        return first

    @property
    def path(self) -> Path:
        return self._database.path

    @property
    def database(self) -> Database:
        return self._database

    @property
    def model(self) -> StoreModel | None:
        return self._model("active")

    @property
    def next_model(self) -> StoreModel | None:
        return self._model("building")

    def _model(self, state: str) -> StoreModel | None:
        return self._remember(f"model {state}", lambda: vectors.model(self._database, state))

    def _remember(self, key: str, read: Callable[[], T]) -> T:
        """What `read` gives, read once between two transactions; inside one the writer sees its own changes."""
        ended = self._database.ended
        known = self._remembered.get(key)
        if known is not None and known[0] == ended and not self._database.in_transaction:
            return cast(T, known[1])
        found = read()
        if not self._database.in_transaction:
            self._remembered[key] = (ended, found)
        return found

    @property
    def mended(self) -> Sequence[str]:
        """What this opening had to put right, to be told."""
        return self._mended

    @property
    def maintenance(self) -> DuckMaintenance:
        return DuckMaintenance(self._database, lambda: self._take("change"))

    @property
    def exchange(self) -> DuckExchange:
        return DuckExchange(self._database, self._take)

    @property
    def browse(self) -> DuckBrowse:
        return DuckBrowse(self._database)

    @property
    def graph(self) -> DuckGraph:
        return DuckGraph(self._database)

    @property
    def forgetting(self) -> DuckForget:
        return DuckForget(self._database, self.store_id, self._take)

    @property
    def people(self) -> DuckPeople:
        return DuckPeople(self._database, self._take, self._remember)

    @property
    def sealed(self) -> DuckSealed:
        return DuckSealed(self._database, self._take)

    def writing(self) -> AbstractContextManager[None]:
        return self._database.writing()

    def alone(self) -> AbstractContextManager[None]:
        """Nobody else writes inside this; it needs no room on the disk, as `writing()` does."""
        return self._database.alone()

    def last_change(self) -> int:
        """Waits for a writer: a change that is taken but not committed is not there for anybody to follow yet."""
        with self._database.alone():
            return self._next["change"] - 1

    def last_line(self) -> int:
        """The highest number that a line was ever given; what was forgotten counts."""
        with self._database.alone():
            return self._next["line"] - 1

    def last_window(self) -> int:
        with self._database.alone():
            return self._next["window"] - 1

    def announce(self, address: str) -> None:
        """Leaves the server's address for whoever finds the store held."""
        if self._owner is not None:
            self._owner.note(address)

    def release_pages(self) -> None:
        self._database.release_pages()

    def require_open(self) -> None:
        """Raises if it was closed: for a verb that would otherwise have nothing to ask of it."""
        self._database.require_open()

    def close(self) -> None:
        self._checkpoints.close()
        if self._owner is not None:
            self._owner.release()

    # sessions and segments

    def put_session(self, session: Session) -> None:
        self.put_sessions([session])

    def put_sessions(self, new: Sequence[Session]) -> None:
        if new:
            with self.writing():
                sessions.put(self._database, new)

    def append(self, segments: Sequence[NewSegment]) -> list[int]:
        """Writes the turns, their lines and their chain; on disk when it returns."""
        if not segments:
            return []
        with self.writing():
            namespaces = self._namespaces({segment.session_id for segment in segments})
            number = self._take("number", len(segments))
            line = self._take("line", sum(len(segment.lines) for segment in segments))
            sessions.append(self._database, segments, namespaces, number, line, self._take("change"))
            edges.chain(self._database, segments, number, now())
            self.sealed.put([(number + i, text) for i, one in enumerate(segments) for text in one.sealed])
        return list(range(number, number + len(segments)))

    def append_turn(self, turn: NewSegment) -> StoredTurn:
        """One turn into a session that is there; with it what the indexes need of it."""
        with self.writing():
            number, line = self._take("number"), self._take("line", len(turn.lines))
            self.sealed.put([(number, text) for text in turn.sealed])
            return append_turn.write(self._database, turn, number, line, self._take("change"))

    def namespaces(self) -> list[str]:
        sql = "SELECT DISTINCT namespace FROM sessions ORDER BY 1"
        return list(self._remember("namespaces", lambda: [row[0] for row in self._database.rows(sql)]))

    def namespaces_of(self, session_ids: Sequence[str]) -> dict[str, str]:
        """The namespace of every session that is there."""
        with self._database.reading(pa.table({"id": pa.array(list(session_ids), pa.string())})) as names:
            return dict(self._database.rows(f"SELECT id, namespace FROM sessions WHERE id IN (SELECT id FROM {names})"))

    def _namespaces(self, ids: set[str]) -> dict[str, str]:
        found = self.namespaces_of(sorted(ids))
        missing = sorted(ids - found.keys())
        if missing:
            raise NotFound(f"There is no session {missing[0]!r} to add a turn to: begin it first.")
        return found

    def close_sessions(self, ids: Sequence[str], ended_at: Mapping[str, datetime] | None = None) -> None:
        if ids:
            with self.writing():
                sessions.close(self._database, ids, ended_at or {})

    def touch_sessions(self, ids: Sequence[str]) -> None:
        if ids:
            with self.writing():
                sessions.touch(self._database, ids, self._take("change"))

    def session(self, session_id: str) -> Session | None:
        return sessions.find(self._database, session_id)

    def sessions(self, namespace: str | None = None, *, only_open: bool = False) -> list[Session]:
        return sessions.listed(self._database, namespace, only_open)

    def segments(self, numbers: Sequence[int]) -> list[Segment]:
        return sessions.by_number(self._database, numbers)

    def lines_of(self, numbers: Sequence[int]) -> dict[int, tuple[Line, ...]]:
        return sessions.lines_of(self._database, numbers)

    def ids_of(self, numbers: Sequence[int]) -> dict[int, str]:
        return sessions.names(self._database, numbers)

    def segments_of(self, session_id: str) -> list[Segment]:
        return sessions.of_session(self._database, session_id)

    def sessions_with_segments(self, ids: Sequence[str]) -> list[tuple[Session, list[Segment]]]:
        return sessions.of_sessions(self._database, ids)

    def numbers_of(self, ids: Sequence[str]) -> dict[str, int]:
        return sessions.numbers_of(self._database, ids)

    def next_index(self, session_id: str) -> int:
        return next_place(self._database, session_id)

    def last_said(self, session_id: str) -> datetime | None:
        row = self._database.row(f"SELECT max({SAID_AT}) FROM segments g WHERE session_id = ?", [session_id])
        return None if row is None or row[0] is None else from_micros(row[0])

    def known_turns(self, session_ids: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
        return sessions.known_turns(self._database, session_ids)

    def change_states(self, changes: Sequence[StateChange]) -> None:
        if not changes:
            return
        table = pa.table(
            {
                "number": pa.array([c.segment for c in changes], pa.int64()),
                "state": pa.array([c.state.value for c in changes], pa.string()),
                "stands_for": pa.array([c.stands_for for c in changes], pa.int64()),
            }
        )
        with self.writing(), self._database.reading(table) as rows:
            self._database.run(
                f"""UPDATE segments SET state = r.state, stands_for = r.stands_for, changed = {self._take("change")}
                    FROM {rows} r WHERE r.number = segments.number"""
            )

    def add_hits(self, numbers: Sequence[int], at: datetime) -> None:
        if numbers:
            with self.writing():
                logs.add_hits(self._database, dict(Counter(int(n) for n in numbers)), to_micros(at))

    # vectors and edges

    def use_model(self, name: str, fingerprint: str, dimension: int) -> StoreModel:
        """The first model a store sees becomes its own."""
        held = self.model
        if held is None:
            with self.writing():
                held = vectors.add_model(self._database, name, fingerprint, dimension, "active")
        return held

    def begin_next_model(self, name: str, fingerprint: str, dimension: int) -> StoreModel:
        """Begins, or goes on with, a change of model; half-done vectors of a third model are dropped."""
        with self.writing():
            building = self.next_model
            if building is not None and building.fingerprint == fingerprint:
                return building
            if building is not None:
                vectors.drop(self._database, building.generation)
            return vectors.add_model(self._database, name, fingerprint, dimension, "building")

    def promote_next_model(self) -> None:
        building = self.next_model
        if building is None:
            raise NotFound("There is no re-embedding under way to finish: begin one with `pmg reembed`.")
        with self.writing():
            vectors.promote(self._database, building.generation)
            self._database.run(f"UPDATE segments SET changed = {self._take('change')}")

    def pending(self, generation: int) -> int:
        return vectors.pending(self._database, generation)

    def pending_segments(self, generation: int) -> Numbers:
        return self._waiting.segments(self._database, generation, self.last_change())

    def pending_in_open_sessions(self, generation: int) -> Numbers:
        return vectors.pending_in_open_sessions(self._database, generation)

    def without_vectors(self, generation: int, segments: Numbers) -> Numbers:
        return vectors.without_vectors(self._database, generation, segments)

    def in_open_sessions(self, segments: Numbers) -> Numbers:
        return vectors.in_open_sessions(self._database, segments)

    def unlinked_segments(self, generation: int) -> Numbers:
        return vectors.unlinked(self._database, generation)

    def set_linked(self, segments: Sequence[int], linked: bool = True) -> None:
        with self.writing():
            vectors.set_linked(self._database, segments, linked)

    def lines_to_embed(self, segments: Numbers) -> list[PendingLine]:
        return vectors.lines_to_embed(self._database, segments)

    def put_vectors(self, generation: int, new: NewVectors, segments: Sequence[int], *, linked: bool = True) -> Numbers:
        with self.writing():
            first = self._take("window", len(new.segment))
            return vectors.put(self._database, generation, new, segments, first, linked)

    def put_edges(self, new: NewEdges) -> None:
        with self.writing():
            edges.put(self._database, new, now())

    def drop_edges(self, source: int, target: int, kind: Kind) -> int:
        with self.writing():
            return edges.drop(self._database, source, target, kind)

    def restore_chain(self) -> None:
        """Ties neighbours of a session again that are not, or only one way."""
        with self.writing():
            edges.restore_chain(self._database)

    def drop_auto_edges(self, kinds: Sequence[Kind]) -> None:
        """What was made from vectors alone, to be made again; what a person or a model linked stays."""
        listed = ", ".join(f"'{kind.value}'" for kind in kinds)
        with self.writing():
            self._database.run(f"DELETE FROM edges WHERE origin = 'auto' AND kind IN ({listed})")

    def edges_of(self, segment_id: str) -> list[Edge]:
        return edges.of(self._database, segment_id)

    # feeding the indexes

    def changed_segments(self, since: int) -> Numbers:
        return feeds.changed_segments(self._database, since)

    def catalogue_rows(self, since: int) -> tuple[pa.Table, pa.Table]:
        return feeds.catalogue(self._database, since)

    def projects(self, since: int) -> dict[str, str]:
        return sessions.projects(self._database, since)

    def removed_since(self, since: int) -> Removed:
        return feeds.removed_since(self._database, since)

    def window_rows(self, after: int, generation: int) -> tuple[Numbers, Numbers]:
        return feeds.windows(self._database, after, generation)

    def unindexed_windows(self, since: int, generation: int) -> Numbers:
        return feeds.unindexed_windows(self._database, since, generation)

    def edge_rows(self) -> pa.Table:
        return feeds.edges(self._database)

    def index_lines(self, since: int) -> Iterator[list[IndexLine]]:
        return feeds.index_lines(self._database, since)

    def index_vectors(
        self, since: int, after: int, generation: int
    ) -> Iterator[tuple[Numbers, Numbers, NDArray[np.float32]]]:
        return vectors.for_index(self._database, since, after, generation)

    # questions in SQL

    def ask(
        self, statement: str, parameters: Sequence[Any] = (), *, limit: int | None = None, seconds: float = 60.0
    ) -> SqlResult:
        """Reads, and only this memory: InputError for anything else."""
        return user_sql.ask(self._database, statement, parameters, self._functions, limit, seconds)

    @cached_property
    def _functions(self) -> frozenset[str]:
        return user_sql.functions(self._database)

    # notes, logs, backup

    def note(self, key: str) -> str | None:
        return self._remember(f"note {key}", lambda: migrations.get_meta(self._database, key))

    def put_note(self, key: str, value: str) -> None:
        """A small fact about the store itself, such as calibrated thresholds."""
        with self.writing():
            migrations.put_meta(self._database, key, value)

    def record_recalls(self, records: Sequence[RecallRecord]) -> None:
        if records:
            with self.writing():
                logs.record_recalls(self._database, records, self._take("recall", len(records)))

    def journal(self, limit: int = 100) -> list[JournalEntry]:
        return logs.journal(self._database, limit)

    def write_journal(self, entries: Iterable[JournalEntry]) -> int:
        """The number of the first; the others follow."""
        with self.writing():
            return self._take("journal", logs.write_journal(self._database, entries, self._next["journal"]))

    def counts(self, namespace: str | None = None) -> Counts:
        model = self.model
        waiting = vectors.pending(self._database, model.generation if model else 0, namespace)
        return logs.counts(self._database, namespace, waiting)

    def segments_by_state(self, namespace: str | None = None) -> dict[State, int]:
        return logs.segments_by_state(self._database, namespace)

    def memories(self, namespace: str | None = None) -> int:
        return logs.memories(self._database, namespace)

    def indexable_lines(self) -> int:
        return logs.indexable_lines(self._database)

    def indexable_windows(self, generation: int) -> int:
        return logs.indexable_windows(self._database, generation)

    def orphan_edges(self) -> int:
        return logs.orphan_edges(self._database)

    def missing_chain(self) -> int:
        return edges.missing_chain(self._database)

    def said_after(self, at: datetime) -> int:
        return logs.said_after(self._database, to_micros(at))

    def backup(self, file: Path) -> None:
        backup.write(self._database, file)
