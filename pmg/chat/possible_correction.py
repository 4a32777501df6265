"""A line told later that may correct or replace the one that answers, in words that need not be the question's: "the concert is on 4 December, not the 3rd", of Freya's concert.

Knows: what makes a later line speak of the same thing or person as the answer, and which later lines are looked at: those found, and those told soon after it. Where such a line
surely takes the answer's place is newer_value.py's; this one only makes the answer doubtful, and has the line shown with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pmg.base.model import Passage, Role
from pmg.base.sentences import asks
from pmg.base.words import STOP_WORDS
from pmg.chat.answer_signals import AskedQuestion
from pmg.chat.answer_type import AnswerType
from pmg.chat.excerpts import ExcerptPiece
from pmg.chat.message import only_seeks
from pmg.chat.newer_value import holds_such_a_value, surely_tells_of_another
from pmg.chat.phrases import german
from pmg.chat.replaced_since import replaced_since
from pmg.chat.responder import ChatRequest
from pmg.chat.sentences import split
from pmg.index.function_words import function_words
from pmg.index.terms import document_terms
from pmg.people.question_tense import AskedOrder
from pmg.people.told_values import CHANGED, SAYS_ANEW, denies_a_value, says_anew, values

if TYPE_CHECKING:
    from pmg.engine import Engine

MAX_LINE = 300  # characters of a line that corrects, and of a sentence that says the same with another amount: a longer one tells of many things
TURNS_AFTER = 12  # in which a line is looked for that the question did not find
SAME_START = 5  # letters that two forms of a word share: "Physio", "Physiotherapie"
MIN_SHARED = 2  # words that an amount said again must share with the question and the answer

_WORD = re.compile(r"[^\W\d_]+")
_TAKES_BACK = re.compile(
    r"^\W*(?:(?:oh|ah|ach|oje|hm+|ok(?:ay)?)\W+)*(?:wait|hang on|hold on|moment(?:chen| mal)?|halt|stopp?|update|edit)\b",
    re.IGNORECASE,
)
_NEW_VALUE = re.compile(
    r"\b(?:new|updated|final|neue[nmrs]?) (?:price|cost|quote|total|date|day|time|slot|appointment|preis|angebot|termin|datum|uhrzeit|zeit)\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\s(?:because|since|due to|as|so|after|weil|wegen|da|nachdem|denn)\s.*", re.IGNORECASE | re.DOTALL
)
_CLAUSE = re.compile(r"[,;:!?]\s+|\.\s+|\s[-–—]\s|\s(?:and|but|und|aber)\s")
# What any appointment or purchase is called, and what is done with one: they do not say which.
_OF_ANYTHING = frozenset(
    document_terms(
        """appointment meeting booking slot date day time event session visit thing one price cost quote total bill estimate figure number update news
        it take takes place start starts begin begins happen happens called rang rung phoned said says told confirmed asked put move moved moving change changed back forward
        up down go goes went gone get got come comes wait oh just again actually sorry today tomorrow clock pm am
        termin treffen besuch preis kosten angebot rechnung datum uhrzeit zeit uhr ding sache herr herrn frau dr mr mrs ms
        hat haben angerufen sagt gesagt wurde worden wird werden findet statt beginnt kostet bestätigt leider doch heute morgen jetzt"""
    )
)
# What is told with a verb and changed by its noun: "We're flying on 4 April", "the flight got moved". Forms that begin alike are known without it.
_VERB_AND_NOUN = tuple(
    frozenset(document_terms(words))
    for words in (
        "fly flies flew flown flight",
        "fliegen fliege fliegt flug flieger",
        "fahren fahre fährt fahrt zug",
        "umziehen ziehen ziehe zieht umzug",
        "heiraten heirate heiratet hochzeit trauung",
        "marry marrying married wedding",
    )
)
_ADDS_UP = frozenset((AnswerType.REASON, AnswerType.LIST))
_AMOUNTS = frozenset((AnswerType.NUMBER, AnswerType.MONEY, AnswerType.DURATION))
_FIGURED = _AMOUNTS | {AnswerType.DATE}
_FIGURES = frozenset(("figure", "day"))
_AMOUNT = r"\d[\d.,]*\d|\d"
_MONEY = re.compile(
    rf"(?P<sign>[€£$])\s?(?P<amount>{_AMOUNT})|(?P<figure>{_AMOUNT})\s?(?P<unit>[€£$]|euros?|pounds|quid|dollars?|francs?|franken)(?!\w)",
    re.IGNORECASE,
)
_SIGNS = {"euro": "€", "pound": "£", "quid": "£", "dollar": "$"}
_OWNER = re.compile(r"\b([^\W\d_]+)['’]s?\b")


@dataclass(frozen=True, slots=True)
class PossibleCorrection:
    line: ExcerptPiece
    # Told to this program to be kept, or says that the answer's value was replaced; else it was said in a talk, or only says the same with another amount.
    comes_first: bool


def possible_correction(
    engine: Engine, ask: ChatRequest, asked: AskedQuestion, answer: ExcerptPiece, found: Iterable[ExcerptPiece]
) -> PossibleCorrection | None:
    """The newest such line; one that says what took its place before one that corrects, and that before one that only has another amount."""
    if asked.order in (AskedOrder.BEFORE, AskedOrder.FIRST) or not _ADDS_UP.isdisjoint(asked.kinds):
        return None
    told = _later(engine, ask, answer, found)
    of_it = [one for one in told if not surely_tells_of_another(asked.text, answer, one)]
    replacing = replaced_since(asked, answer, of_it)
    if replacing is not None:
        return PossibleCorrection(replacing, True)
    if answer.role not in (Role.USER, Role.PERSON):
        return None
    by_such = (one for one in of_it if one.role is answer.role)
    later = sorted(by_such, key=lambda one: (one.passage.at, one.passage.index))
    for one in reversed(later):
        is_next = one.passage.session_id == answer.passage.session_id and one.passage.index == answer.passage.index + 1
        if one.is_told_here and may_correct(asked, answer.text, one.text, is_next):
            return PossibleCorrection(one, True)
        is_asked_for = _is_by_the_same(answer, one) and _is_asked_for(asked, answer.text, one.text)
        if is_asked_for and may_correct(asked, answer.text, one.text):
            return PossibleCorrection(one, False)
    for one in reversed(later):
        said = _says_another_amount(asked, answer, one)
        if said is not None:
            return PossibleCorrection(said, False)
    return None


def may_correct(asked: AskedQuestion, older: str, newer: str, is_next: bool = False) -> bool:
    """Whether the newer says that something is another now, or denies what the older says, of a thing or person of the older. `is_next`: told right after it, it needs not name
    them."""
    if len(newer) > MAX_LINE or asks(newer) or not holds_such_a_value(asked, older, newer):
        return False
    denies = denies_a_value(older, newer)
    if not denies and (not _says_anew(older, newer) or _has_unasked_figures(asked, older, newer)):
        return False
    known = _things(older) | set(_WORD.findall(older.casefold()))
    known |= {term for words in _VERB_AND_NOUN if words & known for term in words}
    shared = any(_is_among(term, known) for term in _things(newer))
    if not shared and not is_next:
        return False
    if not denies and _names_another(older, newer):
        return False
    known |= _things(asked.text)
    foreign = {term for clause in _telling_clauses(older, newer) for term in _things(clause) - _OF_ANYTHING}
    foreign = {term for term in foreign if not _is_among(term, known)}
    if denies:
        return foreign.isdisjoint(_owners(newer) | _names(newer))
    return not foreign


def _has_unasked_figures(asked: AskedQuestion, older: str, newer: str) -> bool:
    """ "Put Barry up to 200 a day from this month", asked what he drives: a figure is no other van."""
    held, there = (_FIGURES & values(asked.text, text).keys() for text in (older, newer))
    return bool(there) and not held and _FIGURED.isdisjoint(asked.kinds)


def _says_anew(older: str, newer: str) -> bool:
    return says_anew(older, newer) or any(one.search(newer) for one in (_TAKES_BACK, _NEW_VALUE))


def _telling_clauses(older: str, newer: str) -> Iterator[str]:
    """Those that hold a value or say that something changed, without the reason."""
    for clause in _CLAUSE.split(newer):
        told = _REASON.sub("", clause)
        if values("", told).keys() & {"figure", "day"} or SAYS_ANEW.search(told):
            yield told


def _things(text: str) -> set[str]:
    """The terms of what it speaks of: neither its days and figures nor the words of a change."""
    rest = SAYS_ANEW.sub(" ", CHANGED.sub(" ", text))
    silent = STOP_WORDS | function_words(text)
    valued = {
        term
        for kind, some in values("", text).items()
        if kind != "name"
        for one in some
        for term in document_terms(one)
    }
    words = (word for word in _WORD.findall(rest) if word.lower() not in silent)
    return {term for word in words for term in document_terms(word) if len(term) > 1} - valued


def _names(text: str) -> set[str]:
    return {term for name in values("", text).get("name", ()) for term in document_terms(name)}


def _names_another(older: str, newer: str) -> bool:
    """ "They have shifted the Petrel, she is on mooring 44 now" says nothing of the Limpet. In German every noun has a capital: there it says little."""
    if german(newer):
        return False
    names, known = _names(newer) - _OF_ANYTHING, set(document_terms(older))
    return bool(names) and names.isdisjoint(known)


def _owners(text: str) -> set[str]:
    """ "Jakob's concert is on 9 December, not the 3rd" says nothing of Freya's."""
    return {term for name in _OWNER.findall(text) for term in document_terms(name)}


