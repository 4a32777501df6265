"""Conversations into the memory: whole, once, in bounded memory.

Knows: the order of an import: read, leave out what was not asked for, look up what is known, store what is new, replace what
was edited, tie branches to where they leave; then embed and link everything at the end. Every group of conversations is
on disk before the next is read, and what is on disk is known the next time: so an import that was killed is simply begun again.
Does not know: any format (platforms/), how a report reads (report.py), another PMG memory (memory_files.py).
"""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from pathlib import Path, PurePath

from pmg.base.freed_memory import return_freed_memory
from pmg.base.model import Turn
from pmg.base.progress import Progress, silent
from pmg.base.times import now, with_zone
from pmg.config import Config, checked_namespace
from pmg.engine import Engine
from pmg.importers import memory_files
from pmg.importers.conversation import Conversation, Level, Problem, Result, Where, short_id
from pmg.importers.dry_run import DryRunTurns
from pmg.importers.identity import ConversationNamer
from pmg.importers.import_batch import import_batch
from pmg.importers.plan import ConversationBatch, named_once, said_since
from pmg.importers.read import read, total_bytes
from pmg.importers.reading.archive import MB, Limits
from pmg.importers.report import ImportReport
from pmg.importers.turns import SourceSession, sessions_of
from pmg.ingest.redact import Redactor
from pmg.ingest.titles import clean_title
from pmg.store.rows import JournalEntry

READING = "reading"  # the progress of bytes: `done` of `total` as they lie on the disk
LINKING = "linking"  # said once: everything is stored, what follows can wait
KEPT_LEVELS = (Level.BROKEN, Level.UNSUPPORTED)  # what could not be read is kept as it is
ACTOR, RAW_ACTION = "import", "import.raw"  # in the journal, of what could not be read
GROUP_TURNS = 8_000  # turns looked at together: one question to the store, one transaction
GROUP_CHARACTERS = 16_000_000


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What a person asked for: only what was said since a time, only some sources, in which namespace, and only to look."""

    since: datetime | None = None
    only: tuple[str, ...] = ()
    namespace: str = ""
    gap_hours: float = 0.0  # 0: as configured
    dry_run: bool = False


def import_paths(
    engine: Engine,
    paths: Sequence[Path],
    options: ImportOptions | None = None,
    progress: Progress = silent,
    report: ImportReport | None = None,
) -> ImportReport:
    """Everything behind the paths: exports in files, folders and archives, other memories and their backups.

    Nothing raises for what is in the files: the report lists it. Importing again adds only what is new. A `report` that is given is filled: whoever
    may be interrupted has it then too.
    """
    asked = _with_defaults(options or ImportOptions(), engine.config)
    report = ImportReport() if report is None else report
    report.dry_run = asked.dry_run
    begun = time.monotonic()
    report.resumed = 0 if asked.dry_run else engine.counts().pending
    found = memory_files.find_memories(paths)
    # Other memories keep their own namespaces unless one is asked for.
    namespace = options.namespace if options else ""
    for memory in found.memories:
        memory_files.merge_memory(engine, memory, namespace, asked.dry_run, report)
    for export in found.exports:
        memory_files.merge_export(engine, export, namespace, asked.dry_run, report)
    if found.others:
        _import_files(engine, found.others, asked, report, progress)
    if not asked.dry_run:
        progress(LINKING, 0, 0)
        # The indexes follow; then whatever waits is embedded and linked.
        report.built = engine.ingest((), progress).built
        if report.built.waiting:  # without a model nothing of an earlier run was finished either
            report.resumed = 0
        engine.first_backup()
    report.seconds = time.monotonic() - begun
    return report


def _with_defaults(options: ImportOptions, config: Config) -> ImportOptions:
    return replace(
        options,
        namespace=checked_namespace(options.namespace or config.namespace),
        gap_hours=options.gap_hours or config.imports.gap_hours,
        since=None if options.since is None else with_zone(options.since),
    )


def limits_of(config: Config) -> Limits:
    bounds = config.imports
    return Limits(ratio=bounds.bomb_ratio, total=bounds.archive_gb * 1024 * MB, element=bounds.conversation_mb * MB)


def _import_files(
    engine: Engine, paths: Sequence[Path], options: ImportOptions, report: ImportReport, progress: Progress
) -> None:
    total = total_bytes(paths)

    def on_bytes(count: int) -> None:
        report.bytes_read += count
        progress(READING, report.bytes_read, total)

    results = read(paths, on_bytes=on_bytes, limits=limits_of(engine.config))
    changed = False
    with _collected_by_hand():
        found = ConversationNamer(engine, options.namespace, options.gap_hours).named(
            _conversations(engine, results, options, report)
        )
        counted = DryRunTurns()
        for batch in _batches(found, options, engine.config, report):
            changed |= import_batch(engine, batch, options.namespace, report, counted)
            progress(READING, report.bytes_read, total)
            batch.conversations.clear()
            gc.collect(1)  # for whoever else works in this process; of the group nothing is left
            engine.release_pages()
            return_freed_memory()
    if changed:
        engine.indexes.reload_edges()


@contextmanager
def _collected_by_hand() -> Iterator[None]:
    """While thousands of turns are made, the search for cycles would look at each of them again and again; they have none."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _conversations(
    engine: Engine, results: Iterable[Result], options: ImportOptions, report: ImportReport
) -> Iterator[Conversation]:
    for result in results:
        if isinstance(result, Problem):
            report.problem(result)
            if result.level in KEPT_LEVELS and result.raw and not options.dry_run:
                report.kept_raw += keep_raw(engine, result)
        elif options.only and not any(result.source.startswith(name) for name in options.only):
            report.skipped[f"conversations of {result.source}"] += 1
        else:
            yield _without_cut_secrets(result, engine.redactor)


