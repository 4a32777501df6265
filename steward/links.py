"""Links: none too many, none missing, the used ones stronger; and those that a person makes and takes away by hand.

Knows: the cap on semantic links, how a weight follows use, that what still waits for its links gets them, and that one link of a kind stands between two
memories. Links are made by pmg/ingest, topics found by topics.py.

A link whose two ends served one recall moves a small step towards 1; one whose other end was passed over falls a fifth of a step
towards the cosine at which links begin. Both ends are limits, so no weight can run away. Links made by a person are never touched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pmg.base.errors import NotFound
from pmg.base.model import Kind, Origin
from pmg.base.text import counted
from pmg.base.times import to_micros
from pmg.store.maintenance import EdgeRow, EdgeUse, Topic
from pmg.store.rows import NewEdges
from steward import journal, namespaces, topics
from steward.change_set import ChangedRows, ChangeSet, JournaledChange
from steward.task import TaskContext, TaskResult

BATCH = 500  # links a transaction and a journal entry
LEARNT = "steward.learnt"  # the store's note of the last recall that was learnt from
DECAY = 0.2  # of the rate: being passed over says less than being used
MIN_CHANGE = 1e-6  # a change of weight smaller than this changes no ranking


@dataclass(frozen=True, slots=True)
class LinksPlan:
    prune: tuple[EdgeRow, ...] = ()
    weights: tuple[tuple[EdgeRow, EdgeRow], ...] = ()  # as it is, as it will be
    unlinked: int = 0
    learnt_to: int = 0
    topics: tuple[Topic, ...] = ()

    leaving: int = 0

    @property
    def summary(self) -> str:
        return (
            f"{counted(len(self.prune), 'link')} beyond the cap to drop, {counted(len(self.weights), 'weight')} to learn, "
            f"{counted(self.unlinked, 'memory', 'memories')} to link, {counted(len(self.topics), 'topic')}"
        )


def plan(work: TaskContext) -> LinksPlan:
    """In one namespace nothing is learnt: what recalls tell is read once, for all."""
    store, config = work.engine.reads, work.engine.config
    if work.namespace:
        beyond = store.maintenance.edges_beyond(config.ingest.edge_cap)
        mine = namespaces.in_namespace(work.engine, work.namespace, [row.source for row in beyond])
        found = [topic for topic in topics.find(work) if topic.namespace == work.namespace]
        return LinksPlan(tuple(row for row, here in zip(beyond, mine, strict=True) if here), topics=tuple(found))
    last = store.maintenance.last_recall()
    use = store.maintenance.edge_use(int(store.note(LEARNT) or 0))
    model = store.model
    return LinksPlan(
        tuple(store.maintenance.edges_beyond(config.ingest.edge_cap)),
        tuple(learnt(use, config.steward.learn_rate, work.components.thresholds.edge)),
        store.pending(model.generation if model else 0),
        last,
        tuple(topics.find(work)),
    )


def learnt(use: Sequence[EdgeUse], rate: float, floor: float) -> list[tuple[EdgeRow, EdgeRow]]:
    """Old and new rows of the links whose weight moves."""
    found = []
    for one in use:
        weight = one.edge.weight
        low, high = min(floor, weight), max(1.0, weight)
        weight = high - (high - weight) * (1.0 - rate) ** one.used
        weight = low + (weight - low) * (1.0 - rate * DECAY) ** one.unused
        new = replace(one.edge, weight=float(np.float32(weight)))
        if abs(new.weight - one.edge.weight) >= MIN_CHANGE:
            found.append((one.edge, new))
    return found


def apply(work: TaskContext, plan: LinksPlan) -> TaskResult:
    pruned = sum(_prune(work, some) for some in work.pace.chunks(plan.prune, BATCH))
    moved = sum(_learn(work, some) for some in work.pace.chunks(plan.weights, BATCH))
    if not work.pace.stopping:
        if not work.namespace:
            work.engine.put_note(LEARNT, str(plan.learnt_to))
        topics.put(work, plan.topics)
    if pruned or moved:
        work.engine.indexes.reload_edges()
    linked = work.engine.settle(work.progress).segments if plan.unlinked else 0
    done = ((pruned, "link dropped", "links dropped"), (moved, "link learnt from use", "links learnt from use"),
            (linked, "memory linked", "memories linked"), (len(plan.topics), "topic", "topics"))  # fmt: skip
    said = [counted(count, one, many) for count, one, many in done if count]
    return TaskResult("links", ", ".join(said) or "links are in order", pruned + moved + linked)


def _prune(work: TaskContext, rows: Sequence[EdgeRow]) -> int:
    ends = {end for row in rows for end in (row.source, row.target)}

    def make(change_set: ChangeSet) -> list[JournaledChange]:
        there = tuple(row for row in rows if row in change_set.edges_of(row.source))
        reason = f"more than {work.engine.config.ingest.edge_cap} from one memory"
        return (
            [change_set.apply(JournaledChange("prune", reason, ChangedRows(edges=there), ChangedRows()))]
            if there
            else []
        )

    made = journal.carry_out(work.engine, work.who, lambda tables: ChangeSet.load(tables, (), ends), make)
    return sum(len(change.before.edges) for change in made)


def _learn(work: TaskContext, pairs: Sequence[tuple[EdgeRow, EdgeRow]]) -> int:
    ends = {end for old, _ in pairs for end in (old.source, old.target)}

    def make(change_set: ChangeSet) -> list[JournaledChange]:
        there = [(old, new) for old, new in pairs if old in change_set.edges_of(old.source)]
        before, after = (
            ChangedRows(edges=tuple(old for old, _ in there)),
            ChangedRows(edges=tuple(new for _, new in there)),
        )
        return [change_set.apply(JournaledChange(journal.WEIGHTS, "learnt from use", before, after))] if there else []

    made = journal.carry_out(work.engine, work.who, lambda tables: ChangeSet.load(tables, (), ends), make)
    return sum(len(change.after.edges) for change in made)


BY_HAND = "asked for"
SURE = 1.0  # a person is sure


def link(work: TaskContext, source: str, target: str, kind: Kind) -> None:
    """A typed link from one memory to another."""
    a, b = work.engine.linkable(source, target, kind, SURE)
    row = EdgeRow(a, b, kind, SURE, Origin.USER, to_micros(work.who.at))
    change = _change_link(
        work,
        a,
        b,
        kind,
        lambda there: JournaledChange(journal.LINK, BY_HAND, ChangedRows(edges=there), ChangedRows(edges=(row,))),
    )
    if change.before.edges:
        work.engine.indexes.reload_edges()
    else:
        work.engine.indexes.add_edges(NewEdges.one(a, b, kind, SURE, Origin.USER))


def unlink(work: TaskContext, source: str, target: str, kind: Kind) -> None:
    """Takes away every link of this kind from one memory to the other, whoever made it; both memories stay."""
    a, b = work.engine.linkable(source, target, kind, SURE)

    def taken(there: tuple[EdgeRow, ...]) -> JournaledChange:
        if not there:
            raise NotFound(
                f"There is no {kind.value} link from {source} to {target}: look again, it may be gone already."
            )
        return JournaledChange(journal.UNLINK, BY_HAND, ChangedRows(edges=there), ChangedRows())

    _change_link(work, a, b, kind, taken)
    work.engine.indexes.reload_edges()


def _change_link(
    work: TaskContext, a: int, b: int, kind: Kind, change: Callable[[tuple[EdgeRow, ...]], JournaledChange]
) -> JournaledChange:
    def make(change_set: ChangeSet) -> list[JournaledChange]:
        there = tuple(row for row in change_set.edges_of(a) if row.place == (a, b, kind))
        return [change_set.apply(change(there))]

    (made,) = journal.carry_out(work.engine, work.who, lambda tables: ChangeSet.load(tables, (), (a, b)), make)
    return made
