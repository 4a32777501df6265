"""Answers about people: routed to a person and a scope, with the lines that say it, or with whose it is instead.

    question → whom it names → lines that share its terms → whose affair they are → answer, or abstention that says what is known instead
             → what is said in our own words is held against its lines (answer_check.py)

Knows: the order of these steps. Words are searched in the lexical index: no model is run. What is said of the answer's words in the page or on the command line is
theirs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from pmg.claim import FUNCTIONAL
from pmg.index.indexes import Indexes
from pmg.model import Line
from pmg.people import premise
from pmg.people.answer_check import ProofText, unproven
from pmg.people.counting import Counted, counted, recounted
from pmg.people.entities import folded
from pmg.people.facts import Fact, as_of, facts_of
from pmg.people.knowledge import Knowledge, about
from pmg.people.premise import EvidenceLine, Premise
from pmg.people.route import AnswerKind, Route, route, terms_of
from pmg.store.contract import StoreReads
from pmg.store.people import EntityKind, FoundLine, StoredClaim

POOL = 100  # lines looked at: 200 take twice as long and decline no better
SHOWN = 3  # lines of an answer
NOTHING = "Nothing in this memory says that."
APART = 1_000  # between the places of two sessions


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A line that answers, with its provenance. `note` says what changed since."""

    text: str
    speaker: str
    segment: str
    line: int
    conversation: str
    said_at: datetime
    confidence: float
    note: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """`abstained` is "" for an answer, else why there is none and what is known instead."""

    question: str
    route: Route
    lines: tuple[AnswerLine, ...]
    abstained: str = ""
    counted: Counted | None = None
    premise: Premise | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Row:
    line: EvidenceLine
    found: FoundLine
    speakers: tuple[str, ...]  # of its conversation


def ask(
    reads: StoreReads, indexes: Indexes, question: str, namespace: str, at: datetime, day: date | None = None
) -> Asked:
    """`day` asks for what held then."""
    known = Knowledge.read(reads.people, namespace)
    names = [alias for one in known.entities if one.kind is EntityKind.PERSON for alias in (one.name, *one.aliases)]
    routed = _owner(route(question, names), known)
    rows, weights = _evidence(reads, indexes, question, namespace, names)
    judged = (
        premise.judged(routed.people[0], weights, [row.line for row in rows])
        if len(routed.people) == 1 and not routed.is_mine and _speaks(routed.people[0], rows)
        else None
    )
    if judged is not None and judged.is_doubted:
        return _abstained(question, routed, rows, weights, judged)
    # Of a single fact only what may have changed since is of interest: a person's every claim takes long to read.
    groups = _groups(known, routed)
    relations = sorted(FUNCTIONAL) if routed.kind is AnswerKind.FACT else None
    claims = _claims(reads, groups, namespace, relations)
    notes = _namesakes(known, routed)
    # A number that adds up two people of one name is nobody's.
    found = counted(question, claims, at) if routed.kind is not AnswerKind.FACT and not notes else None
    if found is not None and found.rows:
        return _counted(reads, Asked(question, routed, (), premise=judged), found)
    # what an answer marks as changed: of each person by themselves
    facts = [fact for ids in groups for fact in facts_of(_lasting(about(claims, ids)))]
    lines = _answer(rows, weights, routed, as_of(facts, day) if day else facts)
    if not lines:
        return Asked(question, routed, (), NOTHING, premise=judged, notes=notes)
    return Asked(question, routed, lines, premise=judged, notes=notes)


def _counted(reads: StoreReads, asked: Asked, found: Counted) -> Asked:
    """A number is given only with the lines that make it up: a claim whose figures or names do not stand in its line is left out and told."""
    numbers = reads.numbers_of(sorted({one.claim.segment for one in found.rows}))
    lines = reads.lines_of(sorted(numbers.values()))
    sound = [one for one in found.rows if _stands(one, lines.get(numbers.get(one.claim.segment, 0), ()))]
    notes = ["This is what was said and found: it may be incomplete."]
    if len(sound) < len(found.rows):
        notes.append(f"{len(found.rows) - len(sound)} more could not be proven by their lines and are not counted.")
    rows = tuple(_from_claim(one) for one in sound)
    return replace(asked, lines=rows, counted=recounted(found, sound), notes=tuple(notes))


def _stands(one: StoredClaim, lines: Sequence[Line]) -> bool:
    if one.claim.line >= len(lines):
        return False
    return not unproven(f"It is {one.claim.object}", [ProofText(lines[one.claim.line].text, one.claim.said_at)])


def _owner(routed: Route, known: Knowledge) -> Route:
    """ "I" is the person whose memory this is, under the name their lines have."""
    if not routed.is_mine:
        return routed
    mine = [one.name for one in known.entities if one.kind is EntityKind.PERSON and not one.conversation]
    return Route(tuple(mine[:1]), routed.partner, routed.kind, True)


def _groups(known: Knowledge, routed: Route) -> list[list[int]]:
    """The entities of each person whom a question names; two of one name who were decided to be two are two."""
    several = [group for name in routed.people for group in known.apart(known.named(name))]
    return [[one.id for one in group] for group in dict.fromkeys(several)]


def _namesakes(known: Knowledge, routed: Route) -> tuple[str, ...]:
    """That several people have a name that was asked for."""
    several = {name: len(known.apart(known.named(name))) for name in routed.people}
    return tuple(
        f"{count} people are called {name} here: each line names its conversation."
        for name, count in several.items()
        if count > 1
    )


