"""Questions that are declined because of what they take for granted, with what is known instead.

Knows: how it is said. Whose affair something is is judged by premise.py; what one never spoke of oneself by unmentioned.py.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from pmg.base.model import USER_NAME
from pmg.index.terms import document_terms
from pmg.people import kinds
from pmg.people.answer import NOTHING, AnswerLine, Asked, Asking, answer_line
from pmg.people.answer_check import ProofText, unproven
from pmg.people.entities import folded
from pmg.people.found_lines import MatchedLine, fit, matched_lines, term_weights
from pmg.people.knowledge import Knowledge
from pmg.people.premise import Premise
from pmg.people.route import Route
from pmg.people.unmentioned import asked_things, unmentioned
from pmg.store.people import FoundLine

_OF_US = re.compile(r"\b(?:we|us|our|ours|wir|uns|unser\w*)\b", re.IGNORECASE)
_OF_ONESELF = re.compile(r"\b(?:i|my|me|mine|ich|mir|mich|mein\w*)\b", re.IGNORECASE)


def somebody_elses(
    question: str, routed: Route, rows: Sequence[MatchedLine], weights: Mapping[str, float], judged: Premise
) -> Asked | None:
    """Whose it is instead, with the line that says so. If that line is not about the one who would be named, nobody is.

    None where the one asked about does not speak in its conversation: what somebody tells of themselves elsewhere says nothing about others."""
    best = max(rows, key=lambda row: (fit(row, weights, judged.owner), -row.line.place))
    if folded(routed.people[0]) not in map(folded, best.speakers):
        return None
    line = answer_line(best, 1.0 - judged.doubt)
    told = _whose(judged.owner, routed.people[0], line)
    concerned = {who for clause in best.line.clauses for who in clause.shares}
    evidence = [
        ProofText(question),
        ProofText(f"{line.speaker}: {line.text}", line.said_at),
        ProofText(", ".join(sorted(concerned))),
    ]
    if unproven(f"It is {told}", evidence):
        return Asked(question, routed, (), NOTHING, premise=judged)
    owner, who, speaker = (_called(name) for name in (judged.owner, routed.people[0], line.speaker))
    mine = _whose(owner.capitalize() if owner == "you" else owner, who, replace(line, speaker=speaker))
    return Asked(question, routed, (line,), mine, premise=judged)


def _whose(owner: str, who: str, line: AnswerLine) -> str:
    return f"{owner}, not {who}, as far as this memory knows ({line.said_at:%Y-%m-%d}, said by {line.speaker})."


def _called(name: str) -> str:
    """The person whose memory this is reads "you"."""
    return "you" if name == USER_NAME else name


def only_named(found: Asked) -> Asked:
    """Lines that name who was asked about and say nothing else of what was asked: what is known instead. What claims say of them answers all the same."""
    if any(line.traits is None for line in found.lines):
        return found
    return replace(found, abstained=f"{NOTHING} Of {', '.join(map(_called, found.route.people))} it says:")


def anothers(found: Asked) -> Asked:
    """A question about oneself of which memory knows only what was told of somebody else."""
    if found.lines[0].traits is None:
        return found  # what claims say of oneself
    told = "Nothing you said of that is about yourself, as far as this memory knows. Of somebody else it says:"
    return replace(found, lines=(replace(found.lines[0], confidence=0.0),), abstained=told, is_anothers=True)


def never_mentioned(
    asking: Asking, known: Knowledge, routed: Route, rows: Sequence[MatchedLine], weights: Mapping[str, float]
) -> Asked | None:
    """A question about oneself that takes for granted what one never spoke of, declined with what one did speak of."""
    things = asked_things(asking.question)
    if not things:
        return None
    namespace = asking.namespace
    called = {term: name for thing in things for name in kinds.names(thing) for term in document_terms(name)[:1]}
    of_things = term_weights(asking.indexes, namespace, called)
    also = matched_lines(asking.reads, asking.indexes, namespace, called, of_things)
    names = known.owner_names()
    said = {row.found.id: row for row in (*also, *rows) if _may_be_ones_own(asking.question, row.found, names)}
    mine = list(said.values())
    gap = unmentioned(things, weights, [row.found.text for row in mine])
    if gap is None:
        return None
    why = f"Nothing you said of {gap.word} is about that" if gap.is_named else f"Nothing you said mentions {gap.word}"
    never = "" if gap.is_named else gap.word  # of what one did speak of, nobody may say that no word of it was told
    if gap.instead < 0:
        return Asked(asking.question, routed, (), f"{why}, as far as this memory knows.", unmentioned=never)
    line = answer_line(mine[gap.instead], 0.0)
    told = f"{why}, as far as this memory knows. {f'Of {gap.other} it says' if gap.other else 'Nearest to it'}:"
    return Asked(asking.question, routed, (line,), told, unmentioned=never)


def _may_be_ones_own(question: str, line: FoundLine, names: Collection[str]) -> bool:
    """What one said oneself or had noted; and of what "we" have, what another said and did not tell of themselves."""
    if line.is_note or folded(line.speaker) in names:
        return True
    return _OF_US.search(question) is not None and _OF_ONESELF.search(line.text) is None
