"""What is known of a line beside its signals, put into its score: that it tells of another, of what is one's own, or what was shown just before.

Knows: how much each counts, set in view of the dialogues of data/, not fitted. The signals and their weights are answer_signals.py's and answer_scoring.py's. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pmg.base.calendar_words import weekdays
from pmg.base.model import Passage, Role
from pmg.chat.another_matter import (
    does_another,
    has_the_very_thing,
    is_another_such_thing,
    names_them,
    tells_of_subject,
)
from pmg.chat.answer_scoring import FITTED
from pmg.chat.answer_signals import AskedQuestion, cover
from pmg.chat.answer_type import AnswerType, asks_clock, holds, lacks, may_hold_clock
from pmg.chat.continued_line import goes_on_from, means_a_person
from pmg.chat.excerpts import Excerpt, ExcerptPiece
from pmg.chat.follow_up import asks_only_which
from pmg.chat.pronouns import ASKS_NAME, new_name
from pmg.chat.responder import ChatRequest
from pmg.chat.told_identity import is_only_anothers, own_thing, says_mine
from pmg.chat.told_work import tells_work
from pmg.chat.whose_deed import asked_deed, is_anothers
from pmg.index.terms import document_terms, query_terms
from pmg.people.asked_relation import role_asked

# What another did stands below what one did oneself, and above what has nothing to do with it.
ANOTHERS = 3.0
OF_ANOTHER = 2.0  # what somebody else does, where a line of the one asked about may tell it
MINE = 5.0  # "mine is midnight" has no word of the question
# What answered the question before, and does not hold what is asked now, stands below what does.
SHOWN_ALREADY = 4.0
WORK = 3.0  # what tells somebody's work, where that is asked for
MIN_OF_IT = 0.3  # share of the question that a line with a reason must have
LACKING = 2.0  # … and what was not shown, but does not hold it either
# What the words of a question that a line adds to the one it goes on from are worth: as much as in any line.
ADDED = FITTED.weights["words"] + FITTED.weights["kindred"]
MIN_ADDED = 0.1  # … and of one that adds only what is asked for: a day, a name
ALL = 0.99  # of the question's words
TURNS_BEFORE_MINE = 4  # turns back to what "mine" is one of


def adjusted(
    ask: ChatRequest, asked: AskedQuestion, leans: bool, found: Sequence[Excerpt], scores: Sequence[float]
) -> list[float]:
    """Row for row. `leans`: the question was asked after another, and takes from there what it is about."""
    changed = _less_if_another_day(asked, found, _less_if_anothers(asked.text, found, scores))
    changed = _less_if_another_does(asked, found, _less_without_clock(asked, found, changed))
    changed = _more_if_their_work(asked, found, _less_if_another_thing(asked, found, changed))
    changed = _more_if_it_goes_on(ask, asked, found, changed)
    return _less_if_shown_already(ask, asked, found, changed) if leans and ask.shown else changed


def _less_if_anothers(question: str, found: Sequence[Excerpt], scores: Sequence[float]) -> list[float]:
    """Asked what I did or of what is mine, what I told of somebody else who did the same or has such a thing."""
    deed, thing = asked_deed(question), own_thing(question)

    def is_of_another(line: Excerpt) -> bool:
        text = line.anchor.text
        return line.anchor.role is Role.USER and (is_anothers(deed, text) or is_only_anothers(thing, text))

    return [
        score - ANOTHERS if is_of_another(one) else score + MINE if _is_mine(thing, one, found) else score
        for one, score in zip(found, scores, strict=True)
    ]


def _less_if_another_day(asked: AskedQuestion, found: Sequence[Excerpt], scores: Sequence[float]) -> list[float]:
    """Asked what is on Mondays, what is told of Wednesdays alone; asked when or whether it is, another day may be the answer."""
    is_open = AnswerType.DATE in asked.kinds or AnswerType.YES_NO in asked.kinds
    wanted = weekdays(asked.text) if not is_open else frozenset()
    days = [weekdays(one.anchor.text) if one.anchor.role is Role.USER else frozenset() for one in found]
    return [
        score - ANOTHERS if wanted and there and wanted.isdisjoint(there) else score
        for score, there in zip(scores, days, strict=True)
    ]


def _less_without_clock(asked: AskedQuestion, found: Sequence[Excerpt], scores: Sequence[float]) -> list[float]:
    """Asked at what time, what was told here without one."""
    wants = asks_clock(asked.text.rpartition("\n")[2])  # of a question that leans, what is wanted stands last
    return [
        score - LACKING if wants and one.anchor.is_told_here and not may_hold_clock(one.said) else score
        for one, score in zip(found, scores, strict=True)
    ]


def _less_if_another_does(asked: AskedQuestion, found: Sequence[Excerpt], scores: Sequence[float]) -> list[float]:
    """Asked where Jory lives, where his sister does: if there is a line of him that may tell it."""
    told = [one.anchor.text for one in found if one.anchor.is_told_here]
    if not tells_of_subject(asked, told):
        return list(scores)
    return [
        score - OF_ANOTHER if one.anchor.is_told_here and does_another(asked, told, one.anchor.text) else score
        for one, score in zip(found, scores, strict=True)
    ]


def _less_if_another_thing(asked: AskedQuestion, found: Sequence[Excerpt], scores: Sequence[float]) -> list[float]:
    """Asked for the water bill, what was told of the electricity bill: if there is a line of the water bill. A line with the name that is asked for may have it mistyped."""
    if not any(one.anchor.is_told_here and has_the_very_thing(asked, one.anchor.text) for one in found):
        return list(scores)

    def is_of_another(line: ExcerptPiece) -> bool:
        named = bool(asked.names) and names_them(asked, line.text)
        return line.is_told_here and not named and is_another_such_thing(asked, line.text)

    return [
        score - OF_ANOTHER if is_of_another(one.anchor) else score for one, score in zip(found, scores, strict=True)
    ]


def _more_if_their_work(asked: AskedQuestion, found: Sequence[Excerpt], scores: Sequence[float]) -> list[float]:
    """Asked what somebody does, what tells their work stands before what else is told of them."""
    return [score + more_for_work(asked, one.anchor.text) for one, score in zip(found, scores, strict=True)]


def more_for_work(asked: AskedQuestion, text: str) -> float:
    """It decides the order, and says nothing of how sure the answer is: somebody may do something else by now."""
    is_work = role_asked(asked.text) and names_them(asked, text) and tells_work(text)
    return WORK if is_work else 0.0


def _is_mine(thing: tuple[str, ...], line: Excerpt, found: Sequence[Excerpt]) -> bool:
    """ "Mine is 1 April", a turn or a few after somebody's birthday was told: then it is a birthday."""
    here = line.anchor.passage
    if not thing or line.anchor.role is not Role.USER or not says_mine(line.anchor.text):
        return False
    before = (
        one.anchor.text
        for one in found
        if one.anchor.passage.session_id == here.session_id
        and 0 < here.index - one.anchor.passage.index <= TURNS_BEFORE_MINE
    )
    return any(set(thing) <= set(document_terms(text)) for text in before)


