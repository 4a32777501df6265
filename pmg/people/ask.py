"""Answers about people: routed to a person and a scope, with the lines that say it, or with whose it is instead.

    question → whom it names → lines that share its terms (found_lines.py) → whether what it takes for granted is theirs (premise.py, of oneself unmentioned.py)
             → answer, the newest that holds first (current_facts.py, latest.py), or abstention that says what is known instead
             → what is said in our own words is held against its lines (answer_check.py)

Knows: the order of these steps. Words are searched in the lexical index: no model is run. What is said of the answer's words in the page or on the command line is
theirs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime

from pmg.base.claim import FUNCTIONAL
from pmg.base.model import USER_NAME, Line
from pmg.index.indexes import Indexes
from pmg.index.terms import document_terms
from pmg.people import premise
from pmg.people.answer import MAX_LINES, NOTHING, AnswerLine, Asked, Asking, answer_line, claim_line
from pmg.people.answer_check import ProofText, unproven
from pmg.people.asked_about import groups_asked, namesakes_told, relative_asked
from pmg.people.asked_relation import role_asked
from pmg.people.asked_terms import as_said, is_by_name_alone, with_names
from pmg.people.clauses import sentence_spans
from pmg.people.confidence import LineTraits, chance
from pmg.people.counting import Counted, counted, recounted
from pmg.people.current_facts import fact_text, facts_asked
from pmg.people.declined import anothers, never_mentioned, only_named, somebody_elses
from pmg.people.facts import Fact, facts_of
from pmg.people.found_lines import (
    MatchedLine,
    fit,
    is_anothers,
    matched_lines,
    seen_by_asker,
    speaks,
    term_weights,
)
from pmg.people.knowledge import Knowledge, about
from pmg.people.latest import DatedLine, LineFit, ranked, telling
from pmg.people.left_jobs import LEAVING
from pmg.people.meant_days import ASKS_WHEN, meant_time
from pmg.people.ownership import speaks_of_self
from pmg.people.question_tense import about_now
from pmg.people.roles import bare
from pmg.people.route import AnswerKind, Route, asked_words, route
from pmg.people.shared_names import first_names, shared_name
from pmg.people.told_values import corrects, replaces
from pmg.people.who_they_are import asked_to_tell_of, who_they_are
from pmg.people.yes_no_lines import PlainAnswer, plain_answer
from pmg.recall.question_time import AskedPeriod, when
from pmg.store.contract import StoreReads
from pmg.store.people import EntityKind, StoredClaim

LOOKED_AT = 10  # lines among which a correction of the best is looked for
UNKNOWN_ASKER = "Only people with names speak here: who asks is not known."
PLAINLY = 0.95  # that a line which plainly says yes or no answers; docs/people.md has what it was seen on


def ask(
    reads: StoreReads, indexes: Indexes, question: str, namespace: str, at: datetime, day: date | None = None
) -> Asked:
    """`day` asks for what held then."""
    found = with_days_meant(_asked(Asking(reads, indexes, question, namespace, at, day)))
    known = Knowledge.read(reads.people, namespace)
    if found.route.is_mine and _is_nobodys(known):
        is_anothers_i = any(tells_of_self(known, line.speaker, line.text) for line in found.lines[:1])
        notes = (*found.notes, UNKNOWN_ASKER) if is_anothers_i else found.notes
        return replace(found, is_asker_unknown=True, notes=notes)
    return _not_of_one(found, known)


def _is_nobodys(known: Knowledge) -> bool:
    """Whether people speak here by their names alone: then nobody knows whose "I" a question has."""
    return any(one.kind is EntityKind.PERSON for one in known.entities) and not known.owner()


def tells_of_self(known: Knowledge, speaker: str, text: str) -> bool:
    """Whether somebody with a name says "I" or "my": what is so for anybody is so for whoever asks."""
    return speaks_of_self(text) and bool(known.named(speaker))


def _not_of_one(found: Asked, known: Knowledge) -> Asked:
    """A first name that several people have means none of them for sure."""
    shared = shared_name(found.question, found.route, known)
    if shared is None:
        return found
    notes = found.notes if any(shared.name in note for note in found.notes) else (*found.notes, shared.note)
    return replace(found, shared=shared, notes=notes, is_unsure=bool(found.lines) and not found.abstained)


def with_days_meant(found: Asked) -> Asked:
    if ASKS_WHEN.match(found.question) is None or found.counted is not None:
        return found
    return replace(found, lines=tuple(_with_day_meant(line, found.question) for line in found.lines))


def _with_day_meant(line: AnswerLine, question: str) -> AnswerLine:
    """Asked when, what its "on Thursday" was, counted from the day it was said."""
    time = meant_time(line.text, line.said_at, document_terms(question))
    if time is None:
        return line
    told = (
        f"that is {time.first:%A} {time.first}" if time.first == time.last else f"that is {time.first} to {time.last}"
    )
    return replace(line, note=f"{line.note}; {told}" if line.note else told)


def _asked(asking: Asking) -> Asked:
    reads, indexes, question, namespace = asking.reads, asking.indexes, asking.question, asking.namespace
    known = Knowledge.read(reads.people, namespace)
    names = [
        bare(alias) for one in known.entities if one.kind is EntityKind.PERSON for alias in (one.name, *one.aliases)
    ]
    names += first_names(question, names)
    routed = _owner(route(question, names), known)
    if not routed.is_mine and (told_of := asked_to_tell_of(question, routed.people)):
        return who_they_are(asking, replace(routed, people=told_of))
    words = as_said(indexes, namespace, question, asked_words(question, names))
    weights = term_weights(indexes, namespace, words)
    rows = matched_lines(reads, indexes, namespace, words, weights)
    named = with_names(reads, namespace, known, routed, words, rows)
    if named is not None:
        weights = term_weights(indexes, namespace, named)
        rows = matched_lines(reads, indexes, namespace, named, weights)
    of_self = routed.is_mine and not relative_asked(question, routed)
    rows = seen_by_asker(question, rows, weights, names, of_self)
    plainly = plain_answer(question, rows, known.owner_names())
    if plainly is not None:
        return _said_plainly(asking, routed, plainly)
    gap = never_mentioned(asking, known, routed, rows, weights) if routed.is_mine and routed.people else None
    if gap is not None:
        return gap
    judged = (
        premise.judged(routed.people[0], weights, [row.line for row in rows])
        if len(routed.people) == 1
        and not routed.is_mine
        and not speaks_of_self(question)
        and len(weights) >= premise.MIN_TERMS
        and speaks(routed.people[0], rows)
        else None
    )
    if judged is not None and judged.is_doubted:
        declined = somebody_elses(question, routed, rows, weights, judged)
        if declined is not None:
            return declined
    found = replace(_answered(asking, known, routed, rows, weights), premise=judged)
    if named is not None and found.counted is None and found.lines and is_by_name_alone(words, _shown(found, rows)):
        return only_named(found)
    if of_self and found.counted is None and (first := _shown(found, rows)[:1]) and is_anothers(first[0], weights):
        return anothers(found)
    return found


def _said_plainly(asking: Asking, routed: Route, plainly: PlainAnswer) -> Asked:
    """A yes or no with the line that says it, and the one that said the contrary before."""
    newer = f"before: a newer line is of {plainly.row.found.said_at.date()}"
    older = [answer_line(plainly.older, 1.0 - PLAINLY, newer)] if plainly.older is not None else []
    lines = (answer_line(plainly.row, PLAINLY), *older)
    return Asked(asking.question, routed, lines, verdict=plainly.is_yes)


def _shown(found: Asked, rows: Sequence[MatchedLine]) -> list[MatchedLine]:
    """The rows of an answer's lines, in the answer's order; a line that claims gave may have none."""
    places = {(row.found.segment, row.found.line): row for row in rows}
    return [places[place] for line in found.lines if (place := (line.segment, line.line)) in places]


def _answered(
    asking: Asking, known: Knowledge, routed: Route, rows: Sequence[MatchedLine], weights: dict[str, float]
) -> Asked:
    # Of a single fact only what may have changed since is of interest: a person's every claim takes long to read.
    groups = groups_asked(asking, known, routed)
    relations = (
        [*sorted(FUNCTIONAL), *LEAVING, *role_asked(asking.question)] if routed.kind is AnswerKind.FACT else None
    )
    claims = _claims(asking.reads, groups, asking.namespace, relations)
    notes = namesakes_told(known, routed) if len(groups) > len(routed.people) else ()
    shared = shared_name(asking.question, routed, known)
    # A number that adds up two people of one name is nobody's.
    found = (
        counted(asking.question, claims, asking.at)
        if routed.kind is not AnswerKind.FACT and not (notes or shared)
        else None
    )
    if found is not None and found.rows:
        return _counted(asking.reads, Asked(asking.question, routed, ()), found)
    # what an answer marks as changed: of each person by themselves
    kept = (*FUNCTIONAL, *LEAVING, *role_asked(asking.question))
    facts = [fact for ids in groups for fact in facts_of([c for c in about(claims, ids) if c.claim.relation in kept])]
    lines = _lines(asking, routed, rows, weights, facts)
    answer = Asked(asking.question, routed, lines, "" if lines else NOTHING, notes=notes)
    return replace(answer, relative=relative_asked(asking.question, routed), about=tuple(map(tuple, groups)))


def _lines(
    asking: Asking, routed: Route, rows: Sequence[MatchedLine], weights: dict[str, float], facts: Sequence[Fact]
) -> tuple[AnswerLine, ...]:
    """What claims say of a home, a job or a partner, then the lines that fit best; each once."""
    period = _period(asking, rows)
    first = _of_facts(asking.reads, facts_asked(asking.question, facts, asking.day, period, asking.at.date()), asking)
    if asking.day is not None:
        rows = [row for row in rows if row.found.said_at.date() <= asking.day]
    left = 1.0 - max((line.confidence for line in first), default=0.0)  # for lines beside what claims answer
    rest = [
        replace(line, confidence=round(left * line.confidence, 2))
        for line in _fitting(asking, routed, rows, weights, facts, period)
    ]
    places = {(line.segment, line.line) for line in first}
    return (*first, *(line for line in rest if (line.segment, line.line) not in places))[:MAX_LINES]


def _period(asking: Asking, rows: Sequence[MatchedLine]) -> AskedPeriod | None:
    """The time that a question names, if it lies behind."""
    years = sorted({row.found.said_at.year for row in rows})
    named = [one for one in when(asking.question, asking.at, years) if one.start <= asking.at.date()]
    return named[0] if named else None


def _counted(reads: StoreReads, asked: Asked, found: Counted) -> Asked:
    """A number is given only with the lines that make it up: a claim whose figures or names do not stand in its line is left out and told."""
    numbers = reads.numbers_of(sorted({one.claim.segment for one in found.rows}))
    lines = reads.lines_of(sorted(numbers.values()))
    there = {one.id: lines.get(numbers.get(one.claim.segment, 0), ()) for one in found.rows}
    sound = [one for one in found.rows if _stands(one, there[one.id])]
    notes = ["This is what was said and found: it may be incomplete."]
    if len(sound) < len(found.rows):
        notes.append(f"{len(found.rows) - len(sound)} more could not be proven by their lines and are not counted.")
    rows = tuple(replace(claim_line(one), text=_sentence(one, there[one.id])) for one in sound)
    return replace(asked, lines=rows, counted=recounted(found, sound), notes=tuple(notes))


def _sentence(one: StoredClaim, lines: Sequence[Line]) -> str:
    """The words that say it, in whole sentences: a line may tell of much else."""
    text = lines[one.claim.line].text
    around = [(start, end) for start, end in sentence_spans(text) if start < one.claim.end and one.claim.start < end]
    return text[around[0][0] : around[-1][1]].strip() if around else text


def _stands(one: StoredClaim, lines: Sequence[Line]) -> bool:
    if one.claim.line >= len(lines):
        return False
    return not unproven(f"It is {one.claim.object}", [ProofText(lines[one.claim.line].text, one.claim.said_at)])


def _owner(routed: Route, known: Knowledge) -> Route:
    """ "I" is the person whose memory this is, under the name their lines have: also before any claim was read of what they tell just now."""
    if not routed.is_mine:
        return routed
    mine = [one.name for one in known.entities if one.kind is EntityKind.PERSON and not one.conversation]
    return Route((mine[0] if mine else USER_NAME,), routed.partner, routed.kind, True)


def _claims(
    reads: StoreReads, groups: Sequence[Sequence[int]], namespace: str, relations: Sequence[str] | None
) -> list[StoredClaim]:
    ids = [one for group in groups for one in group]
    return about(reads.people.claims(namespace, about=ids, relations=relations), ids) if ids else []


def _of_facts(reads: StoreReads, facts: Sequence[Fact], asking: Asking) -> list[AnswerLine]:
    """The line of each, word for word, with what ended it."""
    rows = [row for fact in facts for row in _told_by(fact, asking.day or asking.at.date())]
    numbers = reads.numbers_of(sorted({one.claim.segment for one, _ in rows}))
    lines = reads.lines_of(sorted(numbers.values()))
    found = []
    for one, note in rows:
        there = lines.get(numbers.get(one.claim.segment, 0), ())
        if one.claim.line < len(there):
            found.append(replace(claim_line(one), text=there[one.claim.line].text, note=note))
    return found


def _told_by(fact: Fact, today: date) -> list[tuple[StoredClaim, str]]:
    """The claim of a fact, with what is said beside it; before it the one that told of its end, if nothing took its place."""
    by = fact.ended_by
    over = [(by, "")] if by is not None and not by.claim.is_positive else []
    return [*over, (fact.claim, fact_text(fact, today))]


def _fitting(
    asking: Asking,
    routed: Route,
    rows: Sequence[MatchedLine],
    weights: dict[str, float],
    facts: Sequence[Fact],
    period: AskedPeriod | None,
) -> list[AnswerLine]:
    who = routed.people[0] if len(routed.people) == 1 else ""
    total = sum(weights.values()) or 1.0
    fits = [(row, value) for row in rows if (value := fit(row, weights, who)) > 0]
    light = telling(weights)
    lines = [LineFit(fit(row, light, who), _share(row.covered, light), row.found.said_at) for row, _ in fits]
    is_now = asking.day is None and about_now(asking.question) > 0
    ended = {
        (one.claim.claim.segment, one.claim.claim.line): fact_text(one, asking.day or asking.at.date())
        for one in facts
        if one.ended_by is not None
    }
    shares = [min(1.0, value / total) for _, value in fits]
    size = len(index) if (index := asking.indexes.lexical(asking.namespace)) is not None else 0
    found: list[AnswerLine] = []
    order = ranked(lines, is_now, period if asking.day is None else None)
    order = _corrected_first(asking, order, [row for row, _ in fits], light)[:MAX_LINES]
    for one in order:
        row, _ = fits[one.place]
        note = ended.get((row.found.segment, row.found.line), "")
        if not note and one.newer is not None and _says_anew(asking.question, row, fits[order[0].place][0], light):
            note = f"before: a newer line is of {one.newer}"
        best = max((share for at, share in enumerate(shares) if at != one.place), default=0.0)
        traits = LineTraits(shares[one.place], not found, shares[one.place] - best, size)
        found.append(answer_line(row, chance(traits), note, traits))
    return found


def _share(terms: Collection[str], weights: Mapping[str, float]) -> float:
    return sum(weight for term, weight in weights.items() if term in terms) / (sum(weights.values()) or 1.0)


def _corrected_first(
    asking: Asking, order: Sequence[DatedLine], rows: Sequence[MatchedLine], terms: Mapping[str, float]
) -> list[DatedLine]:
    """What says that the best line is wrong comes before it, whenever the question asks about."""
    if not order or asking.day is not None:
        return list(order)
    best = rows[order[0].place]
    later = [one for one in order[1:LOOKED_AT] if _is_corrected(asking.question, best, rows[one.place], terms)]
    if not later:
        return list(order)
    right = max(later, key=lambda one: rows[one.place].found.said_at)
    wrong = replace(order[0], newer=rows[right.place].found.said_at.date())
    return [replace(right, newer=None), wrong, *(one for one in order[1:] if one is not right)]


def _is_corrected(question: str, older: MatchedLine, newer: MatchedLine, terms: Mapping[str, float]) -> bool:
    if newer.found.said_at <= older.found.said_at or newer.found.speaker != older.found.speaker:
        return False
    held = older.covered & set(terms)
    return bool(held) and held <= newer.covered and corrects(question, _clauses(older), newer.found.text)


def _says_anew(question: str, older: MatchedLine, newer: MatchedLine, terms: Mapping[str, float]) -> bool:
    """Whether the newer line speaks of all that the older one does, and says something else of it. That it is newer says nothing by itself: both may hold."""
    return (older.covered & set(terms)) <= newer.covered and replaces(question, _clauses(older), newer.found.text)


def _clauses(row: MatchedLine) -> str:
    """The part of a line that shares a term with the question."""
    text, clauses = row.found.text, [clause for clause in row.line.clauses if clause.terms]
    return text[min(one.start for one in clauses) : max(one.end for one in clauses)] if clauses else text
