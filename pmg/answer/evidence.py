"""What an answer is made of: a question with the talk before it, the quotes that may be shown, and how sure they are."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

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
    chance: float = 0.0  # that the first quote answers, as measured; see scoring.py
    here: bool = False  # the first quote was said in this chat


@dataclass(frozen=True, slots=True)
class Question:
    """A message without its secrets, what recall found for it (None: memory is off), and the turns of this chat before it."""

    text: str
    recalled: Recalled | None
    before: tuple[Passage, ...]
    namespace: str
    at: datetime | None = None  # the moment of asking; None: now
    told_by: datetime | None = None  # what was told after this moment is left out
    shown: tuple[str, ...] = ()  # segments that the answer before this message quoted
    answered: tuple[
        str, ...
    ] = ()  # what the answer to each of the turns before quoted first, "" where it quoted nothing

    def may_know(self, at: datetime) -> bool:
        """Whether what was told at this moment counts: memory may be asked as of an earlier day."""
        return self.told_by is None or at <= self.told_by

    @property
    def said_before(self) -> list[str]:
        """What people said in this chat, without our answers."""
        return [line.text for turn in self.before for line in turn.lines if line.role is not Role.ASSISTANT]


@dataclass(frozen=True, slots=True)
class LookedUp:
    """What was found for a question, whichever was looked for: evidence for an answer, or the lines of a summary."""

    recalled: Recalled
    evidence: Evidence | None = None
    summary: tuple[Quote, ...] | None = None
