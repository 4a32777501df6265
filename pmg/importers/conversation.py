"""What every importer makes of a file: conversations, and problems where something could not be understood.

Handles the shape of an imported message, branch and conversation, how two are told to be the same, and who is meant by the words
that exports and people use for the two sides of a chat.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from pmg.base.model import Role

USER = "User"  # the owner of an export that names nobody
SYSTEM = "System"
TOOL = "Tool"

# Enough to see what a broken element was, little enough that a list of problems stays small in memory.
KEPT_RAW = 64_000


@dataclass(frozen=True, slots=True)
class SourceMessage:
    """One piece of one source message, verbatim.

    A source message with thinking, text and a tool call becomes several pieces with one `origin_id` and rising `part`.
    `kind` is the source's own word for what it is; `session` and `turn` are set where the source itself says what
    belongs to one session or to one turn.
    """

    origin_id: str
    role: Role
    speaker: str
    text: str
    at: datetime | None = None
    part: int = 0
    model: str = ""
    kind: str = "text"
    session: str = ""
    turn: str = ""
    meta: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Branch:
    """Messages off the current branch (a regenerated answer, an edited question), linked at the message they leave."""

    at: str
    messages: tuple[SourceMessage, ...]


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation of one source: the current branch in order, the other branches, and what was counted."""

    source: str
    origin_id: str
    title: str
    created_at: datetime | None
    messages: tuple[SourceMessage, ...]
    branches: tuple[Branch, ...] = ()
    updated_at: datetime | None = None
    meta: Mapping[str, str] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    made_id: bool = False  # the source gives no id: `origin_id` is only a guess that others may share (identity.py)
    # With such an id: turns of one name are one, whatever words an earlier version read in them.
    turns_named_by_words: bool = False
    file: str = ""  # where it stood; set by whoever reads the files

    @property
    def fingerprint(self) -> str:
        """Equal exactly when source, id and every message of every branch are equal."""
        digest = hashlib.sha256(f"{self.source}\0{self.origin_id}".encode("utf-8", "surrogatepass"))
        pieces = (*self.messages, *(message for branch in self.branches for message in branch.messages))
        for message in pieces:
            name = f"\0{message.origin_id}\0{message.part}\0{message.role}\0{message.speaker}\0{len(message.text)}\0"
            digest.update((name + message.text).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()[:32]


class Level(StrEnum):
    """How much a problem costs: a file of a kind that no reader knows, something that could not be read, was left out on
    purpose, or was read with a remark. In this order they are shown."""

    UNSUPPORTED = "unsupported"
    BROKEN = "broken"
    SKIPPED = "skipped"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Problem:
    """What did not come in, or came in with a remark: where, why, and the raw text (its first part where it is long)."""

    file: str
    position: str
    reason: str
    level: Level = Level.BROKEN
    raw: str = ""
    raw_bytes: int = 0
    count: int = 1


Result = Conversation | Problem


@dataclass(frozen=True, slots=True)
class Where:
    """A place in a source: the file (`export.zip!/conversations.json`) and the position in it (`element 3`)."""

    file: str
    position: str = ""

    def problem(self, reason: str, *, raw: str = "", level: Level = Level.BROKEN, count: int = 1) -> Problem:
        size = len(raw.encode("utf-8", "surrogatepass"))
        return Problem(self.file, self.position, reason, level, raw[:KEPT_RAW], size, count)


def short_id(*parts: str) -> str:
    """A name made from what is known, for sources that give none: the same parts always give the same name."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()[:20]


NAMES: dict[Role, frozenset[str]] = {
    Role.USER: frozenset(
        "user human you me i prompt question q client customer utilisateur usuario benutzer utente gebruiker "
        "пользователь 用户 我 ユーザー 사용자".split()
    ),
    Role.ASSISTANT: frozenset(
        "assistant ai bot model gpt chatgpt claude gemini bard copilot grok deepseek llama mistral perplexity answer a "
        "response chatbot assistente asistente assistent ассистент 助手 アシスタント 어시스턴트".split()
    )
    | {"bing chat", "ai studio", "meta ai", "le chat"},
    Role.SYSTEM: frozenset("system developer instructions".split()),
    Role.TOOL: frozenset("tool function ipython python observation".split()),
    Role.THINKING: frozenset("thinking reasoning thought thoughts".split()),
}
BY_NAME = {name: role for role, names in NAMES.items() for name in names}


def role_of(name: str) -> Role | None:
    """The role a name stands for, or None where it is somebody's own name."""
    plain = name.strip().strip("*_#:").strip().lower()
    if plain in BY_NAME:
        return BY_NAME[plain]
    return BY_NAME.get(plain.split("-")[0]) if plain.startswith(("gpt-", "claude-", "gemini-", "llama-")) else None
