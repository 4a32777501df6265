"""Resources and prompts: what a person picks in their tool, beside the tools that a model calls.

Knows: their addresses and words. What they hold comes from answers.py, in the caller's namespace.
"""

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError

from pmg.base.errors import PmgError
from pmg.server import answers
from pmg.server.mcp.caller import called, current_caller
from pmg.server.receipt_cache import ReceiptCache
from pmg.ui.app_context import AppContext

Ctx = Context[Any, Any]
WHOLE = 8_000  # tokens of a resource: a person attaches it knowingly
LATELY = 3_000  # tokens of memory that a prompt brings along


def add_resources(server: MCPServer[Any], context: AppContext, receipts: ReceiptCache) -> None:
    def read(ctx: Ctx, name: str, around: int) -> str:
        try:
            return str(answers.fetch(context.engine, receipts, called(ctx).namespace, name, around, WHOLE)["text"])
        except PmgError as error:
            raise ResourceError(str(error)) from None

    @server.resource("pmg://session/{id}", name="session", mime_type="text/plain")
    def session(id: str, ctx: Ctx) -> str:  # noqa: A002
        """One conversation, quoted."""
        return read(ctx, id, 0)

    @server.resource("pmg://segment/{id}", name="segment", mime_type="text/plain")
    def segment(id: str, ctx: Ctx) -> str:  # noqa: A002
        """One turn with its neighbours, quoted."""
        return read(ctx, id, 2)

    @server.resource("pmg://today", name="today", mime_type="text/plain")
    def today() -> str:
        """What was said today."""
        return answers.today(context.engine, current_caller.get().namespace)


def add_prompts(server: MCPServer[Any], context: AppContext) -> None:
    @server.prompt(name="with_memory", description="Answer a question with what the memory holds on it.")
    def with_memory(question: str, ctx: Ctx) -> str:
        found = context.engine.recall(question, namespace=called(ctx).namespace, budget_tokens=LATELY)
        return f"{found.context or 'The memory holds nothing on this.'}\n\n{question}"

    @server.prompt(name="continue", description="Take up an earlier conversation where it ended.")
    def continue_session(session: str, ctx: Ctx) -> str:
        found = answers.ending(context.engine, called(ctx).namespace, session, LATELY)
        return f"{found}\n\nLet us go on from there."

    @server.prompt(
        name="what_changed", description="What was said about a topic over time, and what is no longer true."
    )
    def what_changed(topic: str, ctx: Ctx) -> str:
        found = answers.timeline(context.engine, called(ctx).namespace, topic, "", "", 50)
        return f"{found or 'The memory holds nothing on this.'}\n\nWhat changed about {topic}? Prefer what is newer and name the dates."
