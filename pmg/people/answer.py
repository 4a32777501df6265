"""An answer about people: its lines with their provenance, or why there is none. How it is found stands in ask.py."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from pmg.index.indexes import Indexes
from pmg.people.confidence import LineTraits, of_claim
from pmg.people.counting import Counted
from pmg.people.found_lines import MatchedLine
from pmg.people.premise import Premise
from pmg.people.route import Route
from pmg.people.shared_names import SharedName
from pmg.store.contract import StoreReads
from pmg.store.people import StoredClaim

MAX_LINES = 3  # lines of an answer
NOTHING = "Nothing in this memory says that."


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A line that answers, with its provenance. `note` says what changed since; `confidence` is how likely it answers, as measured (confidence.py)."""

    text: str
    speaker: str
    segment: str
    line: int
    conversation: str
    said_at: datetime
    confidence: float
    note: str = ""
    traits: LineTraits | None = None  # of a line that was found by its words
    session_name: str = ""  # as it is shown; filled where an answer leaves the engine (client/people_results.py)


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
    relative: str = (
        ""  # the role of whoever of theirs the asker asks about ("sister"); "" if it is themselves or somebody by name
    )
    about: tuple[tuple[int, ...], ...] = ()  # the entities of each person of whom facts were looked for
    is_anothers: bool = False  # asked of oneself, and told only of somebody else
    verdict: bool | None = None  # asked for a yes or no, and the first line plainly says it
    is_introduction: bool = False  # asked who somebody is, and the first line introduces them
    is_unsure: bool = False  # lines that may be about it: none of them surely answers
    shared: SharedName | None = None  # the name that was asked for, where several people have it
    is_asker_unknown: bool = False  # asked of oneself where only people with names speak
    unmentioned: str = ""  # what the question takes for granted and its asker never spoke of, in its own word


@dataclass(frozen=True, slots=True)
class Asking:
    """What is asked of what, at one moment."""

    reads: StoreReads
    indexes: Indexes
    question: str
    namespace: str
    at: datetime
    day: date | None  # what held then, if it is asked for


def answer_line(row: MatchedLine, confidence: float, note: str = "", traits: LineTraits | None = None) -> AnswerLine:
    one = row.found
    sure = round(confidence, 2)
    return AnswerLine(one.text, one.speaker, one.segment, one.line, one.conversation, one.said_at, sure, note, traits)


def claim_line(one: StoredClaim) -> AnswerLine:
    claim = one.claim
    return AnswerLine(
        f"{claim.subject} · {claim.relation} · {claim.object}",
        claim.speaker,
        claim.segment,
        claim.line,
        one.conversation,
        claim.said_at,
        round(of_claim(claim.certainty), 2),
    )
