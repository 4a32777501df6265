"""Topics: groups of memories that are linked more among themselves than with others, named by their most telling words.

Knows: how groups become topics, keep their number and name from run to run, and are named. Groups are found by communities.py.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from pmg.store.maintenance import Topic
from pmg.words import STOP_WORDS
from steward.communities import Ints, groups
from steward.task import TaskContext

TERMS = 5  # kept for a topic; the first three are its name
SAME = 0.3  # share of members in common from which a topic is the one it was
SAME_NAME = 0.5  # and from which it keeps its name too
_WORD = re.compile(r"[^\W\d_][\w'’-]{2,}")


def find(work: TaskContext) -> list[Topic]:
    """The topics of all namespaces as they are now."""
    upkeep = work.engine.reads.maintenance
    source, target, weight = upkeep.semantic_edges()
    before = upkeep.topics()
    if not len(source):
        return []
    nodes = np.unique(np.concatenate([source, target]))
    a, b = np.searchsorted(nodes, source), np.searchsorted(nodes, target)
    found = groups(len(nodes), a, b, weight, _begin(nodes, before))
    members = [nodes[found == group] for group in np.unique(found)]
    large = [m for m in members if len(m) >= work.engine.config.steward.topic_size]
    return named(work, sorted(large, key=lambda m: (-len(m), int(m[0]))), before)


def _begin(nodes: Ints, before: Sequence[Topic]) -> Ints:
    """Members of a topic begin together, all others alone."""
    group = np.arange(len(nodes), dtype=np.int64)
    for topic in before:
        at = np.searchsorted(nodes, np.array(topic.members, dtype=np.int64))
        at = at[at < len(nodes)]
        at = at[np.isin(nodes[at], np.array(topic.members, dtype=np.int64))]
        if len(at):
            group[at] = group[at[0]]
    _, dense = np.unique(group, return_inverse=True)
    return np.asarray(dense, dtype=np.int64)


def named(work: TaskContext, members: Sequence[Ints], before: Sequence[Topic]) -> list[Topic]:
    """Each group with the number (and the name) of the topic it was, or the next free number."""
    spaces = _namespaces(work, members)
    kept = match([set(m.tolist()) for m in members], before)
    terms = telling_terms(work, members)
    free = max((topic.id for topic in before), default=0) + 1
    topics = []
    for i, group in enumerate(members):
        old, share = kept.get(i, (None, 0.0))
        number, free = (old.id, free) if old else (free, free + 1)
        if old and share >= SAME_NAME:
            name, words = old.name, old.terms
        else:
            name, words = " · ".join(terms[i][:3]), terms[i]
        topics.append(Topic(number, spaces[i], name, words, tuple(group.tolist())))
    return sorted(topics, key=lambda topic: topic.id)


def _namespaces(work: TaskContext, members: Sequence[Ints]) -> list[str]:
    catalogue = work.components.indexes.catalogue
    return [catalogue.namespaces.names[int(catalogue.segment("namespace")[m[0]])] for m in members]


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


def telling_terms(work: TaskContext, members: Sequence[Ints]) -> list[tuple[str, ...]]:
    """The words that many memories of a topic have and few others."""
    where = {number: i for i, group in enumerate(members) for number in group.tolist()}
    counts: list[Counter[str]] = [Counter() for _ in members]
    for number, words in _words_of_segments(work.engine.reads.maintenance.texts(sorted(where))):
        counts[where[number]].update(words)
    everywhere: Counter[str] = Counter()
    for count in counts:
        everywhere.update(count)
    return [_best(count, everywhere, len(group), len(where)) for count, group in zip(counts, members, strict=True)]


def _words_of_segments(texts: Iterable[tuple[int, str]]) -> Iterable[tuple[int, set[str]]]:
    current, words = 0, set[str]()
    for number, text in texts:
        if number != current and current:
            yield current, words
            words = set()
        current = number
        words |= {w for w in (m.lower().removesuffix("'s") for m in _WORD.findall(text)) if w not in STOP_WORDS}
    if current:
        yield current, words


def _best(inside: Mapping[str, int], everywhere: Mapping[str, int], size: int, total: int) -> tuple[str, ...]:
    """tf-idf as log odds: memories of the topic that have the word, times how much likelier it is inside than outside."""
    weight = {
        word: count * math.log(((count + 0.5) / (size + 1)) / ((everywhere[word] - count + 0.5) / (total - size + 1)))
        for word, count in inside.items()
        if count > 1 or size < 2 * TERMS  # one memory's odd word does not name many
    }
    return tuple(sorted(weight, key=lambda word: (-weight[word], word))[:TERMS])


def put(work: TaskContext, topics: Sequence[Topic]) -> None:
    """Those of other walls stay as they are where the work is inside one."""
    with work.engine.changing() as tables:
        others = [t for t in tables.topics() if work.namespace and t.namespace != work.namespace]
        tables.put_topics(sorted([*others, *topics], key=lambda topic: topic.id))
