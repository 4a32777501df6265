"""Whether a line tells what is asked, but of another: of the prod db where the staging db is asked for, of Lena's birthday where Tom's is.

Knows: that the word before a thing tells which one it is, and that who is named in a question is to be named in its answer. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from pmg.base.words import STOP_WORDS
from pmg.chat.answer_signals import MIN_KINDRED, AskedQuestion, cover, kindred_cover
from pmg.chat.answer_type import holds
from pmg.chat.asked_subject import asked_owner, english_subject, german_subject
from pmg.chat.continued_line import goes_on
from pmg.chat.excerpts import Excerpt
from pmg.chat.named_phrases import named_phrases
from pmg.chat.person_words import LIVING
from pmg.index.terms import document_terms
from pmg.people.told_values import units

MIN_NICKNAME = 3  # letters that a short name shares with the whole one
ALIKE = 0.5  # of `kindred_cover`: a word that is there in another form, or one that means the same
_WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
# A pronoun that may mean whom the question is about: "Mark took her to the doctor", not "Room 2 is Mrs Adeyemi, she wants a water birth".
_POINTS_TO_ONE = re.compile(r"\b(?:him|her|them|it|ihn|ihm|ihr|ihnen)\b", re.IGNORECASE)
_CAPITAL = re.compile(r"\b[A-ZÄÖÜ][\w'’-]+")
# "the contract with Lindqvist", "das Limit bei Staging": what follows belongs to what is asked.
_BELONGS = re.compile(
    r"\b(?:with|for|of|mit|bei|für|von|vom|beim)\s+(?:(?:the|my|our|der|die|das|dem|den|mein\w*|unser\w*)\s+)?(?P<word>[^\W\d_]{3,})",
    re.IGNORECASE,
)
# "Jack has swimming": a word and its verb
_FIRST_WORD = re.compile(r"\W*(?P<word>[^\W\d_]{2,})\s+(?:has|have|had|is|was|does|did|[^\W\d_]{2,}s)\s", re.IGNORECASE)
_BY_TRADE = re.compile(r"\bvon beruf\b", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(?:he|she|his|her|him|they|their|er|sie|sein\w*|ihr\w*)\b", re.IGNORECASE)


def is_of_another_thing(asked: AskedQuestion, text: str) -> bool:
    """The text lacks the word that says which one is asked for, and has another in its place; or it lacks what the thing belongs to."""
    return _has_another_before(asked, _telling_pairs(asked.text), text) or _lacks_what_it_belongs_to(asked, text)


def has_the_very_thing(asked: AskedQuestion, text: str) -> bool:
    """It has a thing of two words that the question has: "the water bill"."""
    there = _telling_pairs(text)
    return any(pair in there for pair in _things(asked))


def lacks_its_subject(asked: AskedQuestion, text: str) -> bool:
    """It does not name of whom or what is asked, or whose it is: "when is the skoda's mot due?" is not answered by that of another car."""
    owner = asked_owner(asked.text)
    if owner and not _is_in(frozenset(document_terms(owner)), asked.weights, text):
        return True
    found = german_subject(asked.text) or english_subject(asked.text)
    if found is None or found.follows_be:  # what has a name and a "is" before it is read by its capital elsewhere
        return False
    return not _is_in(frozenset(document_terms(found.word)), asked.weights, text)


def is_another_such_thing(asked: AskedQuestion, text: str) -> bool:
    """ "My blood group", and the text has "the book group": of a thing with two words in the question, the second after another."""
    return _has_another_before(asked, _things(asked), text)


def _things(asked: AskedQuestion) -> list[tuple[frozenset[str], frozenset[str]]]:
    things = [phrase.head for phrase in named_phrases(asked.text) if not phrase.is_living]
    return [pair for thing in things for pair in _telling_pairs(thing)]


def _has_another_before(
    asked: AskedQuestion, words: Sequence[tuple[frozenset[str], frozenset[str]]], text: str
) -> bool:
    """ "The staging db", and the text has "the prod db" alone."""
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
    if not anchor.is_told_here or _PRONOUN.search(anchor.text):
        return False
    named = _named(asked.text)
    rest = {term: weight for term, weight in asked.weights.items() if term not in named}
    there = set(document_terms(anchor.text))
    if not named or not rest or named & there or not cover(rest, anchor.text):
        return False
    may_go_on = any(goes_on(one.anchor.text) and cover(rest, one.anchor.text) for one in every)  # "His laptop is new"
    return not may_go_on and not any(_may_tell_it(asked, named, rest, one.said) for one in every)


def is_of_somebody_else(asked: AskedQuestion, first: str, text: str) -> bool:
    """Its subject is another than the one whose matter is asked for: "Mum takes 5 mg", asked what dad takes. A name may be that of "my sister", and she of a name: only names tell
    apart from names, and kin from kin. Only where it says the same of them as is asked, or as the first line does; "Dr Khan gave her antibiotics" is of the one before."""
    names = _named(asked.text)
    kin = _asked_of(asked) - names
    subject = next(iter(named_phrases(text)), None)
    if subject is None or not subject.is_living or not (names | kin).isdisjoint(document_terms(text)):
        return False
    if _POINTS_TO_ONE.search(text) or not _says_the_same(asked, names | kin, first, text):
        return False
    others = [word for word in _CAPITAL.findall(subject.text) if word.lower() not in STOP_WORDS | LIVING.keys()]
    theirs = _kin([subject.text])
    return bool(names and others) or bool(kin and theirs and kin.isdisjoint(theirs))


def tells_of_subject(asked: AskedQuestion, lines: Iterable[str]) -> bool:
    """Whether one of them is of whom the question asks, and may hold what is wanted."""
    if _subject_word(asked) is None:
        return False
    of_them = (line for line in lines if not lacks_its_subject(asked, line))
    return any(holds(kind, line) for line in of_them for kind in asked.kinds)


def does_another(asked: AskedQuestion, lines: Iterable[str], text: str) -> bool:
    """Somebody else does in it what is asked of one: "My daughter Morwenna lives in Bristol", asked where Jory lives; in small letters "jack has swimming", where another line
    begins with the one who is asked about."""
    word = _subject_word(asked)
    if word is None or not lacks_its_subject(asked, text) or goes_on(text) or _POINTS_TO_ONE.search(text):
        return False
    if not _says_the_same(asked, set(document_terms(word)), text, text):
        return False
    subject = next(iter(named_phrases(text)), None)
    others = _CAPITAL.findall(subject.text) if subject is not None and subject.is_living else []
    if word[:1].isupper():  # Katie may be Katherine
        names = [name for name in others if name.lower() not in STOP_WORDS | LIVING.keys()]
        return bool(names) and not any(name[:MIN_NICKNAME].lower() == word[:MIN_NICKNAME].lower() for name in names)
    first = _FIRST_WORD.match(text)
    is_subject = first is not None and first["word"].lower() not in STOP_WORDS | LIVING.keys()
    return is_subject and any(line.lower().startswith(f"{word.lower()} ") for line in lines)


def _subject_word(asked: AskedQuestion) -> str | None:
    found = german_subject(asked.text) or english_subject(asked.text)
    return None if found is None or found.follows_be or found.word.lower() in LIVING else found.word


def _says_the_same(asked: AskedQuestion, of_whom: set[str], first: str, text: str) -> bool:
    terms = set(document_terms(text)) - STOP_WORDS
    return not terms.isdisjoint(set(asked.weights) - of_whom) or bool(units(first) & units(text))


def is_of_other_kin(asked: AskedQuestion, first: str, text: str) -> bool:
    """Names in small letters: "my daughter chantelle is 19", beside "my son jermaine is 24", asked what jermaine does."""
    if lacks_its_subject(asked, first) or not lacks_its_subject(asked, text) or _POINTS_TO_ONE.search(text):
        return False
    ours, theirs = (_kin(phrase.text for phrase in named_phrases(line)[:1]) for line in (first, text))
    return bool(ours and theirs and ours.isdisjoint(theirs))


def _asked_of(asked: AskedQuestion) -> set[str]:
    """The terms of the one whose matter it is: their name, or else the words for people in the question."""
    return _named(asked.text) or _kin(phrase.text for phrase in named_phrases(asked.text.partition("?")[0]))


def _kin(phrases: Iterable[str]) -> set[str]:
    return {
        term
        for text in phrases
        for word in _WORD.findall(text)
        if word.lower() in LIVING
        for term in document_terms(word)
    }


def names_them(asked: AskedQuestion, text: str) -> bool:
    """Whether it speaks of the one whose matter is asked for."""
    return not _asked_of(asked).isdisjoint(document_terms(text))


def _named(question: str) -> set[str]:
    """The terms of the one whose matter it is, by name: "my sister" may be spoken of as Claire. None where several are named."""
    asks = _BY_TRADE.sub(" ", question.partition("?")[0])  # what is told after it is of others
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
