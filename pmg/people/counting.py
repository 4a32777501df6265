"""Counts and lists across sessions: "how many books did I buy this year?" as a dated list of claims with their evidence. Pure.

A list is what was said and found: it is never called complete. What was told as a whole ("three cats now", "455 miles so far") is not added up:
the latest such number holds, with what happened after it. Of how something is a later number holds only if it is of the same as those before, and
none holds after a denial. Only claims of just what is asked count: its verb, its noun or unit, and the words after the verb. Where one of them leaves
open how many (amounts.py), tells a habit, or may be another telling of the same or hold it (sums.py), there is no number: the lines that say it answer
then. How often something is done is told in words, and never counted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pmg.base.claim import DISLIKES, LIKES, OWNS, Modality
from pmg.base.verbs import plain
from pmg.base.words import STOP_WORDS
from pmg.index.terms import document_terms, query_terms
from pmg.people.amounts import (
    VAGUE,
    Amount,
    counted_things,
    is_habit,
    is_unit,
    measured,
    noun_stem,
    occasions,
)
from pmg.people.facts import began
from pmg.people.sums import (
    NAMES_A_TIME,
    CountedClaim,
    each_once,
    in_order,
    is_certain,
    since_the_last_whole,
    the_last_whole,
)
from pmg.people.titles import titles
from pmg.recall.question_time import AskedPeriod, when
from pmg.store.people import StoredClaim

_COUNTED = re.compile(
    r"\b(?P<kind>how (?:many|often)|which|what|all(?: the)?|list|name)\b(?: (?P<what>[\w' -]+?))?\s+(?P<auxiliary>did|do|does|has|have|had|was|were|are|is)\s+(?P<rest>[^?]+)",
    re.IGNORECASE,
)
_STATE = frozenset(("do", "does", "are", "is"))  # "how many cats do I have" asks how it is, "… did I buy" what happened
# The verbs that tell what a verb asks for. Who got a book need not have bought it, but who bought one got it.
_TELLS = {
    verb: frozenset((verb, *others.split()))
    for verb, others in {
        "buy": "purchase",
        "purchase": "buy",
        "have": "own",
        "own": "have",
        "get": "buy purchase acquire",
        "acquire": "get buy purchase",
        "like": "enjoy love",
        "enjoy": "like love",
        "love": "like enjoy",
        "go": "attend visit",
        "attend": "go",
        "visit": "go",
        "read": "finish",
        "watch": "see",
        "see": "watch",
    }.items()
}
# What a verb is done to, where it need not be said: who read Middlemarch read a book.
_IMPLIED = {
    verb: frozenset(map(noun_stem, nouns.split()))
    for verb, nouns in {"read": "book novel title", "watch": "movie film show series"}.items()
}
_NO_NOUN = frozenset(
    "a all any different i in me more my new of other our the that times time total we which you your".split()
)
_RATE = re.compile(r"\b(?:a|an|per|each|every) \w+$", re.IGNORECASE)  # "how many hours a week"
_ABOUT_TIME = frozenset(map(noun_stem, "so far ever already yet now currently total altogether overall all".split()))
_NONE = re.compile(r"(?:no|none|nothing|neither)\b", re.IGNORECASE)
_NOTHING = re.compile(r"\b(?:none|nothing|anything|them)\b", re.IGNORECASE)  # a denial that names no thing is of any
_LIGHT = frozenset("have do spend take need get make be".split())  # verbs that say nothing without what is done


@dataclass(frozen=True, slots=True)
class Counted:
    """`number` adds what the claims say ("two books" are two); `rows` are in order of time, `amounts` is what each adds."""

    number: int
    rows: tuple[StoredClaim, ...]
    what: str
    verb: str
    period: AskedPeriod | None
    amounts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CountQuestion:
    """`nouns` and `about` are stems: what is counted, and the words after the verb, which are all in a claim that counts."""

    what: str
    verb: str
    nouns: tuple[str, ...]
    about: frozenset[str]
    period: AskedPeriod | None
    is_number: bool  # and no list
    is_times: bool  # counts occasions
    is_unit: bool  # adds up hours or miles
    is_state: bool


def counted(question: str, claims: Sequence[StoredClaim], at: datetime) -> Counted | None:
    """None where the question asks for no number or list that can be made of claims, or where they are not certain."""
    asked = _read(question, claims, at)
    if asked is None or (asked.is_times and _is_a_habit(asked, claims)):
        return None
    rows = [
        CountedClaim.of(one, amount)
        for one in claims
        if (asked.period is None or asked.period.start <= began(one) < asked.period.end)
        and (amount := _amount(one, asked)) is not None
    ]
    order = in_order(each_once(rows))
    told = the_last_whole(order) if asked.is_state else since_the_last_whole(order)
    if asked.is_state and _is_denied(asked, claims, told or order):
        return None
    adds_up = told is not None and is_certain(
        told, is_measured=asked.is_unit or asked.is_times, is_times=asked.is_times
    )
    return None if asked.is_number and not adds_up else _found(asked, order if told is None else told, adds_up)


def _found(asked: CountQuestion, told: Sequence[CountedClaim], adds_up: bool) -> Counted:
    """Of a list that does not add up each claim is one."""
    amounts = tuple(one.number if adds_up and one.number is not None else 1 for one in told)
    rows = tuple(one.claim for one in told)
    return Counted(sum(amounts), rows, asked.what, asked.verb, asked.period, amounts)


def recounted(found: Counted, rows: Sequence[StoredClaim]) -> Counted:
    """The same question with only these of its claims as its answer."""
    kept = {one.id for one in rows}
    left = [(one, amount) for one, amount in zip(found.rows, found.amounts, strict=True) if one.id in kept]
    amounts = tuple(amount for _, amount in left)
    return replace(found, number=sum(amounts), rows=tuple(one for one, _ in left), amounts=amounts)


# the question


def _read(question: str, claims: Sequence[StoredClaim], at: datetime) -> CountQuestion | None:
    found = _COUNTED.search(question)
    if found is None:
        return None
    kind, what, is_state = found["kind"].lower(), found["what"] or "", found["auxiliary"].lower() in _STATE
    is_times = kind == "how often" or what.lower() in ("times", "time")
    verb_at = _verb_at(found["rest"], claims)
    if verb_at is None or _RATE.search(what) or (is_times and is_state):
        return None
    periods = [one for one in when(question, at, _years(claims)) if one.start <= at.date()]
    people = {term for one in claims for term in document_terms(one.claim.subject)}
    about = _about(found["rest"][verb_at.end() :], bool(periods)) - people
    nouns = tuple(
        stem
        for word in re.findall(r"[a-z]+", what.lower())
        if word not in _NO_NOUN and (stem := noun_stem(word)) not in people
    )
    verb, of_unit = plain(verb_at[0].lower()), len(nouns) == 1 and is_unit(what.split()[-1])
    says_what = bool(about) if is_times or (of_unit and verb in _LIGHT) else bool(nouns)
    if not says_what:
        return None
    return CountQuestion(
        what,
        verb,
        nouns,
        about,
        periods[0] if periods else None,
        kind.startswith("how"),
        is_times,
        of_unit,
        is_state and not periods,
    )


def _verb_at(rest: str, claims: Sequence[StoredClaim]) -> re.Match[str] | None:
    """The first word after the auxiliary that is the verb of a claim."""
    verbs = {_verb_of(one) for one in claims}
    words = re.finditer(r"[a-z']+", rest, re.IGNORECASE)
    return next((word for word in words if verbs & _verbs_that_tell(plain(word[0].lower()))), None)


def _about(after: str, names_a_time: bool) -> frozenset[str]:
    """What the words after the verb tell of it, but for the time that is asked for."""
    terms = frozenset(query_terms(after)) - STOP_WORDS - _ABOUT_TIME
    return frozenset(one for one in terms - NAMES_A_TIME if not one.isdigit()) if names_a_time else terms


def _years(claims: Sequence[StoredClaim]) -> list[int]:
    return sorted({one.claim.said_at.year for one in claims})


def _verbs_that_tell(verb: str) -> frozenset[str]:
    return _TELLS.get(verb, frozenset((verb,)))


def _verb_of(one: StoredClaim) -> str:
    relation = one.claim.relation
    return {LIKES: "like", DISLIKES: "hate", OWNS: "have"}.get(relation, relation)


# the claims


def _amount(one: StoredClaim, asked: CountQuestion) -> Amount | None:
    """What a claim adds; None where it is not about what is asked."""
    claim = one.claim
    if claim.modality is not Modality.STATED or not claim.is_positive:
        return None
    if _verb_of(one) not in _verbs_that_tell(asked.verb) or not asked.about <= set(document_terms(claim.object)):
        return None
    if asked.is_state and _is_former(one):
        return None
    if asked.is_times:
        return occasions(claim.object)
    told = _amount_told(claim.object, asked)
    return told if told is not None or asked.is_unit else _implied(one, asked.nouns) or _only_named(one, asked)


def _amount_told(thing: str, asked: CountQuestion) -> Amount | None:
    return measured(thing, asked.nouns[0]) if asked.is_unit else counted_things(thing, asked.nouns)


def _is_former(one: StoredClaim) -> bool:
    """ "I used to have two cats"."""
    return one.claim.valid_to is not None and one.claim.valid_to <= one.claim.said_at.date()


def _implied(one: StoredClaim, nouns: Sequence[str]) -> Amount | None:
    verb, thing = _verb_of(one), one.claim.object
    if not nouns or not set(nouns) <= _IMPLIED.get(verb, frozenset()):
        return None
    return titles(thing)


def _only_named(one: StoredClaim, asked: CountQuestion) -> Amount | None:
    """ "Some screenings at film festivals" does not say at how many: it belongs to no list, and leaves a number open."""
    is_named = set(asked.nouns) <= {noun_stem(word) for word in re.findall(r"[a-z]+", one.claim.object.lower())}
    return VAGUE if asked.is_number and is_named else None


def _is_a_habit(asked: CountQuestion, claims: Sequence[StoredClaim]) -> bool:
    """Whether what is asked for is told as something that is done again and again, in whatever words: that is more than what is told one by one."""
    return any(
        one.claim.modality is Modality.STATED
        and is_habit(one.claim.object)
        and asked.about <= set(document_terms(one.claim.object))
        for one in claims
    )


def _is_denied(asked: CountQuestion, claims: Sequence[StoredClaim], told: Sequence[CountedClaim]) -> bool:
    """Whether it was said later that there are none: "I don't have any rabbits", "I have no rabbits any more"."""
    first = min(((one.claim.claim.said_at, one.claim.id) for one in told), default=None)
    return first is not None and any((one.claim.said_at, one.id) > first and _denies(one, asked) for one in claims)


def _denies(one: StoredClaim, asked: CountQuestion) -> bool:
    claim = one.claim
    is_denial = not claim.is_positive or _NONE.match(claim.object) is not None
    if not is_denial or claim.modality is not Modality.STATED or _verb_of(one) not in _verbs_that_tell(asked.verb):
        return False
    return _NOTHING.search(claim.object) is not None or _amount_told(claim.object, asked) is not None
