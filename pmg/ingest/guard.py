"""May one memory stand for another? The guard of the ingest-duplicate check and of merging: it only ever blocks.

Knows: that two turns must be spoken by the same people in the same order, that no line may differ in anything that matters, and
that "tomorrow" said on two days means two days. Does not know: cosines, the store, what happens to a blocked pair.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Protocol

from pmg.ingest.differences import Difference, differences
from pmg.model import Line

# Words whose meaning hangs on the day they are said, and how many days apart they may still mean the same.
_DAYS = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|this (?:morning|afternoon|evening)|last night|right now|\d+ (?:days?|hours?|minutes?)"
    r"(?: ago| from now)?|(?:a|an|one|two|three|four|five|six) (?:days?|hours?|minutes?) ago|the other day|heute|morgen|gestern"
    r"|demain|hier|aujourd'hui|mañana|hoy|ayer)\b",
    re.IGNORECASE,
)
_WEEKS = re.compile(
    r"\b(?:(?:this|next|last|past|coming) (?:week|weekend)|weeks? ago|(?:on |next |last |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|(?:in|for) (?:a|one|two|three|\d+) weeks?|recently|lately|soon)\b",
    re.IGNORECASE,
)
_MONTHS = re.compile(
    r"\b(?:(?:this|next|last|past|coming) month|months? ago|in (?:a|one|two|three|\d+) months?)\b", re.IGNORECASE
)
_YEARS = re.compile(
    r"\b(?:(?:this|next|last|past|coming) (?:year|spring|summer|autumn|fall|winter|season|christmas|january|february|march|april|may"
    r"|june|july|august|september|october|november|december)|years? ago|in (?:a|one|two|three|\d+) years?)\b",
    re.IGNORECASE,
)
_SPANS = ((_DAYS, 0.0), (_WEEKS, 3.0), (_MONTHS, 14.0), (_YEARS, 120.0))


class TimedText(Protocol):
    """Words and when they were said: a segment, or a turn that is about to become one."""

    @property
    def lines(self) -> tuple[Line, ...]: ...
    @property
    def at(self) -> datetime: ...


def blocks(a: TimedText, b: TimedText) -> tuple[Difference, ...]:
    """Everything that speaks against merging; empty: the one says what the other says."""
    if len(a.lines) != len(b.lines):
        return (Difference("lines", str(len(a.lines)), str(len(b.lines))),)
    found: list[Difference] = []
    for x, y in zip(a.lines, b.lines, strict=True):
        if x.role is not y.role or x.speaker.casefold() != y.speaker.casefold():
            found.append(Difference("speaker", x.speaker, y.speaker))
        elif x.text != y.text:
            found += differences(x.text, y.text)
    return (*found, *_days(a, b))


def _days(a: TimedText, b: TimedText) -> tuple[Difference, ...]:
    for pattern, apart in _SPANS:
        for segment in (a, b):
            word = next((m for line in segment.lines if (m := pattern.search(line.text))), None)
            if word is not None and _apart(a.at, b.at) > apart:
                return (Difference("date", f"{word[0]} ({a.at:%Y-%m-%d})", f"{word[0]} ({b.at:%Y-%m-%d})"),)
    return ()


def _apart(a: datetime, b: datetime) -> float:
    """Days between the calendar days on which the two were said."""
    return abs((a.date() - b.date()).days)


def kinds(found: tuple[Difference, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(difference.kind.replace(" ", "-") for difference in found))
