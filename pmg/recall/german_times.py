"""German words of time in English, for recall/question_time.py and whoever reads times in what was said.

Knows: words, counts, months, weekdays, and how German writes a date. Only the words of time are translated: what is left is no sentence, and need not be one. Pure.
"""

from __future__ import annotations

import re

from pmg.base.calendar_words import GERMAN_MONTHS, GERMAN_WEEKDAYS, MONTHS, WEEKDAYS
from pmg.base.words import GERMAN_NUMBER_WORDS, NUMBER_WORDS

_COUNTS = ("ein", *GERMAN_NUMBER_WORDS)
_UNITS = {"day": "tage?n?", "week": "wochen?", "month": "monate?n?", "year": "jahre?n?"}
_MONTHS = {"jänner": "january"} | {
    german: english for german, english in zip(GERMAN_MONTHS, MONTHS, strict=True) if german != english
}
_SEASONS = {"frühling": "spring", "frühjahr": "spring", "sommer": "summer", "herbst": "autumn"}
_DATE = r"(\d{1,2})\.\s?(\d{1,2})\.\s?((?:19|20)\d\d)"

# In this order: a phrase before the words it is made of.
_TO_ENGLISH = tuple(
    (re.compile(rf"\b{pattern}\b", re.IGNORECASE), english)
    for pattern, english in (
        (_DATE, r"\3-\2-\1"),
        (r"vorgestern", "2 days ago"),
        (r"gestern(?: (?:früh|morgen|vormittag|mittag|nachmittag|abend|nacht))?", "yesterday"),
        (r"heute(?: (?:früh|morgen|vormittag|mittag|nachmittag|abend|nacht))?", "today"),
        (r"übermorgen", "in 2 days"),
        (r"(?:einem|ein) halben? jahr", "six months"),
        (r"(?:anderthalb|eineinhalb) jahren?", "18 months"),
        (r"(?:ein paar|einigen?|wenigen?)", "a few"),
        (r"mehreren?", "several"),
        (r"vorletzte[nmrs]? woche", "2 weeks ago"),
        (r"vorletzte[nmrs]? monat", "2 months ago"),
        (r"vorletzte[nmrs]? jahr", "2 years ago"),
        (r"(?:letzte[nmrs]?|vergangene[nmrs]?|vorige[nmrs]?)", "last"),
        (r"diese[nmrs]?", "this"),
        (r"nächste[nmrs]?", "next"),
        *((rf"vor (?:etwa |rund |gut |knapp |fast |genau )?((?:a few|[\wäöü]+)) {german}", rf"\1 {unit}s ago") for unit, german in _UNITS.items()),
        (r"wochenende", "weekend"),
        (r"wochen", "weeks"),
        (r"woche", "week"),
        (r"monaten?", "months"),
        (r"monat", "month"),
        (r"jahren?", "years"),
        (r"jahr", "year"),
        (r"tagen?", "days"),
        (r"(?:anfang|mitte|ende|im laufe des)(?: des)?", "in"),
        (r"im", "in"),
        (r"ab", "from"),
        (r"seit", "since"),
        (r"bis", "until"),
        (r"(?:wird|werde|werden)", "will"),
        *_MONTHS.items(),
        *_SEASONS.items(),
        *((f"(?:am )?{german}", f"on {english}") for german, english in zip(GERMAN_WEEKDAYS, WEEKDAYS, strict=True)),
        (r"(?:einem|einer|eine)", "one"),
        *zip(_COUNTS, NUMBER_WORDS[1:], strict=False),
    )
)  # fmt: skip
_ORDINAL = re.compile(r"\b(\d{1,2})\.(?=\s+[^\W\d])")  # "26. Oktober"
_AGAIN = re.compile(r"\b(last|this|next) on (?=\w+day\b)", re.IGNORECASE)  # "letzten Montag" is no "last on monday"


def in_english(text: str) -> str:
    for pattern, english in _TO_ENGLISH:
        text = pattern.sub(english, text)
    return _AGAIN.sub(r"\1 ", _ORDINAL.sub(r"\1", text))
