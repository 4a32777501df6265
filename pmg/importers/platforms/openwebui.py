"""Open WebUI's chat export: an array of chats (or one), each with a history tree and a flat list beside it.

Handles history.messages with parentId and currentId, models, files, reasoning and tool calls written into the text.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping

from pmg.base.model import Role
from pmg.base.patterns import linear, plain
from pmg.importers.conversation import SYSTEM, TOOL, USER, Level, Result, Where
from pmg.importers.message_parts import (
    MessageNode,
    MessagePart,
    assembled,
    first_time,
    numbered,
    placeholder,
    stamp,
    unfold,
    without_reasoning,
)
from pmg.importers.reading.fields import Json, first_text, items, joined, mapping, mappings, notes, raw, text
from pmg.importers.reading.sqlite_file import text_of
from pmg.importers.reading.times import parse_time

SOURCE = "openwebui"
ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM, "tool": Role.TOOL}


# How a tool's call and result stand in an answer's text.
CALL = linear(r"(?s)<details\b[^>]*\btype=\"(?:tool_calls|code_interpreter|code_execution)\"[^>]*>.*?</details>")
CALLED = plain(r"\bname=\"([^\"]*)\"")


def claims(value: Json) -> bool:
    chat = mapping(value.get("chat")) or value
    return isinstance(mapping(chat.get("history")).get("messages"), dict) or (
        isinstance(value.get("chat"), dict) and isinstance(chat.get("messages"), list)
    )


def parse(value: Json, where: Where) -> Iterator[Result]:
    chat = mapping(value.get("chat")) or value
    history = mapping(chat.get("history"))
    rows = _linked(mapping(history.get("messages"))) or _listed(chat)
    counts: Counter[str] = Counter()
    nodes = {name: _node(name, mapping(row), counts) for name, row in rows.items()}
    nodes |= _system(chat, nodes)
    messages, branches = unfold(nodes, text(history.get("currentId")) or (list(rows)[-1] if rows else ""))
    title = first_text(value, "title") or text(chat.get("title"))
    if not messages and not branches:
        yield where.problem(f"chat {title!r} holds no words", raw=raw(value), level=Level.SKIPPED)
        return
    own = first_text(value, "id") or text(chat.get("id"))
    created = parse_time(value.get("created_at")) or parse_time(chat.get("timestamp")) or first_time(messages)
    yield assembled(
        SOURCE,
        own,
        title,
        created,
        messages,
        branches,
        parse_time(value.get("updated_at")),
        notes(
            models=", ".join(text(model) for model in items(chat.get("models"))),
            folder=value.get("folder_id"),
            archived=bool(value.get("archived")),
            pinned=bool(value.get("pinned")),
            tags=", ".join(text(tag) for tag in items(mapping(value.get("meta")).get("tags"))),
        ),
        counts,
    )


def claims_tables(tables: Mapping[str, frozenset[str]]) -> bool:
    return {"id", "chat", "title"} <= tables.get("chat", frozenset())


def parse_database(database: sqlite3.Connection, where: Where) -> Iterator[Result]:
    """webui.db: the same chats as the export writes, one a row, with the chat itself as JSON."""
    rows = database.execute("SELECT * FROM chat")
    names = [column[0].lower() for column in rows.description]
    for row in rows:
        value: Json = dict(zip(names, row, strict=True))
        place = Where(where.file, f"chat {text_of(value.get('id'))}")
        for key in ("chat", "meta"):
            try:
                value[key] = json.loads(text_of(value.get(key)) or "{}")
            except (ValueError, RecursionError):
                yield place.problem(f"its {key} is no JSON", raw=text_of(value[key]))
                value[key] = {}
        yield from parse(value, place)


def _linked(rows: Json) -> Json:
    """Messages that name no parent at all follow each other as they stand."""
    if any(mapping(row).get("parentId") for row in rows.values()):
        return rows
    names = list(rows)
    return {
        name: {**mapping(rows[name]), "parentId": before} for name, before in zip(names, ["", *names], strict=False)
    }


def _listed(chat: Json) -> Json:
    """The flat list of older chats, as a tree without forks."""
    rows: Json = {}
    before = ""
    for index, row in enumerate(mappings(chat.get("messages"))):
        name = text(row.get("id")) or f"message-{index}"
        rows[name] = {"parentId": before, **row}
        before = name
    return rows


def _system(chat: Json, nodes: dict[str, MessageNode]) -> dict[str, MessageNode]:
    """The chat's own system prompt, above its first message."""
    said = text(chat.get("system")) or text(mapping(chat.get("params")).get("system"))
    messages = numbered("system", [MessagePart(Role.SYSTEM, SYSTEM, said, "system_prompt")])
    if not messages:
        return {}
    roots = {name: node for name, node in nodes.items() if node.parent not in nodes}
    return {
        "system": MessageNode("", messages),
        **{name: MessageNode("system", node.messages, node.rank) for name, node in roots.items()},
    }


