"""/api/v1 as an app of its own: its routes, its errors, the most it reads, and what it says of itself at /api/v1/openapi.json.

Who may come in is decided by guard.py, which stands before all of it. Parameters in the address that a path does not have, or that are given
twice, are refused: a misspelt `namespace` would let a memory land in another one.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any, cast

from fastapi import Depends, FastAPI, HTTPException, Request, Security
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from starlette.exceptions import HTTPException as AnyHttpException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pmg.base.errors import PmgError
from pmg.server.error_answers import AsciiJson, answer_of, error_answer
from pmg.server.mcp_offline import MAX_BYTES
from pmg.server.receipt_cache import ReceiptCache
from pmg.server.rest import forgetting, machine, memory, people, upkeep
from pmg.server.rest.caller import ServedMemory
from pmg.server.rest.counted_clients import CountedClients
from pmg.server.signing import Signer
from pmg.ui.app_context import AppContext

PREFIX = "/api/v1"
VERSION = "1.0"  # of the interface, not of PMG
_SHOWN = 100  # characters of a wrong value in its error
_BEARER = HTTPBearer(
    auto_error=False,  # the guard has decided already
    scheme_name="token",
    description="The server's own token (in server.json), or one of `pmg token new`, which may be bound to a namespace or to reading.",
)
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ErrorAnswer:
    """Every answer from 400 on: a sentence with the value and what to do, and the name of a class in pmg.base.errors."""

    error: str
    type: str


def build(context: AppContext, receipts: ReceiptCache) -> FastAPI:
    answers = {"model": ErrorAnswer}
    app = FastAPI(
        title="Private Memory Graph",
        version=VERSION,
        description="A private memory of AI conversations: recall, remember, forget. Fields may be added; none changes its meaning within v1.",
        openapi_url="/openapi.json",
        docs_url=None,
        redoc_url=None,
        root_path_in_servers=False,  # a browser's place is a secret
        servers=[{"url": PREFIX}],
        default_response_class=AsciiJson,
        dependencies=[Security(_BEARER), Depends(only_known_parameters)],
        responses=dict.fromkeys((400, 401, 403, 404, 405, 409, 413, 422, 500, 503, 507), answers),
        generate_unique_id_function=lambda route: route.name,
        redirect_slashes=False,
    )
    app.state.memory = ServedMemory(context, receipts, Signer())
    app.add_middleware(BoundedBody, most=MAX_BYTES)
    app.add_middleware(CountedClients, activity=context.activity)
    answer_errors(app)
    for part in (memory, people, forgetting, upkeep, machine):
        app.include_router(part.router)
    return app


class BoundedBody:
    """Reads no more of a body than is taken."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app = app
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self._most:
                raise HTTPException(
                    413,
                    f"This request has more than {self._most:,} bytes: send less at once, or import a file by its path.",
                )
            return message

        await self._app(scope, counted, send)


def answer_errors(app: FastAPI) -> None:
    """The edge: our errors are their sentence, others are in the log."""

    @app.exception_handler(PmgError)
    async def ours(_: Request, error: PmgError) -> AsciiJson:
        return answer_of(error)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> AsciiJson:
        unread = any(one["loc"] == ("body",) and isinstance(one.get("input"), bytes) for one in error.errors())
        said = _not_json(request) if unread else "; ".join(map(_wrong, error.errors()))
        return error_answer(said, 422)

    @app.exception_handler(AnyHttpException)
    async def plain(request: Request, error: AnyHttpException) -> AsciiJson:
        sentences = {
            400: _unreadable(request, error),
            404: f"There is no path {request.url.path[:200]}: {PREFIX}/openapi.json lists them.",
            405: f"{request.method} does not go with {request.url.path[:200]}: {PREFIX}/openapi.json lists what does.",
        }
        said = sentences.get(error.status_code) or error.detail
        return error_answer(said, error.status_code, dict(error.headers or {}))

    @app.exception_handler(Exception)
    async def other(_: Request, error: Exception) -> AsciiJson:
        log.error("a request failed", exc_info=error)
        # The web server closes the connection behind what was raised: the next request must not go into it.
        return error_answer("Something went wrong on our side; the log says where.", 500, {"connection": "close"})


def _not_json(request: Request) -> str:
    """The body was not read: a page elsewhere could send any but one that is called JSON without being asked."""
    kind = request.headers.get("content-type", "")
    called = f"The body came as {kind[:_SHOWN]!a}" if kind else "The body came without a Content-Type"
    return f"{called}: send it as JSON, with the header `Content-Type: application/json`."


def _unreadable(request: Request, error: AnyHttpException) -> str:
    """Why a body that is called JSON could not be read; empty where that is not what went wrong."""
    cause, packed = error.__cause__, request.headers.get("content-encoding", "").strip().lower()
    if cause is None:
        return ""
    if packed not in ("", "identity"):
        return f"The body came with `Content-Encoding: {packed[:_SHOWN]}`: send it as it is, not compressed."
    if isinstance(cause, UnicodeDecodeError):
        return f"The body is not UTF-8 ({cause.object[cause.start]:#04x} at byte {cause.start}): send JSON in UTF-8."
    if isinstance(cause, RecursionError):
        return "The body has lists or objects inside each other too deep to be read: send it as this path's description says."
    return f"The body cannot be read as JSON: {str(cause)[:_SHOWN]}."


def _wrong(one: dict[str, Any]) -> str:
    """Where, what was there, and what should be."""
    where, value = ".".join(map(str, one["loc"])), one.get("input")
    shown = (
        ""
        if one["type"] in ("missing", "json_invalid") or isinstance(value, dict | list)
        else f" is {value!a:.{_SHOWN}}"
    )
    return f"{where}{shown}: {one['msg']}"


_SHOWN_NAME = 60  # characters of an unknown name in its error


def only_known_parameters(request: Request) -> None:
    route = request.scope.get("route")
    if not request.query_params or not isinstance(route, APIRoute):
        return
    known = _described(cast("FastAPI", request.app), route.path_format, request.method.lower())
    unknown = next((name for name in request.query_params if name not in known), None)
    names = [name for name, _ in request.query_params.multi_items()]
    twice = next((name for name in names if names.count(name) > 1), None)
    if unknown is not None:
        raise HTTPException(
            422, f"query.{unknown[:_SHOWN_NAME]} is no parameter of this path. Those it has: {', '.join(known)}."
        )
    if twice is not None:
        raise HTTPException(422, f"query.{twice[:_SHOWN_NAME]} is given twice: give it once.")


def _described(app: FastAPI, path: str, method: str) -> list[str]:
    """The parameters by which the app describes the path: what a caller can read is what is taken."""
    operation = app.openapi()["paths"][path][method]
    return sorted(one["name"] for one in operation.get("parameters", ()) if one["in"] == "query")
