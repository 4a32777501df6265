"""The signals by which an excerpt is judged as the answer to a question.

Knows: how each is measured, from texts and from the cosines it is given. Does not know: their weights (`scoring.py`), where
excerpts come from (`evidence.py`), or how near they lie (`excerpt_vectors.py`). Pure.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

import numpy as np

from pmg.answer.answer_type import AnswerType, all_expected, asks_who_it_is, share_held
from pmg.answer.excerpt_vectors import Nearness
from pmg.answer.excerpts import MAX_EXCERPT, Excerpt
from pmg.answer.introductions import introduces
from pmg.answer.question_tense import about_now, asks_newest
from pmg.base.model import Role
from pmg.base.words import STOP_WORDS
from pmg.index.function_words import function_words
from pmg.index.kindred import kindred_words
from pmg.index.other_forms import clipped_forms, verb_forms
from pmg.index.terms import document_terms, query_terms
from pmg.recall.question_time import AskedPeriod, timely

_WORD = re.compile(r"[^\W_]+")
_VERSION = re.compile(r"\d+(?:\.\d+)+")
_NAMED = re.compile(r"\b(?:[A-ZÄÖÜ][^\W_]+|[^\W_]*\d[\w.:]*\w|\d)\b")
# Words that make a question and need not be in its answer: that memory has never seen one says nothing about what it holds.
_FRAME = frozenset(
    document_terms(
        """many much often long old far kind sort type name call something anything someone somebody anyone people person thing moment currently exactly
        usually again tell know remember hoch viel viele oft lange alt etwas jemand gerade name nennen heißen genau nochmal still"""
    )
)
_NOUNS = frozenset(
    ("alt", "lange", "gerade")
)  # with a capital inside a German question: "Wer singt den Alt?", "Herr Lange"
_TITLES = frozenset("mr mrs ms miss dr prof sir madam frau herr herrn doktor".split())  # belong to many names


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """What is asked, apart from any memory's words. `weights` are the question's terms by how rare they are in this memory."""

    text: str
    kinds: tuple[AnswerType, ...]  # what it wants; a question of several parts wants several things
    weights: Mapping[str, float]
    unknown: float  # the share of the weights that belongs to terms this memory has never seen
    now: float  # how much it asks for how something is now
    periods: tuple[AskedPeriod, ...]
    names: frozenset[str]  # what it calls by name: people, places, things
    identity: bool  # asks who or what somebody is
    newest: bool = False  # of several that were so one after the other it asks for the last
    lines: int = 0  # of the memory that is asked


def asked_question(
    text: str,
    wants: str,
    frequencies: Mapping[str, int],
    total: int,
    periods: Sequence[AskedPeriod],
    as_known: Mapping[str, str] = MappingProxyType({}),
) -> AskedQuestion:
    """`text` is what the question is about, `wants` the message that says what is wanted: the same but for a follow-up. `as_known`: the form of a term that memory has."""
    terms = list(dict.fromkeys(query_terms(text)))
    names = proper_names(text)
    framing = _FRAME - (_NOUNS & names) if function_words(text) else _FRAME
    said = [term for term in terms if frequencies.get(term, 0) or term not in framing] or terms
    weights = {as_known.get(term, term): rarity(frequencies.get(term, 0), total) for term in said}
    whole = sum(weights.values()) or 1.0
    never_seen = {as_known.get(term, term) for term in said if not frequencies.get(term, 0)}
    unknown = sum(weight for term, weight in weights.items() if term in never_seen) / whole
    return AskedQuestion(
        text,
        all_expected(wants),
        weights,
        unknown,
        about_now(wants),
        tuple(periods),
        names,
        asks_who_it_is(wants),
        asks_newest(wants),
        total,
    )


def proper_names(question: str) -> frozenset[str]:
    """Words with a capital that do not begin the question, and those with a digit. In German every noun has one: there it says little."""
    words = _NAMED.findall(question)
    first = _WORD.search(question)
    return (
        frozenset(word.casefold() for word in words if first is None or word != first[0] or any(map(str.isdigit, word)))
        - STOP_WORDS
        - _TITLES
    )


def rarity(frequency: int, total: int) -> float:
    """How much a term tells, as BM25 weighs it."""
    return math.log(1 + (total - frequency + 0.5) / (frequency + 0.5))


@dataclass(frozen=True, slots=True)
class AnswerSignals:
    """All between 0 and 1, but for cosines. The anchor is the line that was found; the excerpt is it and what stands around it."""

    relevance: float  # of the line in the recall, against the best
    first: float  # 1 for the best segment of the recall, ½ for the second, ⅓ …
    meaning: float  # cosine of question and excerpt
    meaning_nearest: float  # … and the line of it that is nearest
    meaning_around: float  # … and the turns around it
    words: float  # share of the question's terms, by rarity, in the excerpt; who somebody is, is not told by their name as speaker
    kindred: float  # … or of words close to them in meaning
    held: float  # the anchor looks as if it held what is wanted
    held_around: float  # the excerpt does
    by_named: float  # the person asked about said it, where it is not asked who they are
    by_another: (
        float  # somebody else said it, and it does not name them; or they themselves, where it is asked who they are
    )
    named: (
        float  # share of the question's names that the excerpt, its speakers or its title have; 1 where there are none
    )
    introduces: float  # tells who the one asked about is, where that is asked
    timely: float  # said in the time asked for
    late: float  # among the latest of the excerpts, as far as the question is about now
    long: float  # a stretch of a long line: what is said at length is often told at second hand


def cover(weights: Mapping[str, float], text: str) -> float:
    whole = sum(weights.values())
    there = set(document_terms(text))
    held = sum(weight for term, weight in weights.items() if _is_there(term, there))
    return held / whole if whole else 0.0


def _is_there(term: str, there: Collection[str]) -> bool:
    """As it is, as another form of its verb, cut or whole, or in full."""
    forms = verb_forms(term) | clipped_forms(term)
    return term in there or not forms.isdisjoint(there) or _in_full(term, there)


def _in_full(term: str, there: Collection[str]) -> bool:
    """A version is asked for by its beginning: 0.8 is also in what says 0.8.0."""
    return _VERSION.fullmatch(term) is not None and any(known.startswith(f"{term}.") for known in there)


def kindred_cover(weights: Mapping[str, float], text: str) -> float:
    """As `cover`, and a term that is not there counts as much as the closest word that is (index/kindred.py)."""
    whole = sum(weights.values())
    there = set(document_terms(text))
    held = sum(weight * _closest(term, there) for term, weight in weights.items())
    return held / whole if whole else 0.0


def _closest(term: str, there: Collection[str]) -> float:
    if _is_there(term, there):
        return 1.0
    return max((closeness for word, closeness in kindred_words().of(term) if word in there), default=0.0)


def measure(asked: AskedQuestion, found: Sequence[Excerpt], near: Sequence[Nearness]) -> list[AnswerSignals]:
    """Row for row with the excerpts."""
    people = named_people(asked.text, found)
    times = sorted({excerpt.anchor.passage.at for excerpt in found})
    recalled = dict.fromkeys(excerpt.anchor.passage.id for excerpt in found if not excerpt.here)
    ranks = {name: place for place, name in enumerate(recalled)}
    return [
        _signals(asked, excerpt, row, people, times, 0 if excerpt.here else ranks[excerpt.anchor.passage.id])
        for excerpt, row in zip(found, near, strict=True)
    ]


def _signals(
    asked: AskedQuestion,
    excerpt: Excerpt,
    near: Nearness,
    people: frozenset[str],
    times: Sequence[datetime],
    rank: int,
) -> AnswerSignals:
    anchor, passage = excerpt.anchor, excerpt.anchor.passage
    words = excerpt.said if asked.identity else excerpt.text
    by = bool(people) and anchor.role is Role.PERSON and bool(people & names_in(anchor.speaker))
    about = bool(people & names_in(anchor.text))
    moment = np.array([int(passage.at.timestamp() * 1e6)])
    return AnswerSignals(
        relevance=excerpt.relevance,
        first=1 / (1 + rank),
        meaning=near.excerpt,
        meaning_nearest=near.nearest,
        meaning_around=near.around,
        words=cover(asked.weights, words),
        kindred=kindred_cover(asked.weights, words),
        held=share_held(asked.kinds, anchor.text),
        held_around=share_held(asked.kinds, excerpt.text),
        by_named=float(by and not asked.identity),
        by_another=float(
            bool(people) and anchor.role is Role.PERSON and (by if asked.identity else not by and not about)
        ),
        named=_share(asked.names, f"{passage.title}\n{excerpt.text}"),
        introduces=introduces(asked.names, excerpt.said) if asked.identity else 0.0,
        timely=float(timely(moment, asked.periods)[0]) if asked.periods else 0.0,
        late=asked.now * (times.index(passage.at) + 1) / len(times),
        long=float(len(passage.lines[anchor.line].text) > MAX_EXCERPT),
    )


def named_people(question: str, found: Sequence[Excerpt]) -> frozenset[str]:
    """The names of those speakers whom the question names."""
    speakers = {piece.speaker for excerpt in found for piece in excerpt.pieces if piece.role is Role.PERSON}
    asked = names_in(question)
    return frozenset(name for speaker in speakers if (names := names_in(speaker)) & asked for name in names)


def _share(names: frozenset[str], text: str) -> float:
    lower = text.casefold()
    return sum(name in lower for name in names) / len(names) if names else 1.0


def names_in(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text))
