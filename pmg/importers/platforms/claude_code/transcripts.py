"""Claude Code transcripts: one JSONL line a message, tool result or note, joined by uuid and parentUuid.

Knows: the line types, sessions, sidechains (what a sub-agent said) and rewound prompts.
Does not know: content blocks (claude/content.py), nor what the program adds to messages (asides.py).
Holds one file's messages at a time, not its lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from pmg.base.model import Role
from pmg.importers.conversation import (
    SYSTEM,
    TOOL,
    USER,
    Branch,
    Conversation,
    Level,
    Result,
    SourceMessage,
    Where,
    short_id,
)
from pmg.importers.message_parts import COMMAND, MessagePart, first_time, numbered, title_from, without_memories
from pmg.importers.platforms.claude.content import NAME, parts_of
from pmg.importers.platforms.claude_code.asides import as_brief, attached, marked
from pmg.importers.reader import Row
from pmg.importers.reading.fields import Json, first_text, mapping, notes, raw, text
from pmg.importers.reading.times import parse_time

SOURCE = "claude-code"
SPOKEN = {"user", "assistant", "message", "human"}
# Lines about the program, without words of the conversation: counted, not kept.
IGNORED = {"file-history-snapshot", "progress", "queue-operation", "permission-mode", "mode", "last-prompt", "pr-link"}
IGNORED |= {"file-history-delta", "bridge-session", "init", "result", "rate_limit_event", "control_request"}
TITLES = {"summary": "summary", "ai-title": "aiTitle", "custom-title": "customTitle", "agent-name": "agentName"}


@dataclass(slots=True)
class ClaudeCodeEntry:
    """One line that says something: its messages and its place in the tree."""

    uuid: str
    parent: str
    messages: tuple[SourceMessage, ...]
    sidechain: bool
    prompt: bool


@dataclass(slots=True)
class ClaudeCodeSession:
    """One session under way."""

    entries: dict[str, ClaudeCodeEntry] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    titles: dict[str, str] = field(default_factory=dict)
    summaries: list[tuple[str, str]] = field(default_factory=list)  # the leaf each was made for, and its words
    tools: dict[str, str] = field(default_factory=dict)
    meta: dict[str, str] = field(default_factory=dict)
    agent: str = ""
    result: str = ""  # what `claude -p --output-format json` gives, alone


def claims(value: Json) -> bool:
    kind = text(value.get("type"))
    if kind in TITLES and TITLES[kind] in value:
        return True
    message = value.get("message")
    if kind in SPOKEN and isinstance(message, dict):
        if kind in ("user", "assistant"):
            return "content" in message
        return "sessionId" in value or "uuid" in value or "parentUuid" in value
    in_session = "sessionId" in value or "session_id" in value
    return in_session and (
        kind in IGNORED or kind == "attachment" or (kind == "system" and ("uuid" in value or "subtype" in value))
    )


def gather(rows: Iterator[Row]) -> Iterator[Result]:
    """Every session of the file; titles that name no session belong to the one that follows."""
    sessions: dict[str, ClaudeCodeSession] = {}
    where: Where | None = None
    pending = ClaudeCodeSession()
    name = ""
    for row in rows:
        where = where or row.where
        name = first_text(row.value, "sessionId", "session_id") or name  # a line without one belongs to the last
        kind = text(row.value.get("type"))
        if kind in TITLES and not name:
            _entitle(pending, row.value, kind)
            continue
        session = sessions.setdefault(name, ClaudeCodeSession())
        _take(session, row.value, len(session.entries))
    _settle(sessions)
    for name, session in sessions.items():
        session.titles = {**pending.titles, **session.titles}
        session.summaries = [*pending.summaries, *session.summaries]
        if session.counts["messages"]:
            yield _conversation(name, session)
        elif session.result:
            yield _result(name, session)
        elif where:
            reason = f"session {name!r} holds no messages ({sum(session.counts.values())} other lines)"
            yield where.problem(reason, level=Level.SKIPPED)


def _result(name: str, session: ClaudeCodeSession) -> Conversation:
    """An answer without its transcript: a conversation of its own, for the session's may come with all of it."""
    messages = numbered("result", [MessagePart(Role.ASSISTANT, NAME, session.result)])
    return Conversation(
        SOURCE, f"result/{name}", title_from(messages), None, messages, meta=notes(what="result"), counts=session.counts
    )


