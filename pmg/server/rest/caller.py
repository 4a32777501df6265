"""Who asks over REST, in which namespace, and what they may do there.

Knows: the `namespace` in the address and a client's own token. No body can widen either. Who may come in at all is decided by
guard.py. Three kinds of path: reading, writing (not with a read-only token), and those that read files of this machine or every
namespace, which want the server's own token: a cookie, which any script in the page could use, is not enough.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Query, Request, Response

from pmg.base.errors import AccessDenied, NotFound
from pmg.config import checked_namespace
from pmg.connections.client_tokens import CLIENT, ClientToken
from pmg.server.guard import BY
from pmg.server.receipt_cache import ReceiptCache
from pmg.server.rest.counted_clients import WRITES
from pmg.server.signing import Signer
from pmg.ui.app_context import AppContext

NAMESPACE_PATTERN = "^[A-Za-z0-9_-]{0,64}$"


@dataclass(frozen=True)
class ServedMemory:
    """The open memory, and what its answers refer to later: receipts, cursors, agreements."""

    context: AppContext
    receipts: ReceiptCache
    signer: Signer


@dataclass(frozen=True, slots=True)
class RestCaller:
    namespace: str
    named: str  # the namespace that was asked for or that the token has; empty: none, and upkeep means the whole memory
    source: str  # what is stored as the source of what it tells; empty: it may say itself
    read_only: bool
    own_token: bool
    one_namespace: bool  # its token opens no other


def memory_of(request: Request) -> ServedMemory:
    memory: ServedMemory = request.app.state.memory
    return memory


def reading(
    request: Request,
    namespace: Annotated[
        str, Query(description="The namespace to stay in; the configured one unless given.", pattern=NAMESPACE_PATTERN)
    ] = "",
) -> RestCaller:
    """Raises NotFound for a namespace that this caller's token does not open."""
    token: ClientToken | None = request.scope.get(CLIENT)
    own = token.namespace if token is not None else ""
    if own and namespace and namespace != own:
        raise NotFound(f"There is no namespace {namespace!r} for this token: leave it out, or name {own!r}.")
    named = checked_namespace(namespace or own) if namespace or own else ""
    return RestCaller(
        named or memory_of(request).context.engine.config.namespace,
        named,
        plain_source(token.name) if token is not None else "",
        token is not None and token.read_only,
        request.scope.get(BY) == "token",
        bool(own),
    )


def writing(request: Request, caller: Reading) -> RestCaller:
    request.scope.get(WRITES, []).append(True)
    if caller.read_only:
        raise AccessDenied("This token may only read: make another one with `pmg token new`, without --read-only.")
    return caller


def owning(caller: Writing) -> RestCaller:
    if not caller.own_token:
        raise AccessDenied(
            "This wants the server's own token, as `Authorization: Bearer …`: it is in server.json of the memory's directory."
        )
    return caller


def plain_source(name: str) -> str:
    """A name as sources are written; `rest` where there is none."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:40].lower() or "rest"


Memory = Annotated[ServedMemory, Depends(memory_of)]
Reading = Annotated[RestCaller, Depends(reading)]
Writing = Annotated[RestCaller, Depends(writing)]
Owning = Annotated[RestCaller, Depends(owning)]


def by_its_name(query: str, question: str, response: Response) -> str:
    """What is asked; under its former name it is taken too, and a header says how it is called."""
    if not question:
        return query
    response.headers["x-pmg-renamed"] = "question: query"
    return query or question
