"""Whether a question asks about now or about then. Pure.

Knows: the words and the tenses, in English and German. A time that a question names is read by recall/question_time.py.
"""

from __future__ import annotations

import re

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
_PAST = re.compile(
    r"\b(?:was|were|did|had|used to|ago|last|previously|originally|at first|before|hatte|waren|wurde|damals|früher|zuerst|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)


def about_now(question: str) -> float:
    """1 if the question says that it is about now or the outcome, ⅓ if it is in the present tense, else 0: then later memories count more."""
    start = question[:MAX_QUESTION]
    if _NOW.search(start):
        return 1.0
    return 1 / 3 if _PRESENT.search(start) and not _PAST.search(start) else 0.0
