"""Counts and lists across sessions: "how many books did I buy this year?" as a dated list of claims with their evidence. Pure.

A list is what was said and found: it is never called complete. What was told as a whole ("three cats now", "455 miles so far") is not added up:
the latest such number holds, with what happened after it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from pmg.claim import DISLIKES, LIKES, OWNS, Modality
from pmg.index.stem import stem
from pmg.people.facts import began
from pmg.recall.question_time import AskedPeriod, when
from pmg.store.people import StoredClaim
from pmg.verbs import plain
from pmg.words import SMALL_NUMBERS

_COUNTED = re.compile(
    r"\b(?:how (?:many|often)|which|what|all(?: the)?|list|name)\b(?: (?P<what>[\w' -]+?))?\s+(?P<auxiliary>did|do|does|has|have|had|was|were|are|is)\s+(?P<rest>[^?]+)",
    re.IGNORECASE,
)
_NUMBER = re.compile(rf"^(?:about |over |around )?(\d{{1,4}}|{'|'.join(SMALL_NUMBERS)})\b", re.IGNORECASE)
_STATE = frozenset(("do", "does", "are", "is"))  # "how many cats do I have" asks how it is, "… did I buy" what happened
_WHOLE = re.compile(
    r"\b(?:now|by now|so far|in total|in all|altogether|overall|left|any ?more|to date)\b", re.IGNORECASE
)
_SAME = {
    "purchase": "buy",
    "get": "buy",
    "acquire": "buy",
    "enjoy": "like",
    "love": "like",
    "attend": "go",
    "visit": "go",
    "finish": "read",
    "see": "watch",
}
# What a verb is done to, where it need not be said: who read Middlemarch read a book.
_IMPLIED = {
    verb: frozenset(map(stem, nouns.split()))
    for verb, nouns in {"read": "book novel title", "watch": "movie film show series", "go": "place trip"}.items()
}
_NAMED = re.compile(r"[A-Z\"“]")  # a title, not "a bit" or "that"
_TITLES = re.compile(r"[A-Z0-9][\w'’:-]*(?: (?!and )[\w'’:-]+)*(?:, [A-Z0-9][^,]*?)*,? and (?=[A-Z0-9])")


@dataclass(frozen=True, slots=True)
class Counted:
    """`number` adds what the claims say ("two books" are two); `rows` are in order of time."""

    number: int
    rows: tuple[StoredClaim, ...]
    what: str
    verb: str
    period: AskedPeriod | None


def counted(question: str, claims: Sequence[StoredClaim], at: datetime) -> Counted | None:
    """None where the question asks for no number or list that can be made of claims."""
    found = _COUNTED.search(question)
    if found is None:
        return None
    words = re.findall(r"[a-z']+", found["rest"].lower())
    verb = next((plain(word) for word in words if _is_verb(word, claims)), "")
    if not verb:
        return None
    nouns = {
        stem(word)
        for word in re.findall(r"[a-z]+", (found["what"] or "").lower())
        if word not in ("different", "new", "of", "the", "times", "time")
    }
    asked = [one for one in when(question, at, _years(claims)) if one.start <= at.date()]
    period = asked[0] if asked else None
    rows = [
        one for one in claims if _fits(one, verb, nouns) and (period is None or period.start <= began(one) < period.end)
    ]
    unique = tuple({(one.claim.object.lower(), began(one)): one for one in rows}.values())
    is_state = found["auxiliary"].lower() in _STATE and period is None
    return recounted(Counted(0, (), found["what"] or "", verb, period), since_the_last_whole(unique, is_state))


def since_the_last_whole(rows: Sequence[StoredClaim], is_state: bool) -> list[StoredClaim]:
    """The rows in order of time, from the last that tells a whole number on. Of how something is every number is a whole, and what is only
    mentioned after it adds nothing."""
    order = sorted(rows, key=lambda one: (one.claim.said_at, one.id))
    wholes = [at for at, one in enumerate(order) if _tells_a_whole(one, is_state)]
    if not wholes:
        return order
    return order[wholes[-1] : wholes[-1] + 1] if is_state else order[wholes[-1] :]


def _tells_a_whole(one: StoredClaim, is_state: bool) -> bool:
    thing = one.claim.object
    return _NUMBER.match(thing) is not None and (is_state or _WHOLE.search(thing) is not None)


def recounted(found: Counted, rows: Sequence[StoredClaim]) -> Counted:
    """The same question with these claims as its answer."""
    return replace(found, number=sum(_number(one.claim.object) for one in rows), rows=tuple(rows))


def _years(claims: Sequence[StoredClaim]) -> list[int]:
    return sorted({one.claim.said_at.year for one in claims})


def _is_verb(word: str, claims: Sequence[StoredClaim]) -> bool:
    base = _SAME.get(plain(word), plain(word))
    return any(_verb_of(one) == base for one in claims)


def _verb_of(one: StoredClaim) -> str:
    relation = one.claim.relation
    return {LIKES: "like", DISLIKES: "hate", OWNS: "have"}.get(relation, _SAME.get(relation, relation))


def _fits(one: StoredClaim, verb: str, nouns: set[str]) -> bool:
    claim = one.claim
    if claim.modality is not Modality.STATED or not claim.is_positive or _verb_of(one) != _SAME.get(verb, verb):
        return False
    if not nouns or (nouns <= _IMPLIED.get(_SAME.get(verb, verb), frozenset()) and _NAMED.search(claim.object)):
        return True
    return bool(nouns & {stem(word) for word in re.findall(r"[a-z]+", claim.object.lower())})


def _number(thing: str) -> int:
    found = _NUMBER.match(thing)
    if found is None:
        several = _TITLES.match(thing)  # "Middlemarch and Stoner" are two
        return 2 + several[0].count(", ") if several is not None else 1
    return int(found[1]) if found[1].isdigit() else SMALL_NUMBERS[found[1].lower()]


def day_of(one: StoredClaim) -> date:
    return began(one)
