"""What a person changes about topics: a name, two topics into one, one into several, and that one stays as it is. Each can be undone.

Knows: the changes, their journal entries and the way back. The journal holds numbers only; the names from before stay with the topics
(pmg/store/duckdb/topics.py), so that forgetting finds them. Topics are found by topics.py, which leaves alone what is pinned here.

An entry can be undone as long as no later one of these stands on the same topics. What came into a topic since stays where it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pmg.base.errors import InputError, NotFound
from pmg.engine import Engine
from pmg.store.maintenance import Maintenance, MaintenanceReads, Topic, TopicNames
from pmg.store.rows import JournalEntry
from steward.journal import MAX_ENTRIES, TOPIC_ACTIONS
from steward.namespaces import NAMESPACE_KEY
from steward.task import TaskContext
from steward.topic_groups import UNASSIGNED, gather, group
from steward.topics import new_names, units_before

RENAME, MERGE, SPLIT, PIN, UNPIN = TOPIC_ACTIONS
MAX_NAME = 80  # characters of a name
FINER = (1.5, 2.0, 3.0, 5.0)  # resolutions at which a topic is taken apart, until it falls into two


@dataclass(frozen=True, slots=True)
class TopicsChange:
    """The topics that give way, and those that take their place."""

    before: tuple[Topic, ...]
    after: tuple[Topic, ...]


def rename(work: TaskContext, number: int, name: str) -> Topic:
    wanted = " ".join(name.split())
    if not wanted or len(wanted) > MAX_NAME:
        raise InputError(f"A topic's name has 1 to {MAX_NAME} characters; this one has {len(wanted)}.")

    def make(tables: Maintenance) -> TopicsChange:
        old = _one(tables, work.namespace, number)
        taken = [t for t in tables.topics() if t.namespace == old.namespace and t.name == wanted and t.id != number]
        if taken:
            raise InputError(f"Another topic is called {wanted!r} already: choose another name, or merge the two.")
        return TopicsChange((old,), (replace(old, name=wanted, named=True),))

    return _carry_out(work, RENAME, make)[0]


def pin(work: TaskContext, number: int, pinned: bool = True) -> Topic:
    """A pinned topic keeps its members and its name from run to run; only what is new may join."""

    def make(tables: Maintenance) -> TopicsChange:
        old = _one(tables, work.namespace, number)
        return TopicsChange((old,), (replace(old, pinned=pinned),))

    return _carry_out(work, PIN if pinned else UNPIN, make)[0]


def merge(work: TaskContext, numbers: Sequence[int]) -> Topic:
    """Into the first of them, which is pinned: the next run must not take them apart again."""
    if len(set(numbers)) < 2:
        numbers_named = ", ".join(map(str, dict.fromkeys(numbers))) or "none"
        raise InputError(f"Name two different topics to merge, or more; these were named: {numbers_named}.")

    def make(tables: Maintenance) -> TopicsChange:
        old = [_one(tables, work.namespace, number) for number in dict.fromkeys(numbers)]
        if len({topic.namespace for topic in old}) > 1:
            numbers_named = ", ".join(f"{topic.id} in {topic.namespace}" for topic in old)
            raise InputError(
                f"Topics of different namespaces cannot become one ({numbers_named}): name topics of one namespace."
            )
        members = tuple(sorted({member for topic in old for member in topic.members}))
        return TopicsChange(tuple(old), (replace(old[0], members=members, pinned=True),))

    return _carry_out(work, MERGE, make)[0]


def split(work: TaskContext, number: int) -> list[Topic]:
    """Into the groups that its sessions fall into when looked at more closely; all of them are pinned."""
    old = _one(work.engine.reads.maintenance, work.namespace, number)
    taken = gather(work, old.namespace)
    rows = np.flatnonzero(units_before(taken, [old]) == number)
    parts: list[np.ndarray] = []
    for resolution in FINER:
        alone = np.full(len(rows), UNASSIGNED, dtype=np.int64)
        found = group(taken.vectors[rows], alone, 1, resolution=resolution)
        parts = [rows[found == one] for one in np.unique(found[found >= 0])]
        if len(parts) > 1:
            break
    if len(parts) < 2:
        raise InputError(f"{old.name!r} does not fall into parts: its sessions are all about the same thing.")
    parts.sort(key=lambda mine: (-len(mine), int(mine[0])))
    names = new_names(work, taken, parts, range(len(parts)))
    inside = set(old.members)
    members = [
        tuple(sorted(n for row in mine for n in taken.units[int(row)].segments if n in inside)) for mine in parts
    ]

    def make(tables: Maintenance) -> TopicsChange:
        free = tables.next_topic()
        made = [replace(old, members=members[0], pinned=True)]
        made += [
            Topic(free + i, old.namespace, *names[i + 1], members=mine, pinned=True)
            for i, mine in enumerate(members[1:])
            if mine
        ]
        if not old.named:
            made[0] = replace(made[0], name=names[0][0], terms=names[0][1])
        return TopicsChange((old,), tuple(made))

    return list(_carry_out(work, SPLIT, make))


def _one(tables: MaintenanceReads, namespace: str, number: int) -> Topic:
    found = [topic for topic in tables.topics() if topic.id == number]
    if not found or (namespace and found[0].namespace != namespace):
        raise NotFound(f"There is no topic {number}. `pmg steward topics` lists them with their numbers.")
    return found[0]


def _carry_out(work: TaskContext, action: str, make: Callable[[Maintenance], TopicsChange]) -> tuple[Topic, ...]:
    with work.engine.changing() as tables:
        change = make(tables)
        gone = {topic.id for topic in change.before}
        _put(tables, [topic for topic in tables.topics() if topic.id not in gone], change.after)
        namespace = change.before[0].namespace
        entry = JournalEntry(
            0, work.who.run, work.who.at, work.who.actor, action, "asked for",
            _packed(change.before, namespace), _packed(change.after, namespace),
        )  # fmt: skip
        number = work.engine.write_journal([entry])
        tables.put_topic_names(number, TopicNames(_names(change.before), _names(change.after)))
    return change.after


def _put(tables: Maintenance, others: Sequence[Topic], made: Sequence[Topic]) -> None:
    tables.put_topics(sorted([*others, *made], key=lambda topic: topic.id))


def _names(topics: Sequence[Topic]) -> dict[int, tuple[str, tuple[str, ...]]]:
    return {topic.id: (topic.name, topic.terms) for topic in topics}


def _packed(topics: Sequence[Topic], namespace: str) -> str:
    """Numbers only: no word of anybody's reaches the journal."""
    rows = [[topic.id, list(topic.members), topic.named, topic.pinned] for topic in topics]
    return json.dumps({NAMESPACE_KEY: namespace, "topics": rows}, separators=(",", ":"))


