"""The names of months and weekdays in the calendar's order, in English, German, French, Spanish and Italian."""

from __future__ import annotations

import re

MONTHS = tuple("january february march april may june july august september october november december".split())
GERMAN_MONTHS = tuple("januar februar märz april mai juni juli august september oktober november dezember".split())
WEEKDAYS = tuple("monday tuesday wednesday thursday friday saturday sunday".split())
GERMAN_WEEKDAYS = tuple("montag dienstag mittwoch donnerstag freitag samstag sonntag".split())
FRENCH_MONTHS = tuple("janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split())
FRENCH_WEEKDAYS = tuple("lundi mardi mercredi jeudi vendredi samedi dimanche".split())
SPANISH_MONTHS = tuple(
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()
)
SPANISH_WEEKDAYS = tuple("lunes martes miércoles jueves viernes sábado domingo".split())
ITALIAN_MONTHS = tuple(
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre".split()
)
ITALIAN_WEEKDAYS = tuple("lunedì martedì mercoledì giovedì venerdì sabato domenica".split())
# those that are not called the same in English
ONLY_GERMAN_MONTHS = tuple(name for name in GERMAN_MONTHS if name not in MONTHS)
_WEEKDAY = re.compile(rf"\b({'|'.join((*WEEKDAYS, *GERMAN_WEEKDAYS))})s?\b", re.IGNORECASE)


def weekdays(text: str) -> frozenset[int]:
    """The days of the week that it names, Monday is 0."""
    names = (found[1].lower() for found in _WEEKDAY.finditer(text))
    return frozenset((*WEEKDAYS, *GERMAN_WEEKDAYS).index(name) % len(WEEKDAYS) for name in names)
