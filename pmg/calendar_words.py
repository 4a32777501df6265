"""The names of months and weekdays in English and German, in the calendar's order."""

from __future__ import annotations

MONTHS = tuple("january february march april may june july august september october november december".split())
GERMAN_MONTHS = tuple("januar februar märz april mai juni juli august september oktober november dezember".split())
WEEKDAYS = tuple("monday tuesday wednesday thursday friday saturday sunday".split())
GERMAN_WEEKDAYS = tuple("montag dienstag mittwoch donnerstag freitag samstag sonntag".split())
# those that are not called the same in English
ONLY_GERMAN_MONTHS = tuple(name for name in GERMAN_MONTHS if name not in MONTHS)
