"""The lines of memory that plainly say yes or no to a question, the newest of them, and what was said to the contrary before.

Knows: whose lines count and when nothing is said after all: somebody else's words, a later line that speaks of the matter and denies or doubts something.
What one line says is plain_yes_no.py's. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pmg.people.entities import folded
from pmg.people.found_lines import MatchedLine
from pmg.people.plain_yes_no import casts_doubt, speaks_of, verdict, yes_no_question


@dataclass(frozen=True, slots=True)
class PlainAnswer:
    """`older` said the contrary before."""

    is_yes: bool
    row: MatchedLine
    older: MatchedLine | None = None


def plain_answer(question: str, rows: Sequence[MatchedLine], speakers: Collection[str]) -> PlainAnswer | None:
    """`speakers` are the names, folded, of the person whose memory it is: only what they said themselves counts."""
    asked = yes_no_question(question)
    if asked is None:
        return None
    mine = sorted((row for row in rows if folded(row.found.speaker) in speakers), key=lambda row: row.found.said_at)
    told = [(row, verdict(asked, row.found.text)) for row in mine]
    stated = [(row, is_yes) for row, is_yes in told if is_yes is not None]
    if not stated:
        return None
    last, is_yes = stated[-1]
    contrary = [row for row, other in stated if other is not is_yes]
    if contrary and contrary[-1].found.said_at == last.found.said_at:
        return None  # nobody can say which came first
    since = [row.found.text for row, other in told if other is None and row.found.said_at >= last.found.said_at]
    if any(speaks_of(asked, text) and casts_doubt(asked, text) for text in since):
        return None
    return PlainAnswer(is_yes, last, contrary[-1] if contrary else None)
