"""A line soon after the one that would be quoted which says that it is a correction ("Correction, Anna has the key"), whoever says it.

Knows: the words that open such a line. What a speaker takes back of their own is read in told_change.py and pmg/people/told_values.py.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pmg.chat.responder import ChatRequest, Evidence, Quote, QuoteKind, Tone
from pmg.index.terms import document_terms, query_terms
from pmg.model import Role, State

if TYPE_CHECKING:
    from pmg.engine import Engine

NEAR = 6  # turns in which a group answers what one of them said
_OPENS = re.compile(
    r"\W*(?:(?:(?:a )?(?:small|quick|minor)|(?:eine )?kleine) )?(?:correction|korrektur|berichtigung)\s*[,:.;–—-]\s*\w",
    re.IGNORECASE,
)


def correction_of(engine: Engine, ask: ChatRequest, found: Evidence) -> Quote | None:
    """The last such line behind the first quote, in the same session, that shares a word with the question."""
    first = next((quote for quote in found.quotes if quote.kind is QuoteKind.ANSWER), None)
    if first is None or found.tone is not Tone.SURE:
        return None
    numbers = engine.reads.numbers_of([first.segment])
    said = engine.reads.segments(sorted(numbers.values()))
    if not said:
        return None
    wanted = set(query_terms(ask.text))
    right = None
    for one in engine.reads.segments_of(said[0].session_id):
        if one.state is not State.ACTIVE or not said[0].index <= one.index <= said[0].index + NEAR:
            continue
        for place, line in enumerate(one.lines):
            if one.id == first.segment and place <= first.line:
                continue
            if (
                line.role in (Role.USER, Role.PERSON)
                and corrects(line.text)
                and wanted & set(document_terms(line.text))
            ):
                at = line.at or one.at
                right = Quote(one.id, place, 0, len(line.text), line.text, line.speaker, at, one.session_name)
    return right


def corrects(text: str) -> bool:
    return _OPENS.match(text) is not None
