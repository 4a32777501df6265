"""The one journal: who did what to the memory, when and why, what was before and after; and the way back.

Knows: how a change is written with its entry in one transaction, and when an entry may be undone. The tasks stand in tasks.py.

An entry may be undone in any order as long as nothing that came later, and still stands, builds on what it did: the state it
gave a segment, or a link it made. Otherwise it is refused with the entry to undo first. Hits counted since stay counted.
Where a memory was forgotten its entries stand for good: named, they are refused; `last` leaves them out.
"""

from __future__ import annotations

import base64
import json
import secrets
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from pmg.base.errors import InputError, NotFound
from pmg.base.model import State
from pmg.base.times import shown
from pmg.engine import Engine
from pmg.store.maintenance import EdgeRow, Maintenance, MaintenanceReads, Review, SegmentRow
from pmg.store.rows import JournalEntry, Numbers
from steward import put_back
from steward.change_set import ChangedRows, ChangeSet, JournaledChange
from steward.namespaces import entries_of_namespace, mark

SCORE, WEIGHTS, UNDO, TAGS, LINK, UNLINK = "score", "weights", "undo", "tags", "link", "unlink"
MERGE, REVIEW = "merge", "review"  # two memories became one; a pair was listed for a person's decision
TOPIC_ACTIONS = ("rename topic", "merge topics", "split topic", "pin topic", "unpin topic")  # topic_edits.py
NOTES = (
    UNDO,
    TAGS,
    "backup",
    "report",
    "verify",
    "topics",
    "forget",
    "redact",
)  # told in the history; there is nothing to put back
_APART = (*TOPIC_ACTIONS, *put_back.DECISIONS, *put_back.SEALED)  # put back by their own files
LAST = "last"  # the name of the last run that can be undone
MAX_ENTRIES = 100_000
SCORES_KEPT = 3  # passes whose earlier scores can be put back: they are large and each pass makes them anew


@dataclass(frozen=True, slots=True)
class Actor:
    """In whose name a run works."""

    run: str
    actor: str  # schedule, user, …
    at: datetime


def new_run(at: datetime) -> str:
    return f"{at:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"


def carry_out(
    engine: Engine,
    who: Actor,
    load: Callable[[Maintenance], ChangeSet],
    make: Callable[[ChangeSet], list[JournaledChange]],
) -> list[JournaledChange]:
    """One short transaction: the rows as they stand now, the changes made of them, the rows and the entries written."""
    with engine.changing() as tables:
        change_set = load(tables)
        changes = make(change_set)
        change_set.write(tables)
        _write(engine, tables, who, changes)
    return changes


def _write(engine: Engine, tables: Maintenance, who: Actor, changes: Sequence[JournaledChange]) -> None:
    entries = [
        JournalEntry(0, who.run, who.at, who.actor, c.action, c.reason, c.before.to_json(), c.after.to_json())
        for c in changes
    ]
    if not entries:
        return
    first = engine.write_journal(entries)
    # Learnt weights touch a great many links and never stand in the way of an undo: they are not listed by segment.
    listed = [(first + i, n) for i, c in enumerate(changes) if c.action != WEIGHTS for n in sorted(c.touched)]
    tables.write_touched(listed)


def note(engine: Engine, who: Actor, action: str, reason: str, before: str = "", after: str = "") -> None:
    engine.write_journal([JournalEntry(0, who.run, who.at, who.actor, action, reason, before, after)])


def packed_scores(numbers: Numbers, scores: NDArray[np.float32]) -> str:
    data = np.diff(numbers, prepend=0).astype("<i8").tobytes() + scores.astype("<f4").tobytes()
    return json.dumps({"scores": base64.b64encode(zlib.compress(data, 1)).decode(), "count": len(numbers)})


def _unpacked_scores(text: str) -> tuple[Numbers, NDArray[np.float32]]:
    found = json.loads(text)
    data, count = zlib.decompress(base64.b64decode(found["scores"])), found["count"]
    numbers = np.cumsum(np.frombuffer(data, "<i8", count)).astype(np.int64)
    return numbers, np.frombuffer(data, "<f4", count, 8 * count).astype(np.float32)


