"""The nine tools as MCP has them: names, arguments, when to call them.

Every tool list is paid for in every conversation, so the words are few and say when to call, not how it works. A payload is sent once,
as text. What the tools say and do stands in answers.py and writes.py; an error of ours is the tool's answer, with the mend.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Annotated, Any

import anyio.from_thread
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp_types import (
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
    ResourceLink,
    TextContent,
    ToolAnnotations,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import Field

from pmg import __version__
from pmg.base.errors import InputError, PmgError
from pmg.base.model import LinkKind
from pmg.engine import Engine
from pmg.forget import ForgetReceipt
from pmg.forget import forget as carry_out
from pmg.server import answers, writes
from pmg.server.browsing import MAX_ROWS, between
from pmg.server.fenced import StoredRow, fenced
from pmg.server.mcp import people_views
from pmg.server.mcp.arguments import old_names, read_arguments
from pmg.server.mcp.caller import READS, called, source_of
from pmg.server.mcp.people_views import PeopleQuestion, PeopleView
from pmg.server.receipt_cache import ReceiptCache
from pmg.server.signing import Signer
from pmg.ui.app_context import AppContext

Answer = CallToolResult
Ctx = Context[Any, Any]
IsoDate = Annotated[str, Field(description="ISO date")]
LastDate = Annotated[str, Field(description="ISO date, included")]
SaidAt = Annotated[str, Field(description="ISO date it was said, if not now; never of what it is about")]
Before = Annotated[str, Field(description="a segment: what is older")]
Project = Annotated[str, Field(description="name; * for all")]
CONFIRM = "confirm"
WRONG_TOKEN = "This token is not of what would go now, so nothing was changed. Show the person this:"


def said(text: str, *, error: bool = False) -> Answer:
    return CallToolResult(content=[TextContent(text=text)], is_error=error)


def answering(tool: Callable[..., Any]) -> Callable[..., Any]:
    """Our own errors are what the tool answers: the model reads the mend. Others are the SDK's to log."""

    @functools.wraps(tool)
    def answer(*args: Any, **kwargs: Any) -> Any:
        try:
            made = tool(*args, **kwargs)
        except PmgError as error:
            return said(str(error), error=True)
        return said(made) if isinstance(made, str) else made

    return answer


class CheckedTool(Tool):
    """A tool whose arguments are read by us: what is wrong with them is its answer, with the mend."""

    async def run(self, arguments: dict[str, Any], context: Ctx, convert_result: bool = False) -> Any:
        try:
            given = read_arguments(self.name, arguments, self.parameters)
        except InputError as error:
            refused = said(str(error), error=True)
            return self.fn_metadata.convert_result(refused) if convert_result else refused
        answer = await super().run(given, context, convert_result)
        older = old_names(arguments, self.parameters)
        if not older or not isinstance(answer, CallToolResult):
            return answer
        told = " ".join(f"`{old}` is called `{new}` now." for old, new in older.items())
        return answer.model_copy(update={"content": [*answer.content, TextContent(text=f"\n{told}")]})


