"""state.vscdb, the state of Cursor and VS Code: a SQLite file of keys and JSON values.

Cursor keeps a chat as `composerData:<id>` with its messages beside it as `bubbleId:<id>:<message>`, or inside it in older
versions; its first chats, and Copilot's first sessions, are one value of the table ItemTable.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping

from pmg.base.model import Role
from pmg.importers.conversation import TOOL, USER, Conversation, Level, Result, SourceMessage, Where
from pmg.importers.message_parts import MessagePart, first_time, numbered, title_from
from pmg.importers.platforms.vscode import copilot_chat
from pmg.importers.reading.fields import Json, first_text, items, mapping, mappings, notes, raw, text
from pmg.importers.reading.sqlite_file import text_of
from pmg.importers.reading.times import parse_time

SOURCE = "cursor"
NAME = "Cursor"
TABLES = frozenset({"cursordiskkv", "itemtable"})
OLD_CHATS = "workbench.panel.aichat.view.aichat.chatdata"
COPILOT = "interactive.sessions"


def claims(tables: Mapping[str, frozenset[str]]) -> bool:
    return any({"key", "value"} <= tables.get(name, frozenset()) for name in TABLES)


def parse(database: sqlite3.Connection, where: Where) -> Iterator[Result]:
    found = 0
    for key, value in _rows(database, "SELECT key, value FROM cursorDiskKV WHERE key LIKE 'composerData:%'"):
        place = Where(where.file, key)
        parsed = _json(value)
        if parsed is None:
            yield place.problem("a chat of Cursor that is no JSON", raw=value)
            continue
        for result in _composer(database, mapping(parsed), place):
            found += 1
            yield result
    for key, value in _rows(database, "SELECT key, value FROM ItemTable WHERE key IN (?, ?)", OLD_CHATS, COPILOT):
        for result in _item(key, _json(value), Where(where.file, key)):
            found += 1
            yield result
    if not found:
        yield where.problem("the state of an editor without chats", level=Level.SKIPPED)


def _rows(database: sqlite3.Connection, statement: str, *given: str) -> Iterator[tuple[str, str]]:
    try:
        cursor = database.execute(statement, given)
    except sqlite3.OperationalError:  # one of the two tables is not there
        return
    for key, value in cursor:
        yield text_of(key), text_of(value)


def _json(value: str) -> object | None:
    try:
        parsed: object = json.loads(value)
        return parsed
    except (ValueError, RecursionError):
        return None


def _composer(database: sqlite3.Connection, chat: Json, where: Where) -> Iterator[Result]:
    own = text(chat.get("composerId")) or where.position.partition(":")[2]
    counts: Counter[str] = Counter()
    bubbles = mappings(chat.get("conversation"))
    for head in mappings(chat.get("fullConversationHeadersOnly")):
        key = f"bubbleId:{own}:{text(head.get('bubbleId'))}"
        kept = next(_rows(database, "SELECT key, value FROM cursorDiskKV WHERE key = ?", key), None)
        bubble = _json(kept[1]) if kept else None
        if isinstance(bubble, dict):
            bubbles.append({"bubbleId": head.get("bubbleId"), "type": head.get("type"), **bubble})
        else:
            counts["messages that the database does not hold"] += 1
    messages: list[SourceMessage] = []
    for index, bubble in enumerate(bubbles):
        counts["messages"] += 1
        messages.extend(_bubble(bubble, index))
    if not messages:
        if bubbles or counts:
            yield where.problem("a chat of Cursor without words", level=Level.SKIPPED)
        return
    started = parse_time(chat.get("createdAt")) or first_time(messages)
    yield Conversation(
        SOURCE,
        own,
        text(chat.get("name")) or title_from(messages),
        started,
        tuple(messages),
        updated_at=parse_time(chat.get("lastUpdatedAt")),
        meta=notes(mode=chat.get("unifiedMode")),
        counts=counts,
    )


def _bubble(bubble: Json, index: int) -> tuple[SourceMessage, ...]:
    kind = bubble.get("type")
    asked = kind in (1, "1", "user")
    role, speaker = (Role.USER, USER) if asked else (Role.ASSISTANT, NAME)
    thinking = bubble.get("thinking")
    parts = [
        MessagePart(Role.THINKING, NAME, text(mapping(thinking).get("text")) or text(thinking), "thinking"),
        MessagePart(role, speaker, first_text(bubble, "text", "rawText")),
        *_tool(mapping(bubble.get("toolFormerData"))),
        *_code(bubble),
    ]
    timing = mapping(bubble.get("timingInfo"))
    at = parse_time(bubble.get("createdAt")) or parse_time(timing.get("clientStartTime"))
    model = text(mapping(bubble.get("modelInfo")).get("modelName")) or text(bubble.get("modelType"))
    own = first_text(bubble, "bubbleId", "id") or f"bubble-{index}"
    return numbered(own, parts, at=at, model=model)


def _tool(call: Json) -> Iterator[MessagePart]:
    if not call:
        return
    name = text(call.get("name")) or TOOL
    given, result = (call.get(key) for key in ("rawArgs", "result"))
    yield MessagePart(Role.TOOL, name, text(given) or raw(call.get("params") or {}), "tool_call")
    yield MessagePart(Role.TOOL, name, text(result) or (raw(result) if result else ""), "tool_result")


def _code(bubble: Json) -> Iterator[MessagePart]:
    """Code that stands beside an answer and not in it."""
    said = first_text(bubble, "text", "rawText")
    for block in mappings(bubble.get("codeBlocks")):
        code = text(block.get("content")) or text(block.get("code"))
        if code.strip() and code.strip() not in said:
            path = text(mapping(block.get("uri")).get("path"))
            yield MessagePart(Role.TOOL, "edit", "\n".join(filter(None, [path, code])), "code")


def _item(key: str, value: object, where: Where) -> Iterator[Result]:
    if value is None:
        yield where.problem("a value that is no JSON", raw=key)
        return
    if key == COPILOT:
        for session in mappings(items(value) or list(mapping(value).values())):
            yield from copilot_chat.parse(session, where)
        return
    for number, tab in enumerate(mappings(mapping(value).get("tabs"))):
        chat = {
            "conversation": tab.get("bubbles"),
            "name": tab.get("chatTitle"),
            "lastUpdatedAt": tab.get("lastSendTime"),
        }
        own = text(tab.get("tabId")) or f"tab-{number}"
        yield from _old_tab({**chat, "composerId": own}, Where(where.file, f"{key} {own}"))


def _old_tab(chat: Json, where: Where) -> Iterator[Result]:
    counts: Counter[str] = Counter()
    messages = [
        message for index, bubble in enumerate(mappings(chat.get("conversation"))) for message in _bubble(bubble, index)
    ]
    if not messages:
        yield where.problem("a chat of Cursor without words", level=Level.SKIPPED)
        return
    counts["messages"] = len(messages)
    at = parse_time(chat.get("lastUpdatedAt"))
    title = text(chat.get("name")) or title_from(messages)
    own = text(chat.get("composerId"))
    yield Conversation(SOURCE, own, title, first_time(messages) or at, tuple(messages), updated_at=at, counts=counts)