def entries_named(engine: Engine, name: str, namespace: str = "") -> list[JournalEntry]:
    """One entry by its number, or every entry of a run by its name; `last` is the last run that can be undone, without what changed
    memories that were forgotten since. Of a run that also touched what lies in other namespaces, those inside the one that is named."""
    found = list(entries_of_namespace(engine, namespace, _named(engine, name, namespace)))
    if not found and name == LAST:
        raise _nothing_to_undo(engine, namespace)
    if not found:
        raise NotFound(f"The journal has no entry or run {name!r}. `pmg steward history` lists them.")
    return found


def _named(engine: Engine, name: str, namespace: str) -> list[JournalEntry]:
    store = engine.reads
    if name == LAST:
        tables = store.maintenance
        mine = entries_of_namespace(engine, namespace, [e for e in store.journal(MAX_ENTRIES) if _stands(e)])
        latest = next((e for e in mine if not _forgotten(tables, [e])), None)
        whole = tables.journal_entries(run=latest.run) if latest else []
        gone = _forgotten(tables, [e for e in whole if _stands(e)])
        return [e for e in whole if e.id not in gone]
    if name.isdecimal() and len(name) < 19:  # as large as the numbers of a database get
        return store.maintenance.journal_entries(ids=[int(name)])
    return store.maintenance.journal_entries(run=name)


def _nothing_to_undo(engine: Engine, namespace: str) -> InputError:
    """Why `last` names no change: none stands, or whatever stands changed memories that were forgotten."""
    standing = [e for e in engine.reads.journal(MAX_ENTRIES) if _stands(e)]
    latest = next(entries_of_namespace(engine, namespace, standing), None)
    if latest is None:
        return InputError("There is nothing to undo: no change stands that could be put back.")
    return InputError(
        f"There is nothing to undo: entry {latest.id} ({latest.action}) cannot be undone: one of its memories was forgotten. No other change "
        "stands that could be put back; `pmg steward history` tells what was done."
    )


def left_out(engine: Engine, undone: Sequence[JournalEntry], namespace: str = "") -> list[JournalEntry]:
    """After `last`: what their run and later ones did and still stands, for it changed memories that were forgotten."""
    first, run = undone[0].id, undone[0].run
    entries = [e for e in engine.reads.journal(MAX_ENTRIES) if _stands(e) and (e.id > first or e.run == run)]
    found = list(entries_of_namespace(engine, namespace, entries))
    gone = _forgotten(engine.reads.maintenance, found)
    return [e for e in found if e.id in gone]


def _stands(entry: JournalEntry) -> bool:
    return entry.undone_at is None and entry.action not in NOTES


RestoreTopics = Callable[[Engine, Maintenance, Sequence[JournalEntry]], None]


def undo(
    engine: Engine,
    entries: Sequence[JournalEntry],
    who: Actor,
    namespace: str = "",
    *,
    restore_topics: RestoreTopics,
) -> list[JournalEntry]:
    """Puts everything back as it was, or changes nothing and says why. What was changed about topics, topic_edits.py puts back."""
    with engine.changing() as tables:
        live = [e for e in entries if _stands(e)]
        if not live:
            done = next((e for e in entries if e.undone_at is not None), None)
            raise InputError(
                f"Entry {done.id} was undone already, {shown(done.undone_at)}."
                if done and done.undone_at
                else "There is nothing to undo: these entries changed no memory."
            )
        _put_back(tables, [e for e in live if e.action not in _APART])
        restore_topics(engine, tables, [e for e in live if e.action in TOPIC_ACTIONS])
        put_back.decisions(engine, [e for e in live if e.action in put_back.DECISIONS])
        put_back.sealed(engine, [e for e in live if e.action in put_back.SEALED])
        _put_back_scores(engine, tables, [e for e in live if e.action == SCORE], alone=len(live) == 1)
        tables.mark_undone([entry.id for entry in live], who.at)
        listed = ", ".join(str(entry.id) for entry in live[:20]) + (" …" if len(live) > 20 else "")
        note(
            engine,
            who,
            UNDO,
            f"undone: {len(live)} of run {live[0].run} ({listed})",
            after=mark(namespace) if namespace else "",
        )
    return live