# the way back


def undo(engine: Engine, tables: Maintenance, entries: Sequence[JournalEntry]) -> None:
    """Entries of these actions, in any order, newest first."""
    mine = {entry.id for entry in entries}
    for entry in sorted(entries, key=lambda entry: -entry.id):
        _refuse_later(engine, entry, mine)
        _undo_one(tables, entry)


def topics_of(entry: JournalEntry) -> set[int]:
    """The numbers of the topics that an entry touched."""
    sides = [json.loads(text)["topics"] for text in (entry.before, entry.after)]
    return {row[0] for rows in sides for row in rows}


def _refuse_later(engine: Engine, entry: JournalEntry, mine: set[int]) -> None:
    for other in engine.reads.journal(MAX_ENTRIES):
        later = other.id > entry.id and other.id not in mine and other.undone_at is None
        if later and other.action in TOPIC_ACTIONS and topics_of(other) & topics_of(entry):
            raise InputError(
                f"Entry {entry.id} ({entry.action}) cannot be undone: the topic was changed again since. "
                f"Undo entry {other.id} ({other.action}) first."
            )


def _undo_one(tables: Maintenance, entry: JournalEntry) -> None:
    before = json.loads(entry.before)
    names, ids = tables.topic_names(entry.id), topics_of(entry)
    if names is None:
        raise InputError(
            f"Entry {entry.id} ({entry.action}) cannot be undone: some of what the topic was about has been forgotten."
        )
    now = tables.topics()
    home = {member: row[0] for row in before["topics"] for member in row[1]}
    held: dict[int, list[int]] = {row[0]: [] for row in before["topics"]}
    first = before["topics"][0][0]
    for topic in now:
        for member in topic.members if topic.id in ids else ():
            place = home.get(member, topic.id if topic.id in held else first)
            held[place].append(member)
    terms = {topic.id: (topic.name, topic.terms) for topic in now}
    back = [
        _back(row[0], before[NAMESPACE_KEY], held[row[0]], row[2], row[3], names, terms.get(row[0]))
        for row in before["topics"]
        if held[row[0]]
    ]
    _put(tables, [topic for topic in now if topic.id not in ids], back)


def _back(
    number: int, namespace: str, members: list[int], named: bool, pinned: bool, names: TopicNames,
    now: tuple[str, tuple[str, ...]] | None,
) -> Topic:  # fmt: skip
    """With the name from before where the change gave another; a name that upkeep gave since stays."""
    name, terms = names.before[number]
    if now is not None and names.after.get(number) == names.before[number]:
        name, terms = now
    return Topic(number, namespace, name, terms, tuple(sorted(members)), named, pinned)
