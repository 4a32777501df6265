"""Topics: what the sessions of a memory are about, as groups with a number, a name and a colour that stay from run to run.

Knows: how groups become topics and keep their number and name. Sessions become vectors in topic_groups.py, groups are found by
topic_groups.py, names by topic_names.py; what a person changes stands in topic_edits.py.

    units of a namespace → those of pinned topics stay → groups of the others → which topic each group was → names
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pmg.store.maintenance import Topic
from pmg.store.rows import Numbers
from steward.task import TaskContext
from steward.topic_groups import UNASSIGNED, TopicUnits, Vectors, centres, gather, group, mutual, neighbours
from steward.topic_names import UnitText, name_groups

SAME = 0.3  # share of members in common from which a topic is the one it was
SAME_NAME = 0.5  # and from which it keeps its name too
READ_UNITS = 60  # sessions of a topic that are read to name it, those nearest to its middle
READ_CHARACTERS = 4_000  # of each


def find(work: TaskContext) -> list[Topic]:
    """The topics of one namespace, or of all, as they are now."""
    upkeep = work.engine.reads.maintenance
    before, free = upkeep.topics(), upkeep.next_topic()
    found: list[Topic] = []
    for namespace in [name for name in work.components.indexes.sizes() if work.namespace in ("", name)]:
        here = _of_namespace(work, namespace, [topic for topic in before if topic.namespace == namespace], free)
        free = max([free, *(topic.id + 1 for topic in here)])
        found += here
    return sorted(found, key=lambda topic: topic.id)


def _of_namespace(work: TaskContext, namespace: str, before: Sequence[Topic], free: int) -> list[Topic]:
    taken = gather(work, namespace)
    work.progress("finding topics: grouping sessions", 0, 0)
    was = units_before(taken, before)
    pinned = {topic.id: topic for topic in before if topic.pinned and topic.members}
    was = with_newcomers(taken.vectors, was, set(pinned))
    free_rows = np.flatnonzero(~np.isin(was, list(pinned)))
    found = np.full(len(taken), UNASSIGNED, dtype=np.int64)
    begin = _dense(was[free_rows])
    found[free_rows] = group(taken.vectors[free_rows], begin, work.engine.config.steward.topic_size)
    rows = [np.flatnonzero(found == number) for number in range(int(found.max(initial=UNASSIGNED)) + 1)]
    kept = [(topic, np.flatnonzero(was == number)) for number, topic in pinned.items()]
    others = [topic for topic in before if topic.id not in pinned]
    work.progress("finding topics: naming them", 0, 0)
    return named(work, taken, namespace, rows, others, free) + [
        replace(topic, members=_members(taken, mine)) for topic, mine in kept
    ]


def units_before(taken: TopicUnits, before: Sequence[Topic]) -> Numbers:
    """For each unit the topic that most of its turns were in; 0 for what was in none."""
    where = {number: topic.id for topic in before for number in topic.members}
    found = np.zeros(len(taken), dtype=np.int64)
    for row, unit in enumerate(taken.units):
        counted = Counter(where[number] for number in unit.segments if number in where)
        if counted:
            found[row] = min(counted, key=lambda topic: (-counted[topic], topic))
    return found


def with_newcomers(vectors: Vectors, was: Numbers, pinned: set[int]) -> Numbers:
    """A unit that was in no topic joins a pinned one when more than half of the weight of its links leads there."""
    new = np.flatnonzero(was == 0)
    if not pinned or not len(new) or len(vectors) < 2:
        return was
    source, target, weight = mutual(vectors, neighbours(len(vectors)))
    here, there = np.concatenate([source, target]), np.concatenate([target, source])
    both, numbers = np.concatenate([weight, weight]), sorted(pinned)
    towards = [np.bincount(here, both * (was[there] == topic), len(vectors))[new] for topic in numbers]
    best = np.argmax(towards, axis=0)
    sure = np.max(towards, axis=0) > 0.5 * np.bincount(here, both, len(vectors))[new]
    joined = was.copy()
    joined[new[sure]] = np.array(numbers)[best[sure]]
    return joined


def _dense(was: Numbers) -> Numbers:
    """Topic numbers as groups from 0 on; NOBODY for none."""
    found = np.full(len(was), UNASSIGNED, dtype=np.int64)
    held = was > 0
    found[held] = np.unique(was[held], return_inverse=True)[1]
    return found


def named(
    work: TaskContext, taken: TopicUnits, namespace: str, rows: Sequence[Numbers], before: Sequence[Topic], free: int
) -> list[Topic]:
    """Each group with the number (and the name) of the topic it was, or the next free number."""
    members = [_members(taken, mine) for mine in rows]
    kept = match([set(mine) for mine in members], before)
    unnamed = [i for i in range(len(rows)) if kept.get(i, (None, 0.0))[1] < SAME_NAME]
    fresh = dict(zip(unnamed, new_names(work, taken, rows, unnamed), strict=True))
    topics = []
    for i in sorted(range(len(rows)), key=lambda i: (-len(rows[i]), members[i])):
        old, _ = kept.get(i, (None, 0.0))
        number, free = (old.id, free) if old else (free, free + 1)
        made = Topic(number, namespace, *fresh.get(i, ("", ())), members[i])
        if old is not None and (i not in fresh or old.named):
            made = replace(made, name=old.name, terms=old.terms or made.terms, named=old.named)
        topics.append(made)
    return topics


def _members(taken: TopicUnits, rows: Numbers) -> tuple[int, ...]:
    return tuple(sorted(number for row in rows.tolist() for number in taken.units[row].segments))


def new_names(
    work: TaskContext, taken: TopicUnits, rows: Sequence[Numbers], wanted: Sequence[int]
) -> list[tuple[str, tuple[str, ...]]]:
    """Names for some groups; the words of the others say what is common everywhere."""
    if not wanted:
        return []
    texts = [_unit_texts(work, taken, mine) for mine in rows]
    names = name_groups(texts, work.components.indexes.catalogue.speakers.names)
    return [(names[i].name, names[i].terms) for i in wanted]


def _unit_texts(work: TaskContext, taken: TopicUnits, rows: Numbers) -> list[UnitText]:
    """The sessions nearest to the middle of a group, with what was said in them."""
    middle = centres(taken.vectors[rows], np.zeros(len(rows), dtype=np.int64))[0]
    nearness = taken.vectors[rows] @ middle
    chosen = np.lexsort((rows, -nearness))[:READ_UNITS]
    units = [taken.units[int(rows[at])] for at in chosen]
    said: dict[int, list[str]] = {}
    numbers, reads = sorted({n for unit in units for n in unit.segments}), work.engine.reads.maintenance
    for number, text in reads.texts(numbers, own_answers=False):  # "From your memory:" names nothing
        said.setdefault(number, []).append(text)
    return [
        UnitText(
            unit.title,
            "\n".join(text for number in unit.segments for text in said.get(number, ()))[:READ_CHARACTERS],
            max(0.05, float(nearness[at])),
        )
        for unit, at in zip(units, chosen.tolist(), strict=True)
    ]


def match(members: Sequence[set[int]], before: Sequence[Topic]) -> dict[int, tuple[Topic, float]]:
    """Which earlier topic each group is, best overlap first; each topic goes on in one group at most."""
    where = {number: i for i, group in enumerate(members) for number in group}
    shared = Counter((where[n], topic.id) for topic in before for n in topic.members if n in where)
    topics = {topic.id: topic for topic in before}
    ranked = []
    for (i, topic_id), both in shared.items():
        share = both / (len(members[i]) + len(topics[topic_id].members) - both)
        if share >= SAME:
            ranked.append((-share, topic_id, i))
    found: dict[int, tuple[Topic, float]] = {}
    used: set[int] = set()
    for negative, topic_id, i in sorted(ranked):
        if i not in found and topic_id not in used:
            found[i] = (topics[topic_id], -negative)
            used.add(topic_id)
    return found


def put(work: TaskContext, topics: Sequence[Topic]) -> None:
    """Those of other namespaces stay as they are where the work is inside one."""
    with work.engine.changing() as tables:
        others = [t for t in tables.topics() if work.namespace and t.namespace != work.namespace]
        tables.put_topics(sorted([*others, *topics], key=lambda topic: topic.id))