def _put_back(tables: Maintenance, live: Sequence[JournalEntry]) -> None:
    changes = [(e, change_of(e)) for e in live if e.action != SCORE]
    if not changes:
        return
    change_set = ChangeSet.load(
        tables,
        {row.number for _, c in changes for row in c.after.segments},
        {end for _, c in changes for side in (c.before, c.after) for r in side.edges for end in (r.source, r.target)},
        {row.id for _, c in changes for row in (*c.before.reviews, *c.after.reviews)},
    )
    _refuse_forgotten(tables, [e for e, _ in changes])
    mine = {entry.id for entry in live}
    touched = {number for e, c in changes if e.action != WEIGHTS for number in c.touched}
    later = [(e, change_of(e)) for e in tables.later_entries(live[0].id, touched) if e.id not in mine]
    for entry, change in reversed(changes):
        after = [(e, c) for e, c in later if e.id > entry.id]
        change_set.apply(
            _weights_back(change, change_set) if entry.action == WEIGHTS else _inverse(entry, change, change_set, after)
        )
    change_set.write(tables)


def _refuse_forgotten(tables: MaintenanceReads, entries: Sequence[JournalEntry]) -> None:
    gone = _forgotten(tables, entries)
    entry = next((e for e in entries if e.id in gone), None)
    if entry is not None:
        raise InputError(
            f"Entry {entry.id} ({entry.action}) cannot be undone: one of its memories was forgotten. `pmg steward undo {LAST}` leaves "
            "it out; `pmg steward history` has the numbers of the others, to undo them one by one."
        )


def _forgotten(tables: MaintenanceReads, entries: Sequence[JournalEntry]) -> set[int]:
    """The entries one of whose memories is gone. What joined two cannot be put back then: a link would lead nowhere."""
    named = [(e.id, change_of(e).touched) for e in entries if e.action not in (SCORE, WEIGHTS, *_APART)]
    wanted = {number for _, touched in named for number in touched}
    there = {row.number for row in tables.segment_rows(wanted)} if wanted else set()
    return {entry for entry, touched in named if touched - there}


def change_of(entry: JournalEntry) -> JournaledChange:
    return JournaledChange(
        entry.action, entry.reason, ChangedRows.from_json(entry.before), ChangedRows.from_json(entry.after)
    )


Later = Sequence[tuple[JournalEntry, JournaledChange]]


def _inverse(entry: JournalEntry, change: JournaledChange, change_set: ChangeSet, later: Later) -> JournaledChange:
    was = {row.number: row for row in change.before.segments}
    pairs = [(was[row.number], row) for row in change.after.segments]
    segments = [_segment_back(entry, before, after, change_set, later) for before, after in pairs]
    now = tuple(change_set.segments[row.number] for row in segments)
    gone, put = _edges_back(entry, change, change_set, later)
    held = tuple(_review_now(entry, review, change_set, later) for review in change.after.reviews)
    return JournaledChange(
        UNDO, "", ChangedRows(now, gone, held), ChangedRows(tuple(segments), put, change.before.reviews)
    )


def _segment_back(
    entry: JournalEntry, before: SegmentRow, after: SegmentRow, change_set: ChangeSet, later: Later
) -> SegmentRow:
    now = change_set.segments[before.number]
    moved = (before.state, before.stands_for) != (after.state, after.stands_for)
    if moved and (now.state, now.stands_for) != (after.state, after.stands_for):
        raise _refusal(entry, f"its memory is {now.state.value} now", _last(later, now.number))
    if before.hits != after.hits and now.state is State.MERGED and after.state is not State.MERGED:
        raise _refusal(entry, "the memory it was merged into was merged itself", _last(later, now.number))
    return replace(
        now,
        state=before.state if moved else now.state,
        stands_for=before.stands_for if moved else now.stands_for,
        hits=now.hits - (after.hits - before.hits),
        last_hit=before.last_hit if now.last_hit == after.last_hit else now.last_hit,
        pinned=before.pinned if now.pinned == after.pinned else now.pinned,
        score=before.score if now.score == after.score else now.score,
    )


