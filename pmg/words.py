"""How much a text says by itself, in words.

Knows: which English words say little, what is a question, and how to count both. Does not know: search terms or stores.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

STOP_WORDS = frozenset(
    """a about above after again against all am an and any are arent as at be because been before being below between
    both but by can cant could couldnt did didnt do does doesnt doing dont down during each few for from further had
    hadnt has hasnt have havent having he her here hers herself him himself his how i if in into is isnt it its itself
    just me more most my myself no nor not now of off on once only or other our ours ourselves out over own same she
    should shouldnt so some such than that the their theirs them themselves then there these they this those through to
    too under until up us very was wasnt we were werent what when where which while who whom whose why will with wont
    would wouldnt you your yours yourself yourselves""".split()
)

_SENTENCE = re.compile(r"[^.!?。！？؟\n]*[.!?。！？؟\n]+|[^.!?。！？؟\n]+\Z")
_WORD = re.compile(r"\w+")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0eff]")
_ASKS = ("?", "？", "؟")
_LOWER_WORDS = bytes(
    ord(chr(code).lower()) if chr(code).isalnum() or code == 95 else 32 for code in range(128)
) + bytes(128)
_PLAIN_STOP_WORDS = frozenset(word.encode() for word in STOP_WORDS)
_READ = 20_000  # characters: beyond this a line stands on its own whatever else it says


@dataclass(frozen=True, slots=True)
class Said:
    words: int
    asserts: int  # words that say something, outside questions: what the line states without its neighbours
    asks: bool


def count_words(text: str) -> int:
    """Words between spaces; in scripts without spaces two characters count as one."""
    return len(text.split()) + len(_UNSPACED.findall(text)) // 2


def measure(text: str) -> Said:
    head = text[:_READ]
    if head.isascii():  # the same by a shorter way: a word ends where its sentence does
        sentences = _SENTENCE.findall(head) if "?" in head else [head]
        told = [sentence for sentence in sentences if not sentence.rstrip().endswith("?")]
        return Said(len(text.split()), _telling("\n".join(told)), len(told) < len(sentences))
    asserts, asks = 0, False
    for sentence in _SENTENCE.findall(head):
        if sentence.rstrip().endswith(_ASKS):
            asks = True
        else:
            asserts += _telling(sentence)
    return Said(len(text.split()), asserts, asks)


def _telling(sentence: str) -> int:
    """Words that are not stop words; in scripts without spaces two characters count as one."""
    if sentence.isascii():  # the same as the pattern, four times as fast
        plain = sentence.encode().translate(_LOWER_WORDS).split()
        return len(plain) - sum(map(_PLAIN_STOP_WORDS.__contains__, plain))
    words = _WORD.findall(sentence.lower())
    telling = len(words) - sum(map(STOP_WORDS.__contains__, words))
    return telling + len(_UNSPACED.findall(sentence)) // 2
