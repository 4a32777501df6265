"""The names of months and weekdays in English and German, in the calendar's order."""

from __future__ import annotations

import re

MONTHS = tuple("january february march april may june july august september october november december".split())
GERMAN_MONTHS = tuple("januar februar märz april mai juni juli august september oktober november dezember".split())
WEEKDAYS = tuple("monday tuesday wednesday thursday friday saturday sunday".split())
GERMAN_WEEKDAYS = tuple("montag dienstag mittwoch donnerstag freitag samstag sonntag".split())
# those that are not called the same in English
ONLY_GERMAN_MONTHS = tuple(name for name in GERMAN_MONTHS if name not in MONTHS)
_WEEKDAY = re.compile(rf"\b({'|'.join((*WEEKDAYS, *GERMAN_WEEKDAYS))})s?\b", re.IGNORECASE)


def weekdays(text: str) -> frozenset[int]:
    """The days of the week that it names, Monday is 0."""
    names = (found[1].lower() for found in _WEEKDAY.finditer(text))
    return frozenset((*WEEKDAYS, *GERMAN_WEEKDAYS).index(name) % len(WEEKDAYS) for name in names)
