"""Whether a later excerpt says anew what an earlier one says: the rent of October beside that of February.

Knows: what makes two excerpts rivals for one answer. They are of one kind of speaker, near in meaning, answer about equally well apart from
their age and their rank, and where the earlier one holds a value (a figure, a day, a name that the question does not have) the later one
holds one of that kind too: who only mentions a thing again says nothing new of it. Which of them is shown first is evidence.py's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pmg.chat.answer_signals import AnswerSignals
from pmg.chat.excerpts import Excerpt

if TYPE_CHECKING:
    from pmg.embed.embedder import Embedder

# Chosen on 114 pairs of an older and a newer memory and on the sample's questions (docs/answers.md): each set by what was best on the others.
APART = 2.5  # of the score, without what age and rank give
SAME = 0.45  # cosine of the two

_FIGURE = re.compile(
    r"\d[\d.,:/%-]*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|first|second|third|fourth|fifth|sixth|half|quarter|"
    r"zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|erste[nrs]?|zweite[nrs]?|dritte[nrs]?|halb)\b",
    re.IGNORECASE,
)
_DAY = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s?\b|"
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[\w,;)] )[A-ZÄÖÜ][\w&+-]+")  # not at the start of a sentence, where every word has a capital
_KINDS = {"figure": _FIGURE, "day": _DAY, "name": _NAME}
_WORD = re.compile(r"\w+")


def told_anew(
    question: str,
    older: tuple[Excerpt, AnswerSignals],
    newer: tuple[Excerpt, AnswerSignals],
    weights: Mapping[str, float],
    embedder: Embedder | None,
) -> bool:
    """Whether `newer` takes the place of `older` as the answer. Without a model nobody can say that they are about the same."""
    if embedder is None or newer[0].anchor.role is not older[0].anchor.role:
        return False
    if newer[0].anchor.passage.at.date() <= older[0].anchor.passage.at.date():
        return False
    if newer[1].held_around < older[1].held_around or abs(_apart(older[1], newer[1], weights)) > APART:
        return False
    if not _holds_such_a_value(question, older[0].said, newer[0].said):
        return False
    first, second = embedder.embed([older[0].said, newer[0].said])
    return float(first @ second) >= SAME


def _apart(older: AnswerSignals, newer: AnswerSignals, weights: Mapping[str, float]) -> float:
    """How much better the older one fits, but for its age and its rank: those are what is to be decided."""
    told = {name: weight for name, weight in weights.items() if name not in ("late", "first")}
    return float(sum(weight * (getattr(older, name) - getattr(newer, name)) for name, weight in told.items()))


def _holds_such_a_value(question: str, older: str, newer: str) -> bool:
    held = values(question, older)
    there = values(question, newer)
    return not held or any(there.get(kind, set()) - held[kind] for kind in held)


def values(question: str, text: str) -> dict[str, set[str]]:
    """The figures, days and names of a text that the question does not have, by kind."""
    asked = set(_WORD.findall(question.casefold()))
    found = {kind: {one.casefold() for one in pattern.findall(text)} - asked for kind, pattern in _KINDS.items()}
    found["name"] -= found["day"]
    return {kind: some for kind, some in found.items() if some}
