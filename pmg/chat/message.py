"""What kind of message it is: a question, something told, or a greeting; and what to search memory with.

Knows: a few signs of each in English and German, and question marks in any script. Memory is searched by turn.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from pmg.words import STOP_WORDS, count_words


class MessageKind(StrEnum):
    QUESTION = "question"
    TOLD = "told"
    GREETING = "greeting"


_MARKS = ("?", "？", "؟", ";?")
_OPENERS = frozenset(
    """what when where which who whom whose why how is are was were am do does did can could will would should may might have has
    had shall remind tell show find list explain describe recall search give
    was wann wo wer wen wem wessen warum weshalb wieso wie welche welcher welches wohin woher ist sind war waren hat habe haben
    kann kannst darf soll wird werden zeig zeige nenne erinnere sag suche""".split()
)
_TELLS = frozenset(
    "was have has had is are will war hat habe".split()
)  # also begin a statement's second half: "was great"
_GREETINGS = re.compile(
    r"\W*(?:(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening|night)|thanks?(?: you)?|thank you|thx|cheers|ok(?:ay)?|great|"
    r"bye|goodbye|see you|how are you|hallo|guten (?:morgen|tag|abend)|danke|tschüss|bis bald|servus|moin)\b[\s,.!]*(?:there|all|so much|"
    r"very much|again|pmg|du|dir|schön)?\W*)+",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_POINTS_BACK = frozenset(
    "it that this they them he she him her there then one ones es das er sie ihn dort dann".split()
)
_FEW = 3  # words that say something: a question with less leans on the one before it


def kind_of(text: str) -> MessageKind:
    bare = text.strip()
    if _GREETINGS.fullmatch(bare) and count_words(bare) <= 6:
        return MessageKind.GREETING
    if bare.rstrip("\"'”’)» ").endswith(_MARKS):
        return MessageKind.QUESTION
    words = [word.lower() for word in _WORD.findall(bare)]
    if not words:
        return MessageKind.QUESTION if any(mark in bare for mark in _MARKS) else MessageKind.TOLD
    opener = words[0] in _OPENERS and not (words[0] in _TELLS and bare.endswith((".", "!")))
    return MessageKind.QUESTION if opener or "?" in bare else MessageKind.TOLD


def query_for(text: str, earlier: Sequence[str]) -> str:
    """What to search with: a short follow-up ("and when was that?") takes the message before it along."""
    words = [word.lower() for word in _WORD.findall(text)]
    telling = [word for word in words if word not in STOP_WORDS]
    leans = bool(_POINTS_BACK.intersection(words)) or words[:1] in (["and"], ["und"])
    if earlier and (len(telling) < 2 or (leans and len(telling) <= _FEW)):
        return f"{earlier[-1]}\n{text}"
    return text
