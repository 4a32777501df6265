"""The steward over REST: of one namespace where the caller names one or its token has one, else of the whole memory, as the schedule does it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from pmg.base.model import Kind, Segment
from pmg.client.results import (
    ArchivedPage,
    ChangedSegments,
    ReviewPage,
    ReviewPair,
    UpkeepEntry,
    UpkeepHistory,
    UpkeepPlan,
    UpkeepRun,
    UpkeepSchedule,
    UpkeepUndo,
)
from pmg.ingest.tags import checked_tags, clean_tags
from pmg.server.lookup import segment_of
from pmg.server.rest.bodies import (
    DecisionRequest,
    PinRequest,
    SegmentsRequest,
    StewardRunRequest,
    TagsRequest,
    UndoRequest,
)
from pmg.server.rest.caller import Memory, Reading, RestCaller, ServedMemory, Writing
from steward.steward import in_words

router = APIRouter(tags=["upkeep"])
Limit = Annotated[int, Query(ge=1, le=10_000)]


@router.get("/steward/plan")
def plan(caller: Reading, memory: Memory, tasks: str = "", full: bool = False) -> UpkeepPlan:
    """What each task would do now; nothing is changed. `tasks` are names with commas between them."""
    names = [name for name in tasks.split(",") if name]
    plans = memory.context.steward.plan(names, full=full, namespace=caller.named)
    return UpkeepPlan({name: found.summary for name, found in plans.items()})


@router.post("/steward/run")
def run(body: StewardRunRequest, caller: Writing, memory: Memory) -> UpkeepRun:
    """Plans and does the tasks. `yes` says that a person agreed to a large plan."""
    report = memory.context.steward.run(body.tasks, full=body.full, bulk=body.yes, namespace=caller.named)
    return UpkeepRun(report.run, in_words(report), report.asks)


@router.post("/steward/undo")
def undo(body: UndoRequest, caller: Writing, memory: Memory) -> UpkeepUndo:
    """Puts back exactly what an entry or a run changed."""
    undone = memory.context.steward.undo(body.what, namespace=caller.named)
    return UpkeepUndo(undone[0].run, len(undone))


@router.get("/steward/history")
def history(caller: Reading, memory: Memory, limit: Limit = 50) -> UpkeepHistory:
    """The newest entries of the journal."""
    found = memory.context.steward.history(limit, caller.named)
    return UpkeepHistory(tuple(UpkeepEntry(e.id, e.run, e.at, e.actor, e.action, e.reason, e.undone_at) for e in found))


@router.get("/steward/schedule")
def schedule(caller: Reading, memory: Memory) -> UpkeepSchedule:
    """When each task comes next by itself."""
    times = memory.context.schedule.next_times() if memory.context.schedule else {}
    return UpkeepSchedule(dict(sorted(times.items())))


@router.get("/steward/archived")
def archived(caller: Reading, memory: Memory, query: str = "", limit: Limit = 20) -> ArchivedPage:
    """The archive, by meaning and by words; without a query all of it in order of time."""
    found = memory.context.steward.search_archive(query, namespace=caller.namespace, limit=limit)
    return ArchivedPage(tuple(one.segment for one in found))


@router.post("/steward/archive")
def archive(body: SegmentsRequest, caller: Writing, memory: Memory) -> ChangedSegments:
    """Takes segments out of recall; nothing is deleted."""
    return ChangedSegments(memory.context.steward.archive(_in_namespace(memory, caller, body.segments)))


@router.post("/steward/restore")
def restore(body: SegmentsRequest, caller: Writing, memory: Memory) -> ChangedSegments:
    """Brings archived segments back into recall."""
    names = _in_namespace(memory, caller, body.segments)
    return ChangedSegments(memory.context.steward.restore(names, caller.namespace))


@router.post("/steward/pin")
def pin(body: PinRequest, caller: Writing, memory: Memory) -> ChangedSegments:
    """Pinned segments are never archived."""
    names = _in_namespace(memory, caller, body.segments)
    return ChangedSegments(memory.context.steward.pin(names, body.pinned, caller.namespace))


@router.put("/segments/{name}/tags")
def tag(name: str, body: TagsRequest, caller: Writing, memory: Memory) -> Segment:
    """These tags and no others; blank ones are left out, a secret in one is replaced by its mark."""
    engine = memory.context.engine
    _in_namespace(memory, caller, [name])
    memory.context.steward.tag(name, checked_tags(clean_tags(body.tags, engine.redactor)))
    return segment_of(engine, caller.namespace, name)


@router.get("/steward/review")
def review(caller: Reading, memory: Memory, limit: Limit = 20) -> ReviewPage:
    """Pairs that sound alike and differ, what waits longest first: a person decides."""
    found = memory.context.steward.review(caller.namespace, limit)
    return ReviewPage(
        tuple(
            ReviewPair(one.review, one.a, one.b, one.cosine, tuple(dict.fromkeys(d.kind for d in one.why)))
            for one in found
        )
    )


@router.post("/steward/review")
def decide(body: DecisionRequest, caller: Writing, memory: Memory) -> ChangedSegments:
    """Merge the pair, keep both apart, or link them with a kind."""
    kind = Kind(body.kind) if body.kind else None
    memory.context.steward.decide(body.review, body.decision, kind, caller.namespace)
    return ChangedSegments(0 if body.decision == "keep" else 1)


def _in_namespace(memory: ServedMemory, caller: RestCaller, names: list[str]) -> list[str]:
    for name in names:
        segment_of(memory.context.engine, caller.namespace, name)
    return names
