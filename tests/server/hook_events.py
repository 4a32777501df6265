"""Events and transcripts as the three tools write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx

from pmg.connections.hook_tools import HookTool, hook_tool


def tool(name: str) -> HookTool:
    found = hook_tool(name)
    assert found is not None
    return found


def event(name: str, session: str, **more: Any) -> dict[str, Any]:
    """With the fields that the tools send and nobody here asks for."""
    common = {"cwd": "/home/ana/garden", "permission_mode": "default", "transcript_path": None, "turn_id": "t1"}
    return {"hook_event_name": name, "session_id": session, **common, **more}


def prompted(of: str, session: str, prompt: str, **more: Any) -> dict[str, Any]:
    return event(tool(of).prompt, session, prompt=prompt, **more)


def claude_lines(session: str, *said: tuple[str, str], cwd: str = "/home/ana/garden") -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for number, (user, assistant) in enumerate(said):
        for role, text in (("user", user), ("assistant", assistant)):
            content: Any = text if role == "user" else [{"type": "text", "text": text}]
            uuid = f"{session}-{number}-{role}"
            parent = rows[-1]["uuid"] if rows else None
            rows.append({"type": role, "uuid": uuid, "parentUuid": parent, "sessionId": session, "cwd": cwd,
                         "timestamp": f"2026-10-0{number + 1}T10:00:0{len(rows) % 10}Z", "message": {"role": role, "content": content}})  # fmt: skip
    return rows


def claude_context(session: str, text: str, after: str) -> dict[str, Any]:
    """How Claude Code writes down what a hook gave it."""
    body = {"type": "hook_additional_context", "content": [text], "hookName": "UserPromptSubmit", "hookEvent": "UserPromptSubmit"}  # fmt: skip
    return {"type": "attachment", "uuid": f"{session}-context", "parentUuid": after, "sessionId": session,
            "timestamp": "2026-10-01T10:00:00Z", "attachment": body}  # fmt: skip


def codex_lines(session: str, *said: tuple[str, str]) -> list[dict[str, Any]]:
    rows = [{"timestamp": "2026-10-01T10:00:00Z", "type": "session_meta", "payload": {"id": session, "timestamp": "2026-10-01T10:00:00Z", "cwd": "/home/ana/garden"}}]  # fmt: skip
    for role, text in ((r, t) for pair in said for r, t in zip(("user", "assistant"), pair, strict=True)):
        kind = "input_text" if role == "user" else "output_text"
        rows.append({"timestamp": "2026-10-01T10:00:01Z", "type": "response_item",
                     "payload": {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}})  # fmt: skip
    return rows


def gemini_session(session: str, *said: tuple[str, str]) -> dict[str, Any]:
    rows = [{"id": f"{session}-{n}-{kind}", "timestamp": "2026-10-01T10:00:00Z", "type": kind, "content": text}
            for n, pair in enumerate(said) for kind, text in zip(("user", "gemini"), pair, strict=True)]  # fmt: skip
    return {"sessionId": session, "projectHash": "p", "startTime": "2026-10-01T10:00:00Z", "messages": rows}


def write_rows(file: Path, rows: list[dict[str, Any]]) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def write_transcript(of: str, person: Path, session: str, *said: tuple[str, str]) -> Path:
    """Where the tool would write it."""
    if of == "claude-code":
        file = person / ".claude" / "projects" / "-work-garden" / f"{session}.jsonl"
        text = "".join(json.dumps(row) + "\n" for row in claude_lines(session, *said))
    elif of == "codex":
        file = person / ".codex" / "sessions" / "2026" / "10" / "01" / f"rollout-2026-10-01-{session}.jsonl"
        text = "".join(json.dumps(row) + "\n" for row in codex_lines(session, *said))
    else:
        file = person / ".gemini" / "tmp" / "hash" / "chats" / f"session-{session}.json"
        text = json.dumps(gemini_session(session, *said))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def context_in(answer: httpx.Response) -> str:
    """What a session was given; empty where it was given nothing."""
    assert answer.status_code in (200, 204), answer.text
    if answer.status_code == 204:
        assert answer.content == b""
        return ""
    told = answer.json()["hookSpecificOutput"]
    assert set(answer.json()) == {"hookSpecificOutput"} and set(told) == {"hookEventName", "additionalContext"}
    return str(told["additionalContext"])
