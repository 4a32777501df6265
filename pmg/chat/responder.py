"""Who answers in the chat, behind one interface.

Knows: what a responder is asked and what it gives back while it is answering. Those that answer are extractive.py, openai.py and local.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pmg.model import Passage
from pmg.recall.receipt import Recalled


@dataclass(frozen=True, slots=True)
class Quote:
    """A piece of a memory, word for word: characters `start` to `end` of one of its lines. An unkept memory has no id."""

    segment: str
    line: int
    start: int
    end: int
    text: str
    speaker: str
    at: datetime
    title: str


@dataclass(frozen=True, slots=True)
class Used:
    """A memory that an answer rests on, and how recall came to it: entry, lateral, vertical, or this chat."""

    segment: str
    role: str


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """The answer as far as it has come; each one replaces the one before."""

    text: str
    quotes: tuple[Quote, ...] = ()
    used: tuple[Used, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A message without its secrets, what memory gives for it (None: memory is off), and the turns of this chat before it."""

    text: str
    recalled: Recalled | None
    before: tuple[Passage, ...]
    namespace: str


class Responder(Protocol):
    @property
    def where(self) -> str:
        """Where text goes, in one sentence for the person."""
        ...

    @property
    def leaves(self) -> bool:
        """True if text leaves this machine."""
        ...

    @property
    def budget_tokens(self) -> int | None:
        """How large a block of memories it can use; None: as configured."""
        ...

    def answer(self, ask: ChatRequest) -> Iterator[ChatAnswer]: ...