def _is_by_the_same(answer: ExcerptPiece, later: ExcerptPiece) -> bool:
    return later.role is answer.role and later.speaker == answer.speaker


def _is_asked_for(asked: AskedQuestion, older: str, newer: str) -> bool:
    """In a talk much is said to have changed: there it must name what is asked for, too."""
    return not (set(asked.weights) - STOP_WORDS).isdisjoint(set(document_terms(older)) & set(document_terms(newer)))


def _is_among(term: str, known: set[str]) -> bool:
    """In some form, or as the end of a German compound: "Feier" in "Geburtstagsfeier"."""
    if len(term) < SAME_START:
        return term in known
    return any(term[:SAME_START] == other[:SAME_START] or other.endswith(term) for other in known)


def _says_another_amount(asked: AskedQuestion, answer: ExcerptPiece, later: ExcerptPiece) -> ExcerptPiece | None:
    """The sentence of the same person, in whatever message, that has all that the answer has of the question, and another amount of the same unit."""
    if not _is_by_the_same(answer, later) or asked.periods or _AMOUNTS.isdisjoint(asked.kinds):
        return None
    text = later.passage.lines[later.line].text
    terms = set(asked.weights) - STOP_WORDS
    for start, end in split(answer.text):
        said = answer.text[start:end]
        shared = terms & set(document_terms(said))
        if len(shared) < MIN_SHARED:
            continue
        for first, last in split(text):
            sentence = text[first:last]
            if last - first <= MAX_LINE and shared <= set(document_terms(sentence)) and _differs(said, sentence):
                return ExcerptPiece(later.passage, later.line, first, last)
    return None


