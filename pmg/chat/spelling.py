"""A question with its slips of the finger mended: "who does the landry now", where memory speaks of the laundry.

Knows: that a word which neither memory nor the language has, one letter away from one that memory has, is most often that one. A name with its capital is left as it is: Marian is not Marina. (In German every noun has one; there only
a long word is looked at.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from string import ascii_lowercase
from typing import TYPE_CHECKING

from pmg.base.words import STOP_WORDS
from pmg.chat.known_forms import counts_of
from pmg.chat.phrases import german
from pmg.index.kindred import kindred_words
from pmg.index.terms import document_terms

if TYPE_CHECKING:
    from pmg.engine import Engine

MIN_LETTERS = 5  # fewer are one letter away from too many others
MIN_SWAPPED = 4  # … but for two in the wrong order
MIN_GERMAN = 7  # … of a word with a capital, which in German every noun has
MAX_ENDING = 3  # letters at the end of a word that its forms differ in
MAX_WORDS = 30  # of a question: a longer one has enough others
_LETTERS = f"{ascii_lowercase}äöüß"
_WORD = re.compile(r"[^\W\d_]+")


def slips(engine: Engine, namespace: str, question: str) -> tuple[tuple[str, str], ...]:
    """Each mistyped word with the one that is meant; none in a long question, which has enough others."""
    words = list(_WORD.finditer(question))
    if len(words) > MAX_WORDS:
        return ()
    is_german = german(question)
    found: dict[str, str] = {}
    for one in words:
        word = one[0]
        if _may_be_mistyped(word, is_german, one.start() == 0) and not _counted(engine, namespace, [word]):
            found[word] = _counted(engine, namespace, list(_one_letter_away(word.lower())))
    return tuple((word, meant) for word, meant in found.items() if meant)


def mended(text: str, found: Sequence[tuple[str, str]]) -> str:
    for word, meant in found:
        text = re.sub(rf"\b{re.escape(word)}\b", meant, text)
    return text


def _may_be_mistyped(word: str, is_german: bool, is_first: bool) -> bool:
    least = MIN_SWAPPED if word.islower() or is_first else MIN_GERMAN if is_german else len(word) + 1
    return len(word) >= least and word.lower() not in STOP_WORDS and not _is_a_word(word)


def _is_a_word(word: str) -> bool:
    return any(term in kindred_words() for term in document_terms(word))


def _counted(engine: Engine, namespace: str, words: list[str]) -> str:
    """The one of them that occurs in most memories; "" where none does."""
    terms = {word: found[0] for word in words if (found := document_terms(word))}
    counts = counts_of(engine, namespace, terms.values())
    known = [(-counts[term], word) for word, term in terms.items() if counts[term]]
    return min(known)[1] if known else ""


def _one_letter_away(word: str) -> Iterator[str]:
    """One missing, one too many, one for another, or two in the wrong order; at its end a word has other forms, and only a letter that stands there twice is a slip."""
    for at in range(len(word) - 1):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if len(word) < MIN_LETTERS:
        return
    if word[-1] == word[-2]:
        yield word[:-1]
    for at in range(len(word) - MAX_ENDING):
        head, tail = word[:at], word[at:]
        yield head + tail[1:]
        for letter in _LETTERS:
            yield head + letter + tail
            yield head + letter + tail[1:]
