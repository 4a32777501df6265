"""REST under /api/: the engine's verbs as JSON, for programs on this machine.

Knows: what each path takes and gives. Who may ask is decided by guard.py; the work is done by the engine. What reads a path of
this machine or every namespace, runs a command or ends the server wants the token itself: a cookie, which any script in the page
could use, is not enough.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, model_validator
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, StreamingResponse

from pmg import config as configuration
from pmg.analytics import run_sql
from pmg.errors import InputError, ModelUnavailable, NotFound, PmgError, StoreBusy
from pmg.exporters.answers import json_rows
from pmg.importers.import_run import ImportOptions, import_paths
from pmg.ingest import transcript
from pmg.model import Segment, Session
from pmg.server.access import Access
from pmg.server.guard import BY
from pmg.server.remote_commands import RemoteCommand, RemoteCommands
from pmg.times import parse
from pmg.ui.app_context import AppContext
from steward.steward import in_words

log = logging.getLogger(__name__)
_STATUS = ((NotFound, 404), (StoreBusy, 409), (ModelUnavailable, 503), (PmgError, 400))


Limit = Annotated[int, Query(ge=0, le=1_000_000)]


class AsciiJson(JSONResponse):
    """Whatever is stored can be told: half a character, as broken exports hold them, is written as JSON escapes it."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()