def _differs(older: str, newer: str) -> bool:
    before, after = (_amounts(text) for text in (older, newer))
    return any(unit in after and before[unit].isdisjoint(after[unit]) for unit in before)


def _amounts(text: str) -> dict[str, set[str]]:
    """Figures by what they count."""
    found: dict[str, set[str]] = {}
    for one in _MONEY.finditer(text):
        unit = (one["sign"] or one["unit"]).casefold().rstrip("s")
        found.setdefault(_SIGNS.get(unit, unit), set()).add(one["amount"] or one["figure"])
    return found


def _later(
    engine: Engine, ask: ChatRequest, answer: ExcerptPiece, found: Iterable[ExcerptPiece]
) -> Iterator[ExcerptPiece]:
    """Whole lines that were said after the answer, each once."""
    passages = [*(one.passage for one in found), *(ask.recalled.segments if ask.recalled else ()), *ask.before]
    known: set[tuple[str, int, int]] = set()
    for passage in (*passages, *_told_after(engine, ask, answer.passage)):
        if (passage.at, passage.index) <= (answer.passage.at, answer.passage.index):
            continue
        for place, line in enumerate(passage.lines):
            key = (passage.session_id, passage.index, place)
            if key not in known and line.text and not only_seeks(line.text):
                known.add(key)
                yield ExcerptPiece(passage, place, 0, len(line.text))


def _told_after(engine: Engine, ask: ChatRequest, passage: Passage) -> list[Passage]:
    """The next turns of the answer's own session."""
    if passage.number <= 0:
        return []
    catalogue = engine.indexes.catalogue
    number = np.array([passage.number], dtype=np.int64)
    with engine.indexes.lock.reading():
        near = np.unique(np.concatenate([catalogue.chain(number, step) for step in range(1, TURNS_AFTER + 1)]))
        near = near[near > 0]
        near = near[catalogue.showable(near, catalogue.namespaces.find(ask.namespace))]
        return list(catalogue.passages(engine.reads.lines_of(near.tolist())).values())
