"""Who somebody is: "Who is Anna Berg?", "What do you know about Lena?", "Erzähl mir von Jonas".

Such a question has no words but a name, so lines are searched by the name, and the best is one that introduces its bearer (introductions.py): their own lines and
what is said to them tell what happened, seldom who they are. How other questions are answered stands in ask.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pmg.index.terms import document_terms
from pmg.people.answer import MAX_LINES, NOTHING, Asked, Asking, answer_line
from pmg.people.confidence import LineTraits, chance
from pmg.people.entities import folded
from pmg.people.found_lines import ECHOED, MatchedLine, matched_lines, term_weights
from pmg.people.introductions import introduces
from pmg.people.route import Route

NAMED = 0.5  # of a line's fit, if it names them and says nothing of who they are
LONG = 400  # characters from which on a line tells of much else too
_FRAME = re.compile(
    r"\W*(?:(?:and|so|but|ok|okay|well|und|also|aber)\W+)*(?:who(?: is| was| are| were|['’]s)|wer (?:ist|war|sind|waren)|(?:please )?tell me(?: more| something)? about|"
    r"what about|what(?: else| all)? do (?:you|i|we) know (?:about|of)|was (?:wei(?:ß|ss)t du|wei(?:ß|ss) ich)(?: alles| noch)? (?:über|von)|"
    r"erzähle?(?: mir)?(?: mehr)? (?:von|über))\W*(?:and|und|or|oder)?\W*(?:again|really|actually|nochmal|eigentlich|denn)?\W*",
    re.IGNORECASE,
)
_NAME = re.compile(r"\b[A-ZÀ-Þ][\w'’-]*\.?(?: [A-ZÀ-Þ][\w'’-]*)*")


def asked_to_tell_of(question: str, known: Sequence[str]) -> tuple[str, ...]:
    """The people of whom nothing is asked but to be told of them: those of the question who are known, or who it is that a name is written for."""
    people = known or tuple(found[0] for found in _NAME.finditer(question, _frame_end(question)))
    bare = question
    for name in sorted(people, key=len, reverse=True):
        bare = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", bare, flags=re.IGNORECASE)
    return tuple(people) if people and _FRAME.fullmatch(" ".join(bare.split())) else ()


def _frame_end(question: str) -> int:
    found = _FRAME.match(question)
    return found.end() if found is not None else len(question)


def who_they_are(asking: Asking, routed: Route) -> Asked:
    """The lines that name them, those that introduce them first and of these the earliest: one is introduced once and then known."""
    names = _fullest(routed.people)
    words = {term: word for name in names for word in name.split() for term in document_terms(word)[:1]}
    weights = term_weights(asking.indexes, asking.namespace, words)
    rows = [
        row
        for row in matched_lines(asking.reads, asking.indexes, asking.namespace, words, weights)
        if asking.day is None or row.found.said_at.date() <= asking.day
    ]
    fits = {row.found.id: _fit(row, names) for row in rows}
    best = sorted(
        (row for row in rows if fits[row.found.id]),
        key=lambda row: (-fits[row.found.id], row.found.said_at, row.found.id),
    )[:MAX_LINES]
    index = asking.indexes.lexical(asking.namespace)
    traits = [
        LineTraits(fits[row.found.id], row is best[0], 0.0, len(index) if index is not None else 0) for row in best
    ]
    lines = [answer_line(row, chance(one), traits=one) for row, one in zip(best, traits, strict=True)]
    introduced = bool(best) and fits[best[0].found.id] > NAMED
    return Asked(asking.question, routed, tuple(lines), "" if lines else NOTHING, is_introduction=introduced)


def _fullest(people: Sequence[str]) -> list[str]:
    """Without names that stand in another: "Anna Berg" is asked for, not Anna."""
    return [one for one in people if not any(one != other and folded(one) in folded(other) for other in people)]


def _written(name: str) -> re.Pattern[str]:
    """With a dot behind a title or without: "Dr. Quandt" is Dr Quandt."""
    words = r"\.? ".join(re.escape(word.rstrip(".")) for word in name.split())
    return re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE)


def _fit(row: MatchedLine, names: Sequence[str]) -> float:
    text = row.found.text
    named = [found[0] for name in names if (found := _written(name).search(text))]
    if not named:
        return 0.0
    share = len(named) / len(names) * (1.0 if introduces(named, text) else NAMED)
    return share * (ECHOED if len(text) > LONG else 1.0)
