"""Who answers in the chat, behind one interface.

Knows: what a responder is asked and what it gives back while it is answering. Does not know: how any of them answers, how evidence is
found (pmg/answer), or a page.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from pmg.answer.evidence import Evidence, Question, Quote, Tone


@dataclass(frozen=True, slots=True)
class Citation:
    """`[number]` in a model's answer. A number that stands for no memory in front of it has no segment."""

    number: int
    segment: str

    @property
    def known(self) -> bool:
        return bool(self.segment)


@dataclass(frozen=True, slots=True)
class Unsupported:
    """Characters `start` to `end` of an answer that cite no memory, or stand in none."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Used:
    """A memory that an answer rests on, and how recall came to it: entry, lateral, vertical, or this chat."""

    segment: str
    role: str


class CutOff(StrEnum):
    """Why an answer is not whole."""

    STOPPED = "stopped"  # the person had enough
    BROKEN = "broken off"  # whoever answered, or the page, was gone


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """The answer as far as it has come; each one replaces the one before."""

    text: str
    quotes: tuple[Quote, ...] = ()
    used: tuple[Used, ...] = ()
    tone: Tone | None = None
    citations: tuple[Citation, ...] = ()
    checked: bool = False  # a model's answer to a question, with its citations checked: what cites nothing is marked
    unproven: tuple[Unsupported, ...] = ()  # characters of it that stand in nothing the model was shown
    cut_off: CutOff | None = None  # None: it is whole, or still coming
    # Whoever answers knows that no more will come: a page that goes away now lost nothing of it.
    complete: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class ChatRequest(Question):
    """A message with what was found for it; of `evidence` and `summary` that which was looked for, neither where memory is off."""

    evidence: Evidence | None = None
    summary: tuple[Quote, ...] | None = None
    kept: bool = True  # False: nothing of this chat is written

    @property
    def found(self) -> tuple[Quote, ...]:
        """What was found for it, whichever was looked for."""
        return (*(self.evidence.quotes if self.evidence else ()), *(self.summary or ()))


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
