"""Goose: one JSONL file a session (a head line, then messages), or all of them in sessions.db."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping

from pmg.base.model import Role
from pmg.importers.conversation import SYSTEM, TOOL, USER, Level, Result, SourceMessage, Where
from pmg.importers.message_parts import MessagePart, as_briefs, assembled, first_time, numbered, placeholder, title_from
from pmg.importers.reader import Row
from pmg.importers.reading.fields import Json, first_text, items, joined, mapping, mappings, notes, raw, text
from pmg.importers.reading.sqlite_file import text_of
from pmg.importers.reading.times import parse_time

SOURCE = "goose"
NAME = "Goose"
ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}
TABLES = frozenset({"sessions", "messages"})


def claims(value: Json) -> bool:
    return "working_dir" in value and ("description" in value or "message_count" in value) and "role" not in value


def gather(rows: Iterator[Row]) -> Iterator[Result]:
    head: Json = {}
    said: list[Json] = []
    where: Where | None = None
    for row in rows:
        where = where or row.where
        if claims(row.value):
            head = {**head, **row.value}
        elif "role" in row.value and "content" in row.value:
            said.append(row.value)
        else:
            yield row.where.problem("not a line of a Goose session", raw=raw(row.value))
    if where is not None:
        yield from _conversation(first_text(head, "id"), head, said, where)


def claims_tables(tables: Mapping[str, frozenset[str]]) -> bool:
    return "content_json" in tables.get("messages", frozenset()) and "sessions" in tables


def parse_database(database: sqlite3.Connection, where: Where) -> Iterator[Result]:
    heads = database.execute("SELECT * FROM sessions")
    names = [column[0] for column in heads.description]
    for row in heads.fetchall():
        head = dict(zip(names, row, strict=True))
        own = text_of(head.get("id"))
        said = [
            {"role": text_of(role), "content": _json(content), "created": created}
            for role, content, created in database.execute(
                "SELECT role, content_json, created_timestamp FROM messages WHERE session_id = ? ORDER BY id", (own,)
            )
        ]
        yield from _conversation(own, head, said, Where(where.file, f"session {own}"))


def _json(content: object) -> object:
    try:
        return json.loads(text_of(content))
    except (ValueError, RecursionError):
        return text_of(content)


def _conversation(own: str, head: Json, rows: list[Json], where: Where) -> Iterator[Result]:
    counts: Counter[str] = Counter()
    tools: dict[str, str] = {}
    messages: list[SourceMessage] = []
    for index, row in enumerate(rows):
        counts["messages"] += 1
        name = text(row.get("id")) or f"message-{index}"
        said = numbered(name, _parts(row, tools, counts), at=parse_time(row.get("created")))
        counts["empty"] += not said
        messages.extend(said)
    if not messages:
        yield where.problem("a Goose session without words", level=Level.SKIPPED)
        return
    if text(head.get("session_type")) == "sub_agent":
        messages = list(as_briefs(messages, NAME))
    started = parse_time(head.get("created_at")) or first_time(messages)
    yield assembled(
        SOURCE,
        own,
        first_text(head, "description", "name") or title_from(messages),
        started,
        messages,
        updated_at=parse_time(head.get("updated_at")) or max((m.at for m in messages if m.at), default=None),
        meta=notes(cwd=head.get("working_dir")),
        counts=counts,
    )


def _parts(row: Json, tools: dict[str, str], counts: Counter[str]) -> Iterator[MessagePart]:
    role = ROLES.get(text(row.get("role")), Role.SYSTEM)
    speaker = {Role.USER: USER, Role.ASSISTANT: NAME}.get(role, SYSTEM)
    content = row.get("content")
    if isinstance(content, str):
        yield MessagePart(role, speaker, content)
    for block in mappings(content):
        yield _part(block, role, speaker, tools, counts)


def _part(block: Json, role: Role, speaker: str, tools: dict[str, str], counts: Counter[str]) -> MessagePart:
    kind = text(block.get("type"))
    if kind == "text":
        return MessagePart(role, speaker, text(block.get("text")))
    if kind in ("thinking", "redactedThinking"):
        return MessagePart(Role.THINKING, speaker, text(block.get("thinking")), kind)
    if kind in ("toolRequest", "frontendToolRequest"):
        call = mapping(mapping(block.get("toolCall")).get("value"))
        name = tools[text(block.get("id"))] = text(call.get("name")) or TOOL
        return MessagePart(Role.TOOL, name, raw(call.get("arguments") or {}), "tool_call")
    if kind == "toolResponse":
        value = mapping(block.get("toolResult"))
        content = items(mapping(value.get("value")).get("content")) or items(value.get("value"))
        said = joined([text(each.get("text")) for each in mappings(content)]) or raw(value)
        return MessagePart(Role.TOOL, tools.get(text(block.get("id")), TOOL), said, "tool_result")
    if kind == "image":
        return MessagePart(Role.DOCUMENT, speaker, placeholder("image", block.get("mimeType")), kind)
    counts[f"unknown:{kind}"] += 1
    return MessagePart(role, speaker, first_text(block, "msg", "text") or raw(block), kind or "unknown")
