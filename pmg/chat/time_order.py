"""Which of several excerpts that were so one after the other is the answer: the newest, the one before it, or the first.

Knows: the order in which excerpts that say one thing anew are shown, by what the question asks for (people/question_tense.py). When two of them
do is newer_value.py's; how excerpts are ranked is evidence.py's. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pmg.base.model import Role
from pmg.chat import answer_scoring
from pmg.chat.answer_signals import AnswerSignals, AskedQuestion
from pmg.chat.answer_type import AnswerType
from pmg.chat.called_off import calls_off, is_on_again
from pmg.chat.excerpts import Excerpt
from pmg.chat.given_back import is_away_again, is_no_longer_there
from pmg.chat.newer_value import SAME, corrects_at_once, told_anew, took_its_place, was_before
from pmg.chat.responder import QuoteKind
from pmg.chat.told_change import tells_change
from pmg.embed.embedder import Vectors
from pmg.index.terms import query_terms
from pmg.people.question_tense import AskedOrder

CLOSE = 0.5  # of the score: so near, two excerpts answer about equally well
FEWER_WORDS = 0.2  # of the question's, that the newer of two may lack
_WHOSE = re.compile(
    r"['’]s\b|\b(?:my|our|mein\w*|unser\w*)\b|\b(?:the|der|die|das) (?:[\w-]+ ){1,3}(?:of|for|on|at|von|vom|für|bei)\b",
    re.IGNORECASE,
)  # "Theo's babysitter" and "the facade of Fenwick House" are others some day, Theo is not
STEPS = 3  # from one that was so to the next
POOL = 24  # excerpts in which the other of two is looked for: what is told anew in other words ranks low


@dataclass(frozen=True, slots=True)
class ScoredExcerpt:
    excerpt: Excerpt
    signals: AnswerSignals
    score: float
    vector: Vectors | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class DatedExcerpt:
    """An excerpt as the answer, as what was so before, or as another line that answers."""

    found: ScoredExcerpt
    kind: QuoteKind


def in_time_order(
    asked: AskedQuestion, chosen: Sequence[ScoredExcerpt], ranked: Sequence[ScoredExcerpt] = ()
) -> list[DatedExcerpt]:
    """The chosen, with the one that is asked for first. It may come from further down: what is told anew is often told in other words."""
    known = {_place(one) for one in chosen}
    # Only of what was told to be kept: a talk comes back to a thing without saying it anew.
    told = [
        one
        for place, one in enumerate(ranked)
        if one.excerpt.anchor.role is Role.USER and (place < POOL or tells_change(asked.text, one.excerpt.anchor.text))
    ]
    pool = [*chosen, *(one for one in told if _place(one) not in known)]
    line = _line_in_time(asked, chosen, pool)
    line += [one for one in pool if _corrects(asked, line[-1], one, pool)][:1]
    if len(line) == 1 and line[0] is chosen[0]:
        return [DatedExcerpt(one, QuoteKind.ANSWER) for one in chosen]
    answer, *passed = reversed(line)
    rest = [one for one in chosen if one not in line and not _overlaps(one, line)]
    found = [DatedExcerpt(answer, QuoteKind.ANSWER), *(DatedExcerpt(one, _kind(asked, one, answer)) for one in passed)]
    return [*found, *(DatedExcerpt(one, QuoteKind.ANSWER) for one in rest)][: max(len(chosen), 2)]


def called_off_first(
    asked: AskedQuestion, found: Sequence[DatedExcerpt], ranked: Sequence[ScoredExcerpt]
) -> list[DatedExcerpt]:
    """Where what the first tells of is off by now, or given back: the line that says so, or that it is on again, before it. What was so before may be asked for: then all stays."""
    first = found[0].found
    plan = first.excerpt.anchor
    if asked.order in (AskedOrder.BEFORE, AskedOrder.FIRST) or plan.role is not Role.USER:
        return list(found)
    told = sorted((one for one in ranked if one.excerpt.anchor.is_told_here), key=_when)
    later = [one for one in told if one.excerpt.anchor.passage.at > plan.passage.at]
    off = [one for one in later if _is_over(asked.text, plan.text, one.excerpt.anchor.text)]
    if not off:
        return list(found)
    since = later[later.index(off[-1]) + 1 :]
    again = [one for one in since if _is_again(off[-1].excerpt.anchor.text, one.excerpt.anchor.text)]
    newest = [*off, *again][-1]
    rest = [one for one in found[1:] if not one.found.excerpt.overlaps(newest.excerpt)]
    before = DatedExcerpt(first, QuoteKind.ALSO if again else QuoteKind.OLDER)
    return [DatedExcerpt(newest, QuoteKind.ANSWER), before, *rest][: max(len(found), 2)]


def _is_over(question: str, older: str, newer: str) -> bool:
    return calls_off(older, newer) or is_no_longer_there(question, older, newer)


def _is_again(ended: str, newer: str) -> bool:
    return is_on_again(ended, newer) or is_away_again(ended, newer)


def _corrects(asked: AskedQuestion, older: ScoredExcerpt, newer: ScoredExcerpt, pool: Sequence[ScoredExcerpt]) -> bool:
    """At once, and not another line, which it names: "Correction: the roofer wants 9800", told after what the painter wants."""
    if not corrects_at_once(asked, older.excerpt, newer.excerpt):
        return False
    own, said = (set(query_terms(one.excerpt.anchor.text)) for one in (older, newer))
    others = (set(query_terms(one.excerpt.anchor.text)) for one in pool if one is not newer and one is not older)
    return not any(len(said & terms) > len(said & own) for terms in others)


def _kind(asked: AskedQuestion, one: ScoredExcerpt, answer: ScoredExcerpt) -> QuoteKind:
    """What one that the answer was put before is called."""
    if asked.order in (AskedOrder.BEFORE, AskedOrder.FIRST):
        return QuoteKind.ANSWER
    replaced = took_its_place(asked, one.excerpt, answer.excerpt, _near(one, answer))
    return QuoteKind.OLDER if replaced else QuoteKind.ALSO


def _line_in_time(
    asked: AskedQuestion, chosen: Sequence[ScoredExcerpt], pool: Sequence[ScoredExcerpt]
) -> list[ScoredExcerpt]:
    """The best, and from it step by step to the one that is asked for, which is the last."""
    if asked.order in (AskedOrder.NEWEST, AskedOrder.ANY):
        line, side, steps = _as_good_and_newer(asked, chosen), 1, STEPS if _may_follow(asked) else 0
    elif AnswerType.REASON in asked.kinds:  # what was the reason takes no other's place
        return [chosen[0]]
    else:
        line, side, steps = [chosen[0]], -1, 1 if asked.order is AskedOrder.BEFORE else STEPS
        if asked.order is AskedOrder.BEFORE and any(_told_anew(asked, chosen[0], one) for one in chosen[1:]):
            return line  # it is the older one already
    while steps and (step := _next(asked, line, pool, side)) is not None:
        line.append(step)
        steps -= 1
    return line


def _as_good_and_newer(asked: AskedQuestion, chosen: Sequence[ScoredExcerpt]) -> list[ScoredExcerpt]:
    """Where several answer about equally well, those from the oldest to the newest of them; else the best alone."""
    best = chosen[0]
    as_good = [one for one in chosen if asked.now and _answers_as_well(one, best) and _may_be_of_one_matter(one, best)]
    if len(as_good) < 2:
        return [best]
    newest = max(as_good, key=_when)
    day = newest.excerpt.anchor.passage.at.date()
    older = [
        one for one in as_good if one.excerpt.here < newest.excerpt.here or one.excerpt.anchor.passage.at.date() < day
    ]
    return [*sorted(older, key=_when), newest]


def _next(
    asked: AskedQuestion, line: Sequence[ScoredExcerpt], pool: Sequence[ScoredExcerpt], side: int
) -> ScoredExcerpt | None:
    """The most alike of those that say anew what the last says, and the first too (`side` 1), or that say what was so before it (-1)."""
    one = line[-1]
    if side > 0:
        steps = [other for other in pool if all(_told_anew(asked, each, other) for each in (line[0], one))]
    else:
        steps = [other for other in pool if was_before(asked, other.excerpt, one.excerpt, _near(one, other))]
    return max(steps, key=lambda other: (_near(one, other), other.score)) if steps else None


def _may_be_of_one_matter(one: ScoredExcerpt, other: ScoredExcerpt) -> bool:
    """Being newer counts among lines about the same thing only. Without a model nobody can say that they are not."""
    return one.vector is None or other.vector is None or _near(one, other) >= SAME


def _near(one: ScoredExcerpt, other: ScoredExcerpt) -> float:
    """0 without a model: then nobody can say that they are about the same."""
    return float(one.vector @ other.vector) if one.vector is not None and other.vector is not None else 0.0


def _when(one: ScoredExcerpt) -> tuple[bool, datetime, float]:
    """What was said in this chat is the latest there is."""
    return (one.excerpt.here, one.excerpt.anchor.passage.at, one.score)


def _place(one: ScoredExcerpt) -> tuple[str, str, int, int]:
    anchor = one.excerpt.anchor
    return (anchor.passage.id, anchor.passage.session_id, anchor.line, anchor.start)


def _overlaps(one: ScoredExcerpt, shown: Sequence[ScoredExcerpt]) -> bool:
    return any(one.excerpt.overlaps(other.excerpt) for other in shown)


def _may_follow(asked: AskedQuestion) -> bool:
    """A question about then is left alone, and so is one that names its time. Who somebody with a name is does not change with what was said last."""
    is_name = asked.identity and asked.names and _WHOSE.search(asked.text) is None
    return asked.order is AskedOrder.NEWEST and not asked.periods and not is_name


def _told_anew(asked: AskedQuestion, one: ScoredExcerpt, other: ScoredExcerpt) -> bool:
    return told_anew(asked, (one.excerpt, one.signals), (other.excerpt, other.signals), _near(one, other))


def _answers_as_well(one: ScoredExcerpt, best: ScoredExcerpt) -> bool:
    """Being late is what is to be decided, so it does not count here."""
    a, b = one.signals, best.signals
    apart = (best.score - one.score) - answer_scoring.FITTED.weights["late"] * (b.late - a.late)
    return apart <= CLOSE and a.held_around >= b.held_around and a.words >= b.words - FEWER_WORDS
