"""`/hooks/TOOL` and `/hooks/NAME/TOOL`: the events of another tool, behind the guard.

Knows: who may ask, what is answered, and that no answer waits: memories come in time or not at all, a transcript is taken in behind
the answer. What is given is chosen by context.py; the namespace stands in the address, as for MCP.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote_to_bytes

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from pmg.base.errors import NotFound, PmgError
from pmg.base.text import tokens
from pmg.connections.hook_tools import HOOK_TOOLS, HookTool, hook_tool
from pmg.connections.known_tools import ConfigPlaces
from pmg.server.error_answers import AsciiJson, answer_of, error_answer
from pmg.server.guard import BY
from pmg.server.hook_command import FOLDER_HEADER
from pmg.server.hooks.context import Injection, inject, note_loss
from pmg.server.hooks.deadline import DEADLINE_SECONDS, TimedWork
from pmg.server.hooks.events import MAX_BYTES, MAX_PATH, HookEvent, read_event
from pmg.server.hooks.given import GivenMemories
from pmg.server.hooks.transcripts import TranscriptInbox, WaitingTranscript, transcript_of
from pmg.server.mcp.caller import McpCaller, caller_of
from pmg.ui.app_context import AppContext

NOTHING = 204


@dataclass(frozen=True)
class HookMount:
    """What the app takes over: routes, and a life that must be entered before the first request."""

    inbox: TranscriptInbox
    routes: Sequence[BaseRoute]

    @asynccontextmanager
    async def open(self, _: object) -> AsyncIterator[None]:
        self.inbox.start()
        try:
            yield
        finally:
            await asyncio.to_thread(self.inbox.stop)


def build(context: AppContext) -> HookMount:
    engine, given = context.engine, GivenMemories(context.engine)

    def written_down() -> None:
        given.save()
        if context.activity is not None:
            context.activity.save()

    inbox = TranscriptInbox(engine, engine.config.imports.settle_seconds, written_down)
    endpoint = HookEndpoint(context, given, inbox, ConfigPlaces.here())
    return HookMount(inbox, [Route("/hooks/{tool}", endpoint), Route("/hooks/{namespace}/{tool}", endpoint)])


class Refusal(Exception):
    """What is answered instead, with its status."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(said)
        self.status = status


class HookEndpoint:
    def __init__(self, context: AppContext, given: GivenMemories, inbox: TranscriptInbox, places: ConfigPlaces) -> None:
        self._context = context
        self._given = given
        self._inbox = inbox
        self._places = places
        self._work: TimedWork[Injection] = TimedWork(DEADLINE_SECONDS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer: Response
        try:
            answer = await self._answer(Request(scope, receive))
        except Refusal as refusal:
            answer = error_answer(str(refusal), refusal.status)
        except PmgError as error:
            answer = answer_of(error)
        except ClientDisconnect:  # nobody is there to be answered
            return None
        return await answer(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        if request.scope.get(BY) not in ("token", "client"):  # any script in the page could use a cookie
            raise Refusal(403, "This wants a token, as `Authorization: Bearer …`.")
        if request.method != "POST":
            raise Refusal(405, "Send events with POST.")
        caller = caller_of(request, self._context.engine.config.namespace)
        event = read_event(_tool(request.path_params["tool"]), await _body(request))
        note_loss(self._given, caller.namespace, event)
        if event.tells:
            return self._take(caller, event, self._places_of(request, event.tool))
        return await self._give(caller, event)

    def _places_of(self, request: Request, tool: HookTool) -> ConfigPlaces:
        """As the tool has them that called `pmg hook`: its variables are not this server's.

        Only with the server's own token, which stands in a file of the same person: whoever holds it may have any file of theirs
        imported. The token of a client opens no other folder than those this server knows.
        """
        folder = os.fsdecode(unquote_to_bytes(request.headers.get(FOLDER_HEADER, "")))[:MAX_PATH]
        if request.scope.get(BY) != "token" or not tool.variable or not folder or "\0" in folder:
            return self._places
        return self._places.moved(tool.variable, folder) if Path(folder).is_absolute() else self._places

    def _take(self, caller: McpCaller, event: HookEvent, places: ConfigPlaces) -> Response:
        if "remember" not in caller.tools:
            raise Refusal(403, "This token reads only: make one without --read-only to take transcripts in.")
        file = transcript_of(event, places)
        if file is not None and not self._inbox.offer(WaitingTranscript(file, caller.namespace, event.tool.source)):
            raise Refusal(503, "The memory is being closed; tell again when it is open.")
        if self._context.activity is not None:
            self._context.activity.told(caller.name or event.tool.name)
        return Response(status_code=NOTHING)

    async def _give(self, caller: McpCaller, event: HookEvent) -> Response:
        engine = self._context.engine
        made = await self._work.within(lambda: inject(engine, self._given, caller.namespace, event))
        if made is not None:  # what came late was given to nobody
            self._given.put(made.session, made.block)
        text = made.block.text if made is not None else ""
        if self._context.activity is not None:
            self._context.activity.asked(caller.name or event.tool.name, tokens(text))
        self._inbox.wake()
        if not text:
            return Response(status_code=NOTHING)
        return AsciiJson({"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": text}})


def _tool(name: str) -> HookTool:
    found = hook_tool(name)
    if found is None:
        known = ", ".join(one.name for one in HOOK_TOOLS)
        raise NotFound(f"There are no hooks for {name[:60]!r}: /hooks/TOOL or /hooks/NAMESPACE/TOOL, with {known}.")
    return found


async def _body(request: Request) -> bytes:
    """What is too long is not read to its end."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > MAX_BYTES:
            raise Refusal(413, f"This event has more than {MAX_BYTES:,} bytes: that much is not taken.")
    return bytes(body)