def _settle(sessions: dict[str, ClaudeCodeSession]) -> None:
    """Lines before the first that names a session belong to it."""
    if "" in sessions and len(sessions) > 1 and not sessions[""].counts["messages"]:
        early = sessions.pop("")
        first = next(iter(sessions.values()))
        first.counts.update(early.counts)
        first.titles = {**early.titles, **first.titles}
        first.summaries = [*early.summaries, *first.summaries]


def _entitle(session: ClaudeCodeSession, value: Json, kind: str) -> None:
    if kind == "summary":
        session.summaries.append((text(value.get("leafUuid")), text(value.get("summary"))))
    else:
        session.titles[kind] = text(value.get(TITLES[kind]))


def _take(session: ClaudeCodeSession, value: Json, index: int) -> None:
    kind = text(value.get("type"))
    session.counts[f"line:{kind}"] += 1
    if kind in TITLES and TITLES[kind] in value:
        _entitle(session, value, kind)
        return
    _details(session, value)
    if kind == "result":
        session.result = text(value.get("result"))
    parts = [without_memories(part) for part in _parts(session, value, kind)]
    message = mapping(value.get("message"))
    uuid = text(value.get("uuid")) or f"line-{index}"
    parent = text(value.get("parentUuid"))
    if uuid in session.entries:
        if _said(session.entries[uuid].messages) == [part.text for part in parts if part.text.strip()]:
            session.counts["repeated"] += 1  # a resumed session repeats the lines before it
            return
        uuid, parent = f"{uuid}-{index}", uuid  # two messages with one name: both stay, the second after the first
    at = parse_time(value.get("timestamp"))
    messages = numbered(uuid, parts, at=at, model=text(message.get("model")))
    session.counts["messages"] += bool(messages)
    prompt = any(part.role is Role.USER or part.kind == COMMAND for part in parts)
    session.entries[uuid] = ClaudeCodeEntry(uuid, parent, messages, bool(value.get("isSidechain")), prompt)


def _said(messages: tuple[SourceMessage, ...]) -> list[str]:
    return [message.text for message in messages]


def _details(session: ClaudeCodeSession, value: Json) -> None:
    for key, name in (("cwd", "cwd"), ("gitBranch", "git_branch"), ("version", "version")):
        session.meta.setdefault(name, text(value.get(key)))
    session.agent = session.agent or text(value.get("agentId"))


def _parts(session: ClaudeCodeSession, value: Json, kind: str) -> Iterator[MessagePart]:
    message = mapping(value.get("message"))
    if kind in SPOKEN and message:
        yield from _spoken(session, value, message, text(message.get("role")) or kind)
    elif kind == "summary" and message:  # a compaction written as a message
        yield from parts_of(message.get("content"), Role.SYSTEM, SYSTEM, session.counts)
    elif kind == "attachment" and isinstance(value.get("attachment"), dict):
        yield from attached(value["attachment"], session.counts)
    elif kind == "system" or (kind not in IGNORED and isinstance(value.get("content"), str)):
        said = text(value.get("content")) or (raw(value["error"]) if value.get("error") else "")
        yield MessagePart(Role.SYSTEM, SYSTEM, said, text(value.get("subtype")) or kind)
    elif kind not in IGNORED:
        session.counts[f"unknown:{kind}"] += 1
        yield MessagePart(Role.SYSTEM, SYSTEM, raw(value), kind or "unknown")


