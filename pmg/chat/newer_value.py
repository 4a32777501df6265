"""Whether a later excerpt says anew what an earlier one says: the rent of October beside that of February.

Knows: what makes two excerpts rivals for one answer. They are of one kind of speaker and near in meaning, the later one is no question and not
of somebody else, has the names that the question and the earlier one share, and holds a value of the kind that is asked for (a figure, a day, a
name that neither the question nor the earlier one has): who only mentions a thing again says nothing new of it. Where the later one says that
something changed, or has a figure of the same unit, it may fit the question much less: what is told anew is told
in other words. Which of them is shown first is time_order.py's. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from pmg.base.model import CHAT_SOURCE, Role
from pmg.base.sentences import asks
from pmg.base.words import STOP_WORDS
from pmg.chat.answer_scoring import FITTED
from pmg.chat.answer_signals import AnswerSignals, AskedQuestion, cover, proper_names
from pmg.chat.answer_type import AnswerType, without_dates
from pmg.chat.changed_amount import changes_amount
from pmg.chat.excerpts import Excerpt, ExcerptPiece
from pmg.chat.phrases import german
from pmg.chat.pronouns import ASKS_NAME
from pmg.chat.reversal import is_not_so, opens_with_its_verb
from pmg.chat.sentences import split
from pmg.chat.told_change import changes_what_is_asked, ends_its_state, only_plans_a_change
from pmg.chat.whose_value import is_anothers_value, is_surely_anothers_value
from pmg.index.terms import document_terms
from pmg.people.told_values import (
    CHANGED,
    covers_frame,
    gives_up,
    no_longer_so,
    opens_with_correction,
    renames,
    replaces,
    restates,
    says_anew,
    units,
    values,
)

# Set in view of 114 pairs of an older and a newer memory, the sample's questions and LoCoMo, not by folds (docs/benchmarks.md).
SAME = 0.45  # cosine of the two
SAME_THEN = 0.25  # … where the question itself says that there was something before
LONG = 120  # characters: a line with more, told to this program, may tell of several things, each in a sentence
MAX_UPDATE = 200  # characters of a line that tells a value anew: a longer one tells of many things
APART = 1.0  # of the score, without what age and rank give, that the later one may fit the question less
APART_CHANGED = 4.0  # … where it says that something changed, or has a figure of the same unit
APART_ANEW = 6.0  # … and where it says both: "so I have six hives now" beside "I've got five hives"
MIN_SHARE = 0.5  # of the question's words, that says of what such a line speaks
MAX_TURNS_AFTER = 4  # in which something is corrected that is said again
FEWER_WORDS = 0.1  # of the question's, that a line which only says that something is so now may lack

_OF_ANOTHER = re.compile(
    r"\b(?:neighbou?rs?|cousin|colleague|friend|nephew|niece|uncle|aunt|\w+-in-law|next door|"
    r"nachbarn?|cousine?|kollegin?|freund(?:in)?|neffe|nichte|onkel|tante|deren)\b",
    re.IGNORECASE,
)
_THEREAFTER = re.compile(r"\b(?:before|bevor|vor)\b", re.IGNORECASE)
_ONE_MORE = re.compile(r"\b(?:another|other|too|as well|auch|andere[mnrs]?)\b", re.IGNORECASE)
# Reasons and lists grow with what is said later, and what a yes or no was said of is seldom told anew in so many words.
_ADDS_UP = frozenset((AnswerType.REASON, AnswerType.LIST, AnswerType.YES_NO))
_AMOUNTS = frozenset((AnswerType.NUMBER, AnswerType.MONEY))
_WANTED = {
    AnswerType.NUMBER: ("figure",),
    AnswerType.MONEY: ("figure",),
    AnswerType.DATE: ("figure", "day"),
    AnswerType.DURATION: ("figure", "day"),
    AnswerType.PERSON: ("name",),
    AnswerType.PLACE: ("name", "place"),
}


def told_anew(
    asked: AskedQuestion, older: tuple[Excerpt, AnswerSignals], newer: tuple[Excerpt, AnswerSignals], near: float
) -> bool:
    """Whether `newer` takes the place of `older` as the answer; `near` is the cosine of the two."""
    before, after = older[0].anchor, newer[0].anchor
    if tells_of_another(asked.text, before, after):
        return False
    if became_another(asked, older[0], newer[0]):
        return True
    if only_plans_a_change(asked.text, after.text):
        return False
    if told_in_passing(asked, older[0], newer[0]) or _says_of_the_same(asked, older, newer):
        return True
    if _has_another_amount(asked, older[0], newer[0]):
        return True
    if _told_again(asked, older[0], newer[0]):
        return True
    if near < SAME or before.role is not after.role or not follows(older[0], newer[0]) or asks(after.text):
        return False
    if len(after.text) > MAX_UPDATE or (_adds_up(asked) and not _corrects_a_figure(before.text, after.text)):
        return False
    if after.role is not Role.USER and not _as_in_a_talk(older[1], newer[1]):
        return False
    if _is_of_another(older[0], newer[0]):
        return False
    if (
        _in_one_chat(older[0], newer[0])
        and 2 * newer[1].words < older[1].words
        and not corrects_the_same(asked, before.text, after.text)
    ):
        return False
    if _loses_a_name(asked, before.text, after.text):
        return False
    may_be_so_now = not _AMOUNTS.issuperset(asked.kinds) and _is_so_now(asked, older, newer)  # an amount has a figure
    if not holds_such_a_value(asked, before.text, after.text) and not may_be_so_now:
        return False
    anew, same_unit = told_here_anew(older[0], newer[0]), bool(units(before.text) & units(after.text))
    changed = anew or same_unit or CHANGED.search(after.text) is not None
    of_the_same = same_unit or corrects_the_same(asked, before.text, after.text)
    return less_fitting(older[1], newer[1]) <= (
        APART_ANEW if anew and of_the_same else APART_CHANGED if changed else APART
    )


def _as_in_a_talk(older: AnswerSignals, newer: AnswerSignals) -> bool:
    """People who talk with each other come back to a thing again and again without saying it anew: there the later one must look as much like an
    answer, and fit as well. What somebody tells an assistant is told to be kept."""
    return newer.held_around >= older.held_around and abs(less_fitting(older, newer)) <= APART


def was_before(asked: AskedQuestion, older: Excerpt, newer: Excerpt, near: float) -> bool:
    """Whether `older` tells what was so before `newer`, where that is asked for: then the question needs not fit it. A question tells nothing, and whom or
    what the newer names of the question the older names too, but for what came after: "before the Passat"."""
    if near < SAME_THEN or older.anchor.role is not newer.anchor.role or not follows(older, newer):
        return False
    of_it = replace(asked, names=proper_names(_THEREAFTER.split(asked.text)[0]))
    return not asks(older.anchor.text) and not _loses_a_name(of_it, newer.anchor.text, older.anchor.text)


def took_its_place(asked: AskedQuestion, older: Excerpt, newer: Excerpt, near: float) -> bool:
    """Whether `older` may be called what was so before: people said both, in some of the same words, and the later gives another value for the
    earlier's. Which of two is shown first may be a guess; this is a claim of ours, so it asks for more than `told_anew`."""
    before, after = older.anchor, newer.anchor
    if tells_of_another(asked.text, before, after):
        return False
    if became_another(asked, older, newer):
        is_replaced = gives_up(asked.text, before.text, after.text) and replaces(asked.text, before.text, after.text)
        return is_replaced or ends_its_state(asked.text, before.text, after.text, before.passage.at.year)
    if near < SAME or before.role is not after.role or before.role is Role.ASSISTANT or not follows(older, newer):
        return False
    if _adds_up(asked) or max(len(before.text), len(after.text)) > MAX_UPDATE:
        return False
    shared = set(document_terms(before.text)) & set(document_terms(after.text)) - STOP_WORDS
    return bool(shared) and replaces(asked.text, before.text, after.text)


