"""Mistral's Le Chat: chat-<id>.json, a list of messages whose words may stand in `contentChunks` beside an empty `content`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pmg.base.model import Role
from pmg.importers.conversation import TOOL, USER, Conversation, Result, SourceMessage
from pmg.importers.message_parts import (
    MessagePart,
    first_time,
    numbered,
    placeholder,
    stamp,
    title_from,
    without_reasoning,
)
from pmg.importers.reader import Row
from pmg.importers.reading.fields import Json, first_text, items, mappings, notes, raw, text
from pmg.importers.reading.times import parse_time

SOURCE = "lechat"
NAME = "Le Chat"
ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}


def claims(value: Json) -> bool:
    return "chatId" in value and "role" in value and ("contentChunks" in value or "reactionDetail" in value)


def gather(rows: Iterator[Row]) -> Iterator[Result]:
    chats: dict[str, list[Json]] = {}
    for row in rows:
        if claims(row.value):
            chats.setdefault(text(row.value.get("chatId")), []).append(row.value)
        else:
            yield row.where.problem("not a message of Le Chat", raw=raw(row.value))
    for own, messages in chats.items():
        yield _conversation(own, messages)


def _conversation(own: str, rows: list[Json]) -> Conversation:
    counts: Counter[str] = Counter()
    if all(parse_time(row.get("createdAt")) for row in rows):
        rows = sorted(rows, key=lambda row: stamp(parse_time(row.get("createdAt"))))
    messages: list[SourceMessage] = []
    for index, row in enumerate(rows):
        counts["messages"] += 1
        said = numbered(
            text(row.get("id")) or f"message-{index}",
            _parts(row, counts),
            at=parse_time(row.get("createdAt")),
            meta=notes(reaction="" if row.get("reaction") == "neutral" else row.get("reaction")),
        )
        counts["empty"] += not said
        messages.extend(said)
    ended = max((message.at for message in messages if message.at), default=None)
    title = title_from(messages)
    return Conversation(SOURCE, own, title, first_time(messages), tuple(messages), updated_at=ended, counts=counts)


def _parts(row: Json, counts: Counter[str]) -> Iterator[MessagePart]:
    role = ROLES.get(text(row.get("role")), Role.SYSTEM)
    if text(row.get("role")) not in ROLES:
        counts[f"unknown role:{row.get('role')}"] += 1
    speaker = USER if role is Role.USER else NAME
    chunks = items(row.get("contentChunks"))
    plain = text(row.get("content"))
    words = "".join(text(chunk.get("text")) for chunk in mappings(chunks) if chunk.get("type") == "text")
    if plain.strip() and not words.strip():
        yield from without_reasoning(MessagePart(role, speaker, plain))
    said = ""
    for chunk in mappings(chunks):
        if chunk.get("type") == "text":
            said += text(chunk.get("text"))
            continue
        if chunk.get("type") == "reference":
            continue  # the number of a source, in the middle of a sentence
        yield from without_reasoning(MessagePart(role, speaker, said))
        said = ""
        yield _chunk(chunk, role, speaker, counts)
    yield from without_reasoning(MessagePart(role, speaker, said))
    for each in mappings(row.get("files")):
        kind = text(each.get("type")) or "file"
        yield MessagePart(Role.DOCUMENT, speaker, placeholder(kind, first_text(each, "name", "id")), kind)
    for each in [*mappings(row.get("canvas")), *mappings(row.get("quotes"))]:
        yield MessagePart(Role.DOCUMENT, speaker, first_text(each, "content", "text") or raw(each), "canvas")


def _chunk(chunk: Json, role: Role, speaker: str, counts: Counter[str]) -> MessagePart:
    kind = text(chunk.get("type"))
    if kind == "tool_call":
        told = [text(chunk.get("publicArguments")), _plain(chunk.get("publicResult"))]
        return MessagePart(Role.TOOL, text(chunk.get("name")) or TOOL, "\n".join(filter(None, told)), kind)
    if kind == "thinking":
        return MessagePart(Role.THINKING, speaker, _plain(chunk.get("thinking") or chunk.get("text")), kind)
    counts[f"unknown:{kind}"] += 1
    return MessagePart(role, speaker, raw(chunk), kind or "unknown")


def _plain(value: object) -> str:
    return value if isinstance(value, str) else raw(value) if value else ""