def _spoken(session: ClaudeCodeSession, value: Json, message: Json, said_by: str) -> Iterator[MessagePart]:
    aside = any(
        value.get(mark) for mark in ("isMeta", "isCompactSummary", "isApiErrorMessage")
    )  # the program's own words
    role = Role.SYSTEM if aside or said_by == "system" else Role.ASSISTANT if said_by == "assistant" else Role.USER
    speaker = NAME if role is Role.ASSISTANT else SYSTEM if role is Role.SYSTEM else USER
    for part in parts_of(message.get("content"), role, speaker, session.counts):
        call = part.meta.get("call", "")
        if part.kind.endswith("tool_use"):
            session.tools[call] = part.speaker
        elif part.kind.endswith("tool_result") and part.speaker == TOOL:
            part = replace(part, speaker=session.tools.get(call, TOOL))
        origin = text(mapping(value.get("origin")).get("kind"))
        part = marked(part, origin) if part.role is Role.USER else part
        yield as_brief(part) if value.get("isSidechain") and part.role is Role.USER and origin != "human" else part


def _conversation(name: str, session: ClaudeCodeSession) -> Conversation:
    entries = list(session.entries.values())
    whole_aside = all(entry.sidechain for entry in entries)
    rewound, roots = _rewound(session.entries), _roots(session.entries)
    current: list[SourceMessage] = []
    off: dict[str, list[SourceMessage]] = {}
    links: dict[str, str] = {}
    for entry in entries:
        root = rewound.get(entry.uuid, "")
        if entry.sidechain and not whole_aside:
            root = roots[entry.uuid]
        if not root:
            current.extend(entry.messages)
            continue
        off.setdefault(root, []).extend(entry.messages)
        links.setdefault(root, session.entries[root].parent or (current[-1].origin_id if current else ""))
    branches = tuple(Branch(links[root], tuple(messages)) for root, messages in off.items() if messages)
    messages = tuple(current)
    own = f"{name}/{session.agent}" if whole_aside and session.agent else name
    return Conversation(
        SOURCE,
        own or _made_id(entries, messages),
        _title(session) or title_from([m for m in messages if m.kind != COMMAND]) or title_from(messages),
        first_time(messages),
        messages,
        branches,
        max((message.at for message in messages if message.at), default=None),
        notes(**session.meta, sidechain=whole_aside),
        session.counts,
    )


def _made_id(entries: list[ClaudeCodeEntry], messages: tuple[SourceMessage, ...]) -> str:
    """For files that name no session: the first message's own name, or one made from what was said first, and when."""
    first = entries[0].uuid
    said = (*messages, *entries[0].messages)[:1]
    return first if not first.startswith("line-") or not said else short_id(str(said[0].at), said[0].text)


def _title(session: ClaudeCodeSession) -> str:
    """The person's own title, else the summary of this session, else the program's.

    A file may begin with summaries of other sessions: those name a leaf that is not here. A single one is taken all the
    same, for the lines it summed up may have been compacted away.
    """
    own = [said for leaf, said in session.summaries if leaf in session.entries or not leaf]
    if not own and len(session.summaries) == 1:
        own = [session.summaries[0][1]]
    found = (session.titles.get("custom-title", ""), own[-1] if own else "", session.titles.get("ai-title", ""))
    return next((title for title in found if title), session.titles.get("agent-name", ""))


def _rewound(entries: dict[str, ClaudeCodeEntry]) -> dict[str, str]:
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


def _roots(entries: dict[str, ClaudeCodeEntry]) -> dict[str, str]:
    """For every line of a sub-agent the first line of its chain; each way up ends where one is known."""
    roots: dict[str, str] = {}
    for start in entries.values():
        way: list[str] = []
        seen: set[str] = set()
        node = start
        while node.sidechain and node.uuid not in roots and node.uuid not in seen:
            seen.add(node.uuid)
            way.append(node.uuid)
            node = entries.get(node.parent, node)
        if way:
            root = roots.get(node.uuid, way[-1])
            roots.update(dict.fromkeys(way, root))
    return roots
