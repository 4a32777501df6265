"""Which turns name a person: by a name of theirs, or by the first name alone. Pure.

Knows: that a first name may be an ordinary word too ("Will", "Team"), and which words before a name are no part of it ("Uncle Bob", "Die Anna").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pmg.people.entities import MIN_LETTERS
from pmg.people.subjects import KIN, TITLES
from pmg.text import has_name
from pmg.words import STOP_WORDS

# No list of other languages' function words: Ben, Mia, Ella and Sue are in those. What is said in such a language tells its words by their small letters.
_GERMAN = """der die das den dem des ein eine mein meine meinen meinem meiner dein deine sein seine ihre unser unsere unseren unserem unserer euer eure
    herrn mama mutti mutter papa vati vater schwester bruder oma opa tante onkel nichte neffe tochter sohn cousine
    chef chefin nachbar nachbarin kollege kollegin freund freundin"""
_NO_NAMES = STOP_WORDS | TITLES | frozenset((*KIN, *_GERMAN.split()))


@dataclass(frozen=True, slots=True)
class NamedTurns:
    names: tuple[str, ...]  # by which they were looked for
    segments: frozenset[int]


def first_names(names: Sequence[str]) -> tuple[str, ...]:
    """The first names of some names, without those that are names there already; each may be another's too."""
    firsts = dict.fromkeys(name.split()[0] for name in names if name.strip())
    return tuple(one for one in firsts if one not in names and _may_be_first_name(one))


def _may_be_first_name(word: str) -> bool:
    return len(word) >= MIN_LETTERS and word.isalpha() and word.casefold() not in _NO_NAMES


def named_turns(names: Sequence[str], lines: Sequence[tuple[int, str]]) -> NamedTurns:
    """The segments, of lines with theirs, in which a name stands in any case, or a first name as it is written. A word that stands in small letters
    as often as not is no first name, and a whole name that is such a word counts as it is written."""
    texts = [text for _, text in lines]
    whole = {name: _is_ordinary(name, texts) for name in names}
    named = [any(has_name(text, name, as_written=one) for name, one in whole.items()) for text in texts]
    others = [text for text, one in zip(texts, named, strict=True) if not one]
    firsts = [one for one in first_names(names) if not _is_ordinary(one, others)]
    found = {
        segment
        for (segment, text), one in zip(lines, named, strict=True)
        if one or any(has_name(text, first, as_written=not first.islower()) for first in firsts)
    }
    return NamedTurns((*names, *firsts), frozenset(found))


def _is_ordinary(word: str, texts: Sequence[str]) -> bool:
    small = word.lower()
    if small == word or " " in word:
        return False
    return small in STOP_WORDS or _lines_with(small, texts) >= max(1, _lines_with(word, texts))


def _lines_with(word: str, texts: Sequence[str]) -> int:
    return sum(has_name(text, word, as_written=True) for text in texts)
