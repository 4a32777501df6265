"""OpenCode: a session as `opencode export` writes it, its database with all of them, and the folder it had before.

In the folder a session, each of its messages and each part of a message is a file of its own: they are held until all files were read.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pmg.base.model import Role
from pmg.importers.conversation import TOOL, USER, Conversation, Level, Result, SourceMessage, Where
from pmg.importers.message_parts import MessagePart, as_briefs, first_time, numbered, placeholder, title_from
from pmg.importers.reading.fields import Json, first_text, mapping, mappings, notes, raw, text
from pmg.importers.reading.sqlite_file import text_of
from pmg.importers.reading.times import parse_time

SOURCE = "opencode"
NAME = "OpenCode"
TABLES = frozenset({"session", "message", "part"})
IGNORED = {"step-start", "step-finish", "snapshot", "patch", "compaction", "retry"}


def claims(value: Json) -> bool:
    rows = mappings(value.get("messages"))
    return "id" in mapping(value.get("info")) and (not rows or ("info" in rows[0] and "parts" in rows[0]))


def parse(value: Json, where: Where) -> Iterator[Result]:
    rows = [(mapping(row.get("info")), mappings(row.get("parts"))) for row in mappings(value.get("messages"))]
    yield from conversation(mapping(value.get("info")), rows, where)


def claims_tables(tables: Mapping[str, frozenset[str]]) -> bool:
    return "data" in tables.get("message", frozenset()) and "data" in tables.get("part", frozenset())


def parse_database(database: sqlite3.Connection, where: Where) -> Iterator[Result]:
    sessions = database.execute("SELECT * FROM session")
    columns = [column[0] for column in sessions.description]
    for row in sessions.fetchall():
        head = _head(dict(zip(columns, row, strict=True)))
        own = head["id"]
        rows = [
            (_data(name, data), [_data(each, part) for each, part in _part_rows(database, name)])
            for name, data in database.execute(
                "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id", (own,)
            ).fetchall()
        ]
        yield from conversation(head, rows, Where(where.file, f"session {own}"))


def _head(row: Mapping[str, object]) -> Json:
    """The row of a session under the names that an export gives its fields."""
    times = {"created": row.get("time_created"), "updated": row.get("time_updated")}
    parent = text_of(row.get("parent_id"))  # older databases have none
    named = {
        "id": text_of(row.get("id")),
        "title": text_of(row.get("title")),
        "directory": text_of(row.get("directory")),
    }
    return {**named, "time": times, **({"parentID": parent} if parent else {})}


def _part_rows(database: sqlite3.Connection, message: object) -> list[tuple[object, object]]:
    return database.execute("SELECT id, data FROM part WHERE message_id = ? ORDER BY id", (message,)).fetchall()


def may_be_piece(data: bytes) -> bool:
    """A quick look: every file of the folder names its session."""
    return data[:1] == b"{" and b'"ses_' in data


def is_piece(value: Json) -> bool:
    """A session, a message, or a part of one, by what it holds."""
    own = text(value.get("id"))
    if "sessionID" in value:
        return "messageID" in value or ("role" in value and "parts" not in value)
    return own.startswith("ses_") and "time" in value and bool(value.keys() & {"projectID", "directory", "version"})


def put_together(pieces: Sequence[tuple[str, Json]]) -> Iterator[tuple[str, Json, list[tuple[Json, list[Json]]]]]:
    """(file, session, its messages with their parts): what lacks its session or its message is kept all the same."""
    heads: dict[str, tuple[str, Json]] = {}
    messages: dict[str, dict[str, Json]] = {}
    parts: dict[str, list[Json]] = {}
    for file, value in pieces:
        session = text(value.get("sessionID"))
        if not session:
            heads[text(value.get("id"))] = (file, value)
            continue
        heads.setdefault(session, (file, {"id": session}))
        of_session = messages.setdefault(session, {})
        if "messageID" in value:
            name = text(value.get("messageID"))
            of_session.setdefault(name, {"id": name})
            parts.setdefault(name, []).append(value)
        else:
            of_session[text(value.get("id"))] = value
    for session, (file, head) in sorted(heads.items()):
        ordered = sorted(messages.get(session, {}).values(), key=_place)
        yield file, head, [(one, sorted(parts.get(text(one.get("id")), []), key=_own_id)) for one in ordered]


def _place(message: Json) -> tuple[float, str]:
    created = mapping(message.get("time")).get("created")
    return float(created) if isinstance(created, int | float) else 0.0, _own_id(message)


def _own_id(value: Json) -> str:
    return text(value.get("id"))


def _data(own: object, data: object) -> Json:
    try:
        parsed = json.loads(text_of(data))
    except (ValueError, RecursionError):
        parsed = {"type": "unknown", "text": text_of(data)}
    return {"id": text_of(own), **mapping(parsed)}


def conversation(head: Json, rows: list[tuple[Json, list[Json]]], where: Where) -> Iterator[Result]:
    counts: Counter[str] = Counter()
    messages: list[SourceMessage] = []
    for index, (info, parts) in enumerate(rows):
        counts["messages"] += 1
        asked = info.get("role") == "user"
        role, speaker = (Role.USER, USER) if asked else (Role.ASSISTANT, NAME)
        times = mapping(info.get("time"))
        said = numbered(
            text(info.get("id")) or f"message-{index}",
            [piece for part in parts for piece in _parts(part, role, speaker, counts)],
            at=parse_time(times.get("created")),
            model=text(info.get("modelID")),
        )
        counts["empty"] += not said
        messages.extend(said)
    if not messages:
        yield where.problem("an OpenCode session without words", level=Level.SKIPPED)
        return
    if head.get("parentID"):  # a session inside another is a sub-agent's
        messages = list(as_briefs(messages, NAME))
    times = mapping(head.get("time"))
    yield Conversation(
        SOURCE,
        text(head.get("id")),
        text(head.get("title")) or title_from(messages),
        parse_time(times.get("created")) or first_time(messages),
        tuple(messages),
        updated_at=parse_time(times.get("updated")),
        meta=notes(cwd=head.get("directory"), parent=head.get("parentID")),
        counts=counts,
    )


def _parts(part: Json, role: Role, speaker: str, counts: Counter[str]) -> Iterator[MessagePart]:
    kind = text(part.get("type"))
    if kind == "text":
        yield MessagePart(Role.SYSTEM if part.get("synthetic") else role, speaker, text(part.get("text")))
    elif kind == "reasoning":
        yield MessagePart(Role.THINKING, speaker, text(part.get("text")), kind)
    elif kind == "tool":
        state = mapping(part.get("state"))
        name = text(part.get("tool")) or TOOL
        yield MessagePart(Role.TOOL, name, raw(state.get("input") or {}), "tool_call")
        yield MessagePart(Role.TOOL, name, first_text(state, "output", "error"), "tool_result")
    elif kind == "file":
        yield MessagePart(Role.DOCUMENT, speaker, placeholder("file", part.get("filename"), part.get("mime")), kind)
    elif kind in IGNORED:
        counts[f"silent:{kind}"] += 1
    else:
        counts[f"unknown:{kind}"] += 1
        yield MessagePart(role, speaker, raw(part), kind or "unknown")


@dataclass(slots=True)
class HeldPieces:
    """The pieces of the files that came together, each with the name of its file."""

    found: list[tuple[str, Json]] = field(default_factory=list)

    def take(self, data: bytes, name: str) -> bool:
        """Whether this whole file is a piece, which is held then."""
        if not may_be_piece(data):
            return False
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            return False
        if not isinstance(value, dict) or not is_piece(value):
            return False
        self.found.append((name, value))
        return True

    def conversations(self) -> Iterator[tuple[str, Result]]:
        """Each with the file that it is told under."""
        for name, head, rows in put_together(self.found):
            for result in conversation(head, rows, Where(name)):
                yield name, result
