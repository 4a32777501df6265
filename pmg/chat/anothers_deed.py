"""Whether a line tells of somebody else the deed that is asked of oneself: "Timo spielt seit zwanzig Jahren Schach", asked how long I have played it.

Knows: the verb that is asked of "ich" in German, its third person and its participle, and who does it in a line; in English whose_deed.py knows them. It only makes an answer less
sure: who it is need not be known, so a word with a capital before the verb may be somebody, but for what things do as well at a time that is asked for ("Zug fährt um 9"). Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pmg.base.calendar_words import GERMAN_MONTHS, GERMAN_WEEKDAYS
from pmg.base.verbs import ADVERBS
from pmg.base.words import STOP_WORDS
from pmg.chat.person_words import LIVING
from pmg.chat.sentences import split
from pmg.chat.whose_deed import asked_deed, is_anothers

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_ASKED_OF_ME = re.compile(r"\b(?P<verb>[^\W\d_]{3,})\s+(?:ich|wir)\b(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_ASKS_TIME = re.compile(r"\b(?:when|what time|wann|um wie ?viel uhr)\b", re.IGNORECASE)
_SPEAKER = re.compile(
    rf"\b(?:i|i['’]\w+|me|we|we['’]\w+|us|mine|ours|ich|wir|mir|mich|uns)\b|\b(?:my|our|mein\w*|unser\w*)\s+(?!(?:[\w-]+\s+)?(?:{'|'.join(map(re.escape, LIVING))})\b)",
    re.IGNORECASE,
)
_HELPERS = {"hab": "hat", "hatt": "hatte", "bin": "ist", "sind": "ist", "war": "war", "wurd": "wurde"}
_IRREGULAR = {"nehm": "nimmt", "werd": "wird", **_HELPERS}
_PARTICIPLE = re.compile(r"[a-zäöüß]{3,}(?:t|en)")
# What a train, a shift or a term does too.
_THINGS_DO = frozenset(
    "fahr flieg komm geh lauf fang beginn start land end bin sind start begin leave arrive land come go run open close end".split()
)
_OTHERS = frozenset("er sie he she they".split())
_NOBODY = STOP_WORDS | ADVERBS | frozenset((*GERMAN_MONTHS, *GERMAN_WEEKDAYS))
_UMLAUTS = str.maketrans("äöü", "aou")


def is_told_of_another(question: str, text: str) -> bool:
    """Asked what I do or did: the text tells it, and only of others."""
    if speaks_of_oneself(text):
        return False
    known = {word.lower() for word in _WORD.findall(question)}
    deed = asked_deed(question)
    if deed and is_anothers(deed, text):
        return not (_ASKS_TIME.search(question) and deed in _THINGS_DO)
    german = _german_deed(question)
    if german is None:
        return False
    told = [doer for start, end in split(text) for doer in _done_by_others(german, text[start:end], known)]
    return bool(told) and all(told)


def speaks_of_oneself(text: str) -> bool:
    """By "I", "me" or what is mine; "my sister" is somebody else."""
    return _SPEAKER.search(text) is not None


@dataclass(frozen=True, slots=True)
class _GermanDeed:
    stem: str
    thirds: frozenset[str]  # without their dots
    participle: str  # "" where the verb itself is the deed
    may_be_of_things: bool


def _german_deed(question: str) -> _GermanDeed | None:
    """What is asked of "ich" or "wir"."""
    found = _ASKED_OF_ME.search(question)
    if found is None:
        return None
    verb = found["verb"].lower()
    stem = verb if verb in _HELPERS else re.sub(r"e?n?$", "", verb)
    done = _PARTICIPLE.findall(" ".join(found["rest"].split()[-1:])) if stem in _HELPERS else []
    of_things = _ASKS_TIME.search(question) is not None and not done and stem in _THINGS_DO
    return _GermanDeed(stem, _thirds(stem), done[-1] if done else "", of_things)


def _done_by_others(deed: _GermanDeed, sentence: str, known: set[str]) -> Iterator[bool]:
    """For each finite verb of the sentence that tells the deed, whether somebody who is not named in the question does it."""
    words = _WORD.findall(sentence)
    if deed.participle and deed.participle not in words:
        return
    for at, word in enumerate(words):
        if word.translate(_UMLAUTS) not in deed.thirds:
            continue
        leaves_out_i = not at and word == deed.stem  # "muss Freitag zum Zahnarzt", "war drei Tage in Rom"
        doers = () if leaves_out_i else (words[:at], words[at + 1 : at + 3])
        yield any(_is_somebody(some, known, deed.may_be_of_things) for some in doers)


def _thirds(stem: str) -> frozenset[str]:
    """ "spielt", "wartet", "fährt" without its dots, "liest", "gibt"; "muss" is the same for all."""
    head, _, tail = stem.rpartition("e")
    stems = {stem, *((f"{head}i{tail}", f"{head}ie{tail}") if head else ())}
    regular = {f"{one}{ending}".translate(_UMLAUTS) for one in stems for ending in ("t", "et")}
    return frozenset(regular | {_IRREGULAR.get(stem, stem)})


def _is_somebody(words: Sequence[str], known: set[str], only_living: bool) -> bool:
    """Among the words before a verb, or right behind it."""
    for at, word in enumerate(words):
        lower = word.lower()
        if lower in known:
            continue
        if lower in LIVING or (lower in _OTHERS and not only_living):
            return True
        follows_article = at > 0 and words[at - 1].lower() in STOP_WORDS | ADVERBS
        if word[:1].isupper() and lower not in _NOBODY and not follows_article and not only_living:
            return True
    return False
