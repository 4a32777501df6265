"""What of a turn counts when two are held against each other: what people said, and the answers that say something.

"Noted." answers everything alike: it makes two turns no more and no less the same. Knows: which lines are people's, by the catalogue or by the text,
and which answers may be left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pmg.base.model import Line, Role
from pmg.base.sentences import asks, pieces
from pmg.index.catalogue import ROLES, Catalogue
from pmg.ingest.asked import MAX_READ, is_an_answer
from pmg.ingest.intent import ASKING, Intent, intent
from pmg.ingest.timed_text import SaidText, TimedText
from pmg.store.rows import Numbers

PEOPLE = (Role.USER, Role.PERSON)
_CODES = [ROLES.index(role) for role in PEOPLE]


def by_people(catalogue: Catalogue, lines: Numbers) -> NDArray[np.bool_]:
    """Which of some lines a person said; where in a turn nobody did, all of its lines."""
    segments, place = np.unique(catalogue.segments_of_lines(lines), return_inverse=True)
    owner = np.repeat(np.arange(len(segments)), catalogue.segment("lines")[segments])
    somebody = np.zeros(len(segments), dtype=np.bool_)
    somebody[owner[_is_persons(catalogue, catalogue.lines_of(segments))]] = True
    return np.asarray(_is_persons(catalogue, lines) | ~somebody[place])


def _is_persons(catalogue: Catalogue, lines: Numbers) -> NDArray[np.bool_]:
    return np.isin(catalogue.line("role")[lines], _CODES)


def own_words(text: TimedText) -> SaidText:
    """What people said; all of it where nobody did."""
    return SaidText(tuple(line for line in text.lines if line.role in PEOPLE) or text.lines, text.at)


def answers(text: TimedText) -> tuple[str, ...]:
    """What was said to people by others than people."""
    own = own_words(text).lines
    return tuple(line.text for line in text.lines if line not in own)


def what_counts(text: TimedText) -> SaidText:
    """Without an assistant's few words on what it was told. What it was asked or bidden it answers, and that counts."""
    own = own_words(text).lines
    if own == text.lines or any(map(_wants_an_answer, own)):
        return SaidText(text.lines, text.at)
    return SaidText(tuple(line for line in text.lines if not _is_formula(line)) or text.lines, text.at)


def _is_formula(line: Line) -> bool:
    return line.role is Role.ASSISTANT and not is_an_answer(line.text)


def _wants_an_answer(line: Line) -> bool:
    """In doubt, for a text that is too long to be looked at, too."""
    return len(line.text) > MAX_READ or any(map(_asks_or_bids, _sentences(line.text)))


def _sentences(text: str) -> Sequence[str]:
    return [text[start:end].strip() for start, end in pieces(text)]


def _asks_or_bids(sentence: str) -> bool:
    return asks(sentence) or intent(sentence) in (*ASKING, Intent.ACTION)
