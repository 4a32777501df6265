"""Counts and lists across sessions: "how many books did I buy this year?" as a dated list of claims with their evidence. Pure.

A list is what was said and found: it is never called complete. What was told as a whole ("three cats now", "455 miles so far") is not added up:
the latest such number holds, with what happened after it. Only claims of just what is asked count: its verb, its noun or unit, and the words
after the verb. Where one of them leaves open how many, tells a habit, or may be another telling of the same, there is no number: the lines that
say it answer then. How often something is done is told in words, and never counted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pmg.claim import DISLIKES, LIKES, OWNS, Modality
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
    same_things,
    titles,
)
from pmg.people.facts import began
from pmg.recall.question_time import AskedPeriod, when
from pmg.store.people import StoredClaim
from pmg.verbs import plain
from pmg.words import STOP_WORDS

_COUNTED = re.compile(
    r"\b(?P<kind>how (?:many|often)|which|what|all(?: the)?|list|name)\b(?: (?P<what>[\w' -]+?))?\s+(?P<auxiliary>did|do|does|has|have|had|was|were|are|is)\s+(?P<rest>[^?]+)",
    re.IGNORECASE,
)
_STATE = frozenset(("do", "does", "are", "is"))  # "how many cats do I have" asks how it is, "… did I buy" what happened
_WHOLE = re.compile(
    r"\b(?:now|by now|so far|in total|in all|altogether|overall|left|any ?more|to date)\b", re.IGNORECASE
)
# The verbs that tell what a verb asks for. Who got a book need not have bought it, but who bought one got it.
_TELLS = {
    verb: frozenset((verb, *others.split()))
    for verb, others in {
        "buy": "purchase",
        "purchase": "buy",
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
_TITLE = re.compile(r"[A-Z\"“]|\d{4}$")  # not "a bit", "that" or "the Lakers play"
_NO_NOUN = frozenset(
    "a all any different i in me more my new of other our the that times time total we which you your".split()
)
_RATE = re.compile(r"\b(?:a|an|per|each|every) \w+$", re.IGNORECASE)  # "how many hours a week"
_ABOUT_TIME = frozenset(map(noun_stem, "so far ever already yet now currently total altogether overall all".split()))
_NAMES_A_TIME = frozenset(
    map(
        noun_stem,
        """this last past year month week weekend today yesterday spring summer autumn fall winter january february march april may june july august
        september october november december since""".split(),
    )
)
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


@dataclass(frozen=True, slots=True)
class CountedClaim:
    claim: StoredClaim
    amount: Amount

    @property
    def terms(self) -> frozenset[str]:
        return frozenset(document_terms(self.claim.claim.object)) - STOP_WORDS


def counted(question: str, claims: Sequence[StoredClaim], at: datetime) -> Counted | None:
    """None where the question asks for no number or list that can be made of claims, or where they are not certain."""
    asked = _read(question, claims, at)
    if asked is None or (asked.is_times and _is_a_habit(asked, claims)):
        return None
    rows = [
        CountedClaim(one, amount)
        for one in claims
        if (asked.period is None or asked.period.start <= began(one) < asked.period.end)
        and (amount := _amount(one, asked)) is not None
    ]
    told = since_the_last_whole(_each_once(rows), asked.is_state)
    is_certain = _is_certain(told, asked)
    if asked.is_number and not is_certain:
        return None
    found = Counted(
        0,
        tuple(one.claim for one in told),
        asked.what,
        asked.verb,
        asked.period,
        tuple(one.amount.number if is_certain and one.amount.number is not None else 1 for one in told),
    )
    return recounted(found, found.rows)


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
    return frozenset(one for one in terms - _NAMES_A_TIME if not one.isdigit()) if names_a_time else terms


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
    if asked.is_times:
        return occasions(claim.object)
    if asked.is_unit:
        return measured(claim.object, asked.nouns[0])
    return counted_things(claim.object, asked.nouns) or _implied(one, asked.nouns) or _only_named(one, asked)


def _implied(one: StoredClaim, nouns: Sequence[str]) -> Amount | None:
    verb, thing = _verb_of(one), one.claim.object
    if not nouns or not set(nouns) <= _IMPLIED.get(verb, frozenset()):
        return None
    return Amount(titles(thing)) if _TITLE.match(thing) else None


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


def _each_once(rows: Sequence[CountedClaim]) -> list[CountedClaim]:
    """What was told of one day in the same words, or in some of them, is one."""
    found: list[CountedClaim] = []
    for row in rows:
        if not any(began(row.claim) == began(one.claim) and _may_be_the_same(row, one) for one in found):
            found.append(row)
    return found


def since_the_last_whole(rows: Sequence[CountedClaim], is_state: bool) -> list[CountedClaim]:
    """The rows in order of time, from the last that tells a whole number on. Of how something is every number is a whole, and what is only
    mentioned after it adds nothing."""
    order = sorted(rows, key=lambda one: (one.claim.claim.said_at, one.claim.id))
    wholes = [at for at, one in enumerate(order) if _tells_a_whole(one, is_state)]
    if not wholes:
        return order
    return order[wholes[-1] : wholes[-1] + 1] if is_state else order[wholes[-1] :]


def _tells_a_whole(one: CountedClaim, is_state: bool) -> bool:
    return one.amount.is_told and (is_state or _WHOLE.search(one.claim.claim.object) is not None)


def _is_certain(rows: Sequence[CountedClaim], asked: CountQuestion) -> bool:
    """Whether the rows add up to a number: each tells one, and none may be told twice."""
    if any(one.amount.number is None or is_habit(one.claim.claim.object) for one in rows):
        return False
    if len(rows) > 1 and asked.is_times and any(one.amount.is_told for one in rows):
        return False  # "three times" may hold the others
    pairs = [(one, other) for at, one in enumerate(rows) for other in rows[:at]]
    return all(_are_two(one, other, asked) for one, other in pairs)


def _are_two(one: CountedClaim, other: CountedClaim, asked: CountQuestion) -> bool:
    """Hours and miles may be told anew as they grow: only what has a day of its own is added."""
    days = one.claim.claim.valid_from, other.claim.claim.valid_from
    have_their_days = None not in days and days[0] != days[1]
    return have_their_days or not (asked.is_unit or asked.is_times or _may_be_the_same(one, other))


def _may_be_the_same(one: CountedClaim, other: CountedClaim) -> bool:
    return one.amount.number == other.amount.number and same_things(one.terms, other.terms)
