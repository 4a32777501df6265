"""Transcripts of pi, of Factory's droid and of Cursor's agent: a line a message, whose words stand in `message`.

pi and droid begin with a line about the session; their messages may form a tree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from pmg.base.model import Role
from pmg.importers.conversation import SYSTEM, TOOL, USER, Level, Result, Where
from pmg.importers.message_parts import MessageNode, MessagePart, assembled, first_time, numbered, title_from, unfold
from pmg.importers.platforms.claude.content import parts_of, result_text
from pmg.importers.platforms.claude_code.asides import marked
from pmg.importers.reader import Row
from pmg.importers.reading.fields import Json, first_text, mapping, notes, raw, text
from pmg.importers.reading.times import time_of

HEADS = {"session": "pi", "session_start": "droid"}  # the type of the first line, and whose it is
CURSOR = "cursor"
NAMES = {"pi": "pi", "droid": "Droid", CURSOR: "Cursor"}
ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "toolResult": Role.TOOL, "bashExecution": Role.TOOL}
# Lines about the program, without words of the conversation: counted, not kept.
SILENT = {"model_change", "thinking_level_change", "label", "custom", "session_info", "todo_state", "session_end"}
SILENT |= {"turn_ended", "session_event"}
QUERY, QUERY_END = "<user_query>", "</user_query>"  # Cursor's marks around what the person typed


@dataclass(slots=True)
class AgentSession:
    """One file under way."""

    source: str = CURSOR
    head: Json = field(default_factory=dict)
    title: str = ""
    nodes: dict[str, MessageNode] = field(default_factory=dict)
    last: str = ""
    counts: Counter[str] = field(default_factory=Counter)


def claims(value: Json) -> bool:
    if text(value.get("type")) in HEADS:
        return "cwd" in value and "id" in value
    message = mapping(value.get("message"))
    return value.keys() == {"role", "message"} and message.keys() == {"content"} and value["role"] in ROLES


def gather(rows: Iterator[Row]) -> Iterator[Result]:
    session = AgentSession()
    where: Where | None = None
    for index, row in enumerate(rows):
        where = where or row.where
        kind = text(row.value.get("type"))
        if kind in HEADS:
            session.source, session.head = HEADS[kind], session.head or row.value
            session.title = session.title or first_text(row.value, "sessionTitle", "title")
        else:
            session.title = text(row.value.get("name")) or session.title if kind == "session_info" else session.title
            _take(session, row.value, kind, index)
    if where:
        yield _conversation(session, where)


def _take(session: AgentSession, value: Json, kind: str, index: int) -> None:
    message = mapping(value.get("message"))
    own = text(value.get("id")) or f"line-{index}"
    own = f"{own}-{index}" if own in session.nodes else own
    at = time_of(value, "timestamp") or time_of(message, "timestamp")
    said = numbered(own, _parts(session, value, kind), at=at, model=text(message.get("model")))
    session.counts["messages"] += bool(said)
    parent = text(value.get("parentId")) if "parentId" in value else session.last
    session.nodes[own] = MessageNode(parent, said, float(index))
    session.last = own


def _parts(session: AgentSession, value: Json, kind: str) -> Iterator[MessagePart]:
    message = mapping(value.get("message"))
    if message:
        yield from _spoken(session, {"role": value.get("role"), **message})
    elif kind in SILENT:
        session.counts[f"silent:{kind}"] += 1
    elif said := first_text(value, "summary", "summaryText") or result_text(value.get("content"), session.counts):
        yield MessagePart(Role.SYSTEM, SYSTEM, said, kind)
    else:
        session.counts[f"unknown:{kind}"] += 1
        yield MessagePart(Role.SYSTEM, SYSTEM, raw(value), kind or "unknown")


def _spoken(session: AgentSession, message: Json) -> Iterator[MessagePart]:
    role = ROLES.get(text(message.get("role")), Role.SYSTEM)
    if role is Role.TOOL:
        name = text(message.get("toolName")) or TOOL
        yield MessagePart(role, name, text(message.get("command")), "tool_call")
        said = text(message.get("output")) or result_text(message.get("content"), session.counts)
        yield MessagePart(role, name, said, "tool_result")
        return
    speaker = {Role.USER: USER, Role.ASSISTANT: NAMES[session.source]}.get(role, SYSTEM)
    content = message.get("content", message.get("summary"))
    for part in parts_of(content, role, speaker, session.counts):
        yield from _typed(part) if part.role is Role.USER else (part,)
    yield MessagePart(Role.SYSTEM, SYSTEM, text(message.get("errorMessage")), "error")


def _typed(part: MessagePart) -> Iterator[MessagePart]:
    """The person's words, apart from what the program put around them."""
    before, mark, rest = part.text.partition(QUERY)
    if not mark:
        yield marked(part, "")
        return
    words, _, after = rest.partition(QUERY_END)
    yield MessagePart(Role.SYSTEM, SYSTEM, before.strip(), "context")
    yield MessagePart(Role.USER, part.speaker, words.strip("\n"))
    yield MessagePart(Role.SYSTEM, SYSTEM, after.strip(), "context")


def _conversation(session: AgentSession, where: Where) -> Result:
    messages, branches = unfold(session.nodes, session.last)
    if not messages and not branches:
        return where.problem("a session without messages", raw=raw(session.head), level=Level.SKIPPED)
    head = session.head
    return assembled(
        session.source,
        text(head.get("id")),
        session.title or title_from(messages),
        time_of(head, "timestamp") or first_time(messages),
        messages,
        branches,
        max((message.at for message in messages if message.at), default=None),
        notes(cwd=head.get("cwd"), parent=head.get("parentSession")),
        session.counts,
    )