def _edges_back(
    entry: JournalEntry, change: JournaledChange, change_set: ChangeSet, later: Later
) -> tuple[tuple[EdgeRow, ...], tuple[EdgeRow, ...]]:
    made = {row.key for row in change.after.edges}
    for other, built in later:
        if any(row.key in made for row in built.before.edges):
            raise _refusal(entry, "a link it made was changed since", other)
    if entry.action == UNLINK:
        _refuse_doubles(entry, change, change_set, later)
    # A link that is gone without an entry was derived and made anew by a relink: there is nothing to take away.
    gone = tuple(row for row in (change_set.find(key) for key in sorted(made)) if row is not None)
    left = {row.key for row in change.before.edges if change_set.find(row.key) is not None} - made
    return gone, tuple(row for row in change.before.edges if row.key not in left)


def _refuse_doubles(entry: JournalEntry, change: JournaledChange, change_set: ChangeSet, later: Later) -> None:
    """A link that a person took away is not put back beside one that they made since."""
    for row in change.before.edges:
        if any(now.place == row.place for now in change_set.edges_of(row.source)):
            made = next((e for e, c in reversed(later) if any(new.place == row.place for new in c.after.edges)), None)
            raise _refusal(entry, "the two are linked again", made)


def _review_now(entry: JournalEntry, review: Review, change_set: ChangeSet, later: Later) -> Review:
    now = change_set.reviews.get(review.id)
    if now is None:
        raise _refusal(entry, "the pair is no longer listed", None)
    if now.state != review.state:
        why = f"you decided on the pair since, {now.state}"
        made = next((e for e, c in reversed(later) if any(row.id == review.id for row in c.after.reviews)), None)
        if made is None:
            raise _refusal(entry, why, None)
        raise _refusal(entry, f"{why} (entry {made.id}): `pmg steward undo {made.id}` first", None)
    return now


def _weights_back(change: JournaledChange, change_set: ChangeSet) -> JournaledChange:
    """Learnt weights go back where they are still as this entry left them; what was learnt later stays."""
    before = {row.key: row for row in change.before.edges}
    found = [(row, change_set.find(row.key)) for row in change.after.edges]
    same = [now for row, now in found if now is not None and now.weight == row.weight]
    return JournaledChange(
        UNDO, "", ChangedRows(edges=tuple(same)), ChangedRows(edges=tuple(before[row.key] for row in same))
    )


def _put_back_scores(engine: Engine, tables: Maintenance, entries: Sequence[JournalEntry], alone: bool) -> None:
    if not entries:
        return
    newer = [
        e for e in engine.reads.journal(1_000) if e.action == SCORE and e.undone_at is None and e.id > entries[0].id
    ]
    superseded = any(e.id not in {entry.id for entry in entries} for e in newer) or not entries[0].before
    if superseded and alone:
        raise InputError(f"Entry {entries[0].id} (score) cannot be undone: a later pass has made all scores anew.")
    if not superseded:
        tables.put_scores(*_unpacked_scores(entries[0].before))


def _last(later: Later, number: int) -> JournalEntry | None:
    return next((e for e, c in reversed(later) if any(row.number == number for row in c.after.segments)), None)


def _refusal(entry: JournalEntry, why: str, other: JournalEntry | None) -> InputError:
    mend = f" Undo entry {other.id} ({other.action}, run {other.run}) first." if other else ""
    return InputError(f"Entry {entry.id} ({entry.action}) cannot be undone: {why}.{mend}")
