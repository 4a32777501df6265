"""An answer against its evidence: which figures, days and names in it stand nowhere in what it rests on.

Knows: how figures and names are written in English and German; answer_dates.py knows days. Pure, the same every time, and no proof of truth: an answer whose every
figure stands in the evidence may still be wrong, one with a figure from nowhere is not to be trusted. Whoever shows an answer marks what is found here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from pmg.base import sentences
from pmg.base.calendar_words import GERMAN_MONTHS, GERMAN_WEEKDAYS, MONTHS, WEEKDAYS
from pmg.base.words import NUMBER_WORDS, STOP_WORDS
from pmg.people.answer_dates import DateParts, days_of, proves, written
from pmg.people.entities import folded, is_short_for

_CITED = re.compile(
    r"\[\d{1,3}(?:\s*[,;]\s*\d{1,3})*\]|^[^\S\n]*\d{1,2}[.)]\s", re.MULTILINE
)  # also the number of a list's item
_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")
_WORDS = (
    NUMBER_WORDS,
    "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig".split(),
)
_NUMBERS = {word: str(number) for row in _WORDS for number, word in enumerate(row) if number > 1}
_NUMBERS |= {
    word: str(10 * ten) for ten, word in enumerate("thirty forty fifty sixty seventy eighty ninety hundred".split(), 3)
}
_NUMBERS |= {"twice": "2", "dozen": "12"}
_SPOKEN = re.compile(rf"\b(?:{'|'.join(_NUMBERS)})\b", re.IGNORECASE)
_NAME = re.compile(r"[^\W\d_a-z][\w’'-]*[^\W\d_]")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_CALENDAR = frozenset((*MONTHS, *GERMAN_MONTHS, *WEEKDAYS, *GERMAN_WEEKDAYS))
_GERMAN = frozenset(
    "der die das und ist nicht ein eine einen am im mit von zu dem den ich du er sie es wir hat war auf".split()
)
_ENGLISH = frozenset("the and is not a an at in with of to i you he she it we has was on".split())


class PartKind(StrEnum):
    FIGURE = "figure"
    DATE = "date"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class UnprovenPart:
    """Characters `start` to `end` of an answer that stand nowhere in its evidence."""

    start: int
    end: int
    kind: PartKind


@dataclass(frozen=True, slots=True)
class ProofText:
    """What an answer may rest on: words, and when they were said, from which their "yesterday" is counted. None: not said on a day."""

    text: str
    said_at: datetime | None = None


def unproven(answer: str, evidence: Sequence[ProofText]) -> tuple[UnprovenPart, ...]:
    """In the order of the answer. The question belongs to the evidence: what it names the answer may name."""
    bare = _CITED.sub(lambda found: " " * len(found[0]), answer)
    known = [part for one in evidence for part in days_of(one.text, one.said_at)]
    dates = list(written(bare))
    found = [UnprovenPart(start, end, PartKind.DATE) for start, end, date in dates if not proves(known, date)]
    for start, end, _ in dates:
        bare = bare[:start] + " " * (end - start) + bare[end:]
    found += _figures(bare, evidence, known)
    found += _names(bare, evidence)
    return tuple(sorted(found, key=lambda part: part.start))


def _figures(bare: str, evidence: Sequence[ProofText], known: Sequence[DateParts]) -> Iterator[UnprovenPart]:
    there = {number for one in evidence for _, _, number in _numbers(one.text)}
    there |= {str(number) for part in known for number in (part.year, part.day) if number}
    for start, end, number in _numbers(bare):
        if number not in there:
            yield UnprovenPart(start, end, PartKind.FIGURE)


def _numbers(text: str) -> Iterator[tuple[int, int, str]]:
    """Where each stands, and its value: 1,200 and 1200 are one, and so are "two" and 2."""
    for found in _FIGURE.finditer(text):
        plain = re.sub(r"[,.](?=\d{3}\b)", "", found[0])
        yield found.start(), found.end(), plain.replace(",", ".")
    for found in _SPOKEN.finditer(text):
        yield found.start(), found.end(), _NUMBERS[found[0].lower()]


def _names(bare: str, evidence: Sequence[ProofText]) -> Iterator[UnprovenPart]:
    there = {folded(word) for one in evidence for word in _LETTERS.findall(one.text)}
    words = [word.lower() for word in _LETTERS.findall(bare)]
    if sum(word in _GERMAN for word in words) > sum(word in _ENGLISH for word in words):
        return  # every noun is written large there
    for start, end in _large(bare):
        parts = [folded(part) for part in _LETTERS.findall(bare[start:end].removesuffix("'s").removesuffix("’s"))]
        if not all(_is_there(part, there) for part in parts):
            yield UnprovenPart(start, end, PartKind.NAME)


def _large(bare: str) -> Iterator[tuple[int, int]]:
    """Words that begin large inside a sentence. The first word of one always does: it tells nothing."""
    for first, last in sentences.pieces(bare):
        begin, end = sentences.trimmed(bare, first, last)
        opening = _LETTERS.search(bare, begin, end)
        for found in _NAME.finditer(bare, opening.end() if opening else end, end):
            word = found[0].lower()
            before = bare[found.start() - 1]
            if (
                word not in STOP_WORDS
                and word not in _CALENDAR
                and before in ' ("“‘'
                and bare[: found.start()].rstrip()[-1:] not in ":*-–"
            ):
                yield found.start(), found.end()


def _is_there(name: str, there: set[str]) -> bool:
    return name in there or any(is_short_for(name, other) for other in there)
