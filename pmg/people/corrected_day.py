"""A day that is put right in the words behind it: "Dinner is on Saturday. Actually make it Sunday." Pure.

Knows: how such a correction begins in English and German, and where one day is denied or moved. Which day its words are is meant_days.py's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pmg.base.calendar_words import GERMAN_WEEKDAYS, MONTHS, ONLY_GERMAN_MONTHS, WEEKDAYS
from pmg.people.told_values import SAYS_ANEW

_WEEKDAY = rf"(?:{'|'.join((*WEEKDAYS, *GERMAN_WEEKDAYS, 'sonnabend'))})s?"
_MONTH = rf"(?:{'|'.join((*MONTHS, *ONLY_GERMAN_MONTHS))})"
_DAY = (
    r"(?:(?:on|this|next|last|am|diesen|nächsten|kommenden|letzten) )?(?:the )?"
    rf"(?:{_WEEKDAY}(?: (?:morning|afternoon|evening|night|vormittag|nachmittag|abend))?|"
    r"(?:the )?day (?:after tomorrow|before yesterday)|today|tonight|tomorrow|yesterday|heute|morgen|übermorgen|gestern|vorgestern|"
    r"(?:weekend|week|month|woche|wochenende|monat)|"
    rf"\d{{1,2}}(?:st|nd|rd|th|\.)?(?: of)? {_MONTH}|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?|\d{{1,2}}(?:st|nd|rd|th))\b"
)
_MARK = (
    r"(?:no|nope|nah|wait|hang on|hold on|actually|sorry|oops|scratch that|scrap that|correction|my mistake|rather|i mean|i meant(?: to say)?|make (?:it|that)|let['’]?s (?:say|make it)|"
    r"nein|nee|quatsch|doch|moment|halt|stopp|korrektur|ich meine|ich meinte|lieber|eher)\b"
)
_LEAD = r"(?:(?:oh|ah|um|er|ach|äh|it|that|this|es|das)\b(?:['’]?s\b)?|(?:is|was|should be|will be|has to be|ist|war|wird|erst|then|better)\b)"
_OPENS = re.compile(rf"\W*(?P<before>(?:(?:{_MARK}|{_LEAD})\W*)*)(?<!\w)(?P<day>{_DAY})", re.IGNORECASE)
_HAS_MARK = re.compile(rf"\b{_MARK}", re.IGNORECASE)
_END = re.compile(r"[!?\n]|\.(?!\d)")
# What may stand behind the day: an hour, the day that it is not, and "sorry".
_REST = re.compile(
    rf"(?:\W|(?:(?:not|instead of|rather than|nicht|statt) {_DAY})|{_MARK}|"
    r"(?:at|around|about|um|gegen|\d{1,2}|half|halb|quarter|viertel|past|to|nach|vor|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|am|pm|uhr|instead|then|please|dann|bitte)\b)*",
    re.IGNORECASE,
)
_DENIED = re.compile(
    rf"\b(?:not|instead of|rather than|nicht|statt)(?: on| am| the| this| next)? (?P<day>{_WEEKDAY})\b", re.IGNORECASE
)
_IT = re.compile(r"\b(?:it|that|this|es|das)\b", re.IGNORECASE)
_ANY_DAY = re.compile(rf"\b{_DAY}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CorrectedDay:
    words: str  # that name the day: "on Sunday"
    is_all: bool  # it says nothing else, but for an hour, and does not ask


def corrected_day(text: str) -> CorrectedDay | None:
    """The day that a text begins by putting right, or "Thursday, sorry"; None for "Actually, Tom is coming on Sunday", which speaks of something else."""
    found = _OPENS.match(text)
    if found is None:
        return None
    rest = _END.split(text[found.end() :])[0]
    is_all = not text.startswith("?", found.end() + len(rest)) and _REST.fullmatch(rest) is not None
    is_marked = _HAS_MARK.search(found["before"]) is not None or (is_all and _HAS_MARK.search(rest) is not None)
    return CorrectedDay(found["day"], is_all) if is_marked else None


def only_corrects_a_day(text: str) -> bool:
    """ "No, I meant Tuesday": of what, somebody said before."""
    found = corrected_day(text)
    return found is not None and found.is_all


def takes_day_back(sentence: str, later: str) -> bool:
    """ "Not Saturday", where the sentence names it, and "she moved it to Sunday"."""
    if any(re.search(rf"\b{found['day']}\b", sentence, re.IGNORECASE) for found in _DENIED.finditer(later)):
        return True
    return bool(SAYS_ANEW.search(later) and _IT.search(later) and _ANY_DAY.search(later))