def became_another(asked: AskedQuestion, older: Excerpt, newer: Excerpt) -> bool:
    """Whether `newer` tells that what is asked for changed: then neither words nor meaning need be near, and it may have been told in the same chat."""
    before, after = older.anchor, newer.anchor
    if before.role is not after.role or after.role is Role.ASSISTANT or after.passage.at <= before.passage.at:
        return False
    return (
        gives_up(asked.text, before.text, after.text)
        or (ASKS_NAME.search(asked.text) is not None and renames(asked.text, before.text, after.text))
        or (_asks_whether(asked) and _is_no_longer_so(asked.text, older, newer))
        or changes_what_is_asked(asked.text, before.text, after.text, before.passage.at.year)
    )


def _asks_whether(asked: AskedQuestion) -> bool:
    return AnswerType.YES_NO in asked.kinds or opens_with_its_verb(asked.text)


def _is_no_longer_so(question: str, older: Excerpt, newer: Excerpt) -> bool:
    before, after = older.anchor, newer.anchor
    if after.is_told_here and is_not_so(question, before.text, after.text):
        return True
    return told_here_anew(older, newer) and no_longer_so(question, before.text, after.text)


def told_in_passing(asked: AskedQuestion, older: Excerpt, newer: Excerpt) -> bool:
    """Whether one sentence of a long message to this program tells it anew: "We switched all services to node 20 last night", among other news. As a whole the message
    is near to nothing; the sentence must have half of the words in which the older one answers, a name of them may stand anywhere in the message."""
    before, after = older.anchor, newer.anchor
    if before.role is not Role.USER or not after.is_told_here:
        return False
    if len(after.text) <= LONG or _adds_up(asked) or not follows(older, newer):
        return False
    if _loses_a_name(asked, before.text, after.text):
        return False
    answered = set(asked.weights) & set(document_terms(before.text))
    names = {term for name in asked.names for term in document_terms(name)} & set(document_terms(after.text))
    for start, end in split(after.text):
        sentence = after.text[start:end]
        shared = answered & set(document_terms(sentence))
        is_of_it = bool(shared - names) and 2 * len(shared | (answered & names)) >= len(answered)
        says_so = CHANGED.search(sentence) is not None and not asks(sentence)
        if is_of_it and says_so and holds_such_a_value(asked, before.text, sentence):
            return True
    return False


