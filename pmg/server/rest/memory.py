"""The memory over REST: what goes in, what comes out, links. Forgetting is in forgetting.py, upkeep in upkeep.py.

Everything is asked of one namespace: an id of another namespace is as unknown as one that never was.
A recall may be given knobs, and its receipt says of people whom nobody knows that they do not speak here.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from pmg import __version__
from pmg.base.errors import InputError, NotFound
from pmg.base.model import Edge, Kind, LinkKind, Origin, Passage, Session
from pmg.base.project import project_key, scope_asked
from pmg.base.times import parse
from pmg.client.results import (
    FetchedText,
    MemoryStatus,
    RecallResult,
    Remembered,
    SearchHit,
    SearchPage,
    SegmentContext,
    SessionSegments,
    SessionsPage,
    Speakers,
    TimelinePage,
    Unlinked,
)
from pmg.config import Config, with_values
from pmg.engine import Engine
from pmg.ingest import transcript
from pmg.ingest.build import Built
from pmg.ingest.pipeline import Ingested
from pmg.recall.assemble import label
from pmg.recall.receipt import Recalled, Receipt
from pmg.server import answers, browsing, writes
from pmg.server.here import narrowed
from pmg.server.lookup import segment_of, session_id_of, session_of, speaker_named, speakers
from pmg.server.rest.bodies import (
    IngestRequest,
    IsoEnd,
    IsoTime,
    LinkRequest,
    ProjectName,
    RecallRequest,
    RememberRequest,
    SearchRequest,
    SessionStart,
    TurnBody,
)
from pmg.server.rest.caller import Memory, Reading, Writing, by_its_name, plain_source
from pmg.store.rows import Counts

router = APIRouter()
Rows = Annotated[int, Query(ge=1, le=browsing.MAX_ROWS)]
Before = Annotated[str, Query(description="`before` of a page: the older ones, up to this segment; empty: the newest.")]
ListLimit = Annotated[int, Query(ge=0, le=1_000_000, description="The newest so many; 0: all.")]


@router.post("/recall", tags=["ask"])
def recall(body: RecallRequest, caller: Reading, memory: Memory) -> RecallResult:
    """What matters for a question: a block ready to put before a model, and why each memory is in it."""
    engine, only = memory.context.engine, answers.RecallFilter.of(body.people, body.since, body.until)
    only = only.of_memory(engine, caller.namespace)
    knobs = recall_knobs(engine.config, body)
    limit = knobs.get("limit")
    if not only.is_empty:  # the filter comes after the recall, which must bring enough for it to leave something
        knobs = {"pool": browsing.MAX_RESULTS, **knobs, "limit": browsing.MAX_RESULTS}
    found = engine.recall(
        body.query,
        namespace=caller.namespace,
        exclude_session=[session_id_of(engine, caller.namespace, name) for name in body.exclude_sessions],
        exclude_segments=body.exclude_segments,
        active_context=body.active_context,
        project=body.project,
        at=parse(body.at) if body.at else None,
        count=body.count,
        floor=body.floor,
        **knobs,
    )
    found = found if only.is_empty else narrowed(engine, found, only.lets, limit)
    found = with_unknown_people(engine, caller.namespace, found, body.people)
    name = memory.receipts.put(found.receipt)
    return RecallResult(found.context, found.segments, found.lines, found.receipt, found.milliseconds, name)


@router.get("/receipts/{name}", tags=["ask"])
def receipt(name: str, caller: Reading, memory: Memory) -> Receipt:
    """The receipt of one of the last recalls, by its `receipt_id`."""
    found = memory.receipts.get(name, caller.namespace)
    if found is None:
        raise NotFound(f"There is no receipt {name[:80]!r} any more: the last {memory.receipts.kept} are kept.")
    return found


@router.post("/search", tags=["ask"])
def search(body: SearchRequest, caller: Reading, memory: Memory) -> SearchPage:
    """Ids with one line each, best first, page by page."""
    engine = memory.context.engine
    place = answers.AskedPlace(body.project)
    found = answers.search(engine, memory.signer, caller.namespace, body.query, body.limit, body.cursor, place)
    return SearchPage(tuple(_hit(one) for one in found.rows), found.cursor)


def _hit(one: Passage) -> SearchHit:
    words = label(one.text, answers.MAX_LINE)
    return SearchHit(one.id, answers.titled(one), f"pmg://segment/{one.id}", words, one.project)


@router.get("/fetch/{name}", tags=["ask"])
def fetch(
    name: str,
    caller: Reading,
    memory: Memory,
    neighbours: Annotated[int, Query(ge=0, le=50)] = 2,
    budget_tokens: Annotated[int, Query(ge=200, le=100_000)] = 4_000,
) -> FetchedText:
    """A segment with its neighbours, a session or document, or a receipt, as fenced text for a model."""
    engine = memory.context.engine
    return FetchedText(**answers.fetch(engine, memory.receipts, caller.namespace, name, neighbours, budget_tokens))


@router.get("/timeline", tags=["ask"])
def timeline(
    caller: Reading,
    memory: Memory,
    about: str = "",
    since: IsoTime = "",
    until: IsoEnd = "",
    limit: Rows = 20,
    before: Before = "",
    project: ProjectName = "",
) -> TimelinePage:
    """What was said when, oldest first. Without a time, the last week up to today. Of more than `limit` the newest come."""
    scope = scope_asked(project)
    return browsing.timeline(memory.context.engine, caller.namespace, about, since, until, limit, before, scope)


@router.get("/people", tags=["ask"])
def people(caller: Reading, memory: Memory) -> Speakers:
    """Who speaks in this memory."""
    return Speakers(tuple(speakers(memory.context.engine, caller.namespace)))


@router.get("/people/said", tags=["ask"])
def said(
    caller: Reading,
    memory: Memory,
    response: Response,
    name: str,
    query: str = "",
    question: Annotated[str, Query(deprecated=True, description="The former name of `query`.")] = "",
    limit: Rows = 20,
    before: Before = "",
) -> TimelinePage:
    """What one of them said, by date, the newest of more than `limit`; with a query, their lines that bear on it."""
    query = by_its_name(query, question, response)
    engine = memory.context.engine
    speaker = speaker_named(engine, caller.namespace, name)
    if speaker is None:
        raise NotFound(f"Nobody called {name[:60]!r} speaks in this memory: ask for all people without a name.")
    return browsing.said_by(engine, caller.namespace, speaker, query, limit, before)


@router.get("/sessions", tags=["read"])
def sessions(caller: Reading, memory: Memory, limit: ListLimit = 50, project: ProjectName = "") -> SessionsPage:
    """Oldest first."""
    scope = scope_asked(project)
    found = [
        one
        for one in memory.context.engine.sessions(caller.namespace)
        if scope is None or scope.has(project_key(one.meta))
    ]
    return SessionsPage(tuple(found[-limit:] if limit else found))


@router.get("/sessions/{name}", tags=["read"])
def session(name: str, caller: Reading, memory: Memory) -> SessionSegments:
    """A session or a document, whole."""
    engine = memory.context.engine
    found = session_of(engine, caller.namespace, name)
    return SessionSegments(found, tuple(engine.reads.segments_of(found.id)))


@router.get("/segments/{name}", tags=["read"])
def segment(
    name: str, caller: Reading, memory: Memory, neighbours: Annotated[int, Query(ge=0, le=50)] = 0
) -> SegmentContext:
    """One turn, its links, and so many turns before and after it."""
    engine = memory.context.engine
    found = segment_of(engine, caller.namespace, name)
    beside = engine.reads.segments_of(found.session_id) if neighbours else []
    near = tuple(one for one in beside if 0 < abs(one.index - found.index) <= neighbours)
    return SegmentContext(found, tuple(engine.edges(name)), near)


@router.get("/stats", tags=["read"])
def stats(caller: Reading, memory: Memory) -> Counts:
    """How much of everything there is."""
    return memory.context.engine.counts(caller.namespace)


@router.get("/status", tags=["read"])
def status(caller: Reading, memory: Memory) -> MemoryStatus:
    """Version, size, the state of the embedding model, and when upkeep comes next."""
    engine, schedule = memory.context.engine, memory.context.schedule
    counts = engine.counts(caller.namespace)
    found = MemoryStatus(
        __version__,
        caller.namespace,
        engine.model.state,
        counts.sessions,
        counts.segments,
        counts.lines,
        counts.pending,
        counts.recalls,
        schedule.next_times() if schedule else {},
    )
    return replace(found, home=str(engine.config.home), pid=os.getpid()) if caller.own_token else found


@router.post("/remember", tags=["tell"])
def remember(body: RememberRequest, caller: Writing, memory: Memory) -> Remembered:
    """One exchange or note. It can be recalled at once; its session stays open, and is linked after a while without a word."""
    source = caller.source or plain_source(body.source)
    words = {"text": body.text, "user": body.user, "assistant": body.assistant}
    where = {"session": body.session, "when": body.at, "title": body.title}
    made = writes.remember(memory.context.engine, caller.namespace, source, **words, **where).segment
    return Remembered(made, made.removeprefix("seg_").rpartition("_")[0])


@router.post("/sessions", tags=["tell"])
def begin_session(body: SessionStart, caller: Writing, memory: Memory) -> Session:
    """Begins a session, or takes up one that is there."""
    engine = memory.context.engine
    begun = parse(body.started_at) if body.started_at else None
    opened = engine.session(
        body.title,
        namespace=caller.namespace,
        conversation=body.conversation,
        source=caller.source or body.source or "rest",
        session_id=body.session,
        started_at=begun,
    )
    return session_of(engine, caller.namespace, opened.id)


@router.post("/sessions/{name}/turns", tags=["tell"])
def add_turn(name: str, body: TurnBody, caller: Writing, memory: Memory) -> Remembered:
    """One turn into a session; one that was closed is open again."""
    engine = memory.context.engine
    found = session_of(engine, caller.namespace, name)
    return Remembered(engine.add_turn(found.id, body.turn()), found.id)


@router.post("/sessions/{name}/close", tags=["tell"])
def close_session(name: str, caller: Writing, memory: Memory) -> Built:
    """Closes a session and links it into the graph now, not after a while."""
    engine = memory.context.engine
    return engine.close_session(session_of(engine, caller.namespace, name).id)


@router.post("/ingest", tags=["tell"])
def ingest(body: IngestRequest, caller: Writing, memory: Memory) -> Ingested:
    """Whole sessions at once, closed and linked. Repeating it changes nothing: a turn is known by its `origin_id`, else by its words."""
    engine = memory.context.engine
    sessions = body.session_inputs(caller.namespace, caller.source, engine.config.ingest.max_turn_bytes)
    if body.transcript.strip():
        read = transcript.read(body.transcript)
        sessions += [replace(one, namespace=caller.namespace, source=caller.source or one.source) for one in read]
    if not sessions:
        raise InputError("There is nothing to take in: give `sessions` or a `transcript`.")
    return engine.ingest(sessions)


@router.post("/links", tags=["tell"])
def link(body: LinkRequest, caller: Writing, memory: Memory) -> Edge:
    """Connects two segments. The same link once more replaces the first."""
    engine, kind = memory.context.engine, Kind(body.kind)
    for name in (body.source, body.target):
        segment_of(engine, caller.namespace, name)
    engine.link(body.source, body.target, kind, body.weight, Origin(body.origin))
    made = (body.source, body.target, kind)
    return next(edge for edge in engine.edges(body.source) if (edge.source, edge.target, edge.kind) == made)


@router.delete("/links", tags=["tell"])
def unlink(source: str, target: str, kind: LinkKind, caller: Writing, memory: Memory) -> Unlinked:
    engine = memory.context.engine
    for name in (source, target):
        segment_of(engine, caller.namespace, name)
    return Unlinked(engine.unlink(source, target, Kind(kind)))


def recall_knobs(config: Config, body: RecallRequest) -> dict[str, Any]:
    """The knobs of a body, `budget_tokens` among them. Raises for one that is no field of `recall`, and for a value out of its range."""
    if body.budget_tokens is None:
        knobs = dict(body.knobs)
    elif "budget_tokens" in body.knobs:
        raise InputError("budget_tokens stands in the body and in its knobs: give it once.")
    else:
        knobs = {**body.knobs, "budget_tokens": body.budget_tokens}
    with_values(config, {"recall": knobs}, "knobs")
    return knobs


def with_unknown_people(engine: Engine, namespace: str, found: Recalled, people: Sequence[str]) -> Recalled:
    """The recall, whose receipt notes who of those asked for does not speak here."""
    unknown = [name for name in people if name.strip() and speaker_named(engine, namespace, name) is None]
    if not unknown:
        return found
    nobody = f"Nobody called {' or '.join(label(name, 60) for name in unknown)} speaks in this memory: GET /people lists those who do."
    note = f"{found.receipt.note} {nobody}".strip()
    return replace(found, receipt=replace(found.receipt, note=note))