def _claims(
    reads: StoreReads, groups: Sequence[Sequence[int]], namespace: str, relations: Sequence[str] | None
) -> list[StoredClaim]:
    ids = [one for group in groups for one in group]
    return about(reads.people.claims(namespace, about=ids, relations=relations), ids) if ids else []


def _lasting(claims: Sequence[StoredClaim]) -> list[StoredClaim]:
    return [one for one in claims if one.claim.relation in FUNCTIONAL]


def _evidence(
    reads: StoreReads, indexes: Indexes, question: str, namespace: str, names: Sequence[str]
) -> tuple[list[_Row], dict[str, float]]:
    """The lines that share a term with the question, in the order in which they were said, and how telling each term is."""
    index = indexes.lexical(namespace)
    terms = terms_of(question, names)
    if index is None or not terms:
        return [], {}
    weights = premise.telling(terms, index.frequencies(terms), len(index))
    hits = index.search(" ".join(terms), POOL, 0.0)
    catalogue = indexes.catalogue
    showable = catalogue.recallable(hits.segments, catalogue.namespaces.find(namespace))
    found = reads.people.lines(hits.ids[showable].tolist())
    lengths = catalogue.segment("lines")[[one.number for one in found]].tolist()  # lines of each one's segment
    sessions = {name: at for at, name in enumerate(dict.fromkeys(one.session for one in found))}
    talks = reads.people.talks(list(sessions))
    rows: list[_Row] = []
    for one, length in zip(found, lengths, strict=True):
        at = sessions[one.session] * APART * APART + one.index * length + one.line
        other = _other(talks[one.session], one.speaker)
        rows.append(_Row(EvidenceLine.of(at, one.speaker, other, one.text, weights), one, tuple(talks[one.session])))
    return rows, weights


def _speaks(person: str, rows: Sequence[_Row]) -> bool:
    """Whose affair something is can be told of people who speak. Of somebody who is only spoken about, every line is somebody else's."""
    return any(folded(person) in map(folded, row.speakers) for row in rows)


def _other(people: Sequence[str], speaker: str) -> str:
    """Whom somebody speaks to: the other one, where there are two."""
    others = [name for name in people if name != speaker]
    return others[0] if len(others) == 1 else ""


def _abstained(question: str, routed: Route, rows: Sequence[_Row], weights: dict[str, float], judged: Premise) -> Asked:
    """Whose it is instead, with the line that says so. If that line is not about the one who would be named, nobody is."""
    best = max(rows, key=lambda row: (_score(row, weights, judged.owner), -row.line.place))
    line = _line(best, 1.0 - judged.doubt)
    told = f"{judged.owner}, not {routed.people[0]}, as far as this memory knows ({line.said_at:%Y-%m-%d}, said by {line.speaker})."
    concerned = {who for clause in best.line.clauses for who in clause.shares}
    evidence = [
        ProofText(question),
        ProofText(f"{line.speaker}: {line.text}", line.said_at),
        ProofText(", ".join(concerned)),
    ]
    if unproven(f"It is {told}", evidence):
        return Asked(question, routed, (), NOTHING, premise=judged)
    return Asked(question, routed, (line,), told, premise=judged)


def _answer(
    rows: Sequence[_Row], weights: dict[str, float], routed: Route, facts: Sequence[Fact]
) -> tuple[AnswerLine, ...]:
    who = routed.people[0] if len(routed.people) == 1 else ""
    total = sum(weights.values()) or 1.0
    scored = sorted(((_score(row, weights, who), row) for row in rows), key=lambda pair: (-pair[0], pair[1].line.place))
    changed = {
        (one.claim.claim.segment, one.claim.claim.line): one
        for one in facts
        if one.end is not None and one.ended_by is not None
    }
    return tuple(
        _line(row, min(1.0, score / total), changed.get((row.found.segment, row.found.line)))
        for score, row in scored[:SHOWN]
        if score > 0
    )


def _score(row: _Row, weights: dict[str, float], who: str) -> float:
    """How well a line fits: the terms of its clauses, as far as they are this person's affair (anybody's, if nobody is named)."""
    found = 0.0
    is_theirs = not who or _tells_of(row, who)
    for clause in row.line.clauses:
        share = 1.0 if is_theirs else clause.shares.get(who, 0.0)
        found += share * sum(weights[term] for term in clause.terms)
    return found


def _tells_of(row: _Row, who: str) -> bool:
    """Whether a line names somebody who does not speak in its conversation: then it is theirs, whoever said it."""
    if not who or folded(who) in map(folded, row.speakers):
        return False
    return re.search(rf"\b{re.escape(who)}\b", row.found.text, re.IGNORECASE) is not None


def _line(row: _Row, confidence: float, fact: Fact | None = None) -> AnswerLine:
    one = row.found
    note = f"said {fact.start:%Y-%m}; changed {fact.end:%Y-%m}" if fact is not None and fact.end is not None else ""
    return AnswerLine(
        one.text,
        one.speaker,
        one.segment,
        one.line,
        one.conversation,
        one.said_at,
        round(confidence, 2),
        note,
    )


def _from_claim(one: StoredClaim) -> AnswerLine:
    claim = one.claim
    return AnswerLine(
        f"{claim.subject} · {claim.relation} · {claim.object}",
        claim.speaker,
        claim.segment,
        claim.line,
        one.conversation,
        claim.said_at,
        claim.certainty,
    )