def _says_of_the_same(
    asked: AskedQuestion, older: tuple[Excerpt, AnswerSignals], newer: tuple[Excerpt, AnswerSignals]
) -> bool:
    """Whether a line to this program that says itself that something is another now has as much of the question as the older, and such a value: "switched the internet to
    Orcon" beside "internet is with Skinny". Then how near the two are in meaning says nothing."""
    before, after = older[0].anchor, newer[0].anchor
    if before.role is not Role.USER or after.role is not Role.USER or _adds_up(asked):
        return False
    if not follows(older[0], newer[0]) or not told_here_anew(older[0], newer[0]) or asks(after.text):
        return False
    if newer[1].words < max(older[1].words - FEWER_WORDS, MIN_SHARE) or _is_of_another(older[0], newer[0]):
        return False
    return not _loses_a_name(asked, before.text, after.text) and holds_such_a_value(asked, before.text, after.text)


def _has_another_amount(asked: AskedQuestion, older: Excerpt, newer: Excerpt) -> bool:
    """Asked how much: a line to this program says that the thing was raised or lowered to another figure. What one does with it ("take") it needs not say again."""
    before, after = older.anchor, newer.anchor
    if before.role is not Role.USER or not after.is_told_here or after.passage.at <= before.passage.at:
        return False
    if _AMOUNTS.isdisjoint(asked.kinds) or asks(after.text) or _loses_a_name(asked, before.text, after.text):
        return False
    return changes_amount(asked.text, before.text, after.text)


def _told_again(asked: AskedQuestion, older: Excerpt, newer: Excerpt) -> bool:
    """Whether the newer line to this program has a clause that says the very same with another value: "dissertation deadline is 12 May" beside "dissertation deadline is
    28 April". Then it needs no word that says that something changed, not even in the same chat."""
    before, after = older.anchor, newer.anchor
    if before.role is not Role.USER or not after.is_told_here:
        return False
    if after.passage.at <= before.passage.at or _adds_up(asked) or _is_of_another(older, newer) or asks(after.text):
        return False
    asked_of = set(asked.weights) & set(document_terms(before.text))
    if _loses_a_name(asked, before.text, after.text) or not asked_of <= set(document_terms(after.text)):
        return False
    is_asked = any(kind in _WANTED for kind in asked.kinds) or covers_frame(asked.text, before.text)
    return (
        is_asked
        and restates(asked.text, before.text, after.text)
        and holds_such_a_value(asked, before.text, after.text)
    )


def corrects_the_same(asked: AskedQuestion, older: str, newer: str) -> bool:
    """ "Actually the york trip got changed" beside "the school trip to york is 12 june", asked for the school trip: what both name is the same, and is asked for.
    Only of what says at once that it corrects: two lines of Niamh may be of her tutor and of her school."""
    shared = set(document_terms(older)) & set(document_terms(newer)) - STOP_WORDS
    return opens_with_correction(newer) and len(shared) > 1 and not shared.isdisjoint(asked.weights)


def _adds_up(asked: AskedQuestion) -> bool:
    return not _ADDS_UP.isdisjoint(asked.kinds)


def _corrects_a_figure(older: str, newer: str) -> bool:
    """ "Wait, they are at 450 mm, I measured again": of what is counted in one unit there is one figure, however it is asked for."""
    return says_anew(older, newer) and bool(units(older) & units(newer))


def corrects_at_once(asked: AskedQuestion, older: Excerpt, newer: Excerpt) -> bool:
    """In the very next turn, which needs not say again of what it speaks; what was so is corrected too. Or soon after, where it says again what it corrects: "Correction: the
    flight leaves at 7:40" needs no second "to Nairobi"."""
    before, after = older.anchor, newer.anchor
    turns = after.passage.index - before.passage.index
    if not _in_one_chat(older, newer) or after.passage.source != CHAT_SOURCE or not 0 < turns <= MAX_TURNS_AFTER:
        return False
    if not before.role is after.role is Role.USER or not opens_with_correction(after.text):
        return False
    is_of_it = (
        not _loses_a_name(asked, before.text, after.text)
        if turns == 1
        else _says_it_again(asked, before.text, after.text)
    )
    return is_of_it and holds_such_a_value(asked, before.text, after.text)


