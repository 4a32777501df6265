"""The engine's verbs on a memory that a server holds: the same names, results and errors, over HTTP.

What is not a verb of the engine (search, fetch, remember, timeline, people, forgetting, upkeep) is as in /api/v1. How a request travels
stands in http_calls.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from types import TracebackType
from typing import Any, Self, TypeVar

from pmg.answer.answered import Answered
from pmg.base import arguments
from pmg.base.model import Edge, Kind, Origin, Segment, Session, Turn
from pmg.base.progress import Progress, silent
from pmg.client.http_calls import HttpCalls
from pmg.client.people_results import (
    ConflictRow,
    ContradictionsPage,
    EntitiesPage,
    PersonTimeline,
    TopicComparison,
    TopicContext,
    TopicStep,
)
from pmg.client.results import (
    FetchedText,
    ForgetPreview,
    MemoryStatus,
    RecallResult,
    Remembered,
    SearchPage,
    SegmentContext,
    SessionSegments,
    SessionsPage,
    Speakers,
    SqlRows,
    TimelinePage,
    Unlinked,
    UpkeepHistory,
    UpkeepPlan,
    UpkeepRun,
    UpkeepUndo,
)
from pmg.client.wire import (
    checked_selection,
    counts_json,
    day_text,
    in_batches,
    in_path,
    range_json,
    selection_json,
    texts_json,
    time_text,
    turn_json,
)
from pmg.forget import ForgetReceipt, Selection
from pmg.ingest.build import Built
from pmg.ingest.open_session import OpenSession
from pmg.ingest.pipeline import Ingested
from pmg.ingest.session_arguments import checked_sessions, checked_turn
from pmg.ingest.turns import SessionInput
from pmg.recall.receipt import Receipt
from pmg.store.rows import Counts

T = TypeVar("T")


class MemoryClient:
    """Made by `pmg.connect()`. `close()` (or `with`) gives up the connection; the server stays."""

    def __init__(self, calls: HttpCalls) -> None:
        self._calls = calls

    def __repr__(self) -> str:  # no token in a notebook or a log
        return f"MemoryClient({self._calls.address})"

    # getting out

    def recall(
        self,
        query: str,
        *,
        namespace: str = "",
        people: str | Sequence[str] = (),
        since: date | None = None,
        until: date | None = None,
        exclude_session: str | Sequence[str] = (),
        exclude_segments: Sequence[int] = (),
        project: str = "",
        active_context: str | Sequence[str] = (),
        budget_tokens: int | None = None,
        at: datetime | None = None,
        count: bool = True,
        floor: float | None = None,
        **knobs: object,
    ) -> RecallResult:
        """What matters for `query`: the block in `.context`, why in `.receipt`. As `Engine.recall`; `people`, `since` and `until` keep what
        these people said, in that time: up to a moment, or with a date to the end of that day; `project` what came from there."""
        mend = "give a segment's number (int)"
        numbers = enumerate(arguments.items(exclude_segments, "exclude_segments", f"{mend}, in a list"))
        body = {
            **texts_json(query=query, project=project),
            **range_json(since, until),
            "people": arguments.texts(people, "people"),
            "exclude_sessions": arguments.texts(exclude_session, "exclude_session"),
            "exclude_segments": [
                arguments.whole_number(number, f"exclude_segments[{place}]", mend) for place, number in numbers
            ],
            "active_context": arguments.texts(active_context, "active_context"),
            **({} if budget_tokens is None else counts_json(budget_tokens=budget_tokens)),
            "at": time_text(at, "at"),
            "count": count,
            "floor": None if floor is None else arguments.number(floor, "floor"),
            "knobs": knobs,
        }
        return self._post(RecallResult, "/recall", body, namespace)

    def receipt(self, receipt_id: str) -> Receipt:
        """Of one of the last recalls, by its `receipt_id`."""
        return self._get(Receipt, f"/receipts/{in_path(receipt_id)}")

    def search(self, query: str, limit: int = 10, cursor: str = "", project: str = "") -> SearchPage:
        """Ids with one line each, best first; `cursor` of one page leads to the next."""
        asked = {**texts_json(query=query, cursor=cursor, project=project), **counts_json(limit=limit)}
        return self._post(SearchPage, "/search", asked)

    def fetch(self, id: str, neighbours: int = 2, budget_tokens: int = 4_000) -> FetchedText:  # noqa: A002
        """A segment with its neighbours, a session, a document or a receipt, as fenced text."""
        asked = counts_json(neighbours=neighbours, budget_tokens=budget_tokens)
        return self._get(FetchedText, f"/fetch/{in_path(id)}", asked)

    def timeline(
        self,
        about: str = "",
        since: date | None = None,
        until: date | None = None,
        limit: int = 20,
        before: str = "",
        project: str = "",
    ) -> TimelinePage:
        """What was said when, oldest first; without a time, the last week up to today. Of more than `limit` the newest: `.before` of one
        page leads to the older ones."""
        asked = {**texts_json(about=about, before=before, project=project), **range_json(since, until)}
        return self._get(TimelinePage, "/timeline", {**asked, **counts_json(limit=limit)})

    def people(self) -> tuple[str, ...]:
        """Who speaks in this memory."""
        return self._get(Speakers, "/people").people

    @arguments.renamed(question="query")
    def said(self, name: str, query: str = "", limit: int = 20, before: str = "") -> TimelinePage:
        """What one of them said, paged as `timeline`; with a query, what bears on it."""
        asked = {**texts_json(name=name, query=query, before=before), **counts_json(limit=limit)}
        return self._get(TimelinePage, "/people/said", asked)

    @arguments.renamed(question="query")
    def ask(
        self, query: str, *, namespace: str = "", at: datetime | None = None, as_of: date | None = None
    ) -> Answered:
        """A question, answered as the chat would: a sentence in `.lead`, lines with their source in `.lines`, how sure in `.tone`."""
        body = {**texts_json(query=query), "at": time_text(at, "at"), "as_of": day_text(as_of, "as_of")}
        return self._post(Answered, "/ask", body, namespace)

    def entities(self, kind: str = "", name: str = "") -> EntitiesPage:
        """People, organisations, places and things that are named here."""
        return self._get(EntitiesPage, "/entities", texts_json(name=name, **({"kind": kind} if kind else {})))

    def entity_timeline(self, person: str, topic: str) -> tuple[TopicStep, ...]:
        """How something of a person's (job, location, relationship, …) went on, conversation by conversation."""
        return self._get(PersonTimeline, "/people/timeline", texts_json(person=person, topic=topic)).steps

    def conversation_context(self, conversation: str, topic: str, person: str = "") -> TopicContext:
        """What one conversation says of something, each claim also as a question and its answer."""
        asked = texts_json(conversation=conversation, topic=topic, person=person)
        return self._get(TopicContext, "/people/context", asked)

    def compare_conversations(self, person: str, topic: str, a: str, b: str) -> TopicComparison:
        """What two conversations say of something of a person's."""
        return self._get(TopicComparison, "/people/compare", texts_json(person=person, topic=topic, a=a, b=b))

    def contradictions(self, person: str, topic: str = "") -> tuple[ConflictRow, ...]:
        """What of a person's claims cannot hold together; evolution is told from conflict by time."""
        asked = texts_json(person=person, topic=topic)
        return self._get(ContradictionsPage, "/people/contradictions", asked).contradictions

    def sessions(self, namespace: str = "") -> list[Session]:
        page = self._get(SessionsPage, "/sessions", {"limit": 0}, namespace)
        return list(page.sessions)

    def session_segments(self, session_id: str) -> SessionSegments:
        """A session or a document, whole."""
        return self._get(SessionSegments, f"/sessions/{in_path(session_id)}")

    def segment(self, segment_id: str, namespace: str = "") -> Segment:
        return self.segment_context(segment_id, 0, namespace).segment

    def segment_context(self, segment_id: str, neighbours: int = 2, namespace: str = "") -> SegmentContext:
        """A segment with its links and so many turns before and after it."""
        path = f"/segments/{in_path(segment_id)}"
        return self._get(SegmentContext, path, counts_json(neighbours=neighbours), namespace)

    def edges(self, segment_id: str) -> list[Edge]:
        return list(self.segment_context(segment_id, 0).edges)

    def counts(self, namespace: str = "") -> Counts:
        return self._get(Counts, "/stats", namespace=namespace)

    def status(self) -> MemoryStatus:
        return self._get(MemoryStatus, "/status")

    def sql(self, statement: str, *, limit: int = 1_000, seconds: float = 60.0) -> SqlRows:
        """Asks the whole memory in SQL, reading only. Wants the server's own token."""
        body = {
            **texts_json(statement=statement),
            **counts_json(limit=limit),
            "seconds": arguments.number(seconds, "seconds"),
        }
        return self._post(SqlRows, "/sql", body)

    # putting in

    def remember(
        self,
        user: str = "",
        assistant: str = "",
        *,
        text: str = "",
        session: str = "",
        title: str = "",
        at: datetime | None = None,
    ) -> Remembered:
        """One exchange, or a note in `text`. With a `session` it goes on there; the session closes itself after a while."""
        told = texts_json(user=user, assistant=assistant, text=text, session=session, title=title)
        return self._post(Remembered, "/remember", {**told, "at": time_text(at, "at")})

    def session(
        self,
        title: str = "",
        *,
        namespace: str = "",
        conversation: str = "",
        source: str = "api",
        session_id: str = "",
        started_at: datetime | None = None,
    ) -> OpenSession:
        """Begins a session, or takes up one that is there, to be used as that of an engine."""
        body = {
            **texts_json(title=title, source=source),
            "conversation": arguments.optional_text(conversation, "conversation") or "",
            "session": arguments.optional_text(session_id, "session_id") or "",
            "started_at": time_text(started_at, "started_at"),
        }
        begun = self._post(Session, "/sessions", body, namespace)
        return OpenSession(
            begun.id,
            lambda name, turn: self.add_turn(name, turn, begun.namespace),
            lambda name: self.close_session(name, begun.namespace),
        )

    def add_turn(self, session_id: str, turn: Turn, namespace: str = "") -> str:
        """One turn into a session. When this returns it is on the server's disk, without its secrets, and its words are found."""
        path = f"/sessions/{in_path(session_id)}/turns"
        return self._post(Remembered, path, turn_json(checked_turn(turn, "turn")), namespace).segment

    def close_session(self, session_id: str, namespace: str = "") -> Built:
        return self._post(Built, f"/sessions/{in_path(session_id)}/close", None, namespace)

    def ingest(self, sessions: Iterable[SessionInput], progress: Progress = silent) -> Ingested:
        """Whole sessions, in requests of a bounded size; repeating it changes nothing."""
        done, sent = Ingested(), 0
        for namespace, some in in_batches(checked_sessions(sessions)):
            done += self._post(Ingested, "/ingest", {"sessions": some}, namespace)
            sent += len(some)
            progress("sessions sent", sent, 0)
        return done

    def link(
        self, source: str, target: str, kind: Kind | str, weight: float = 1.0, origin: Origin | str = Origin.USER
    ) -> None:
        body = {
            **_link_json(source, target, kind),
            "weight": arguments.number(weight, "weight"),
            "origin": arguments.member(origin, "origin", Origin).value,
        }
        self._post(Edge, "/links", body)

    def unlink(self, source: str, target: str, kind: Kind | str) -> int:
        return self._calls.ask(Unlinked, "DELETE", "/links", query=_link_json(source, target, kind)).removed

    # forgetting and upkeep

    def forget_preview(self, selection: Selection) -> ForgetPreview:
        """What would be forgotten; nothing is changed."""
        selection = checked_selection(selection)
        return self._post(ForgetPreview, "/forget/preview", selection_json(selection), selection.namespace)

    def forget(self, selection: Selection, token: str) -> ForgetReceipt:
        """Forgets it for good. `token` is that of its preview, and agrees to exactly what was shown."""
        selection = checked_selection(selection)
        body = {**selection_json(selection), **texts_json(token=token)}
        return self._post(ForgetReceipt, "/forget", body, selection.namespace)

    def upkeep_plan(self, tasks: str | Sequence[str] = (), *, full: bool = False) -> UpkeepPlan:
        wanted = ",".join(arguments.texts(tasks, "tasks"))
        return self._get(UpkeepPlan, "/steward/plan", {"tasks": wanted, "full": full})

    def upkeep_run(self, tasks: str | Sequence[str] = (), *, full: bool = False, yes: bool = False) -> UpkeepRun:
        """Runs the steward. `yes` says that a person agreed to a large plan."""
        return self._post(
            UpkeepRun, "/steward/run", {"tasks": arguments.texts(tasks, "tasks"), "full": full, "yes": yes}
        )

    def upkeep_undo(self, what: str) -> UpkeepUndo:
        """An entry by its number, a run by its name, or `last`."""
        return self._post(UpkeepUndo, "/steward/undo", texts_json(what=what))

    def upkeep_history(self, limit: int = 50) -> UpkeepHistory:
        return self._get(UpkeepHistory, "/steward/history", counts_json(limit=limit))

    def close(self) -> None:
        self._calls.close()

    def __enter__(self) -> Self:
        self._calls.refuse_if_closed()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _get(self, kind: type[T], path: str, query: Mapping[str, Any] | None = None, namespace: str = "") -> T:
        return self._calls.ask(kind, "GET", path, query=query, namespace=namespace)

    def _post(self, kind: type[T], path: str, body: Mapping[str, Any] | None, namespace: str = "") -> T:
        return self._calls.ask(kind, "POST", path, body=body, namespace=namespace)


def _link_json(source: str, target: str, kind: Kind | str) -> dict[str, str]:
    return {**texts_json(source=source, target=target), "kind": arguments.member(kind, "kind", Kind).value}