class MemoryTools:
    """The tools of one open memory. Each runs in a thread of its own."""

    def __init__(self, context: AppContext, receipts: ReceiptCache) -> None:
        self._context = context
        self._receipts = receipts
        self._signer = Signer()

    def all(self) -> list[Tool]:
        """In the order in which they are shown."""
        made = [
            (self.recall, "Call before answering anything about earlier talks, people, decisions, preferences or work. Put names and times into the query; people, since and until leave out all else. Returns dated quotes."),
            (self.search, "List memories, one line each; then fetch the ones you need."),
            (self.fetch, "Read by id: a segment with neighbours, a session, a document, or a recall's receipt (why)."),
            (self.remember, "Call when the person tells a lasting fact, decision or preference, or asks to remember. Verbatim `user`/`assistant`, or a note in `text`."),
            (self.timeline, "Call for what happened when, or what changed. Gives the newest; `before` leads to older ones."),
            (self.people, "Who said what; without a name: who speaks here. ask: any question, answered by lines. Others: claims on a topic (query: job, location, …)."),
            (self.link, "Connect two segments when one bears on the other."),
            (self.forget, "Only when the person asks to delete: by ids, or what holds all words of the query. Shows what would go and gives a token; repeat with the token once they agree."),
            (self.status, "Size and health of the memory."),
        ]  # fmt: skip
        return [_compact(tool, description) for tool, description in made]

    @answering
    def recall(
        self,
        ctx: Ctx,
        query: str,
        budget_tokens: int = 1500,
        people: Sequence[str] = (),
        since: IsoDate = "",
        until: LastDate = "",
        project: Project = "",
    ) -> Answer:
        only = answers.RecallFilter.of(people, since, until)
        caller, place = called(ctx), _place(ctx, project)
        found = answers.recall(self._engine, self._receipts, caller.namespace, query, budget_tokens, only, place)
        links = [ResourceLink(name=link.name, uri=link.uri) for link in found.links]
        return CallToolResult(content=[TextContent(text=found.text), *links])

    @answering
    def search(self, ctx: Ctx, query: str, limit: int = 10, cursor: str = "", project: Project = "") -> str:
        place = _place(ctx, project)
        found = answers.search(self._engine, self._signer, called(ctx).namespace, query, limit, cursor, place)
        return _json(answers.listed(self._engine, found, place.remark))

    @answering
    def fetch(self, ctx: Ctx, id: str, neighbours: int = 2, budget_tokens: int = 4000) -> str:  # noqa: A002
        found = answers.fetch(self._engine, self._receipts, called(ctx).namespace, id, neighbours, budget_tokens)
        # Title and source were told by somebody: they stand in the fenced text.
        metadata = {key: value for key, value in found["metadata"].items() if key != "source"}
        return _json({**found, "title": found["id"], "metadata": metadata})

    @answering
    def remember(
        self, ctx: Ctx, text: str = "", user: str = "", assistant: str = "", session: str = "", when: SaidAt = ""
    ) -> str:
        told = {"text": text, "user": user, "assistant": assistant, "session": session, "when": when}
        return writes.remember(
            self._engine, called(ctx).namespace, source_of(ctx), folder=called(ctx).folder, **told
        ).text

    @answering
    def timeline(
        self,
        ctx: Ctx,
        about: str = "",
        since: IsoDate = "",
        until: LastDate = "",
        limit: int = 20,
        before: Before = "",
        project: Project = "",
    ) -> str:
        place = _place(ctx, project)
        found = answers.timeline(self._engine, called(ctx).namespace, about, since, until, limit, before, place)
        return "\n".join(filter(None, (found or "Nothing was said in that time.", place.remark)))

    @answering
    def people(
        self,
        ctx: Ctx,
        name: str = "",
        query: str = "",
        view: PeopleView = "said",
        conversations: Sequence[str] = (),
        limit: int = 20,
        before: Before = "",
    ) -> str:
        most = between("limit", limit, 1, MAX_ROWS)
        asked = PeopleQuestion(view, name, query, conversations, most, before)
        return people_views.people(self._engine, called(ctx).namespace, asked)

    @answering
    def link(self, ctx: Ctx, source: str, target: str, kind: LinkKind, remove: bool = False) -> str:
        return writes.link(self._engine, called(ctx).namespace, source, target, kind, remove)

    @answering
    def forget(
        self, ctx: Ctx, query: str = "", ids: Sequence[str] = (), token: str = ""
    ) -> str | Answer | InputRequiredResult:
        """Acts only on exactly what was shown: the token names it."""
        namespace = called(ctx).namespace
        todo = writes.forget_plan(self._engine, namespace, query, list(ids))
        if not todo.numbers:
            return writes.nothing(self._engine, todo)
        given = token or (ctx.request_state or "" if _agreed(ctx) else "")
        if self._signer.confirms(given, namespace, *todo.ids):
            receipt = carry_out(self._engine, todo, _progress(ctx))
            return self._receipt(receipt.for_one_namespace() if called(ctx).one_namespace else receipt)
        if _answered(ctx) and not _agreed(ctx):
            return "The person did not agree. Nothing was changed."
        fresh = self._signer.confirmation(namespace, *todo.ids)
        shown = writes.preview(self._engine, todo)
        if _can_ask(ctx) and not token:
            return _question(shown, fresh)
        return f"{WRONG_TOKEN}\n{_preview(shown, fresh)}" if token else _preview(shown, fresh)

    def _receipt(self, receipt: ForgetReceipt) -> str:
        """Below its first line files are named, some of them after what was said."""
        counts, *rows = receipt.text.split("\n")
        return "\n".join(filter(None, (counts, fenced(self._engine, map(StoredRow, rows)))))

    @answering
    def status(self, ctx: Ctx) -> str:
        counts = asdict(self._engine.counts(called(ctx).namespace))
        schedule = self._context.schedule
        times = schedule.next_times() if schedule else {}
        return _json(
            {
                "version": __version__,
                "namespace": called(ctx).namespace,
                "model": self._engine.model.state,
                **{key: counts[key] for key in ("sessions", "segments", "lines", "pending", "links", "recalls")},
                "upkeep": {name: at.isoformat(timespec="minutes") for name, at in sorted(times.items())},
            }
        )

    @property
    def _engine(self) -> Engine:
        return self._context.engine


