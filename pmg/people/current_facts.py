"""The facts that answer a question about a home, a job or a partner: what holds now before what held, or what held then. Pure.

Knows: their order. Which claims hold since when stands in facts.py, what a question asks for in asked_relation.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from pmg.base.claim import IS_A
from pmg.people.asked_relation import asked_relation, relation_asked_of_then, role_asked
from pmg.people.facts import Fact, as_of, holding, is_to_come
from pmg.people.roles import role_in
from pmg.recall.question_time import AskedPeriod


def facts_asked(
    question: str, facts: Sequence[Fact], day: date | None, period: AskedPeriod | None, today: date
) -> list[Fact]:
    """In the order in which they are told; none where the question asks for no such thing. `day` and `period` are the time it asks about, if it names one."""
    then = relation_asked_of_then(question)
    relation = asked_relation(question) or then or next(iter(role_asked(question)), "")
    mine = [
        fact
        for fact in facts
        if relation and fact.claim.claim.relation == relation and fact.claim.claim.object and not _of_somebody(fact)
    ]
    newest = sorted(mine, key=lambda fact: (fact.start, fact.claim.id), reverse=True)
    if day is not None:
        return as_of(newest, day)
    if period is not None:
        return [fact for fact in newest if fact.start < period.end and (fact.end is None or period.start < fact.end)]
    ended = [fact for fact in newest if not fact.is_open(today)]
    if then:
        return ended or newest
    coming = [fact for fact in newest if is_to_come(fact, today)]
    return [*holding(newest, today), *coming, *ended[:1]]


def _of_somebody(fact: Fact) -> bool:
    """ "sister of Ana" is no profession."""
    return fact.claim.claim.relation == IS_A and role_in(fact.claim.claim.object) is not None


def fact_text(fact: Fact, today: date) -> str:
    """What is said beside its line; nothing of what holds and is not known to end."""
    thing = fact.claim.claim.object
    if is_to_come(fact, today):
        return f"from {fact.start} on"
    if fact.end is None:
        return ""
    if fact.is_open(today):
        return f"until {fact.end}"
    return f"before: {thing}" if fact.is_former else f"before: {thing}, until {fact.end:%Y-%m}"