def _node(name: str, row: Json, counts: Counter[str]) -> MessageNode:
    counts["messages"] += 1
    at = parse_time(row.get("timestamp"))
    parent = text(row.get("parentId"))
    messages = numbered(name, _parts(row, counts), at=at, model=text(row.get("model")))
    counts["empty"] += not messages
    return MessageNode(parent, messages, stamp(at))


def _parts(row: Json, counts: Counter[str]) -> Iterator[MessagePart]:
    role = ROLES.get(text(row.get("role")), Role.SYSTEM)
    if text(row.get("role")) not in ROLES:
        counts[f"unknown role:{row.get('role')}"] += 1
    named = first_text(row, "modelName", "model") or "Assistant"
    speaker = {Role.USER: USER, Role.ASSISTANT: named, Role.TOOL: TOOL}.get(role, SYSTEM)
    content = row.get("content")
    if isinstance(content, list):
        said = joined([text(each.get("text")) or placeholder(text(each.get("type"))) for each in mappings(content)])
    else:
        said = text(content)
    written = [
        piece
        for part in without_reasoning(MessagePart(role, speaker, said))
        for piece in (_without_calls(part) if part.role is Role.ASSISTANT else [part])
    ]
    items_of = list(_output(mappings(row.get("output")), speaker, counts))
    # The items say the same in parts; where the answer was changed since, its text is what counts.
    yield from items_of if items_of and _answer(items_of) == _answer(written) else written
    for each in [*mappings(row.get("files")), *mappings(row.get("sources"))]:
        yield _file(each, speaker)
    if row.get("error"):
        yield MessagePart(Role.SYSTEM, SYSTEM, text(mapping(row["error"]).get("content")) or raw(row["error"]), "error")


def _answer(parts: list[MessagePart]) -> str:
    return " ".join(" ".join(part.text for part in parts if part.role is Role.ASSISTANT).split())


def _output(rows: list[Json], speaker: str, counts: Counter[str]) -> Iterator[MessagePart]:
    """The items an answer is made of, as newer versions keep them beside its text."""
    tools: dict[str, str] = {}
    for row in rows:
        kind, call = text(row.get("type")), text(row.get("call_id"))
        blocks = [*mappings(row.get("summary")), *mappings(row.get("content")), *mappings(row.get("output"))]
        said = joined([text(block.get("text")) for block in blocks]) or first_text(row, "content", "output")
        if kind == "message":
            yield MessagePart(Role.ASSISTANT, speaker, said)
        elif kind == "reasoning":
            yield MessagePart(Role.THINKING, speaker, said, kind)
        elif kind == "function_call":
            tools[call] = text(row.get("name")) or TOOL
            yield MessagePart(
                Role.TOOL, tools[call], text(row.get("arguments")) or raw(row.get("arguments")), "tool_call"
            )
        elif kind == "function_call_output":
            yield MessagePart(Role.TOOL, tools.get(call, TOOL), said, "tool_result")
        else:
            counts[f"unknown:{kind}"] += 1
            yield MessagePart(Role.SYSTEM, SYSTEM, raw(row), kind or "unknown")


def _without_calls(part: MessagePart) -> Iterator[MessagePart]:
    """An answer with its tools' calls as parts of their own, in their order; every letter is kept."""
    start = 0
    for match in CALL.finditer(part.text) if "<details" in part.text else ():
        named = CALLED.search(match[0], 0, match[0].find(">"))
        yield MessagePart(part.role, part.speaker, part.text[start : match.start()])
        yield MessagePart(Role.TOOL, named[1] if named else TOOL, match[0], "tool_call")
        start = match.end()
    yield MessagePart(part.role, part.speaker, part.text[start:])


def _file(each: Json, speaker: str) -> MessagePart:
    body = mapping(each.get("file")) or mapping(each.get("source")) or each
    name = first_text(body, "filename", "name", "id") or first_text(each, "name", "id")
    extracted = text(mapping(body.get("data")).get("content")) or joined(
        [text(part) for part in items(each.get("document"))]
    )
    url = first_text(each, "url")
    kind = text(each.get("type")) or "attachment"
    shown = extracted or placeholder(kind, name, "inline" if url.startswith("data:") else url)
    return MessagePart(Role.DOCUMENT, speaker, shown, kind, notes(file=name))