def _compact(tool: Callable[..., Any], description: str) -> Tool:
    """A tool whose schema says nothing twice: pydantic's titles repeat the names."""
    name = tool.__name__
    hints = ToolAnnotations(read_only_hint=True) if name in READS else None
    hints = ToolAnnotations(destructive_hint=True) if name == "forget" else hints
    made = CheckedTool.from_function(tool, name, description=description, annotations=hints, structured_output=False)
    made.parameters = _untitled(made.parameters)
    return made


def _untitled(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {
            key: {name: _untitled(one) for name, one in value.items()} if key == "properties" else _untitled(value)
            for key, value in schema.items()
            if not (key == "title" and isinstance(value, str)) and not (key == "default" and value in ("", (), []))
        }
    return [_untitled(one) for one in schema] if isinstance(schema, list) else schema


def _place(ctx: Ctx, project: str) -> answers.AskedPlace:
    return answers.AskedPlace(project, called(ctx).folder)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _preview(shown: str, token: str) -> str:
    return f"{shown}\nIf the person agrees, call forget again in the same way with token={token}"


def _question(shown: str, token: str) -> InputRequiredResult:
    """The client asks the person itself; the answer comes back with the token, sealed by the SDK."""
    schema = {"type": "object", "properties": {"forget": {"type": "boolean", "title": "Forget this for good"}}, "required": ["forget"]}  # fmt: skip
    form = ElicitRequestFormParams(message=shown, requested_schema=schema)
    return InputRequiredResult(input_requests={CONFIRM: ElicitRequest(params=form)}, request_state=token)


def _can_ask(ctx: Ctx) -> bool:
    able = ctx.client_capabilities.elicitation if ctx.client_capabilities else None
    # An empty declaration means forms: so it was before there was a second kind.
    forms = able is not None and (able.form is not None or able.url is None)
    return forms and ctx.protocol_version in MODERN_PROTOCOL_VERSIONS and not _answered(ctx)


def _answered(ctx: Ctx) -> bool:
    return bool(ctx.input_responses)


def _agreed(ctx: Ctx) -> bool:
    answer = (ctx.input_responses or {}).get(CONFIRM)
    return (
        isinstance(answer, ElicitResult) and answer.action == "accept" and (answer.content or {}).get("forget") is True
    )


def _progress(ctx: Ctx) -> Callable[[str, int, int], None]:
    """Told to the caller once for each step: a forgetting rewrites files and may take longer than a client's patience."""
    last = ""

    def told(what: str, done: int, total: int) -> None:
        nonlocal last
        if what != last:
            last = what
            anyio.from_thread.run(ctx.report_progress, float(done), float(total) if total else None, what)

    return told
