"""One event of a tool, read from what it sends. Whatever a tool adds to it is let pass; what we need is checked."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from pmg.base.errors import InputError
from pmg.connections.hook_tools import HookTool

MAX_BYTES = 4 * 1024 * 1024  # a prompt with a pasted file is far below
MAX_NAME = 200  # of a session, which tools name by a UUID
MAX_PATH = 4_096


@dataclass(frozen=True, slots=True)
class HookEvent:
    tool: HookTool
    name: str
    session: str
    prompt: str = ""
    cwd: str = ""
    transcript: str = ""
    source: str = ""  # why a session starts: new, resumed, compacted

    @property
    def tells(self) -> bool:
        return self.name in self.tool.tells


def read_event(tool: HookTool, body: bytes) -> HookEvent:
    event = _object(body)
    name, session = _text(event, "hook_event_name"), _text(event, "session_id")
    if name not in tool.events:
        raise InputError(f"{name[:60]!r} is no event that is taken from {tool.title}: {', '.join(tool.events)}.")
    if not session or len(session) > MAX_NAME:
        raise InputError(f"session_id has {len(session)} characters: give 1 to {MAX_NAME}.")
    return HookEvent(
        tool,
        name,
        session,
        prompt=_text(event, "prompt"),
        cwd=_text(event, "cwd")[:MAX_PATH],
        transcript=_text(event, "transcript_path"),
        source=_text(event, "source")[:MAX_NAME],
    )


def _object(body: bytes) -> dict[str, Any]:
    try:
        event = json.loads(body)
    except (ValueError, RecursionError):
        raise InputError("The body is not JSON in UTF-8: send the event as the tool gives it.") from None
    if not isinstance(event, dict):
        raise InputError(f"The body is a JSON {type(event).__name__}: send the event as the tool gives it, one object.")
    return event


def _text(event: dict[str, Any], key: str) -> str:
    """A text of whole characters; empty where the tool says nothing (Codex: null)."""
    value = event.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InputError(f"{key} is a {type(value).__name__}: it must be text.")
    return value.encode("utf-8", "replace").decode()
