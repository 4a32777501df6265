"""May one memory stand for another? The guard of the ingest-duplicate check and of merging: it only ever blocks.

Same people, same order, same words (compare.py); "tomorrow" said on two days means two. What is blocked steward/merge.py lists and ingest/duplicates.py keeps.
"""

from __future__ import annotations

import re

from pmg.calendar_words import MONTHS
from pmg.ingest.guard.compare import Difference, Reader, differences, is_same
from pmg.ingest.timed_text import TimedText

# Words whose meaning hangs on the day they are said, by how many days apart they may still mean the same.
DAY_WORDS = "today|tonight|tomorrow|yesterday|this (?:morning|afternoon|evening)|last night|heute|morgen|gestern|demain|hier|aujourd'hui|mañana|hoy|ayer"
_COUNT, _THIS = r"(?:an?|one|two|three|four|five|six|\d+)", "(?:this|next|last|past|coming)"
_SPANS = {
    0: rf"{DAY_WORDS}|right now|the other day|\d+ (?:days?|hours?|minutes?)|{_COUNT} (?:days?|hours?|minutes?) ago",
    3: rf"{_THIS} (?:week|weekend)|weeks? ago|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:in|for) {_COUNT} weeks?|recently|lately|soon",
    14: rf"{_THIS} month|months? ago|in {_COUNT} months?",
    120: rf"{_THIS} (?:year|spring|summer|autumn|fall|winter|season|christmas|{'|'.join(MONTHS)})|years? ago|in {_COUNT} years?",
}


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


def allows(a: TimedText, b: TimedText, reader: Reader) -> bool:
    """Does nothing speak against merging? What `blocks` would say, by what is quickest seen: seldom a day."""
    if len(a.lines) != len(b.lines):
        return False
    pairs = list(zip(a.lines, b.lines, strict=True))
    if any(x.role is not y.role or x.speaker.casefold() != y.speaker.casefold() for x, y in pairs):
        return False
    return all(x.text == y.text or is_same(x.text, y.text, reader) for x, y in pairs) and not _days(a, b)


def _days(a: TimedText, b: TimedText) -> tuple[Difference, ...]:
    days = abs((a.at.date() - b.at.date()).days)
    for apart, words in _SPANS.items():
        for line in (*a.lines, *b.lines) if days > apart else ():
            if word := re.search(rf"\b(?:{words})\b", line.text, re.IGNORECASE):
                return (Difference("date", f"{word[0]} ({a.at:%Y-%m-%d})", f"{word[0]} ({b.at:%Y-%m-%d})"),)
    return ()
