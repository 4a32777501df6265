"""Gemini CLI: session recordings (one object, or an append-only log of lines), checkpoints, and logs.json.

Knows: messages with thoughts and tool calls; `$set` and `$rewindTo` in the log; contents with role and parts.
Does not know: the parts (content.py). Holds one file's messages at a time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from pmg.base.model import Role
from pmg.importers.conversation import TOOL, Branch, Result, SourceMessage, Where
from pmg.importers.message_parts import MessagePart, as_briefs, assembled, first_time, numbered, title_from
from pmg.importers.platforms.gemini.content import NAME, ROLES, SPEAKERS, parts_of, response
from pmg.importers.reader import Row
from pmg.importers.reading.fields import Json, first_text, items, joined, mapping, mappings, notes, raw, text
from pmg.importers.reading.times import parse_time

SOURCE = "gemini-cli"
# What the program tells the model before anybody has said a word: the day, the folder, instructions of tools.
PROGRAM = re.compile(r"\s*<session_context>.*</session_context>\s*\Z", re.DOTALL)


def claims(value: Json) -> bool:
    if isinstance(value.get("history"), list) and any("parts" in each for each in mappings(value["history"])):
        return True
    if _is_result(value):
        return True
    return "sessionId" in value and isinstance(value.get("messages"), list) and "type" not in value


def parse(value: Json, where: Where) -> Iterator[Result]:
    if _is_result(value):
        own = text(value.get("session_id"))  # the session's own recording tells it whole
        head = {"sessionId": f"result/{own}" if own else ""}
        yield from _conversation(head, [{"type": "gemini", "content": value["response"]}], (), where)
        return
    yield from _conversation(value, mappings(value.get("messages", value.get("history"))), (), where)


def _is_result(value: Json) -> bool:
    """What `gemini -p --output-format json` gives: an answer and numbers about it."""
    return isinstance(value.get("response"), str) and isinstance(value.get("stats"), dict)


def claims_row(value: Json) -> bool:
    if "$set" in value or "$rewindTo" in value or ("sessionId" in value and "projectHash" in value):
        return True
    if "role" in value and isinstance(value.get("parts"), list):
        return True
    return {"sessionId", "messageId", "message"} <= value.keys()


def gather(rows: Iterator[Row]) -> Iterator[Result]:
    """Replay the log: a line with an id writes that message, `$rewindTo` takes back the message it names and all
    after it (they stay as a branch), `$set` changes the head. Rows of several sessions come from logs.json."""
    head: Json = {}
    messages: dict[str, Json] = {}
    taken_back: list[tuple[str, list[Json]]] = []
    where: Where | None = None
    for index, row in enumerate(rows):
        where = where or row.where
        value = row.value
        if "$rewindTo" in value:
            taken_back.append(_rewind(messages, text(value["$rewindTo"])))
        elif _is_message(value):
            messages[_name(value, index)] = value
        else:
            changes = mapping(value.get("$set")) or value
            for number, each in enumerate(mappings(changes.get("messages"))):
                messages.setdefault(_name(each, number), each)  # compression rewrites the list; nothing is lost
            head |= {key: item for key, item in changes.items() if key != "messages"}
    if where is None:
        return
    yield from _sessions(head, list(messages.values()), taken_back, where)


def _is_message(value: Json) -> bool:
    return "parts" in value or "messageId" in value or ("type" in value and ("content" in value or "id" in value))


def _name(value: Json, index: int) -> str:
    if "messageId" in value:
        return f"{text(value.get('sessionId'))}-{text(value.get('messageId'))}-{text(value.get('timestamp'))}"
    return text(value.get("id")) or f"message-{index}"


def _rewind(messages: dict[str, Json], target: str) -> tuple[str, list[Json]]:
    names = list(messages)
    start = names.index(target) if target in messages else len(names)
    gone = [messages.pop(name) for name in names[start:]]
    return (names[start - 1] if start else ""), gone


def _sessions(
    head: Json, messages: list[Json], taken_back: list[tuple[str, list[Json]]], where: Where
) -> Iterator[Result]:
    if head or taken_back or not all("messageId" in each for each in messages):
        yield from _conversation(head, messages, taken_back, where)
        return
    by_session: dict[str, list[Json]] = {}
    for each in messages:
        by_session.setdefault(text(each.get("sessionId")), []).append(each)
    for name, rows in by_session.items():
        yield from _conversation({"sessionId": name}, rows, (), where)


def _conversation(
    head: Json, rows: list[Json], taken_back: Iterable[tuple[str, list[Json]]], where: Where
) -> Iterator[Result]:
    counts: Counter[str] = Counter()
    messages = _messages(rows, counts)
    branches = tuple(Branch(at, said) for at, gone in taken_back if (said := _messages(gone, counts)))
    if head.get("kind") == "subagent":
        messages = as_briefs(messages, NAME)
        branches = tuple(replace(one, messages=as_briefs(one.messages, NAME)) for one in branches)
    if not messages and not branches:
        yield where.problem("a Gemini session without messages", raw=raw(head))
        return
    started = parse_time(head.get("startTime")) or first_time(messages)
    folders = ", ".join(text(each) for each in items(head.get("directories")))
    yield assembled(
        SOURCE,
        first_text(head, "sessionId"),
        text(head.get("summary")) or title_from(messages),
        started,
        messages,
        branches,
        parse_time(head.get("lastUpdated")),
        notes(project=head.get("projectHash"), cwd=folders, kind=head.get("kind")),
        counts,
    )


def _messages(rows: list[Json], counts: Counter[str]) -> tuple[SourceMessage, ...]:
    found: list[SourceMessage] = []
    for index, row in enumerate(rows):
        counts["messages"] += 1
        said = numbered(
            _name(row, index),
            _parts(row, counts),
            at=parse_time(row.get("timestamp")),
            model=text(row.get("model")),
        )
        counts["empty"] += not said
        found.extend(said)
    return tuple(found)


def _parts(row: Json, counts: Counter[str]) -> Iterator[MessagePart]:
    written = first_text(row, "role", "type").lower()
    role = ROLES.get(written, Role.SYSTEM)
    if written not in ROLES:
        counts[f"unknown role:{written}"] += 1
    for each in mappings(row.get("thoughts")):
        said = joined([text(each.get("subject")), text(each.get("description"))])
        yield MessagePart(Role.THINKING, NAME, said, "thought")
    content = row.get("parts", row.get("content", row.get("message")))
    for part in parts_of(content, role, counts):
        if role is Role.USER and PROGRAM.match(part.text):
            counts["silent:session_context"] += 1
            continue
        answers = part.kind == "function_response" and role is Role.USER
        yield MessagePart(Role.TOOL, part.speaker, part.text, part.kind) if answers else part
    for call in mappings(row.get("toolCalls")):
        yield from _tool(call)
    if not content and row.get("displayContent"):
        yield MessagePart(role, SPEAKERS[role], text(row["displayContent"]))


def _tool(call: Json) -> Iterator[MessagePart]:
    name = first_text(call, "name", "displayName") or TOOL
    yield MessagePart(Role.TOOL, name, raw(call.get("args") or {}), "function_call", notes(status=call.get("status")))
    results = [
        response(mapping(each["functionResponse"])) if "functionResponse" in each else text(each.get("text"))
        for each in mappings(call.get("result"))
    ]
    shown = call.get("resultDisplay")
    said = joined(results) or (shown if isinstance(shown, str) else raw(shown) if shown else "")
    yield MessagePart(Role.TOOL, name, said, "function_response")
