"""Links that a person makes and takes away by hand, each a journal entry that can be undone.

Knows: that one link of a kind stands between two memories, and that one made again takes the place of the first.
Does not know: which links make sense (the engine refuses), or how an entry is undone (journal.py).
"""

from __future__ import annotations

from collections.abc import Callable

from pmg.base.errors import NotFound
from pmg.base.model import Kind, Origin
from pmg.base.times import to_micros
from pmg.store.maintenance import EdgeRow
from pmg.store.rows import NewEdges
from steward import journal
from steward.change_set import ChangedRows, ChangeSet, JournaledChange
from steward.task import TaskContext

WHY = "asked for"
WEIGHT = 1.0  # a person is sure


def link(work: TaskContext, source: str, target: str, kind: Kind) -> None:
    """A typed link from one memory to another."""
    a, b = work.engine.linkable(source, target, kind, WEIGHT)
    row = EdgeRow(a, b, kind, WEIGHT, Origin.USER, to_micros(work.who.at))
    change = _carry_out(
        work,
        a,
        b,
        kind,
        lambda there: JournaledChange(journal.LINK, WHY, ChangedRows(edges=there), ChangedRows(edges=(row,))),
    )
    if change.before.edges:
        work.engine.indexes.reload_edges()
    else:
        work.engine.indexes.add_edges(NewEdges.one(a, b, kind, WEIGHT, Origin.USER))


def unlink(work: TaskContext, source: str, target: str, kind: Kind) -> None:
    """Takes away every link of this kind from one memory to the other, whoever made it; both memories stay."""
    a, b = work.engine.linkable(source, target, kind, WEIGHT)

    def taken(there: tuple[EdgeRow, ...]) -> JournaledChange:
        if not there:
            raise NotFound(
                f"There is no {kind.value} link from {source} to {target}: look again, it may be gone already."
            )
        return JournaledChange(journal.UNLINK, WHY, ChangedRows(edges=there), ChangedRows())

    _carry_out(work, a, b, kind, taken)
    work.engine.indexes.reload_edges()


def _carry_out(
    work: TaskContext, a: int, b: int, kind: Kind, change: Callable[[tuple[EdgeRow, ...]], JournaledChange]
) -> JournaledChange:
    def make(change_set: ChangeSet) -> list[JournaledChange]:
        there = tuple(row for row in change_set.edges_of(a) if row.place == (a, b, kind))
        return [change_set.apply(change(there))]

    (made,) = journal.carry_out(work.engine, work.who, lambda tables: ChangeSet.load(tables, (), (a, b)), make)
    return made
