"""Cline and Roo Code: ui_messages.json, what their panel shows, one row for everything said or asked.

api_conversation_history.json beside it holds the same in the form of an API (generic.py reads it).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from pmg.base.model import Role
from pmg.importers.conversation import SYSTEM, TOOL, USER, Conversation, Level, Result, SourceMessage, Where
from pmg.importers.message_parts import MessagePart, first_time, numbered, placeholder, title_from
from pmg.importers.reader import Row
from pmg.importers.reading.fields import Json, first_text, items, mapping, raw, text
from pmg.importers.reading.times import parse_time

SOURCE = "cline"
NAME = "Cline"
ASKED = {"task", "user_feedback", "user_feedback_diff"}
ANSWERED = {"text", "completion_result", "followup", "plan_mode_respond", "act_mode_respond", "condense"}
TOOLS = {"tool", "command", "command_output", "browser_action_launch", "browser_action", "browser_action_result"}
TOOLS |= {"use_mcp_server", "mcp_server_request_started", "mcp_server_response", "mcp_notification", "use_subagents"}
IGNORED = {
    "api_req_started",
    "api_req_finished",
    "api_req_retried",
    "checkpoint_created",
    "deleted_api_reqs",
    "task_progress",
}
IGNORED |= {
    "resume_task",
    "resume_completed_task",
    "shell_integration_warning",
    "load_mcp_documentation",
    "checkpoint_saved",
}
FAILED = {
    "error",
    "api_req_failed",
    "mistake_limit_reached",
    "diff_error",
    "clineignore_error",
    "info",
    "auto_approval_max_req_reached",
}


def claims(value: Json) -> bool:
    return "ts" in value and value.get("type") in ("say", "ask") and ("say" in value or "ask" in value)


def gather(rows: Iterator[Row]) -> Iterator[Result]:
    counts: Counter[str] = Counter()
    messages: list[SourceMessage] = []
    where: Where | None = None
    own = ""
    for index, row in enumerate(rows):
        where = where or row.where
        if not claims(row.value):
            yield row.where.problem("not a row of Cline's panel", raw=raw(row.value))
            continue
        own = own or text(row.value.get("ts"))  # a task is called by the moment it began
        counts["messages"] += 1
        name = f"{text(row.value.get('ts'))}-{index}"
        messages.extend(numbered(name, _parts(row.value, not messages, counts), at=parse_time(row.value.get("ts"))))
    if where is None:
        return
    if not messages:
        yield where.problem("a Cline task without words", level=Level.SKIPPED)
        return
    ended = max((message.at for message in messages if message.at), default=None)
    title, started = title_from(messages), first_time(messages)
    yield Conversation(SOURCE, own, title, started, tuple(messages), updated_at=ended, counts=counts)


def _parts(row: Json, first: bool, counts: Counter[str]) -> Iterator[MessagePart]:
    kind = first_text(row, "say", "ask")
    said = text(row.get("text"))
    if kind in ASKED or (first and kind == "text"):
        yield MessagePart(Role.USER, USER, said, kind)
    elif kind in ANSWERED:
        yield MessagePart(Role.ASSISTANT, NAME, _question(said) if kind != "text" else said, kind)
    elif kind == "reasoning":
        yield MessagePart(Role.THINKING, NAME, said or text(row.get("reasoning")), kind)
    elif kind in TOOLS:
        yield MessagePart(Role.TOOL, _tool(said) if kind == "tool" else kind, said, kind)
    elif kind in FAILED:
        yield MessagePart(Role.SYSTEM, SYSTEM, said, kind)
    elif kind in IGNORED:
        counts[f"silent:{kind}"] += 1
    else:
        counts[f"unknown:{kind}"] += 1
        yield MessagePart(Role.SYSTEM, SYSTEM, said or raw(row), kind or "unknown")
    for _ in items(row.get("images")):
        yield MessagePart(Role.DOCUMENT, USER, placeholder("image"), "image")


def _question(said: str) -> str:
    """The words of a question or a plan, which newer versions wrap with the answers they offer."""
    parsed = _json(said)
    offered = [text(each) for each in items(parsed.get("options"))]
    return "\n".join(filter(None, [first_text(parsed, "question", "response"), *offered])) or said


def _tool(said: str) -> str:
    return text(_json(said).get("tool")) or TOOL


def _json(said: str) -> Json:
    if not said.startswith("{"):
        return {}
    try:
        return mapping(json.loads(said))
    except (ValueError, RecursionError):
        return {}
