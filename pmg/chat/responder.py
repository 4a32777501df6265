"""Who answers in the chat, behind one interface.

Knows: what a responder is asked and what it gives back while it is answering. Does not know: how any of them answers, how evidence is
found (`evidence.py`), or a page.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from pmg.base.model import Passage, Role
from pmg.recall.receipt import Recalled


class Tone(StrEnum):
    """How sure an answer is. Wrong while sure is the worst an answer can be."""

    SURE = "sure"
    UNSURE = "unsure"
    NOTHING = "nothing"


class QuoteKind(StrEnum):
    ANSWER = "answer"
    OLDER = "older"  # said the same matter earlier, with another value
    ALSO = "also"  # answers about as well and was said earlier, but nothing shows that the answer took its place
    AROUND = "around"  # what was said just before or after, without which the answer says little
    SESSION = "session"  # stands for its whole session in a summary


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
    kind: QuoteKind = QuoteKind.ANSWER


@dataclass(frozen=True, slots=True)
class Evidence:
    """What memory and this chat hold of an answer: the quotes that may be shown, best first, and how sure that is."""

    tone: Tone
    quotes: tuple[Quote, ...] = ()
    chance: float = 0.0  # that the first quote answers, as measured; see answer_scoring.py
    here: bool = False  # the first quote was said in this chat


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
class ChatRequest:
    """A message without its secrets, what memory gives for it (None: memory is off), and the turns of this chat before it."""

    text: str
    recalled: Recalled | None
    before: tuple[Passage, ...]
    namespace: str
    evidence: Evidence | None = None  # None: nothing was asked for, or memory is off
    summary: tuple[Quote, ...] | None = None  # None: no summary was asked for, or memory is off
    kept: bool = True  # False: nothing of this chat is written
    at: datetime | None = None  # the moment of asking; None: now
    slips: tuple[
        tuple[str, str], ...
    ] = ()  # of the finger, in what is asked: the word as it was typed and as it is meant (spelling.py)
    shown: tuple[str, ...] = ()  # segments that the answer before this message quoted
    answered: tuple[
        str, ...
    ] = ()  # what the answer to each of the turns before quoted first, "" where it quoted nothing

    @property
    def said_before(self) -> list[str]:
        """What people said in this chat, without our answers."""
        return [line.text for turn in self.before for line in turn.lines if line.role is not Role.ASSISTANT]

    @property
    def answers_before(self) -> list[str]:
        """Row for row with `said_before`: what was quoted first in answer to it."""
        rows = [*self.answered, *("" for _ in self.before[len(self.answered) :])]
        return [
            answer
            for turn, answer in zip(self.before, rows, strict=True)
            for line in turn.lines
            if line.role is not Role.ASSISTANT
        ]

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
