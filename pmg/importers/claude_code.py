"""Claude Code transcripts: one JSONL line a message, tool result or note, joined by uuid and parentUuid.

Knows: the line types, sessions, sidechains (what a sub-agent said) and rewound prompts.
Does not know: content blocks (anthropic_content). Holds one file's messages at a time, not its lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from pmg.importers.anthropic_content import NAME, parts_of
from pmg.importers.conversation import SYSTEM, TOOL, USER, Branch, Conversation, Level, Message, Result, Where
from pmg.importers.fields import Json, first_text, mapping, notes, raw, text
from pmg.importers.parts import Part, first_time, numbered, title_from
from pmg.importers.rows import Row
from pmg.importers.times import parse_time
from pmg.model import Role

SOURCE = "claude-code"
SPOKEN = {"user", "assistant", "message", "human"}
# Lines about the program, without words of the conversation: counted, not kept.
SILENT = {"file-history-snapshot", "progress", "queue-operation", "permission-mode", "mode", "last-prompt", "pr-link"}
TITLES = {"summary": "summary", "ai-title": "aiTitle", "custom-title": "customTitle", "agent-name": "agentName"}


@dataclass(slots=True)
class Entry:
    """One line that says something: its messages and its place in the tree."""

    uuid: str
    parent: str
    messages: tuple[Message, ...]
    sidechain: bool
    prompt: bool


@dataclass(slots=True)
class Transcript:
    """One session under way."""

    entries: dict[str, Entry] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    titles: dict[str, str] = field(default_factory=dict)
    tools: dict[str, str] = field(default_factory=dict)
    meta: dict[str, str] = field(default_factory=dict)
    agent: str = ""


def claims(value: Json) -> bool:
    kind = text(value.get("type"))
    if kind in TITLES and TITLES[kind] in value:
        return True
    if kind in SPOKEN and isinstance(value.get("message"), dict):
        return "sessionId" in value or "uuid" in value or "parentUuid" in value
    return "sessionId" in value and (kind in SILENT or (kind == "system" and "uuid" in value))


def gather(rows: Iterator[Row]) -> Iterator[Result]:
    """Every session of the file; titles that name no session belong to the one that follows."""
    sessions: dict[str, Transcript] = {}
    where: Where | None = None
    pending: dict[str, str] = {}
    name = ""
    for row in rows:
        where = where or row.where
        name = first_text(row.value, "sessionId", "session_id") or name  # a line without one belongs to the last
        kind = text(row.value.get("type"))
        if kind in TITLES and not name:
            pending[kind] = text(row.value.get(TITLES[kind]))
            continue
        session = sessions.setdefault(name, Transcript())
        _take(session, row.value, len(session.entries))
    _settle(sessions)
    for name, session in sessions.items():
        session.titles = {**pending, **session.titles}
        if session.counts["messages"]:
            yield _conversation(name, session)
        elif where:
            reason = f"session {name!r} holds no messages ({sum(session.counts.values())} other lines)"
            yield where.problem(reason, level=Level.SKIPPED)


def _settle(sessions: dict[str, Transcript]) -> None:
    """Lines before the first that names a session belong to it."""
    if "" in sessions and len(sessions) > 1 and not sessions[""].counts["messages"]:
        early = sessions.pop("")
        first = next(iter(sessions.values()))
        first.counts.update(early.counts)
        first.titles = {**early.titles, **first.titles}


def _take(session: Transcript, value: Json, index: int) -> None:
    kind = text(value.get("type"))
    session.counts[f"line:{kind}"] += 1
    if kind in TITLES:
        session.titles[kind] = text(value.get(TITLES[kind]))
        return
    uuid = text(value.get("uuid")) or f"line-{index}"
    if uuid in session.entries:  # a resumed session repeats the lines before it
        session.counts["repeated"] += 1
        return
    _details(session, value)
    parts = list(_parts(session, value, kind))
    message = mapping(value.get("message"))
    parent = text(value.get("parentUuid"))
    at = parse_time(value.get("timestamp"))
    messages = numbered(uuid, parts, at=at, parent_id=parent, model=text(message.get("model")))
    session.counts["messages"] += bool(messages)
    prompt = any(part.role is Role.USER for part in parts)
    session.entries[uuid] = Entry(uuid, parent, messages, bool(value.get("isSidechain")), prompt)


def _details(session: Transcript, value: Json) -> None:
    for key, name in (("cwd", "cwd"), ("gitBranch", "git_branch"), ("version", "version")):
        session.meta.setdefault(name, text(value.get(key)))
    session.agent = session.agent or text(value.get("agentId"))


def _parts(session: Transcript, value: Json, kind: str) -> Iterator[Part]:
    message = mapping(value.get("message"))
    if kind in SPOKEN and message:
        yield from _spoken(session, value, message, text(message.get("role")) or kind)
    elif kind == "system" or (kind not in SILENT and isinstance(value.get("content"), str)):
        yield Part(Role.SYSTEM, SYSTEM, text(value.get("content")), text(value.get("subtype")) or kind)
    elif kind not in SILENT:
        session.counts[f"unknown:{kind}"] += 1
        yield Part(Role.SYSTEM, SYSTEM, raw(value), kind or "unknown")


def _spoken(session: Transcript, value: Json, message: Json, said_by: str) -> Iterator[Part]:
    aside = bool(value.get("isMeta")) or bool(value.get("isCompactSummary"))
    role = Role.ASSISTANT if said_by == "assistant" else Role.SYSTEM if aside or said_by == "system" else Role.USER
    speaker = NAME if role is Role.ASSISTANT else SYSTEM if role is Role.SYSTEM else USER
    for part in parts_of(message.get("content"), role, speaker, session.counts):
        call = part.meta.get("call", "")
        if part.kind.endswith("tool_use"):
            session.tools[call] = part.speaker
        elif part.kind.endswith("tool_result") and part.speaker == TOOL:
            part = replace(part, speaker=session.tools.get(call, TOOL))
        yield part


def _conversation(name: str, session: Transcript) -> Conversation:
    entries = list(session.entries.values())
    whole_aside = all(entry.sidechain for entry in entries)
    rewound = _rewound(session.entries)
    current: list[Message] = []
    off: dict[str, list[Message]] = {}
    links: dict[str, str] = {}
    for entry in entries:
        root = rewound.get(entry.uuid, "")
        if entry.sidechain and not whole_aside:
            root = _root(session.entries, entry.uuid)
        if not root:
            current.extend(entry.messages)
            continue
        off.setdefault(root, []).extend(entry.messages)
        links.setdefault(root, session.entries[root].parent or (current[-1].origin_id if current else ""))
    branches = tuple(Branch(links[root], tuple(messages)) for root, messages in off.items() if messages)
    messages = tuple(current)
    own = f"{name}/{session.agent}" if whole_aside and session.agent else name
    title = next(
        (session.titles[kind] for kind in ("custom-title", "summary", "ai-title") if kind in session.titles), ""
    )
    return Conversation(
        SOURCE,
        own or entries[0].uuid,
        title or title_from(messages),
        first_time(messages),
        messages,
        branches,
        max((message.at for message in messages if message.at), default=None),
        notes(**session.meta, sidechain=whole_aside),
        session.counts,
    )


def _rewound(entries: dict[str, Entry]) -> dict[str, str]:
    """Lines on an abandoned prompt, with the prompt they hang on.

    Only prompts decide: parallel tool calls fork the tree too, and all of them were part of the conversation.
    """
    last: dict[str, str] = {}
    for entry in entries.values():
        if entry.prompt and entry.parent and not entry.sidechain:
            last[entry.parent] = entry.uuid
    found: dict[str, str] = {}
    for entry in entries.values():  # a parent stands before its children, so one pass carries the root down
        if entry.parent in found:
            found[entry.uuid] = found[entry.parent]
        elif entry.prompt and not entry.sidechain and last.get(entry.parent, entry.uuid) != entry.uuid:
            found[entry.uuid] = entry.uuid
    return found


def _root(entries: dict[str, Entry], uuid: str) -> str:
    seen = {uuid}
    while (parent := entries[uuid].parent) in entries and parent not in seen and entries[parent].sidechain:
        seen.add(parent)
        uuid = parent
    return uuid
