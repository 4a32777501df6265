"""An answer as it is given out: one type for `pmg ask`, Python, REST and MCP."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pmg.answer.evidence import QuoteKind, Tone


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A line that answers, with its provenance: characters `start` to `end` of it are quoted. `note` says what else is known of it."""

    text: str
    speaker: str
    segment: str
    line: int
    start: int
    end: int
    conversation: str
    session_name: str
    said_at: datetime
    kind: QuoteKind
    note: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """`lead` is the sentence before the lines; `chance` how likely the first line answers, as measured. `tone` is none for a summary of a time."""

    question: str
    lead: str
    tone: Tone | None
    chance: float
    lines: tuple[AnswerLine, ...]
    notes: tuple[str, ...] = ()
