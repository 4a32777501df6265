"""A line soon after the one that would be quoted which says that it is a correction ("Correction, Anna has the key"), whoever says it.

Knows: the words that open such a line. What a speaker takes back of their own is read in told_change.py and pmg/people/told_values.py.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from pmg.base.model import Role, Segment
from pmg.chat.answer_type import all_expected, lacks
from pmg.chat.responder import ChatRequest, Evidence, Quote, QuoteKind, Tone
from pmg.index.terms import document_terms, query_terms

if TYPE_CHECKING:
    from pmg.engine import Engine

NEAR = 6  # turns in which a group answers what one of them said
MUCH = 4  # words that question and answer share, of which a correction may leave one out
_OPENS = re.compile(
    r"\W*(?:(?:(?:a )?(?:small|quick|minor)|(?:eine )?kleine) )?(?:correction|korrektur|berichtigung)\s*[,:.;–—-]\s*\w",
    re.IGNORECASE,
)


def correction_of(engine: Engine, ask: ChatRequest, found: Evidence) -> Quote | None:
    """The last such line within the next turns of the first quote's session that is about the same and may hold what is asked for."""
    first = next((quote for quote in found.quotes if quote.kind is QuoteKind.ANSWER), None)
    if first is None or found.tone is not Tone.SURE:
        return None
    right = None
    for one in _first_and_next(engine, ask, first):
        for place, line in enumerate(one.lines):
            if one.id == first.segment and place <= first.line:
                continue
            if line.role in (Role.USER, Role.PERSON) and _tells_instead(ask.text, first.text, line.text):
                at = line.at or one.at
                right = Quote(one.id, place, 0, len(line.text), line.text, line.speaker, at, one.session_name)
    return right


def _first_and_next(engine: Engine, ask: ChatRequest, first: Quote) -> list[Segment]:
    """The turn of the quote and those near behind it, in their order; a session may be long, and is not read for them."""
    catalogue = engine.indexes.catalogue
    number = np.array(list(engine.reads.numbers_of([first.segment]).values()), dtype=np.int64)
    with engine.indexes.lock.reading():
        number = number[(number > 0) & (number <= catalogue.size)]
        near = np.unique(np.concatenate([catalogue.chain(number, step) for step in range(NEAR + 1)]))
        near = near[near > 0]
        near = near[catalogue.showable(near, catalogue.namespaces.find(ask.namespace))]
    return sorted(engine.reads.segments(near.tolist()), key=lambda one: one.index)


def _tells_instead(question: str, said: str, line: str) -> bool:
    """Whether a line corrects what was said in answer to a question: it names all that question and answer share, of much all but one word, and may
    hold such an answer. "Correction: the team lunch costs 12 euros" says nothing of when the team meets."""
    opening = _OPENS.match(line)
    if opening is None:
        return False
    told = line[opening.end() - 1 :]
    shared = set(query_terms(question)) & set(document_terms(said))
    missing = shared - set(document_terms(told))
    is_about_it = bool(shared) and len(missing) <= (len(shared) >= MUCH)
    return is_about_it and not lacks(all_expected(question), told, is_past=False)


def corrects(text: str) -> bool:
    return _OPENS.match(text) is not None
