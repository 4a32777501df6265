"""LibreChat's JSON export: one conversation, its messages flat with parents or nested in children.

Handles text and content parts (text, think, tool_call, errors, images), senders, branches.
Nested children are walked with a list, not a stack.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pmg.base.model import Role
from pmg.importers.conversation import SYSTEM, USER, Conversation, Level, Result, Where
from pmg.importers.message_parts import (
    MessageNode,
    MessagePart,
    first_time,
    numbered,
    placeholder,
    stamp,
    unfold,
    without_reasoning,
)
from pmg.importers.reading.fields import Json, first_text, mapping, mappings, notes, raw, text
from pmg.importers.reading.times import parse_time, time_of

SOURCE = "librechat"


def claims(value: Json) -> bool:
    rows = value.get("messages", value.get("messagesTree"))
    return "conversationId" in value and isinstance(rows, list)


def parse(value: Json, where: Where) -> Iterator[Result]:
    counts: Counter[str] = Counter()
    nodes: dict[str, MessageNode] = {}
    rows = mappings(value.get("messagesTree", value.get("messages")))
    linked = any(row.get("parentMessageId") or row.get("children") for row in rows)  # else each follows the one before
    for parent, row in _flat(rows):
        name = text(row.get("messageId")) or f"message-{len(nodes)}"
        name = name if name not in nodes else f"{name}-{len(nodes)}"
        above = text(row.get("parentMessageId")) or parent if linked else next(reversed(nodes), "")
        nodes[name] = _node(row, name, above, value, counts)
    messages, branches = unfold(nodes, "")
    title = text(value.get("title"))
    if not messages and not branches:
        yield where.problem(f"conversation {title!r} holds no words", raw=raw(value), level=Level.SKIPPED)
        return
    options = mapping(value.get("options"))
    yield Conversation(
        SOURCE,
        text(value.get("conversationId")),
        title,
        parse_time(value.get("createdAt")) or first_time(messages),
        messages,
        branches,
        parse_time(value.get("updatedAt")),
        notes(endpoint=value.get("endpoint"), model=first_text(options, "model")),
        counts,
    )


def _flat(rows: list[Json]) -> Iterator[tuple[str, Json]]:
    todo = [("", row) for row in reversed(rows)]
    while todo:
        parent, row = todo.pop()
        yield parent, row
        name = text(row.get("messageId"))
        todo.extend((name, child) for child in reversed(mappings(row.get("children"))))


def _node(row: Json, name: str, parent: str, value: Json, counts: Counter[str]) -> MessageNode:
    counts["messages"] += 1
    at = time_of(row, "createdAt", "updatedAt")
    model = text(row.get("model")) or first_text(mapping(value.get("options")), "model")
    messages = numbered(name, _parts(row, counts), at=at, model=model)
    counts["empty"] += not messages
    return MessageNode(parent, messages, stamp(at))


def _parts(row: Json, counts: Counter[str]) -> Iterator[MessagePart]:
    mine = bool(row.get("isCreatedByUser")) or text(row.get("sender")).lower() == "user"
    role = Role.USER if mine else Role.ASSISTANT
    speaker = USER if mine else text(row.get("sender")) or "Assistant"
    blocks = mappings(row.get("content"))
    for block in blocks:
        yield from _block(block, role, speaker, counts)
    if not blocks:
        yield from without_reasoning(MessagePart(role, speaker, text(row.get("text"))))
    for each in [*mappings(row.get("files")), *mappings(row.get("attachments"))]:
        name = first_text(each, "filename", "file_id", "name")
        said = text(each.get("text")) or placeholder("attachment", name, each.get("type"))
        yield MessagePart(Role.DOCUMENT, speaker, said, "attachment", notes(file=name))


def _block(block: Json, role: Role, speaker: str, counts: Counter[str]) -> Iterator[MessagePart]:
    kind = text(block.get("type"))
    if kind == "text":
        said = block.get("text")
        yield from without_reasoning(MessagePart(role, speaker, text(mapping(said).get("value")) or text(said)))
    elif kind == "think":
        yield MessagePart(Role.THINKING, speaker, text(block.get("think")), kind)
    elif kind == "tool_call":
        call = mapping(block.get("tool_call"))
        name = text(call.get("name")) or text(call.get("type")) or "tool"
        args = call.get("args", mapping(call.get("function")).get("arguments"))
        yield MessagePart(Role.TOOL, name, args if isinstance(args, str) else raw(args or {}), "tool_call")
        output = call.get("output", mapping(call.get("function")).get("output"))
        yield MessagePart(Role.TOOL, name, text(output) or (raw(output) if output else ""), "tool_result")
    elif kind == "error":
        yield MessagePart(Role.SYSTEM, SYSTEM, text(block.get("error")) or raw(block), kind)
    elif kind in ("image_url", "image_file"):
        yield MessagePart(
            role, speaker, placeholder("image", first_text(mapping(block.get(kind)), "filename", "file_id")), "image"
        )
    else:
        counts[f"unknown:{kind}"] += 1
        yield MessagePart(role, speaker, raw(block), kind or "unknown")
