"""What a question wants: a date, a place, a person, a number, money, a length of time, a reason, a list, a yes or no, or anything; and
whether a text holds one.

Knows: question words and the look of such things in English and German. A question in any other language
wants anything. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from enum import StrEnum

from pmg.answer.introductions import ROLE_WORD
from pmg.answer.phrases import german
from pmg.base.calendar_words import GERMAN_WEEKDAYS, MONTHS, ONLY_GERMAN_MONTHS, WEEKDAYS
from pmg.base.patterns import short
from pmg.recall.question_focus import MAX_QUESTION


class AnswerType(StrEnum):
    DATE = "date"
    PLACE = "place"
    PERSON = "person"
    MONEY = "money"
    DURATION = "duration"
    NUMBER = "number"
    REASON = "reason"
    LIST = "list"
    YES_NO = "yes or no"
    ANYTHING = "anything"


_LEAD = r"\W*(?:(?:and|but|so|please|hello|hi|und|aber|to|in|on|at|since|until|till|for|from|by|with|seit|bis|von|mit|für)[\s,]+)*"
_ASKED = (
    (
        AnswerType.DATE,
        rf"{_LEAD}(?:when|wann|how long ago|(?:what|which) (?:is the |was the )?(?:\w+ )?(?:date|dates|day|days|time|year|month|weekday)|"
        r"(?:an )?welche[mnrs]? (?:tag|datum|monat|jahr|wochentag)|um wie ?viel uhr)\b",
    ),
    (
        AnswerType.PLACE,
        rf"{_LEAD}(?:where|wo|wohin|woher|(?:what|which|welche[mnrs]?) (?:city|country|place|town|state|street|address|location|"
        r"stadt|land|ort|straße|adresse))\b",
    ),
    (AnswerType.PERSON, rf"{_LEAD}(?:who|whom|whose|wer|wen|wem|wessen)\b"),
    (
        AnswerType.MONEY,
        r".*?\b(?:how much (?:is|was|were|are) (?:the|my|our|your|his|her|their|an?|it|that|this|they|those)\b|"
        r"(?:how (?:much|high)|what|which|wie ?viel|was|welche[nrs]?)\b[^?\n]{0,40}\b(?:costs?|charge[sd]?|pay|paid|rent|deposit|salary|money|earn|spen[dt]|saved?|savings|"
        r"budget|price|fee|kostet|miete|geld|zahle|verdiene|gehalt|preis)\b)",
    ),
    (AnswerType.DURATION, r".*\b(?:how long|wie lange)\b(?! ago)(?!.*\b(?:wall|shelf|table|board|cable|wand)\b)"),
    (
        AnswerType.NUMBER,
        r".*\b(?:how (?:many|much|long|often|old|far|high|big|large|tall|wide|deep|heavy)|"
        r"wie (?:viele?|lange|oft|alt|hoch|groß|weit|teuer|schwer|breit)|wieviele?|"
        r"(?:what|which|welche[nrs]?) (?:dose|salary|amount|price|number|percentage|size|dosis|menge|preis|gehalt|zahl))\b",
    ),
    (
        AnswerType.REASON,
        rf"{_LEAD}(?:why|warum|wieso|weshalb|what (?:was |is )?(?:the )?(?:reason|cause|causes|caused|motivated|inspired|made))\b",
    ),
    (
        AnswerType.YES_NO,
        rf"{_LEAD}(?:is|are|was|were|am|do|does|did|can|could|will|would|should|may|has|have|had|ist|sind|war|waren|bin|bist|hat|hab|habe|haben|hatte|hatten|kann|konnte|darf|soll|muss|wird|werden)\b"
        r"(?! (?:ist|sind|war|hat|habe|haben|kann|darf|soll|wird|gibt|macht)\b)",
    ),
    (
        AnswerType.LIST,
        r".*\b(?:(?:which|what|welche) (?!(?:does|did|do|is|are|was|were|has|have|had|will|can|should|would|could)\b)(?:\w+ )?[a-zäöü]{3,}(?:s|en)\b|list|lists|recipes?|ingredients|rezept|zutaten|steps)",
    ),
)
_ASKS = tuple((kind, short(pattern, re.IGNORECASE | re.DOTALL)) for kind, pattern in _ASKED)

_SHORT_MONTHS = "jan feb mar apr jun jul aug sept? oct nov dec".split()
_MONTH = "|".join((*MONTHS, *_SHORT_MONTHS, *ONLY_GERMAN_MONTHS))
_DAY = "|".join(f"{day}s?" for day in (*WEEKDAYS, *GERMAN_WEEKDAYS))
_DATE = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th|\.)? (?:of )?(?:{_MONTH})|(?:{_MONTH})(?: \d+)?|{_DAY}|\d{{1,2}}:\d\d|(?:19|20)\d\d|\d{{1,2}} uhr|"
    r"yesterday|today|tomorrow|tonight|gestern|heute|morgen|the \d{1,2}(?:st|nd|rd|th)|(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\.? (?:the )?\d{1,2}(?:st|nd|rd|th)|"
    r"(?:last|next|this|letzten?|nächsten?) (?:night|morning|week|weekend|month|year|summer|winter|spring|fall|autumn|\w+day|woche|monat|jahr)|"
    r"(?:days?|weeks?|months?|years?) ago|(?:christmas|xmas|easter|whitsun|halloween|thanksgiving|hogmanay|weihnachten|ostern|pfingsten|silvester|neujahr)\b(?! (?:eggs?|bunny|trees?|cards?|presents?|lights|dinner|jumpers?|puddings?|cakes?|part(?:y|ies)|markets?|shopping|lists?|songs?)\b))\b",
    re.IGNORECASE,
)
# "May Road" and "March Hall" are places.
_DATE_OUTSIDE_NAMES = re.compile(
    rf"{_DATE.pattern}(?! (?:road|street|st|lane|avenue|close|square|hall|house|hill|court|park|gardens|terrace|bridge|inn|caf[eé]|school|church|market)\b)",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|dozen|once|twice|half|couple|"
    r"several|few|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|hundert|tausend|einmal|zweimal|halb)\b",
    re.IGNORECASE,
)
_MONEY = re.compile(
    r"[€£$¥]|\b(?:euros?|pounds?|dollars?|quid|cents?|kr|usd|eur|gbp)\b|\b\d{1,3}[,.]\d{3}\b", re.IGNORECASE
)
_SUM = re.compile(
    rf"\b(?:fiver|tenner|grand|free|gratis|umsonst|kostenlos)\b|\b(?:charg(?:e|es|ed)|costs?|pays?|paid|kostet|zahl\w*) (?:\w+ ){{0,2}}(?:{_NUMBER.pattern})",
    re.IGNORECASE,
)
_DURATION = re.compile(
    r"\b(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|decade|forever|sekunden?|minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?|"
    r"since|until|till|seit|bis)\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:because|since(?! (?:(?:the )?\d{1,4}(?:st|nd|rd|th)?(?! of us)\b|then\b|yesterday\b|(?:last|this) (?:morning|week|month|year|spring|summer|autumn|winter|\w{3,6}day)\b|(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december)\b(?! (?:is|was|has)\b)))|so that|due to|thanks to|reason|causes?|caused|that['’]?s why|in order to|inspired|motivat\w+|therefore|"
    r"so |to help|weil|denn|wegen|damit|deshalb|darum|grund|ursache)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\b(?:in|at|to|from|near|on|by|im|am|nach|aus|bei)\s+(?:the\s+|my\s+|der\s+|den\s+)?[A-ZÄÖÜ][\w'-]+|"
    r"\b(?i:street|\w*stra(?:ß|ss)e|\w*gasse|park|beach|city|town|country|home|caf[eé]|restaurant|lake|mountains?|forest|school|cent(?:er|re)|"
    r"studio|shop|museum|hotel|island|club)\b"
)
_NAME = re.compile(r"(?<=[\w,;:] )[A-ZÄÖÜ][a-zäöüß]{2,}")
_TITLED = re.compile(r"\b(?:Mr|Mrs|Ms|Miss|Dr|Prof|Frau|Herrn?)\.? [A-ZÄÖÜ]")
# Before a further part of a question: "…, and when?", "… and how did I get there?"
_FURTHER = short(
    r"(?:,\s*|(?<!\s)\s+)(?:and|but|und|aber)\s+(?=(?:on |in |at |an |am )?(?:what|when|where|which|who|why|how|was|wann|wo|wer|warum|wie|welche)\b)|"
    r",\s*(?=(?:on |in |at |an |am )?(?:what|when|where|which|who|why|how|wann|wo|wer|warum|wie|welche)\b)",
    re.IGNORECASE,
)
_WAS = re.compile(rf"{_LEAD}was\b", re.IGNORECASE)
_IDENTITY = re.compile(rf"{_LEAD}(?:who|what|wer|was) (?:is|was|are|were|ist|war|sind)\b", re.IGNORECASE)


def expected(question: str) -> AnswerType:
    """The first type whose sign the question has."""
    start = question[:MAX_QUESTION]
    found = next((kind for kind, pattern in _ASKS if pattern.match(start)), AnswerType.ANYTHING)
    # "Was wünscht sich Jonas?" is no "was he there?"
    is_german_what = found is AnswerType.YES_NO and _WAS.match(start) is not None and german(start)
    return AnswerType.ANYTHING if is_german_what else found


def all_expected(question: str) -> tuple[AnswerType, ...]:
    """The types of a question of several parts ("did it go out, and when?"), those with a look of their own; else that of the whole."""
    start = question[:MAX_QUESTION]
    found = (expected(start), *(expected(part) for part in _FURTHER.split(start)[1:]))
    return tuple(dict.fromkeys(kind for kind in found if kind in LOOKS_LIKE_ONE)) or found[:1]


def asks_who_it_is(question: str) -> bool:
    """ "Who is Anna Berg?" wants to be told of her, not what she said."""
    return _IDENTITY.match(question[:MAX_QUESTION]) is not None


def share_held(kinds: Collection[AnswerType], text: str) -> float:
    return sum(holds(kind, text) for kind in kinds) / len(kinds)


def lacks(kinds: Collection[AnswerType], text: str, is_past: bool) -> bool:
    """Nothing in the text looks like any of what is wanted, so it cannot surely be the answer: a price asked for, and no figure told."""
    wanted = [kind for kind in kinds if not (is_past and kind is AnswerType.DATE)]
    return bool(wanted) and all(kind in _NEVER_WITHOUT and not _may_hold(kind, text) for kind in wanted)


def _may_hold(kind: AnswerType, text: str) -> bool:
    if kind is AnswerType.PERSON and _TITLED.search(text):
        return True
    if kind is AnswerType.MONEY and _SUM.search(text):
        return True  # "she charges sixty an hour", "a haircut costs a fiver"
    if kind is AnswerType.PLACE:  # "on Saturday" and "am 21. Juni" are no places, though they look like some
        text = _DATE_OUTSIDE_NAMES.sub("0", text)
        return holds(kind, text) > 0 or _SOMEWHERE.search(text) is not None
    return holds(kind, text) > 0


def holds(kind: AnswerType, text: str) -> float:
    """How much the text looks as if it held such a thing, 0 to 1; a type that has no look of its own is never held."""
    if kind is AnswerType.PERSON:
        return 1.0 if ROLE_WORD.search(text) else 0.5 if _NAME.search(text) else 0.0
    if kind is AnswerType.LIST:
        return min(1.0, (text.count(",") + 2 * text.count("\n- ") + text.count(" and ") + text.count(" und ")) / 3)
    pattern = _LOOKS.get(kind)
    return float(pattern is not None and pattern.search(text) is not None)


_LOOKS = {
    AnswerType.DATE: _DATE,
    AnswerType.MONEY: _MONEY,
    AnswerType.DURATION: _DURATION,
    AnswerType.NUMBER: _NUMBER,
    AnswerType.REASON: _REASON,
    AnswerType.PLACE: _PLACE,
}
# After a word of place stands one, if it is no time: "under the watering can", not "in February".
_SOMEWHERE = re.compile(
    rf"\b(?:in|at|on|under|by|near|behind|beside|above|below|inside|between|opposite|from|to|into|onto|im|am|an|auf|unter|hinter|neben|bei|beim|nach|aus|zu|zum|zur)\s+"
    rf"(?!(?:the\s+|the\s+\d|\d|{_MONTH}|{_DAY}|(?:his|her|their|my)\s+way)\b)\w+|\b(?:in|at|on|under|by|near|behind|beside|above|below|inside|from|to|into)\s+the\s+(?!\d)\w+",
    re.IGNORECASE,
)
# Of these no answer is without the look; but what was so on a day that is past is dated by the day it was told.
_NEVER_WITHOUT = frozenset(
    (
        AnswerType.MONEY,
        AnswerType.NUMBER,
        AnswerType.DURATION,
        AnswerType.REASON,
        AnswerType.PERSON,
        AnswerType.DATE,
        AnswerType.PLACE,
    )
)
LOOKS_LIKE_ONE = frozenset((*_LOOKS, AnswerType.PERSON, AnswerType.LIST))