def _more_if_it_goes_on(
    ask: ChatRequest, asked: AskedQuestion, found: Sequence[Excerpt], scores: Sequence[float]
) -> list[float]:
    """ "Her leaving do is at the Red Lion" stands before the line that says who she is, if it has more of what is asked for."""
    turns = _turns(ask, found)
    best: dict[tuple[str, int, int], float] = {}
    for one, score in zip(found, scores, strict=True):
        best[_place(one.anchor)] = max(score, best.get(_place(one.anchor), score))

    def more(one: Excerpt, score: float) -> float:
        lines = goes_on_from(one.anchor, turns)
        held = [best[place] for line in lines if (place := _place(line)) in best]
        if not held:
            return score
        before = "\n".join(line.text for line in lines)
        known = cover(asked.weights, before)
        added = cover(asked.weights, f"{before}\n{one.anchor.text}") - known
        if not added and not _has_what_it_lacks(asked, known, before, one.anchor.text):
            return score
        return max(score, max(held) + ADDED * max(added, MIN_ADDED))

    return [more(one, score) for one, score in zip(found, scores, strict=True)]


def _place(piece: ExcerptPiece) -> tuple[str, int, int]:
    return (piece.passage.session_id, piece.passage.index, piece.line)


def _has_what_it_lacks(asked: AskedQuestion, known: float, before: str, text: str) -> bool:
    """Not a word of the question more, but what it wants; a line with all of its words (`known` is their share) may tell it in a way that has no look."""
    if not means_a_person(text):
        return False
    if ASKS_NAME.search(asked.text):
        return not new_name(asked.text, before) and bool(new_name(asked.text, text))
    return known < ALL and any(holds(kind, text) > holds(kind, before) for kind in asked.kinds)


def _turns(ask: ChatRequest, found: Sequence[Excerpt]) -> Mapping[tuple[str, int], Passage]:
    known = [*ask.before, *(piece.passage for one in found for piece in one.pieces)]
    return {(turn.session_id, turn.index): turn for turn in known}


def _less_if_shown_already(
    ask: ChatRequest, asked: AskedQuestion, found: Sequence[Excerpt], scores: Sequence[float]
) -> list[float]:
    """ "How much was it?" is not asked for the line that has just told when it was, nor "What does she do?" for the one that has just told her name. The words of a
    question that leans are those of the one before: what it wants tells more than they do."""
    known = set(document_terms("\n".join((asked.text, *ask.said_before[-1:]))))
    # Why something is so often has no look of its own, and is often told with it; but not where another line says that it is the reason.
    has_reason = any(
        holds(AnswerType.REASON, one.said) and cover(asked.weights, one.said) >= MIN_OF_IT for one in found
    )
    wanted = [kind for kind in asked.kinds if kind is not AnswerType.REASON or has_reason]

    own = set(query_terms(ask.text)) - set(query_terms("\n".join(ask.said_before[-1:])))
    elsewhere = asks_only_which(ask.text) and any(
        one.anchor.passage.id not in ask.shown and not own.isdisjoint(document_terms(one.anchor.text)) for one in found
    )

    def less(one: Excerpt) -> float:
        place, names = one.anchor.passage.id, new_name(asked.text, one.said)
        is_lacking = lacks(wanted, one.said, is_past=False) and not (AnswerType.PERSON in wanted and names)
        if place not in ask.shown:
            return LACKING if is_lacking else 0.0
        adds_nothing = known.issuperset(query_terms(one.anchor.text))
        asks_whom = AnswerType.PERSON in asked.kinds and not names
        is_elsewhere = elsewhere and own.isdisjoint(document_terms(one.anchor.text))  # "Which hotel?"
        return SHOWN_ALREADY if adds_nothing or asks_whom or is_lacking or is_elsewhere else 0.0

    return [score - less(one) for one, score in zip(found, scores, strict=True)]
