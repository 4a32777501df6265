"""The lines that share a term with a question, in the order in which they were said, and how well each fits.

Knows: how the word index is searched in one namespace, and how much of a line is somebody's affair (ownership.py). Which of them answer stands in ask.py.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pmg.index.indexes import Indexes
from pmg.people import premise
from pmg.people.considered import asks_for_plans, considers
from pmg.people.entities import folded
from pmg.people.others_affair import terms_of_others
from pmg.people.ownership import PLAIN, Owned
from pmg.people.premise import EvidenceLine
from pmg.store.contract import StoreReads
from pmg.store.people import FoundLine

MAX_PASSAGE = 600  # characters of a line that answer together; docs/people.md has what it was chosen on
POOL = 100  # lines looked at: 200 take twice as long and decline no better
SESSION_GAP = 1_000  # between the places of two sessions
ANOTHERS = 0.1  # of a term's weight, where one asks about oneself and the line tells it of another
CONSIDERED = 0.6  # of a line's fit, if it tells only of what may be
ECHOED = 0.5  # of a line's fit, if another than the one asked about says it; docs/people.md has what it was chosen on


@dataclass(frozen=True, slots=True)
class MatchedLine:
    line: EvidenceLine
    found: FoundLine
    speakers: tuple[str, ...]  # of its conversation
    others: frozenset[str] = frozenset()  # terms that it tells of somebody else than whoever asks
    is_considered: bool = False  # tells only of what may be, where it is asked what is

    @property
    def covered(self) -> frozenset[str]:
        """The terms of the question that it holds."""
        return frozenset(term for clause in self.line.clauses for term in clause.terms)


def term_weights(indexes: Indexes, namespace: str, terms: Iterable[str]) -> dict[str, float]:
    """How telling each term is here; nothing where nothing was ever said."""
    index = indexes.lexical(namespace)
    known = list(terms)
    return (
        premise.telling(known, index.frequencies(known, indexes.only_asked()), len(index))
        if index is not None and known
        else {}
    )


def matched_lines(
    reads: StoreReads, indexes: Indexes, namespace: str, words: Mapping[str, str], weights: Mapping[str, float]
) -> list[MatchedLine]:
    """The best for these terms (`words` as route.asked_words has them), in the order in which they were said. One's own questions to the memory are none."""
    index = indexes.lexical(namespace)
    if index is None or not weights:
        return []
    hits = index.search(" ".join(dict.fromkeys(words.values())), POOL, 0.0, indexes.only_asked())
    catalogue = indexes.catalogue
    showable = catalogue.recallable(hits.segments, catalogue.namespaces.find(namespace))
    found = reads.people.lines(hits.ids[showable].tolist())
    lengths = catalogue.segment("lines")[[one.number for one in found]].tolist()  # lines of each one's segment
    sessions = {name: at for at, name in enumerate(dict.fromkeys(one.session for one in found))}
    talks = reads.people.talks(list(sessions))
    rows: list[MatchedLine] = []
    for one, length in zip(found, lengths, strict=True):
        at = sessions[one.session] * SESSION_GAP * SESSION_GAP + one.index * length + one.line
        other = _other(talks[one.session], one.speaker)
        line = EvidenceLine.of(at, one.speaker, other, one.text, weights)
        rows.append(MatchedLine(line, one, tuple(talks[one.session])))
    return rows


def _other(people: Sequence[str], speaker: str) -> str:
    """Whom somebody speaks to: the other one, where there are two."""
    others = [name for name in people if name != speaker]
    return others[0] if len(others) == 1 else ""


def speaks(person: str, rows: Sequence[MatchedLine]) -> bool:
    """Whose affair something is can be told of people who speak. Of somebody who is only spoken about, every line is somebody else's."""
    return any(folded(person) in map(folded, row.speakers) for row in rows)


def fit(row: MatchedLine, weights: Mapping[str, float], who: str) -> float:
    """How well a line fits: each term of the question once, as far as it is this person's affair (anybody's, if nobody is named) where it is most so.

    What somebody else says counts half: an assistant repeats one's words at length, and adds its own."""
    is_theirs = not who or _tells_of(row, who)
    speaks_here = folded(row.found.speaker) == folded(who)
    shares: list[tuple[Owned, float]] = []
    for clause in row.line.clauses:
        share = 1.0 if is_theirs else clause.shares.get(who, 0.0)
        if speaks_here and share >= PLAIN:
            share = 1.0  # nothing says that it is somebody else's
        shares.append((clause, share))
    fits = max((_together(row, some, weights) for some in _passages(shares)), default=0.0)
    return fits * (1.0 if is_theirs or speaks_here else ECHOED) * (CONSIDERED if row.is_considered else 1.0)


def _passages(clauses: Sequence[tuple[Owned, float]]) -> Iterator[Sequence[tuple[Owned, float]]]:
    """Those that stand within a passage's length, from each on that the ones before do not hold: a long text has every word somewhere."""
    end = 0
    for start, (first, _) in enumerate(clauses):
        before, end = end, max(end, start + 1)
        while end < len(clauses) and clauses[end][0].end - first.start <= MAX_PASSAGE:
            end += 1
        if end > before:
            yield clauses[start:end]


def _together(row: MatchedLine, clauses: Sequence[tuple[Owned, float]], weights: Mapping[str, float]) -> float:
    """What these clauses hold, each term where it is most theirs."""
    best: dict[str, float] = {}
    for clause, share in clauses:
        for term in clause.terms:
            best[term] = max(share * (ANOTHERS if term in row.others else 1.0), best.get(term, 0.0))
    return sum(weights.get(term, 0.0) * share for term, share in best.items())


def seen_by_asker(
    question: str, rows: Sequence[MatchedLine], weights: Mapping[str, float], names: Collection[str], is_mine: bool
) -> list[MatchedLine]:
    """The lines with what stands against them: told of others where one asks about oneself, only considered where it is not asked for plans."""
    plans = asks_for_plans(question)
    return [
        replace(
            row,
            others=terms_of_others(row.found.text, row.found.speaker, weights, names) if is_mine else frozenset(),
            is_considered=not plans and _only_considered(row),
        )
        for row in rows
    ]


def is_anothers(row: MatchedLine, weights: Mapping[str, float]) -> bool:
    """Most of what it shares with the question it tells of another."""
    held = sum(weights.get(term, 0.0) for term in row.covered)
    return sum(weights.get(term, 0.0) for term in row.covered & row.others) > held / 2


def _only_considered(row: MatchedLine) -> bool:
    clauses = row.line.clauses
    return bool(clauses) and all(considers(row.found.text, clause.start, clause.end) for clause in clauses)


def _tells_of(row: MatchedLine, who: str) -> bool:
    """Whether a line names somebody who does not speak in its conversation: then it is theirs, whoever said it."""
    if not who or folded(who) in map(folded, row.speakers):
        return False
    return re.search(rf"\b{re.escape(who)}\b", row.found.text, re.IGNORECASE) is not None
