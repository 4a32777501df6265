"""Which turns name a person: by a name of theirs, or by the first name alone. Pure.

Knows: that a first name may be an ordinary word too ("Will", "Team", "a mark"), and which words before a name are no part of it ("Uncle Bob", "Die Anna").
Many write every word in small letters, so these alone make no word of a name: what is in doubt counts, for a turn that is not told stays unseen.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pmg.base.text import has_name
from pmg.base.words import STOP_WORDS
from pmg.people.entities import MIN_LETTERS
from pmg.people.subjects import KIN, TITLES

# No list of other languages' function words: Ben, Mia, Ella and Sue are in those.
_DETERMINERS = """der die das den dem des ein eine mein meine meinen meinem meiner dein deine sein seine ihre unser unsere unseren unserem unserer euer
    eure"""
_GERMAN_KIN = """herrn mama mutti mutter papa vati vater schwester bruder oma opa tante onkel nichte neffe tochter sohn cousine
    chef chefin nachbar nachbarin kollege kollegin freund freundin"""
_FUNCTION_WORDS = STOP_WORDS | frozenset(("may", "might", "must", "shall", *_DETERMINERS.split()))
_NO_NAMES = _FUNCTION_WORDS | TITLES | frozenset((*KIN, *_GERMAN_KIN.split()))
# Before a word, hardly before a name: not "die anna", "my anna", "an anna" (German for "to Anna").
_ARTICLE = r"(?i:the|a|this|these|those|every|each|no|some|any|another|eine?|eine[nmrs]|keine?|keine[nmrs])"


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
    """The segments, of lines with theirs, in which a name or a first name stands, in any case. A name that is a function word counts as it is written,
    a first name not where it stands as a word ("a mark"), and nowhere if it does so as often as not."""
    texts = [text for _, text in lines]
    named = [any(has_name(text, name, as_written=name.lower() in _FUNCTION_WORDS) for name in names) for text in texts]
    others = [text for text, one in zip(texts, named, strict=True) if not one]
    firsts = [one for one in first_names(names) if not _is_ordinary(one, others)]
    found = {
        segment
        for (segment, text), one in zip(lines, named, strict=True)
        if one or any(has_name(_without_word(text, first), first) for first in firsts)
    }
    return NamedTurns((*names, *firsts), frozenset(found))


def _is_ordinary(first: str, texts: Sequence[str]) -> bool:
    rest = [_without_word(text, first) for text in texts]
    as_word = sum(left != text for left, text in zip(rest, texts, strict=True))
    return as_word >= max(1, sum(has_name(left, first) for left in rest))


def _without_word(text: str, first: str) -> str:
    """The text without the first name where it stands as a word, in small letters after an article; typed so itself, it does not tell them apart."""
    small = first.lower()
    return text if first == small else re.sub(rf"\b{_ARTICLE}\s+{re.escape(small)}\b", " ", text)
