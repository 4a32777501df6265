"""Conversations into the memory: whole, once, in bounded memory.

Knows: the order of an import: read, leave out what was not asked for, look up what is known, store what is new, replace what
was edited, tie branches to where they leave; then embed and link everything at the end. Every group of conversations is
on disk before the next is read, and what is on disk is known the next time: so an import that was killed is simply begun again.
Does not know: any format (the readers), how a report reads, another PMG store (store_merge).
"""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from pmg.config import Config, checked_namespace
from pmg.engine import Engine
from pmg.importers import amend, store_merge
from pmg.importers.archive import MB, Limits
from pmg.importers.conversation import Conversation, Level, Problem, Result, Where
from pmg.importers.kept import keep_raw
from pmg.importers.plan import Fork, Group, forks, named_once, planned, said_since
from pmg.importers.read import read, total_bytes
from pmg.importers.report import ImportReport
from pmg.importers.turns import Sitting, session_spans
from pmg.index.indexes import silent
from pmg.ingest import pipeline as ingesting
from pmg.ingest import turns as checking
from pmg.ingest.release import release
from pmg.ingest.turns import SessionInput
from pmg.model import Turn
from pmg.times import with_zone

Progress = Callable[[str, int, int], None]

READING = "reading"  # the progress of bytes: `done` of `total` as they lie on the disk
LINKING = "linking"  # said once: everything is stored, what follows can wait
GROUP_TURNS = 8_000  # turns looked at together: one question to the store, one transaction
GROUP_CHARACTERS = 16_000_000


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a person asked for: only what was said since a time, only some sources, behind which wall, and only to look."""

    since: datetime | None = None
    only: tuple[str, ...] = ()
    namespace: str = ""
    gap_hours: float = 0.0  # 0: as configured
    dry_run: bool = False


def import_paths(
    engine: Engine, paths: Sequence[Path], wishes: Wishes | None = None, progress: Progress = silent
) -> ImportReport:
    """Everything behind the paths: exports in files, folders and archives, other memories and their backups.

    Nothing raises for what is in the files: the report lists it. Importing again adds only what is new.
    """
    asked = _with_defaults(wishes or Wishes(), engine.config)
    report = ImportReport(dry_run=asked.dry_run)
    begun = time.monotonic()
    found = store_merge.sorted_out(paths)
    wall = wishes.namespace if wishes else ""  # other memories keep their own walls unless a wall is asked for
    for memory in found.memories:
        store_merge.take_memory(engine, memory, wall, asked.dry_run, report)
    for export in found.exports:
        store_merge.take_export(engine, export, wall, asked.dry_run, report)
    if found.others:
        _take_in(engine, found.others, asked, report, progress)
    if not asked.dry_run:
        progress(LINKING, 0, 0)
        report.built = engine.ingest(
            (), progress
        ).built  # the indexes follow; then whatever waits is embedded and linked
    report.seconds = time.monotonic() - begun
    return report


def _with_defaults(wishes: Wishes, config: Config) -> Wishes:
    return replace(
        wishes,
        namespace=checked_namespace(wishes.namespace or config.namespace),
        gap_hours=wishes.gap_hours or config.imports.gap_hours,
        since=None if wishes.since is None else with_zone(wishes.since),
    )


def limits_of(config: Config) -> Limits:
    bounds = config.imports
    return Limits(ratio=bounds.bomb_ratio, total=bounds.archive_gb * 1024 * MB, element=bounds.conversation_mb * MB)


def _take_in(engine: Engine, paths: Sequence[Path], wishes: Wishes, report: ImportReport, progress: Progress) -> None:
    total = total_bytes(paths)

    def on_bytes(count: int) -> None:
        report.bytes_read += count
        progress(READING, report.bytes_read, total)

    results = read(paths, on_bytes=on_bytes, limits=limits_of(engine.config))
    changed = False
    with _collected_by_hand():
        for group in _groups(_conversations(engine, results, wishes, report), wishes, engine.config, report):
            changed |= take_group(engine, group, wishes, report)
            group.conversations.clear()
            gc.collect(1)  # for whoever else works in this process; of the group nothing is left
            engine.store.release_pages()
            release()
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
    engine: Engine, results: Iterable[Result], wishes: Wishes, report: ImportReport
) -> Iterator[Conversation]:
    for result in results:
        if isinstance(result, Problem):
            report.problem(result)
            if result.level is Level.BROKEN and result.raw and not wishes.dry_run:
                report.kept_raw += keep_raw(engine, result)
        elif wishes.only and not any(result.source.startswith(name) for name in wishes.only):
            report.skipped[f"conversations of {result.source}"] += 1
        else:
            yield result


def _groups(
    conversations: Iterable[Conversation], wishes: Wishes, config: Config, report: ImportReport
) -> Iterator[Group]:
    """Conversations together until they are many or large, or until one comes a second time: it must see the first stored."""
    group = Group()
    for conversation in conversations:
        found = _sittings(conversation, wishes, config, report)
        if not found:
            continue
        if found[0].conversation in group.names:
            yield group
            group = Group()
        group.add(conversation, found)
        if group.turns >= GROUP_TURNS or group.characters >= GROUP_CHARACTERS:
            yield group
            group = Group()
    if group.conversations:
        yield group


def _sittings(conversation: Conversation, wishes: Wishes, config: Config, report: ImportReport) -> list[Sitting]:
    """The sittings that come in, of turns that have words."""
    report.counted.update(conversation.counts)
    kept = []
    for sitting in named_once(list(session_spans(conversation, gap_hours=wishes.gap_hours))):
        if not said_since(sitting, wishes.since):
            report.skipped["sessions before the date asked for"] += 1
            continue
        turns = tuple(turn for turn in sitting.turns if _has_words(turn, conversation, config, report))
        if turns:
            kept.append(replace(sitting, turns=turns))
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


def take_group(engine: Engine, group: Group, wishes: Wishes, report: ImportReport) -> bool:
    """Stores what is new of some conversations and amends what is known. True if links changed."""
    space = wishes.namespace
    names = sorted(group.names)
    known = engine.store.exchange.turns_of(space, names)
    there = engine.store.exchange.sessions_of(space, names)  # before the new ones, which have their titles already
    fresh: list[SessionInput] = []
    ways: list[Fork] = []
    held: list[amend.Held] = []
    for conversation, found in group.conversations:
        count = report.source(conversation.source)
        count.conversations += 1
        ways.extend(forks(conversation, found))
        for sitting in found:
            plan = planned(sitting.turns, known[sitting.conversation])
            report.said(plan.fresh)
            count.turns += len(plan.fresh)
            count.sessions += bool(plan.fresh)
            count.branches += len(plan.fresh) if sitting.branch_at else 0
            if plan.fresh:
                fresh.append(session_of(sitting, plan.fresh, conversation, space, engine))
            held.extend(amend.Held(one, conversation) for one in plan.known)
    if wishes.dry_run:
        _count_secrets(engine, fresh, report)
    else:
        stored = ingesting.store_turns(engine.components, fresh, engine.redactor)
        report.redacted += stored.redacted
        for said in stored.aside:
            report.problem(Where("redaction").problem(said))
        if stored.forgotten:
            report.skipped["turns that were forgotten"] += stored.forgotten
    changed = amend.amend(engine, space, held, report, dry_run=wishes.dry_run)
    if wishes.dry_run:
        return False
    again = [conversation for conversation, found in group.conversations if there[found[0].conversation]]
    if again:
        amend.retitle(engine, space, again, report)
    return bool(amend.tie(engine, space, ways)) or changed


def session_of(
    sitting: Sitting, turns: Sequence[Turn], conversation: Conversation, space: str, engine: Engine
) -> SessionInput:
    """A sitting as the engine takes it, marked as imported. Its notes may quote the export, so they are redacted too."""
    clean = partial(amend.clean_meta, engine.redactor)
    marks = {"imported": "yes"} | amend.updated_mark(conversation)
    return SessionInput(
        turns=tuple([_with_meta(turn, clean(turn.meta)) for turn in turns]),
        title=sitting.title,
        conversation=sitting.conversation,
        source=sitting.source,
        started_at=sitting.started_at,
        id=sitting.id,
        namespace=space,
        meta=clean(sitting.meta) | marks,
    )


def _with_meta(turn: Turn, meta: dict[str, str]) -> Turn:
    return turn if meta == turn.meta else replace(turn, meta=meta)


def _count_secrets(engine: Engine, fresh: Sequence[SessionInput], report: ImportReport) -> None:
    most = engine.config.ingest.max_turn_bytes
    counts: Counter[str] = Counter()
    for session in fresh:
        for cleaned in checking.clean_together(session.turns, engine.redactor, most):
            counts.update(cleaned.redacted)
    report.redacted += counts
