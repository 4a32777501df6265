"""Jan's messages.jsonl: one message a line, in the form of OpenAI's threads. thread.json beside it holds no words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pmg.base.model import Role
from pmg.importers.conversation import TOOL, USER, Conversation, Result, SourceMessage
from pmg.importers.message_parts import MessagePart, first_time, numbered, placeholder, title_from, without_reasoning
from pmg.importers.reader import Row
from pmg.importers.reading.fields import Json, mapping, mappings, raw, text
from pmg.importers.reading.times import time_of

SOURCE = "jan"
NAME = "Jan"
ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM, "tool": Role.TOOL}


def claims(value: Json) -> bool:
    return value.get("object") == "thread.message" and "role" in value


def gather(rows: Iterator[Row]) -> Iterator[Result]:
    threads: dict[str, list[Json]] = {}
    for row in rows:
        if claims(row.value):
            threads.setdefault(text(row.value.get("thread_id")) or "thread", []).append(row.value)
        else:
            yield row.where.problem("not a message of a thread", raw=raw(row.value))
    for own, messages in threads.items():
        yield _conversation(own, messages)


def _conversation(own: str, rows: list[Json]) -> Conversation:
    counts: Counter[str] = Counter()
    messages: list[SourceMessage] = []
    for index, row in enumerate(rows):
        counts["messages"] += 1
        at = time_of(row, "created_at", "created")
        model = text(row.get("model")) or text(mapping(row.get("metadata")).get("model"))
        said = numbered(text(row.get("id")) or f"message-{index}", _parts(row, counts), at=at, model=model)
        counts["empty"] += not said
        messages.extend(said)
    ended = max((message.at for message in messages if message.at), default=None)
    started, title = first_time(messages), title_from(messages)
    return Conversation(SOURCE, own, title, started, tuple(messages), updated_at=ended, counts=counts)


def _parts(row: Json, counts: Counter[str]) -> Iterator[MessagePart]:
    role = ROLES.get(text(row.get("role")), Role.SYSTEM)
    speaker = {Role.USER: USER, Role.TOOL: TOOL}.get(role, NAME)
    if isinstance(row.get("content"), str):
        yield from without_reasoning(MessagePart(role, speaker, text(row["content"])))
    for block in mappings(row.get("content")):
        kind, body = text(block.get("type")), block.get("text")
        said = text(mapping(body).get("value")) or text(body)
        if kind in ("text", "output_text"):
            yield from without_reasoning(MessagePart(role, speaker, said))
        elif kind == "reasoning":
            yield MessagePart(Role.THINKING, speaker, said, kind)
        elif kind in ("image_url", "image_file"):
            yield MessagePart(Role.DOCUMENT, speaker, placeholder("image"), "image")
        elif kind in ("tool_call", "tool_use"):
            rest = {key: item for key, item in block.items() if key not in ("type", "tool_name", "tool_call_id")}
            yield MessagePart(Role.TOOL, text(block.get("tool_name")) or TOOL, raw(rest), kind)
        else:
            counts[f"unknown:{kind}"] += 1
            yield MessagePart(role, speaker, raw(block), kind or "unknown")
