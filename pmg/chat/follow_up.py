"""What a short question leans on: "Why?", "and when was that?", "what about Lena?" say little without what was asked before.

Knows: which messages lean, and how they read once they stand by themselves. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pmg.chat.message import MessageKind, kind_of
from pmg.words import STOP_WORDS

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_POINTS_BACK = frozenset(
    "it that this they them he she him her his their there then one ones es das er sie ihn ihm ihr dort dann damals davon daran".split()
)
_FILLS = frozenset(
    """exactly happen happened again else more mean really please about say said know tell was when where who why how which what wann wo wer
    warum wie was welche genau noch nochmal passiert""".split()
)
_INSTEAD = re.compile(
    r"\W*(?i:(?:and|und|but|aber)\s+)?(?i:(?:what|how|was|wie)\s+(?:about|of|ist mit|war mit|sieht es aus mit)\s+|(?:with|mit|for|für)\s+)?"
    r"(?P<name>[A-ZÄÖÜ][\w'’-]+(?: [A-ZÄÖÜ][\w'’-]+)?|\d{4}|(?i:in|im|last|next|letzte[nrs]?) \w{3,20})\s*\?\W*$"
)
_PERSON = re.compile(r"\b(?:(?:Dr|Mr|Mrs|Ms|Frau|Herr|Aunt|Uncle) )?[A-ZÄÖÜ][a-zäöüß'’-]+(?: [A-ZÄÖÜ][a-zäöüß'’-]+)?")
_OWN = re.compile(r"\b(?:I|me|ich|mich|mir)\b|\b(?:my|mein|meine|meinen|meinem|meiner)\b")
MIN_WORDS = 3  # words that say something: a question with less may lean on the one before it


@dataclass(frozen=True, slots=True)
class StandaloneQuestion:
    """`asked` says what is wanted, `about` what it is about; a question that leans takes what it is about from before."""

    asked: str
    about: str
    leans: bool

    @property
    def search(self) -> str:
        """What to look for: the matter first, then the new question, if it has words of its own."""
        return f"{self.about}\n{self.asked}" if self.leans and self.about != self.asked else self.asked


def standalone(text: str, earlier: Sequence[str]) -> StandaloneQuestion:
    """The message as it would be asked to somebody who did not hear the conversation."""
    about = ""
    for said in earlier:
        if kind_of(said) in (MessageKind.GREETING, MessageKind.THANKS, MessageKind.FAREWELL):
            continue
        about = _resolved(said, about).about
    return _resolved(text, about)


def _resolved(text: str, about: str) -> StandaloneQuestion:
    if not about:
        return StandaloneQuestion(text, text, False)
    instead = _INSTEAD.match(text.strip())
    if instead is not None and instead["name"].lower() not in _FILLS | STOP_WORDS:
        swapped = put_in_place(about, instead["name"].strip())
        return StandaloneQuestion(swapped, swapped, True)
    if leans(text):
        return StandaloneQuestion(text, about, True)
    return StandaloneQuestion(text, text, False)


def leans(text: str) -> bool:
    """Few words of its own, and none or one that point back."""
    words = [word.lower() for word in _WORD.findall(text)]
    telling = [word for word in words if word not in STOP_WORDS and word not in _FILLS and word not in _POINTS_BACK]
    if not telling:
        return kind_of(text) is MessageKind.QUESTION
    points = bool(_POINTS_BACK.intersection(words)) or words[:1] in (["and"], ["und"])
    return points and len(telling) < MIN_WORDS


def put_in_place(question: str, name: str) -> str:
    """The question before, asked of another: "Where does Jonas live?" and "what about Lena?" give "Where does Lena live?"."""
    first = _WORD.search(question)
    start = first.end() if first else 0
    for pattern in (_PERSON, _OWN):
        found = pattern.search(question, start)
        if found is not None and not name[0].isdigit() and name[0].isupper():
            return f"{question[: found.start()]}{name}{question[found.end() :]}"
    return f"{question.rstrip('? ')} {name}?"
