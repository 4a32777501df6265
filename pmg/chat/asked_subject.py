"""Of whom or what a question asks, by its place in it alone: "what does wren get paid?", "wann fliegt die Moni?", "wo wohnt birgit".

Knows: where the subject of a question stands in English and German. What a capital or an article tells is named_phrases.py's. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pmg.base.verbs import ADVERBS
from pmg.base.words import STOP_WORDS

MAX_READ = 300  # characters of a question in which it says of whom it asks
_NOT_SUBJECTS = STOP_WORDS | ADVERBS | frozenset(("there", "today", "tomorrow", "heute", "morgen", "gestern"))

_ENGLISH = re.compile(r"\b(?P<verb>does|did|has|is|was) (?P<word>[^\W\d_]+)(?!['’])\b", re.IGNORECASE)
# "The skoda's mot", in small letters; what has a capital is read by it (named_phrases.py).
_OWNER = re.compile(r"(?<![\w'’])(?P<word>[a-zäöüß][a-zäöüß-]{2,})['’]s (?=[a-zäöüß]{2})")
_NO_OWNERS = frozenset(
    "what who where when how why that there here she let everyone everybody someone somebody one else this year week month night".split()
)
_ASKS = (
    r"(?:(?i:wie ?viele?)(?:\s+[A-ZÄÖÜ]\w+)?|(?i:wann|wo|wohin|woher|was für (?:ein\w*\s+)?\w+|was(?! für\b)|wem|wen|warum|"
    r"welche\w*\s+\w+|wie(?! ?viel)(?:\s+(?:lange|oft|alt|groß|hoch|weit|schwer|gut|spät)\b)?))"
)
_GERMAN = re.compile(rf"\b{_ASKS}\s+(?P<verb>[a-zäöüß]+)\s+(?:(?:der|die|das|den|dem)\s+)?(?P<word>[A-ZÄÖÜ]\w+)")
# All in small letters, the last word is whom or what it asks about.
_GERMAN_LAST = re.compile(rf"\W*{_ASKS} (?P<verb>[a-zäöüß]+) (?P<word>[a-zäöüß]{{3,}})\W*")


@dataclass(frozen=True, slots=True)
class AskedSubject:
    """One word at characters `start` to `end`, after the verb that begins at `verb_start`."""

    word: str
    start: int
    end: int
    verb: str
    verb_start: int

    @property
    def follows_be(self) -> bool:
        """ "How old is micah": after other verbs somebody does something; here it may as well be a thing, or what is said of one."""
        return self.verb in ("is", "was")


def english_subject(question: str) -> AskedSubject | None:
    return _subject(_ENGLISH.search(question, 0, MAX_READ))


def asked_owner(question: str) -> str:
    """Whose something is asked for, where it is written small; "" where nobody's is."""
    words = (found["word"] for found in _OWNER.finditer(question, 0, MAX_READ))
    return next((word for word in words if word not in _NO_OWNERS and word not in _NOT_SUBJECTS), "")


def german_subject(question: str) -> AskedSubject | None:
    """With a capital."""
    return _subject(_GERMAN.search(question, 0, MAX_READ))


def german_last_word(question: str) -> AskedSubject | None:
    """All in small letters, it may be anything: "wann kommt jens", "wann kommt müll"."""
    return _subject(_GERMAN_LAST.fullmatch(question, 0, MAX_READ))


def _subject(found: re.Match[str] | None) -> AskedSubject | None:
    if found is None or found["word"].lower() in _NOT_SUBJECTS:
        return None
    return AskedSubject(found["word"], *found.span("word"), found["verb"].lower(), found.start("verb"))
