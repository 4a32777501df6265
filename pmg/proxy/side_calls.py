"""Requests that a program makes on its own account: titles, tags, suggestions, probes, warm-ups, checks. They are passed on and not remembered.

Most are known by their shape. Where only a program's own word tells, it stands here with the program that writes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pmg.proxy.messages import ASSISTANT, USER, ModelRequest

MIN_QUOTED = 20  # characters: "yes" stands in every longer text
QUOTED = 120  # characters of what was said that tell it apart
_OPEN_WEBUI_TASK = "### Task:"
_CLAUDE_CODE = "claude-cli"
_CLAUDE_SUB_AGENT = "You are an agent for Claude Code"


@dataclass(frozen=True, slots=True)
class LastExchange:
    """The beginnings of what was said last in a conversation."""

    user: str
    answer: str


def reason(request: ModelRequest, headers: Mapping[str, str], last: Iterable[LastExchange] = ()) -> str:
    """Why this is no part of a conversation; empty where it is one. `last` is of the conversations that go on just now."""
    words = request.messages[-1].words if request.messages else ""
    program = headers.get("user-agent", "").lower()
    if not request.messages:
        return "warm-up"
    if request.max_tokens == 1 or (words.strip().lower() in ("warmup", "quota") and len(request.messages) == 1):
        return "probe"
    if request.task or (words.startswith(_OPEN_WEBUI_TASK) and _stands_alone(request)):
        return "a task of the program"
    if headers.get("x-claude-code-agent-id") or request.system.find(_CLAUDE_SUB_AGENT, 0, 2_000) >= 0:
        return "sub-agent"
    if headers.get("x-app") == "cli-bg" or (program.startswith(_CLAUDE_CODE) and not request.tools):
        return "background call of the program"
    return "about a conversation" if _quotes(request, last) else ""


def _quotes(request: ModelRequest, last: Iterable[LastExchange]) -> bool:
    """One message that quotes what was just said and answered: whoever wants a title, tags or suggestions gives the conversation with it."""
    if request.messages[0].role not in (USER, ASSISTANT) or not _stands_alone(request):
        return False
    words = _plain(request.messages[0].words + " " + request.system)
    return any(len(one.answer) >= MIN_QUOTED and one.user in words and one.answer in words for one in last)


def _stands_alone(request: ModelRequest) -> bool:
    return len(request.messages) == 1 and not request.tools


def last_exchange(user: str, answer: str) -> LastExchange:
    return LastExchange(_plain(user)[:QUOTED], _plain(answer)[:QUOTED])


def _plain(text: str) -> str:
    return " ".join(text.split())