def _without_cut_secrets(conversation: Conversation, redactor: Redactor) -> Conversation:
    """Here, where all of it is still together: a later session of it has the title, but not the words it was cut from."""
    branches = (message for branch in conversation.branches for message in branch.messages)
    said = (message.text for message in chain(conversation.messages, branches))
    return replace(conversation, title=clean_title(conversation.title, said, redactor))


def _batches(
    conversations: Iterable[Conversation], options: ImportOptions, config: Config, report: ImportReport
) -> Iterator[ConversationBatch]:
    """Conversations together until they are many or large, or until one comes a second time: it must see the first stored."""
    batch = ConversationBatch()
    for conversation in conversations:
        found = _sessions(conversation, options, config, report)
        if not found:
            continue
        if found[0].conversation in batch.names:
            yield batch
            batch = ConversationBatch()
        batch.add(conversation, found)
        if batch.turns >= GROUP_TURNS or batch.characters >= GROUP_CHARACTERS:
            yield batch
            batch = ConversationBatch()
    if batch.conversations:
        yield batch


def _sessions(
    conversation: Conversation, options: ImportOptions, config: Config, report: ImportReport
) -> list[SourceSession]:
    """The sessions that come in, of turns that have words."""
    report.counted.update(conversation.counts)
    kept = []
    for session in named_once(list(sessions_of(conversation, gap_hours=options.gap_hours))):
        if not said_since(session, options.since):
            report.skipped["sessions before the date asked for"] += 1
            continue
        turns = tuple(turn for turn in session.turns if _has_words(turn, conversation, config, report))
        if turns:
            kept.append(replace(session, turns=turns))
    return kept


def _has_words(turn: Turn, conversation: Conversation, config: Config, report: ImportReport) -> bool:
    if not any(line.text.strip() for line in turn.lines):
        report.skipped["turns without words"] += 1
        return False
    size, most = sum(len(line.text) for line in turn.lines), config.ingest.max_turn_bytes
    if size > most:
        where = Where(conversation.source, f"{conversation.title!r}, {turn.origin_id}")
        report.problem(where.problem(f"a turn of {size:,} characters: more than ingest.max_turn_bytes ({most:,})"))
        return False
    return True


def keep_raw(engine: Engine, problem: Problem) -> int:
    """What could not be read goes to the journal without its secrets: 1 if it was kept now, 0 if it was there already from an earlier import of the same."""
    name = PurePath(problem.file).name
    run = f"raw-{short_id(name, problem.position, problem.reason, problem.raw)}"
    if engine.reads.maintenance.journal_entries(run=run):
        return 0
    place = {"file": name, "position": problem.position, "bytes": problem.raw_bytes}
    raw = engine.redactor.redact(problem.raw).text
    after = json.dumps({**place, "raw": raw}, ensure_ascii=False)
    engine.write_journal([JournalEntry(0, run, now(), ACTOR, RAW_ACTION, f"{name}: {problem.reason}", "", after)])
    return 1
