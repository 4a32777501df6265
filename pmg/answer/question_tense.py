"""Whether a question asks about now or about then, and which of several things that were so one after the other. Pure.

Knows: the words and the tenses, in English and German. A time that a question names is read by recall/question_time.py.
"""

from __future__ import annotations

import re

from pmg.base.calendar_words import MONTHS, WEEKDAYS
from pmg.recall.question_focus import MAX_QUESTION

_NOW = re.compile(
    r"\b(?:now|currently|current|still|latest|these days|at the moment|nowadays|in the end|finally|eventually|so far|by now|"
    r"jetzt|noch|aktuell|derzeit|momentan|inzwischen|schließlich|am ende)\b",
    re.IGNORECASE,
)
_PRESENT = re.compile(
    r"\b(?:is|are|am|do|does|has|have|can|may|ist|sind|bin|habe|hat|kann|darf|soll|gibt|heißt|wohne|zahle)\b",
    re.IGNORECASE,
)
# In German "was" asks for a thing: before it no past is meant, unless what follows is English.
_PAST = re.compile(
    r"(?:^\W*was (?=(?:it|he|she|they|the|a|my|our|your|there|i|this|that)\b)|(?<=\w )was)\b|\b(?:were|did|had|used to|ago|last|previously|originally|at first|before|hatte|waren|wurde|musste|konnte|wollte|sollte|durfte|damals|früher|zuerst|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)


def about_now(question: str) -> float:
    """1 if the question says that it is about now or the outcome, ⅓ if it is in the present tense, else 0: then later memories count more."""
    start = question[:MAX_QUESTION]
    if _NOW.search(start):
        return 1.0
    return 1 / 3 if _PRESENT.search(start) and not _PAST.search(start) else 0.0


_FORMER = re.compile(
    r"\b(?:previous(?:ly)?|former(?:ly)?|used to|back then|earlier|until now|"
    r"früher(?:e[mnrs]?)?|vorher(?:ige[mnrs]?)?|zuvor|davor|damals|ehemalige?[mnrs]?|vorige[mnrs]?|bisher(?:ige[mnrs]?)?)\b",
    re.IGNORECASE,
)
# "before" asks for what was so only of a past: "what must I do before the move?" does not, and what was so before Christmas was so then
_BEFORE = re.compile(
    rf"\bbefore\b(?!\s+(?:(?:the|last|this) )?(?:(?!(?:19|20)\d\d\b)\d|christmas|xmas|easter|halloween|thanksgiving|new year|noon|midnight|lunch|dinner|breakfast|"
    rf"weekend|summer|winter|spring|autumn|fall|{'|'.join(MONTHS)}|{'|'.join(WEEKDAYS)})\b)|\bvor (?:de[mr]|meine[mr]|unsere[mr])\b|\bbevor\b",
    re.IGNORECASE,
)
_WAS = re.compile(
    r"\b(?:was|were|did|had|hatten?|hattest|waren?|warst|hieß|wohnte[n]?|gab|arbeitete[n]?|habe|haben)\b", re.IGNORECASE
)
_ORIGINAL = re.compile(
    r"\b(?:original(?:ly)?|initial(?:ly)?|at first|in the beginning|the first|my first|our first|first\s*\?|"
    r"ursprünglich(?:e[mnrs]?)?|anfangs|zuerst|zunächst|mein(?:e[mnrs]?)? erste[mnrs]?)"
    # … but for what only has a number: "the first week of July"
    r"(?!\s+(?:days?|times?|names?|floor|of|weeks?|weekend|months?|years?|half|quarter|nights?|hours?|term|tage?s?|woche|monate?s?|jahre?s?|hälfte|nacht|stunde)\b)",
    re.IGNORECASE,
)
_LATEST = re.compile(
    r"\b(?:latest|most recent(?:ly)?|newest|last|zuletzt|neueste[mnrs]?|letzte[mnrs]?)\b"
    r"(?!\s+(?:night|morning|week|weekend|month|year|summer|winter|spring|fall|autumn|name|\w+day|"
    rf"{'|'.join(MONTHS)}|nacht|woche|wochenende|monat|jahr|sommer|winter|herbst|frühling)\b)",
    re.IGNORECASE,
)


def asks_newest(question: str) -> bool:
    """Of several that were so one after the other the last; not what was first, or before, nor a question about then."""
    start = question[:MAX_QUESTION]
    if _ORIGINAL.search(start) and not _NOW.search(start):
        return False
    if _FORMER.search(start) or (_BEFORE.search(start) and _WAS.search(start)):
        return False
    return bool(_LATEST.search(start) or _NOW.search(start) or not _PAST.search(start))
