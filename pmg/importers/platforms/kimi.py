"""Kimi's chats as its page gets them: messages made of blocks (text, think, tool, file …), newest or oldest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pmg.base.model import Role
from pmg.importers.conversation import SYSTEM, TOOL, USER, Level, Result, SourceMessage, Where
from pmg.importers.message_parts import MessagePart, assembled, first_time, numbered, placeholder, stamp, title_from
from pmg.importers.reading.fields import Json, first_text, mapping, mappings, raw, text
from pmg.importers.reading.times import oldest_first, time_of

SOURCE = "kimi"
NAME = "Kimi"
CREATED = ("createTime", "create_time")
ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}
IGNORED = {"id", "parentId", "messageId", *CREATED, "stage", "flags", "type"}


def claims(value: Json) -> bool:
    blocks = [block for row in mappings(value.get("messages")) for block in mappings(row.get("blocks"))]
    return any(isinstance(block.get("text"), dict) and "content" in block["text"] for block in blocks)


def parse(value: Json, where: Where) -> Iterator[Result]:
    head = mapping(value.get("chat")) or value
    counts: Counter[str] = Counter()
    rows = mappings(value.get("messages"))
    rows = oldest_first(rows, lambda row: time_of(row, *CREATED))
    if all(time_of(row, *CREATED) for row in rows):
        rows = sorted(rows, key=lambda row: stamp(time_of(row, *CREATED)))
    messages: list[SourceMessage] = []
    for index, row in enumerate(rows):
        counts["messages"] += 1
        said = numbered(text(row.get("id")) or f"message-{index}", _parts(row, counts), at=time_of(row, *CREATED))
        counts["empty"] += not said
        messages.extend(said)
    if not messages:
        yield where.problem("a chat of Kimi without words", raw=raw(value), level=Level.SKIPPED)
        return
    own = first_text(head, "id", "chatId", "chat_id")
    started = time_of(head, *CREATED) or first_time(messages)
    yield assembled(
        SOURCE,
        own,
        first_text(head, "name", "title") or title_from(messages),
        started,
        messages,
        updated_at=time_of(head, "updateTime", "update_time"),
        counts=counts,
    )


def _parts(row: Json, counts: Counter[str]) -> Iterator[MessagePart]:
    written = text(row.get("role")).lower()
    role = ROLES.get(written, Role.SYSTEM)
    if written not in ROLES:
        counts[f"unknown role:{written}"] += 1
    speaker = {Role.USER: USER, Role.ASSISTANT: NAME}.get(role, SYSTEM)
    blocks = mappings(row.get("blocks"))
    if not blocks:
        yield MessagePart(role, speaker, text(row.get("content")))
    for block in blocks:
        yield from _block(block, role, speaker, counts)


def _block(block: Json, role: Role, speaker: str, counts: Counter[str]) -> Iterator[MessagePart]:
    for kind, body in block.items():
        if kind in IGNORED:
            continue
        inner = mapping(body)
        if kind == "text":
            yield MessagePart(role, speaker, text(inner.get("content")) or text(body))
        elif kind == "think":
            yield MessagePart(Role.THINKING, speaker, text(inner.get("content")) or text(body), "think")
        elif kind in ("tool", "search", "toolCall"):
            yield MessagePart(Role.TOOL, text(inner.get("name")) or TOOL, raw(body), "tool")
        elif kind in ("file", "image"):
            name = first_text(inner, "name", "fileName") or text(mapping(inner.get("meta")).get("name"))
            yield MessagePart(Role.DOCUMENT, speaker, placeholder(kind, name), kind)
        else:
            counts[f"unknown:{kind}"] += 1
            yield MessagePart(role, speaker, raw(body), kind)
