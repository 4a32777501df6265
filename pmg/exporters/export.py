"""The verb `export`: which sessions, which form, to which place.

Knows: the forms and what each needs. Each is written by a file of its own beside this one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pmg.base.errors import InputError, NotFound
from pmg.base.model import Session
from pmg.base.progress import Progress, silent
from pmg.base.times import now
from pmg.engine import Engine
from pmg.exporters import html, markdown, tables
from pmg.exporters.files import begin_copy, write_rows
from pmg.people.portable import keys_of, portable
from pmg.store import records
from pmg.store.exchange import ExportFilter, StoredSegment
from pmg.store.people import PortableRow, PortableRuling

FORMATS = ("markdown", "jsonl", "csv", "parquet", "html")


@dataclass(frozen=True, slots=True)
class Exported:
    target: Path
    files: int
    sessions: int
    namespaces: tuple[str, ...] = ()  # of these sessions, by name


def export(
    engine: Engine, target: Path, form: str, filters: ExportFilter | None = None, progress: Progress = silent
) -> Exported:
    """Writes the chosen sessions, each whole. Markdown makes a folder of files, the others one file."""
    if form not in FORMATS:
        raise InputError(f"{form!r} is no form of export: choose from {', '.join(FORMATS)}.")
    filters = filters or ExportFilter()
    chosen = engine.reads.exchange.chosen(filters)
    if not chosen:
        _refuse_unknown(filters)
    begin_copy(engine, target, form)
    sessions = _read(engine, chosen, progress)
    if form == "markdown":
        return _vault(engine, target, chosen, sessions)
    rows = (row for session, wholes in sessions for row in tables.rows_of(session, [w.segment for w in wholes]))
    if form == "jsonl":
        write_rows(target, _json_rows(engine, chosen, sessions))
    elif form == "csv":
        tables.write_csv(target, rows)
    elif form == "parquet":
        tables.write_parquet(target, rows)
    else:
        html.write(target, ((session, [w.segment for w in wholes]) for session, wholes in sessions))
    return Exported(target, 1, len(chosen), _namespaces(chosen))


def _namespaces(chosen: Sequence[Session]) -> tuple[str, ...]:
    return tuple(sorted({session.namespace for session in chosen}))


def _refuse_unknown(filters: ExportFilter) -> None:
    """A name that fits nothing is a mistyped one. A time in which nothing was said is not: whoever exports every night gets an empty file."""
    named = [f"in which {filters.person} speaks"] if filters.person else []
    named += [f"with a turn of the topic {filters.topic}"] if filters.topic else []
    if named:
        raise NotFound(
            f"There is no session {' and '.join(named)}: nothing was written. `pmg people list` lists the people, "
            f"`pmg steward topics` the topics; the whole name must be given."
        )


def _read(
    engine: Engine, chosen: Sequence[Session], progress: Progress
) -> Iterator[tuple[Session, list[StoredSegment]]]:
    for done, session in enumerate(chosen, 1):
        yield session, engine.reads.exchange.stored_segments(session.id)
        progress("exporting sessions", done, len(chosen))


def _json_rows(
    engine: Engine, chosen: Sequence[Session], sessions: Iterator[tuple[Session, list[StoredSegment]]]
) -> Iterator[str]:
    yield records.head_row(engine.reads.store_id, now()) + "\n"
    for session, wholes in sessions:
        yield records.session_row(session) + "\n"
        for whole in wholes:
            yield records.segment_row(whole) + "\n"
    names = {session.id for session in chosen}
    for edge in engine.reads.exchange.lasting_edges():
        if {_session_of(edge.source), _session_of(edge.target)} <= names:
            yield records.edge_row(edge) + "\n"
    for row in _decided(engine, chosen):
        yield records.people_row(row) + "\n"


def _decided(engine: Engine, chosen: Sequence[Session]) -> Iterator[PortableRow]:
    """What was decided about people and claims of these sessions; the person whose memory it is belongs to all of them ("")."""
    names = {session.id for session in chosen}
    talks = {(session.namespace, session.conversation) for session in chosen}
    for namespace in sorted({session.namespace for session in chosen}):
        for row in portable(engine.reads.people, namespace):
            if isinstance(row, PortableRuling):
                if _session_of(row.ruling.segment) in names:
                    yield row
            elif all(not key.conversation or (namespace, key.conversation) in talks for key in keys_of(row)):
                yield row


def _session_of(segment_id: str) -> str:
    return segment_id.removeprefix("seg_").rpartition("_")[0]


def _vault(
    engine: Engine, folder: Path, chosen: Sequence[Session], sessions: Iterator[tuple[Session, list[StoredSegment]]]
) -> Exported:
    places = {session.id: markdown.place_of(session) for session in chosen}
    for session, wholes in sessions:
        edges = engine.reads.exchange.edges_between(session.id)
        markdown.write(folder, session, [whole.segment for whole in wholes], edges, places)
    return Exported(folder, len(chosen), len(chosen), _namespaces(chosen))
