"""Whether a line tells what is asked, but of another: of the prod db where the staging db is asked for, of Lena's birthday where Tom's is.

Knows: that the word before a thing tells which one it is, and that who is named in a question is to be named in its answer. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from pmg.chat.answer_signals import MIN_KINDRED, AskedQuestion, cover, kindred_cover
from pmg.chat.answer_type import holds
from pmg.chat.asked_subject import english_subject, german_subject
from pmg.chat.continued_line import goes_on
from pmg.chat.excerpts import Excerpt
from pmg.chat.named_phrases import named_phrases
from pmg.chat.person_words import LIVING
from pmg.index.terms import document_terms
from pmg.model import CHAT_SOURCE, Role
from pmg.words import STOP_WORDS

ALIKE = 0.5  # of `kindred_cover`: a word that is there in another form, or one that means the same
_WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
# "the contract with Lindqvist", "das Limit bei Staging": what follows belongs to what is asked.
_BELONGS = re.compile(
    r"\b(?:with|for|of|mit|bei|für|von|vom|beim)\s+(?:(?:the|my|our|der|die|das|dem|den|mein\w*|unser\w*)\s+)?(?P<word>[^\W\d_]{3,})",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:he|she|his|her|him|they|their|er|sie|sein\w*|ihr\w*)\b", re.IGNORECASE)


def is_of_another_thing(asked: AskedQuestion, text: str) -> bool:
    """The text lacks the word that says which one is asked for, and has another in its place; or it lacks what the thing belongs to."""
    return _has_another_before(asked, text) or _lacks_what_it_belongs_to(asked, text)


def lacks_its_subject(asked: AskedQuestion, text: str) -> bool:
    """It does not name of whom or what is asked."""
    found = german_subject(asked.text) or english_subject(asked.text)
    if found is None or found.follows_be:  # what has a name and a "is" before it is read by its capital elsewhere
        return False
    return not _is_in(frozenset(document_terms(found.word)), asked.weights, text)


def _has_another_before(asked: AskedQuestion, text: str) -> bool:
    """ "the staging db", and the text has "the prod db" alone."""
    words = _telling_pairs(asked.text)
    there = _telling_pairs(text)
    known = set(document_terms(asked.text))
    for before, thing in words:
        rivals = [other for other, same in there if same == thing]
        if not rivals or _is_in(before, asked.weights, text):
            continue
        if not any(other & known for other in rivals):
            return True
    return False


def _telling_pairs(text: str) -> list[tuple[frozenset[str], frozenset[str]]]:
    """The terms of each two words that stand side by side and both say something."""
    words = [(found.start(), found.end(), found[0]) for found in _WORD.finditer(text)]
    return [
        (frozenset(document_terms(one)), frozenset(document_terms(other)))
        for (_, end, one), (start, _, other) in pairwise(words)
        if start == end + 1 and not {one.lower(), other.lower()} & STOP_WORDS
    ]


def _is_in(terms: frozenset[str], weights: Mapping[str, float], text: str) -> bool:
    asked = {term: weights[term] for term in terms if term in weights}
    return not asked or kindred_cover(asked, text) >= ALIKE


def _lacks_what_it_belongs_to(asked: AskedQuestion, text: str) -> bool:
    belongs = (frozenset(document_terms(found["word"])) for found in _BELONGS.finditer(asked.text))
    return any(not _is_in(terms, asked.weights, text) for terms in belongs)


def is_only_of_others(asked: AskedQuestion, first: Excerpt, every: Sequence[Excerpt]) -> bool:
    """Somebody is named, the best line tells it of somebody else, and no line has anything of it and them: of them it was never told. Only of what
    was told to this program itself: elsewhere who is spoken of is named once in many lines."""
    anchor = first.anchor
    if anchor.role is not Role.USER or anchor.passage.source != CHAT_SOURCE or _PRONOUN.search(anchor.text):
        return False
    named = _named(asked.text)
    rest = {term: weight for term, weight in asked.weights.items() if term not in named}
    there = set(document_terms(anchor.text))
    if not named or not rest or named & there or not cover(rest, anchor.text):
        return False
    may_go_on = any(goes_on(one.anchor.text) and cover(rest, one.anchor.text) for one in every)  # "His laptop is new"
    return not may_go_on and not any(_may_tell_it(asked, named, rest, one.said) for one in every)


def names_them(asked: AskedQuestion, text: str) -> bool:
    """Whether it speaks of the one whose matter is asked for, of whom just that was not told."""
    return not _named(asked.text).isdisjoint(document_terms(text))


def _named(question: str) -> set[str]:
    """The terms of the one whose matter it is, by name: "my sister" may be spoken of as Claire. None where several are named."""
    asks = question.partition("?")[0]  # what is told after it is of others
    people = [phrase for phrase in named_phrases(asks) if phrase.is_living or phrase.owner]
    owners = {phrase.owner for phrase in people if phrase.owner and not phrase.is_mine}
    names = owners or {phrase.head for phrase in people if phrase.is_name}
    if len(names) != 1:
        return set()
    words = _WORD.findall(names.pop())
    is_description = any(word.lower() in LIVING or word.lower() in STOP_WORDS for word in words)
    return set() if is_description else {term for word in words for term in document_terms(word)}


def _may_tell_it(asked: AskedQuestion, named: set[str], rest: Mapping[str, float], text: str) -> bool:
    if named.isdisjoint(document_terms(text)):
        return False
    return kindred_cover(rest, text) >= MIN_KINDRED or any(holds(kind, text) for kind in asked.kinds)
