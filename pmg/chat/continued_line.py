"""A line that goes on about what the line before named: "her leaving do is at the Red Lion", told after "Tasha is moving to bed management".

Knows: how such a line opens in English and German, and which line it goes on from. How much it gains by that is score_adjustment.py's. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pmg.base.model import Passage, Role
from pmg.base.words import STOP_WORDS
from pmg.chat.excerpts import ExcerptPiece
from pmg.chat.short_statement import tells
from pmg.ingest.asked import only_asks
from pmg.people.told_values import opens_with_correction

MAX_BACK = 4  # turns back to the line that names it: after more, nobody would be understood

_PRONOUN = r"(?:he|she|it|they|his|her|its|their|er|sie|es|ihr(?:e[mnrs]?)?|sein(?:e[mnrs]?)?)"
# "After lunch it was 11.2": a time or a place may stand before it, nobody's name.
_OPENING = r"(?:(?i:and|but|so|then|also|now|today|yesterday|tomorrow|und|aber|dann|jetzt|heute|gestern|morgen)|(?i:after|before|at|on|in|since|until|by|nach|vor|am|um|im|seit|bis)\s+(?:the\s+|der\s+|dem\s+)?[^\W_]+)"
_GOES_ON = re.compile(rf"\W*(?:{_OPENING},?\s+){{0,2}}(?i:{_PRONOUN})(?:['’](?:s|re|ll|d))?\s+\w")
# "Also Ned, and Cyril if his back lets him": more of what the line before told.
_ADDS = re.compile(r"\W*(?:(?i:and|oh|und|ach)[\s,]+)*(?i:also|außerdem|plus)\s+(?P<more>[^.,;:!?\n]{2,60})(?!:)")
_CLAUSE = re.compile(r"\b(?:if|when|because|unless|wenn|weil|falls)\b", re.IGNORECASE)
MAX_ADDED = 3  # words of what is added without a verb
_PERSON = re.compile(r"\b(?:he|she|er|sie)\b", re.IGNORECASE)
# "It's raining", "es regnet", "it turns out that": of nothing that was named
_OF_NOTHING = re.compile(
    r"\W*(?:it(?:['’]s| is| was)? (?:(?:very|so|really|too) )?(?:raining|snowing|cold|hot|warm|late|early|time|turns out|seems|looks like|my\b|our\b|[\w]+['’]s\b|takes?\b|took\b|costs?\b[^,;]*\bto\b|\w+day\b)"
    r"|they(?:['’]re| are)? (?:say|said|forecast\w*|predict\w*)\b|es (?:regnet|schneit|gibt|gab|dauert|(?:ist|war) (?:\w+ ){0,3}(?:kalt|heiß|warm|spät|schön)))",
    re.IGNORECASE,
)


def goes_on(text: str) -> bool:
    """Whether it speaks of somebody or something by a pronoun alone, from its beginning."""
    return (_GOES_ON.match(text) is not None and _OF_NOTHING.match(text) is None) or adds_to(text)


def adds_to(text: str) -> bool:
    """Whether it names more of what the line before told, without a verb of its own."""
    found = _ADDS.match(text)
    if found is None:
        return False
    more = _CLAUSE.split(found["more"])[0].strip()
    words = set(more.lower().split())
    says_more = any(map(str.isdigit, more)) or tells(more) or not words.isdisjoint(STOP_WORDS - {"and"})
    return 0 < len(words) <= MAX_ADDED and not says_more


def means_a_person(text: str) -> bool:
    """By a pronoun of its own ("she starts"), not as the owner of something else ("her predecessor"), nor as "it"."""
    found = _GOES_ON.match(text)
    return found is not None and _PERSON.search(found[0]) is not None


def goes_on_from(line: ExcerptPiece, turns: Mapping[tuple[str, int], Passage]) -> list[ExcerptPiece]:
    """The lines of the same person that `line` goes on from, back to the one that names what it is about; none where it goes on about nothing, or that one is not
    known. `turns` by session and place. Only of what was told to this program: in a talk between people anybody may be meant."""
    here = line.passage
    if not line.is_told_here or not goes_on(line.text):
        return []
    found: list[ExcerptPiece] = []
    for back in range(1, MAX_BACK + 1):
        before = turns.get((here.session_id, here.index - back))
        told = _told_in(before) if before is not None else None
        if told is not None:
            found.append(told)
            if not goes_on(told.text) and not opens_with_correction(told.text):
                return found
    return []


def _told_in(turn: Passage) -> ExcerptPiece | None:
    """Its last line that tells something: what was asked in between is no news."""
    lines = [at for at, line in enumerate(turn.lines) if line.role is Role.USER and not only_asks(line.text)]
    return ExcerptPiece(turn, lines[-1], 0, len(turn.lines[lines[-1]].text)) if lines else None