class StrictBody(BaseModel):
    """Known fields with whole characters only: half of one (a lone surrogate) is a mistake of whoever sends it."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _whole_characters(cls, told: Any) -> Any:
        for name, value in told.items() if isinstance(told, dict) else ():
            try:
                json.dumps({name: value}, ensure_ascii=False).encode()
            except UnicodeEncodeError:
                raise ValueError(
                    f"{name!a} holds half a character (a lone surrogate): send text that is valid Unicode"
                ) from None
        return told


class RequestBody(StrictBody):
    namespace: str = ""


class RecallRequest(RequestBody):
    query: str
    budget_tokens: int | None = None
    exclude_sessions: list[str] = []
    active_context: list[str] = []
    at: str = ""
    knobs: dict[str, Any] = {}


class RememberRequest(RequestBody):
    user: str | None = None
    assistant: str | None = None
    title: str = ""
    session: str = ""
    at: str = ""
    transcript: str = ""


class ImportRequest(RequestBody):
    paths: list[str]
    dry_run: bool = False


class SqlRequest(StrictBody):
    """All namespaces, as `pmg sql`."""

    statement: str
    limit: int = 1_000
    seconds: float = 60.0


class StewardRunRequest(RequestBody):
    tasks: list[str] = []
    full: bool = False
    yes: bool = False


class UndoRequest(RequestBody):
    what: str


def token_only(request: Request) -> None:
    if request.scope.get(BY) != "token":
        raise HTTPException(403, "This wants the token itself, as `Authorization: Bearer …`.")


def router(context: AppContext, access: Access, calls: RemoteCommands, stop: Callable[[], None]) -> APIRouter:
    made = APIRouter(prefix="/api", default_response_class=AsciiJson)
    _memory(made, context)
    _steward(made, context)
    _process(made, context, access, calls, stop)
    return made


def _memory(made: APIRouter, context: AppContext) -> None:
    engine = context.engine

    def wall(namespace: str) -> str:
        return configuration.checked_namespace(namespace) if namespace else engine.config.namespace

    @made.post("/recall")
    def recall(body: RecallRequest) -> dict[str, Any]:
        found = engine.recall(
            body.query,
            namespace=wall(body.namespace),
            exclude_session=body.exclude_sessions,
            active_context=body.active_context,
            budget_tokens=body.budget_tokens,
            at=parse(body.at) if body.at else None,
            **body.knobs,
        )
        return {"context": found.context, "receipt": found.receipt.to_dict(), "milliseconds": found.milliseconds}

    @made.post("/remember")
    def remember(body: RememberRequest) -> dict[str, Any]:
        if body.transcript:
            read = transcript.read(body.transcript)
            done = engine.ingest([replace(one, namespace=wall(body.namespace or one.namespace)) for one in read])
            return {"turns": done.turns, "known": done.known, "redacted": done.redacted}
        if body.user is None and body.assistant is None:
            raise InputError("There is nothing to remember: give user, assistant, or a transcript.")
        options: dict[str, Any] = {"session_id": body.session, "namespace": wall(body.namespace), "source": "rest"}
        with engine.session(body.title, **options) as opened:
            return {
                "segment": opened.add(user=body.user, assistant=body.assistant, at=parse(body.at) if body.at else None)
            }

    @made.get("/sessions")
    def sessions(namespace: str = "", limit: Limit = 50) -> list[dict[str, Any]]:
        found = engine.sessions(wall(namespace))
        return [_session(one) for one in (found[-limit:] if limit > 0 else found)]

    @made.get("/sessions/{name}")
    def session(name: str, namespace: str = "") -> dict[str, Any]:
        found = engine.reads.session(name)
        if found is None or found.namespace != wall(namespace):
            raise NotFound(f"There is no session {name!r}.")
        return {**_session(found), "segments": [_segment(one) for one in engine.reads.segments_of(name)]}

    @made.get("/segments/{name}")
    def segment(name: str, namespace: str = "") -> dict[str, Any]:
        found = engine.segment(name, wall(namespace))
        edges = [
            {"source": e.source, "target": e.target, "kind": e.kind.value, "weight": e.weight, "origin": e.origin.value}
            for e in engine.edges(name)
        ]
        return {**_segment(found), "edges": edges}

    @made.get("/stats")
    def stats(namespace: str = "") -> dict[str, Any]:
        return asdict(engine.counts(wall(namespace)))

    @made.post("/sql", dependencies=[Depends(token_only)])
    def sql(body: SqlRequest) -> dict[str, Any]:
        table = run_sql(engine, body.statement, limit=max(0, body.limit), seconds=body.seconds)
        return {"rows": json_rows(table), "more": b"more" in (table.schema.metadata or {})}

    @made.post("/import", dependencies=[Depends(token_only)])
    def run_import(body: ImportRequest) -> dict[str, Any]:
        paths = [Path(path) for path in body.paths]
        wrong = [path for path in paths if not path.is_absolute() or not path.exists()]
        if wrong:
            raise NotFound(f"There is no file or folder {wrong[0]}: give whole paths on the machine of the server.")
        wishes = ImportOptions(namespace=wall(body.namespace) if body.namespace else "", dry_run=body.dry_run)
        return import_paths(engine, paths, wishes).to_dict()


def _session(one: Session) -> dict[str, Any]:
    return {
        "session": one.id,
        "title": one.title,
        "source": one.source,
        "started_at": one.started_at.isoformat(),
        "turns": one.segments,
        "open": one.is_open,
    }


def _segment(one: Segment) -> dict[str, Any]:
    lines = [
        {"role": line.role.value, "speaker": line.speaker, "text": line.text}
        | ({"at": line.at.isoformat()} if line.at else {})
        for line in one.lines
    ]
    return {"segment": one.id, "at": one.at.isoformat(), "state": one.state.value, "hits": one.hits, "lines": lines}


def _named(namespace: str) -> str:
    return configuration.checked_namespace(namespace) if namespace else ""


def _steward(made: APIRouter, context: AppContext) -> None:
    """Upkeep of the whole memory, as the schedule does it; of one wall where a namespace is named."""

    @made.get("/steward/plan")
    def plan(tasks: str = "", full: bool = False, namespace: str = "") -> dict[str, str]:
        names = [name for name in tasks.split(",") if name]
        plans = context.steward.plan(names, full=full, namespace=_named(namespace))
        return {name: found.summary for name, found in plans.items()}

    @made.post("/steward/run")
    def run(body: StewardRunRequest) -> dict[str, Any]:
        space = _named(body.namespace)
        report = context.steward.run(body.tasks, full=body.full, bulk=body.yes, namespace=space)
        return {"run": report.run, "said": in_words(report), "asks": list(report.asks)}

    @made.post("/steward/undo")
    def undo(body: UndoRequest) -> dict[str, Any]:
        undone = context.steward.undo(body.what, namespace=_named(body.namespace))
        return {"undone": len(undone), "run": undone[0].run}

    @made.get("/steward/history")
    def history(limit: Limit = 50, namespace: str = "") -> list[dict[str, Any]]:
        return [
            {"entry": e.id, "run": e.run, "at": e.at.isoformat(), "actor": e.actor, "action": e.action, "reason": e.reason,
             "undone_at": e.undone_at.isoformat() if e.undone_at else None}
            for e in context.steward.history(limit, _named(namespace))
        ]  # fmt: skip

    @made.get("/steward/schedule")
    def schedule() -> dict[str, str]:
        times = context.schedule.next_times() if context.schedule else {}
        return {name: at.isoformat() for name, at in sorted(times.items())}


def _process(
    made: APIRouter, context: AppContext, access: Access, calls: RemoteCommands, stop: Callable[[], None]
) -> None:
    only = [Depends(token_only)]

    @made.get("/status")
    def status() -> dict[str, Any]:
        return {"pid": os.getpid(), "home": str(context.engine.config.home), "model": context.engine.model.state}

    @made.post("/ticket", dependencies=only)
    def ticket() -> dict[str, str]:
        return {"ticket": access.ticket()}

    @made.post("/logout-all", dependencies=only)
    def logout_all() -> dict[str, int]:
        return {"ended": access.logins.end_all()}

    @made.post("/stop", dependencies=only)
    def end() -> dict[str, bool]:
        stop()
        return {"stopping": True}

    @made.post("/cli", dependencies=only)
    async def cli(request: Request) -> StreamingResponse:
        call = RemoteCommand.from_bytes(await request.body())
        return StreamingResponse(calls.run(call), media_type="application/x-ndjson")


def answer_errors(app: FastAPI) -> None:
    """The edge of REST: our errors are their sentence, others are in the log."""

    @app.exception_handler(PmgError)
    async def ours(_: Request, error: PmgError) -> AsciiJson:
        return AsciiJson({"error": str(error)}, next(code for kind, code in _STATUS if isinstance(error, kind)))

    @app.exception_handler(RequestValidationError)
    async def malformed(_: Request, error: RequestValidationError) -> AsciiJson:
        said = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        return AsciiJson({"error": said}, 422)

    @app.exception_handler(HTTPException)
    async def plain(_: Request, error: HTTPException) -> AsciiJson:
        return AsciiJson({"error": error.detail}, error.status_code)

    @app.exception_handler(Exception)
    async def other(_: Request, error: Exception) -> AsciiJson:
        log.error("a request failed", exc_info=error)
        return AsciiJson({"error": "Something went wrong on our side; the log says where."}, 500)
