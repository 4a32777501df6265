"""GitHub Copilot's chat in VS Code: chatSessions/*.json, the newer *.jsonl logs of changes, and exported chats.

A session is a list of requests; each holds the question and the pieces of its answer. `state_database.py` finds the
sessions that older versions keep in state.vscdb.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from pmg.base.model import Role
from pmg.importers.conversation import SYSTEM, TOOL, USER, Level, Result, SourceMessage, Where
from pmg.importers.message_parts import MessagePart, assembled, first_time, numbered, placeholder, title_from
from pmg.importers.reader import Row
from pmg.importers.reading.fields import Json, first_text, items, mapping, mappings, notes, raw, text
from pmg.importers.reading.times import parse_time

SOURCE = "vscode-copilot"
NAME = "GitHub Copilot"
# Pieces about the program: where an edit may be undone, what is being prepared.
IGNORED = {"undoStop", "prepareToolInvocation", "mcpServersStarting", "codeblockUri", "progressMessage", "confirmation"}
IGNORED |= {"progressTaskSerialized", "progressTask", "command", "warning", "clearToPreviousToolInvocation"}


def claims(value: Json) -> bool:
    requests = mappings(value.get("requests"))
    known = "requesterUsername" in value or "responderUsername" in value or "sessionId" in value
    return known and isinstance(value.get("requests"), list) and (not requests or "message" in requests[0])


def parse(value: Json, where: Where) -> Iterator[Result]:
    counts: Counter[str] = Counter()
    name = first_text(value, "responderUsername") or NAME
    user = first_text(value, "requesterUsername") or USER
    messages: list[SourceMessage] = []
    for index, request in enumerate(mappings(value.get("requests"))):
        messages.extend(_exchange(request, index, user, name, counts))
    if not messages:
        yield where.problem("a Copilot chat without words", raw=raw(value), level=Level.SKIPPED)
        return
    own = text(value.get("sessionId"))
    started = parse_time(value.get("creationDate")) or first_time(messages)
    yield assembled(
        SOURCE,
        own,
        first_text(value, "customTitle", "computedTitle", "title") or title_from(messages),
        started,
        messages,
        updated_at=parse_time(value.get("lastMessageDate")),
        counts=counts,
    )


def claims_log(value: Json) -> bool:
    return value.get("kind") == 0 and claims(mapping(value.get("v")))


def gather(rows: Iterator[Row]) -> Iterator[Result]:
    """Replays a log: 0 is the whole session, 1 sets a value at a path, 2 adds to the list at a path, 3 takes away."""
    session: Json = {}
    where: Where | None = None
    for row in rows:
        where = where or row.where
        if row.value.get("kind") == 0:
            session = mapping(row.value.get("v"))
        elif not _apply(session, row.value):
            yield row.where.problem("a change that does not fit the session before it", raw=raw(row.value))
    if where is not None:
        yield from parse(session, where)


def _apply(session: Json, change: Json) -> bool:
    path = items(change.get("k"))
    if not path:
        return False
    holder: Any = session
    try:
        for step in path[:-1]:
            holder = holder[step]
        if change.get("kind") == 1:
            holder[path[-1]] = change.get("v")
        elif change.get("kind") == 2:
            target = holder[path[-1]]
            del target[int(change.get("i", len(target))) :]
            target.extend(items(change.get("v")))
        elif change.get("kind") == 3:
            del holder[path[-1]]
        else:
            return False
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        return False
    return True


def _exchange(request: Json, index: int, user: str, name: str, counts: Counter[str]) -> Iterator[SourceMessage]:
    own = text(request.get("requestId")) or f"request-{index}"
    at = parse_time(request.get("timestamp"))
    counts["messages"] += 2
    asked = request.get("message")
    said = asked if isinstance(asked, str) else text(mapping(asked).get("text"))
    yield from numbered(own, [MessagePart(Role.USER, user, said), *_attached(request, user)], at=at)
    result = mapping(request.get("result"))
    elapsed = mapping(result.get("timings")).get("totalElapsed")
    later = at + timedelta(milliseconds=elapsed) if at and isinstance(elapsed, int | float) else at
    parts = [*_answer(request.get("response"), name, counts)]
    failed = text(mapping(result.get("errorDetails")).get("message"))
    parts.append(MessagePart(Role.SYSTEM, SYSTEM, failed, "error"))
    answered = text(request.get("responseId")) or f"{own}-answer"
    model = first_text(request, "modelId")
    yield from numbered(answered, parts, at=later, model=model, meta=notes(canceled=bool(request.get("isCanceled"))))


def _attached(request: Json, user: str) -> Iterator[MessagePart]:
    for each in mappings(mapping(request.get("variableData")).get("variables")):
        if not each.get("automaticallyAdded"):
            yield MessagePart(Role.DOCUMENT, user, placeholder("attachment", text(each.get("name"))), "attachment")


def _answer(response: object, name: str, counts: Counter[str]) -> Iterator[MessagePart]:
    """The pieces in order; words and the names of files between them are one text."""
    words = ""
    for piece in [response] if isinstance(response, str | dict) else items(response):
        more = piece if isinstance(piece, str) else _words(mapping(piece))
        if more is not None:
            words += more
            continue
        yield MessagePart(Role.ASSISTANT, name, words)
        words = ""
        yield from _piece(mapping(piece), name, counts)
    yield MessagePart(Role.ASSISTANT, name, words)


def _words(piece: Json) -> str | None:
    kind = text(piece.get("kind"))
    if kind == "inlineReference":
        found = mapping(piece.get("inlineReference"))
        path = first_text(found, "path", "fsPath") or text(mapping(found.get("uri")).get("path"))
        return f"`{text(piece.get('name')) or path.rpartition('/')[2]}`"
    if kind in ("", "markdownContent", "markdownVuln"):
        content = piece.get("content", piece.get("value"))
        said = mapping(content).get("value") if isinstance(content, dict) else content
        return said if isinstance(said, str) else None
    return None


def _piece(piece: Json, name: str, counts: Counter[str]) -> Iterator[MessagePart]:
    kind = text(piece.get("kind"))
    if kind == "thinking":
        said = piece.get("value")
        yield MessagePart(Role.THINKING, name, said if isinstance(said, str) else raw(said or ""), kind)
    elif kind == "toolInvocationSerialized":
        yield MessagePart(Role.TOOL, text(piece.get("toolId")) or TOOL, _invoked(piece), "tool_call")
    elif kind in ("textEditGroup", "notebookEditGroup"):
        path = text(mapping(piece.get("uri")).get("path"))
        edits = [text(each.get("text")) for some in items(piece.get("edits")) for each in mappings(some)]
        yield MessagePart(Role.TOOL, "edit", "\n".join([path, *edits]), "edit")
    elif kind in IGNORED:
        counts[f"silent:{kind}"] += 1
    else:
        counts[f"unknown:{kind}"] += 1
        yield MessagePart(Role.ASSISTANT, name, raw(piece), kind or "unknown")


def _invoked(piece: Json) -> str:
    told = [_message(piece.get("pastTenseMessage")) or _message(piece.get("invocationMessage"))]
    details = piece.get("resultDetails") or piece.get("toolSpecificData")
    return "\n".join(filter(None, [*told, raw(details) if details else ""]))


def _message(value: object) -> str:
    return value if isinstance(value, str) else text(mapping(value).get("value"))