def _says_it_again(asked: AskedQuestion, older: str, newer: str) -> bool:
    """It corrects the same, and names nobody and nothing else."""
    named = values("", newer).get("name", set()) - set(older.casefold().split())
    return corrects_the_same(asked, older, newer) and not named


def _is_of_another(older: Excerpt, newer: Excerpt) -> bool:
    """ "My neighbour pays 900", "Tom has one too"; what is another now may have been due, too."""
    before, after = older.anchor.text, newer.anchor.text
    if _OF_ANOTHER.search(after) and not _OF_ANOTHER.search(before):
        return True
    return bool(_ONE_MORE.search(after)) and not _ONE_MORE.search(before) and not told_here_anew(older, newer)


def tells_of_another(question: str, older: ExcerptPiece, newer: ExcerptPiece) -> bool:
    """ "Tom now weighs 70 kg", asked what I weigh: told to be kept, it says nothing of mine."""
    return older.role is newer.role is Role.USER and is_anothers_value(question, older.text, newer.text)


def surely_tells_of_another(question: str, older: ExcerptPiece, newer: ExcerptPiece) -> bool:
    """Else the newer does not take the older's place, and makes it doubtful all the same."""
    return older.role is newer.role is Role.USER and is_surely_anothers_value(question, older.text, newer.text)


def _in_one_chat(older: Excerpt, newer: Excerpt) -> bool:
    a, b = older.anchor.passage, newer.anchor.passage
    return a.session_id == b.session_id and a.at.date() == b.at.date()


def follows(older: Excerpt, newer: Excerpt) -> bool:
    """On a later day, or on the same in another chat. Within one chat a thing is told step by step; of what was told to this program itself, to be kept, a
    line that says that it is another now follows all the same."""
    if newer.anchor.passage.at <= older.anchor.passage.at:
        return False
    if not _in_one_chat(older, newer):
        return True
    return told_here_anew(older, newer)


def told_here_anew(older: Excerpt, newer: Excerpt) -> bool:
    """Whether the newer was told to this program itself, and says that something is another now than the older tells."""
    return newer.anchor.passage.source == CHAT_SOURCE and says_anew(older.anchor.text, newer.anchor.text)


def told_here_as_new(older: Excerpt, newer: Excerpt) -> bool:
    """… or only that something is new: "new pb on Saturday"."""
    is_told = newer.anchor.passage.source == CHAT_SOURCE
    return is_told and (told_here_anew(older, newer) or CHANGED.search(newer.anchor.text) is not None)


def less_fitting(older: AnswerSignals, newer: AnswerSignals, weights: Mapping[str, float] = FITTED.weights) -> float:
    """How much better the older one fits, but for its age and its rank: those are what is to be decided."""
    told = {name: weight for name, weight in weights.items() if name not in ("late", "first")}
    return float(sum(weight * (getattr(older, name) - getattr(newer, name)) for name, weight in told.items()))


def _loses_a_name(asked: AskedQuestion, older: str, newer: str) -> bool:
    """In German every noun has a capital: there a lost one says nothing."""
    lower = (older.casefold(), newer.casefold())
    return not german(asked.text) and any(name in lower[0] and name not in lower[1] for name in asked.names)


def _is_so_now(
    asked: AskedQuestion, older: tuple[Excerpt, AnswerSignals], newer: tuple[Excerpt, AnswerSignals]
) -> bool:
    """ "The router is in the hallway now": says itself of all that is asked for that it changed, in words that have no look; not only what stands around it does."""
    said = newer[0].anchor.text
    changed = CHANGED.search(said) and not CHANGED.search(older[0].anchor.text)
    return bool(changed) and cover(asked.weights, said) >= older[1].words - FEWER_WORDS


def holds_such_a_value(asked: AskedQuestion, older: str, newer: str) -> bool:
    """Whether the newer has another value of the kind that is asked for."""
    if _AMOUNTS.issuperset(asked.kinds):  # "the trip got changed, it's 19 June" is no new price
        newer = without_dates(newer)
    held, there = values(asked.text, older), values(asked.text, newer)
    kinds = [kind for wanted in asked.kinds for kind in _WANTED.get(wanted, ())] or list(held)
    if not kinds:
        return bool(there)
    return any(there.get(kind, set()) - held.get(kind, set()) for kind in kinds)
