"""The prompt histories that Claude Code and Codex keep beside their transcripts: what was typed, without answers.

Knows: both forms of history.jsonl. One conversation a session (Claude Code's older lines name only a project).
Does not know: transcripts, which hold the same prompts with their answers.
"""

from __future__ import annotations

from collections.abc import Iterator

from pmg.base.model import Role
from pmg.importers.conversation import USER, Conversation, Level, Result, SourceMessage
from pmg.importers.message_parts import MessagePart, first_time, numbered, title_from
from pmg.importers.reader import Row
from pmg.importers.reading.fields import Json, first_text, mapping, notes, raw, text
from pmg.importers.reading.times import time_of


def claims(value: Json) -> bool:
    return _is_codex(value) or _is_claude(value)


def _is_codex(value: Json) -> bool:
    return {"session_id", "ts", "text"} <= value.keys()


def _is_claude(value: Json) -> bool:
    return "display" in value and ("project" in value or "pastedContents" in value)


def gather(rows: Iterator[Row]) -> Iterator[Result]:
    talks: dict[tuple[str, str], list[SourceMessage]] = {}
    for number, row in enumerate(rows):
        value = row.value
        if not claims(value):
            yield row.where.problem("not a line of a prompt history", raw=raw(value), level=Level.SKIPPED)
            continue
        source = "codex" if _is_codex(value) else "claude-code"
        name = first_text(value, "session_id", "sessionId", "project") or "history"
        pasted = [text(mapping(each).get("content")) for each in mapping(value.get("pastedContents")).values()]
        parts = [MessagePart(Role.USER, USER, first_text(value, "text", "display"), "prompt")]
        parts += [MessagePart(Role.DOCUMENT, USER, each, "pasted") for each in pasted]
        at = time_of(value, "ts", "timestamp")
        talks.setdefault((source, name), []).extend(numbered(f"prompt-{number}", parts, at=at))
    for (source, name), messages in talks.items():
        if messages:
            own, title, started = f"history/{name}", title_from(messages), first_time(messages)
            counts = {"messages": len(messages)}
            meta = notes(what="prompt history")
            yield Conversation(source, own, title, started, tuple(messages), (), None, meta, counts)
