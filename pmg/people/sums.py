"""Which counted claims make up a number, and whether they surely do. Pure.

Knows: what was told of one day in the same words is one; a whole number ends what was told before it; a time may hold another ("three weddings last
year", "Anna's wedding in May"). Does not know the question or the words of amounts (amounts.py). In doubt there is no number.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from pmg.base.calendar_words import WEEKDAYS
from pmg.base.words import SMALL_NUMBERS, STOP_WORDS
from pmg.index.terms import document_terms
from pmg.people.amounts import Amount, is_habit
from pmg.people.facts import began
from pmg.people.told_twice import any_nested, nested, told_first
from pmg.store.people import StoredClaim

NAMES_A_TIME = frozenset(
    document_terms(
        """this last past year month week weekend today yesterday spring summer autumn fall winter january february march april may june july august
        september october november december since"""
    )
)
_OF_A_TIME = NAMES_A_TIME | set(
    document_terms(f"{' '.join(WEEKDAYS)} day days night morning afternoon evening tonight ago next recently")
)
_WHOLE = re.compile(
    r"\b(?:now|by now|so far|in total|in all|altogether|overall|left|any ?more|to date)\b", re.IGNORECASE
)
_WHOLE_WORDS = frozenset(document_terms("now far total all altogether overall left anymore date"))
_NUMBERS = frozenset(document_terms(f"{' '.join(SMALL_NUMBERS)} couple"))
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class CountedClaim:
    """`terms` are the stems of what it tells; from `start` to the day before `end` is when it was."""

    claim: StoredClaim
    amount: Amount
    terms: frozenset[str]
    start: date
    end: date

    @classmethod
    def of(cls, claim: StoredClaim, amount: Amount) -> CountedClaim:
        terms = frozenset(document_terms(claim.claim.object)) - STOP_WORDS
        return cls(claim, amount, terms, began(claim), _end(claim))

    @property
    def number(self) -> int | None:
        return self.amount.number

    @property
    def days(self) -> int:
        return (self.end - self.start).days

    @property
    def names_a_whole(self) -> bool:
        return _WHOLE.search(self.claim.claim.object) is not None

    @property
    def things(self) -> frozenset[str]:
        """Without how many and when."""
        return frozenset(term for term in self.terms if not _is_number(term)) - _OF_A_TIME


def _end(one: StoredClaim) -> date:
    """What names no time is of the day it was told on, what names no end goes up to it."""
    said = one.claim.said_at.date()
    last = said if one.claim.valid_from is None or one.claim.valid_to is None else one.claim.valid_to - _DAY
    return max(last, began(one)) + _DAY


def _is_number(term: str) -> bool:
    return term in _NUMBERS or term[0].isdigit()


def each_once(rows: Iterable[CountedClaim]) -> list[CountedClaim]:
    """What was told of one day in the same words, or in some of them, is one."""
    rows = list(rows)
    same: defaultdict[Hashable, list[int]] = defaultdict(list)
    for at, row in enumerate(rows):
        same[row.start, row.number].append(at)
    kept = {places[at] for places in same.values() for at in told_first([rows[place].terms for place in places])}
    return [row for at, row in enumerate(rows) if at in kept]


def in_order(rows: Iterable[CountedClaim]) -> list[CountedClaim]:
    return sorted(rows, key=lambda one: (one.claim.claim.said_at, one.claim.id))


def since_the_last_whole(rows: Sequence[CountedClaim]) -> list[CountedClaim]:
    """Of what happened: from the last that tells a whole number on."""
    wholes = [at for at, one in enumerate(rows) if one.amount.is_told and one.names_a_whole]
    return list(rows[wholes[-1] :]) if wholes else list(rows)


def the_last_whole(rows: Sequence[CountedClaim]) -> list[CountedClaim] | None:
    """Of how something is every number is a whole, and what is only mentioned adds nothing to it. None where the last may be of something else than
    those before: "two kids", "one kid in school"."""
    wholes = [one for one in rows if one.amount.is_told or one.names_a_whole]
    if not wholes:
        return list(rows)
    *before, last = wholes
    is_read = last.amount.is_told or len(rows) == 1
    return [last] if is_read and all(_is_of_the_same(last, one) for one in before) else None


def _is_of_the_same(last: CountedClaim, before: CountedClaim) -> bool:
    """Whether the later one tells nothing more than the earlier, or, where it is called a whole or has the same number, at least all of it."""
    now, then = (frozenset(term for term in one.terms - _WHOLE_WORDS if not _is_number(term)) for one in (last, before))
    return now <= then or ((last.names_a_whole or last.number == before.number) and then <= now)


def is_certain(rows: Sequence[CountedClaim], *, is_measured: bool, is_times: bool) -> bool:
    """Whether the rows add up to a number: each tells one, and none may be told twice or hold another. Hours, miles and times may be told anew as they
    grow (`is_measured`): only what has a day of its own is added."""
    if any(one.number is None or is_habit(one.claim.claim.object) for one in rows):
        return False
    if len(rows) < 2:
        return True
    if is_times and any(one.amount.is_told for one in rows):
        return False  # "three times" may hold the others
    if is_measured:
        return _have_their_days(rows) and not _any_holds(rows, rows)
    return not (_any_told_twice(rows) or _any_holds_the_same(rows))


def _have_their_days(rows: Sequence[CountedClaim]) -> bool:
    days = {one.claim.claim.valid_from for one in rows}
    return None not in days and len(days) == len(rows)


def _any_told_twice(rows: Iterable[CountedClaim]) -> bool:
    """Whether what names no day may be another telling of one of the same number; those of one day are one already."""
    numbers: defaultdict[int | None, list[CountedClaim]] = defaultdict(list)
    for row in rows:
        numbers[row.number].append(row)
    return any(_has_a_second_telling(alike) for alike in numbers.values())


def _has_a_second_telling(rows: Sequence[CountedClaim]) -> bool:
    told = Counter(one.terms for one in rows)
    dayless = {one.terms for one in rows if one.claim.claim.valid_from is None}
    return any(told[terms] > 1 for terms in dayless) or any_nested(dayless, told)


def _any_holds_the_same(rows: Sequence[CountedClaim]) -> bool:
    if all(one.days == 1 for one in rows):
        return False
    groups: defaultdict[frozenset[str], list[CountedClaim]] = defaultdict(list)
    for row in rows:
        groups[row.things].append(row)
    pairs = [*((things, things) for things in groups), *nested(groups)]
    return any(_any_holds(groups[a], groups[b]) or _any_holds(groups[b], groups[a]) for a, b in pairs)


def _any_holds(some: Sequence[CountedClaim], others: Sequence[CountedClaim]) -> bool:
    """Whether the time of one is longer than that of another which begins in it, and its number no smaller: "500 euros this year" may hold "200 euros
    last month"."""
    longer = [one for one in some if one.days > 1]
    if not longer:
        return False
    order = sorted(others, key=lambda other: other.start)
    starts = [other.start for other in order]
    return any(
        other is not one and other.days < one.days and (other.number or 0) <= (one.number or 0)
        for one in longer
        for other in order[bisect_left(starts, one.start) : bisect_left(starts, one.end)]
    )
