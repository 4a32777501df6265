"""The figures, days and names of a text, and whether a later text says that they are no longer so. Pure.

Knows: how such values look in English and German, and the words that tell of a change ("now", "switched", "umgezogen").
"""

from __future__ import annotations

import re

from pmg.base.calendar_words import GERMAN_WEEKDAYS, MONTHS, ONLY_GERMAN_MONTHS, WEEKDAYS

MAX_DENIAL = 60  # characters before a value in which it is denied

_FIGURE = re.compile(
    r"\d[\d.,:/%-]*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|first|second|third|fourth|fifth|sixth|half|quarter|"
    r"zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|erste[nrs]?|zweite[nrs]?|dritte[nrs]?|halb)\b",
    re.IGNORECASE,
)
_DAY = re.compile(
    rf"\b(?:{'|'.join((*WEEKDAYS, *GERMAN_WEEKDAYS))})s?\b|\b(?:{'|'.join((*MONTHS, *ONLY_GERMAN_MONTHS))})\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[\w,;)] )[A-ZÄÖÜ][\w&+-]+")  # not at the start of a sentence, where every word has a capital
# "bei uns", "at ours": a place in words that say nothing else
_AT_SOMEBODYS = re.compile(
    r"\b(?:bei|zu) (?:uns|mir|dir|ihm|ihr|ihnen|hause)\b|\bat (?:ours|mine|yours|his|hers|theirs|home)\b", re.IGNORECASE
)
_KINDS = {"figure": _FIGURE, "day": _DAY, "name": _NAME, "place": _AT_SOMEBODYS}
_WORD = re.compile(r"\w+")
SAYS_ANEW = re.compile(
    r"\b(?:now|instead|no longer|any ?more|chang(?:ed|es)|switched|(?:been|was|got|has|have|is|are)(?: been)? moved|shifted (?:it )?(?:to|back|forward)(?= [a-z]{0,2}\d| \w+day\b| next\b)|from (?:now|today|(?:this|next) (?:week|month|year|term|season|spring|summer|autumn|winter|\w{3,6}day)) on(?! (?:the|my|\w+day)\b)|(?:had|has|have|needs?|needed) to (?:be )?(?:move|moved|change|postpone|postponed)\b|mov(?:ed|es) (?:to|back|forward)|mov(?:ed|es) (?:the )?[\w'’-]+ to (?=[a-z]{0,2}\d|\w+day\b|next\b|noon\b)|slip(?:ped|s) (?:to|by|back|again)|delayed|replaced|pushed (?:back|to)|"
    r"put (?:back|off|forward|up)|put (?:[\w'’]+ ){1,3}up (?:to|by)|postponed|brought forward|rescheduled|ditched|gone with|going with|gone (?:up|down)|went (?:up|down)|goes (?:up|down)|raised|(?:lowered|reduced|increased|upped) (?:it|to|from|by|the|my|our)|cut (?:it )?to|(?:is|are|i['’]?m|now|went|goes|going|gone|back|been) (?:down|up) to(?= \D?\d)|scrap (?:that|it)|forget (?:that|what i said)|turns out|(?:got|was|were|been) cancell?ed|(?:upgraded|downgraded|migrated|renamed) (?:[\w'’]+ ){0,4}?(?:to|from)|(?:measured|checked|counted|looked|asked) again|double[ -]checked|"
    r"jetzt|statt\w*|nicht mehr|ist neu|sind neu|neuerdings|verschoben|verlegt|geändert|gewechselt|umgestellt|erhöht|angehoben|gestiegen|gesunken|gesenkt|reduziert|(?:herunter|runter|hoch|rauf)gesetzt|(?:runter|hoch|rauf) auf|inzwischen|mittlerweile)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"(?:\bnot|n['’]t|\bno longer|\binstead of|\brather than|\bnicht(?: mehr)?|\bkein\w*|\bstatt)(?: [\w-]+){0,2}? $",
    re.IGNORECASE,
)
_OPENS_CORRECTION = re.compile(
    r"^\W*(?:(?:ah|oh|oh dear(?=\W+(?:i|sorry)\W)|ach|äh|hm+|oops|ups|wait|ok(?:ay)?)\W+)*(?:no|nein|nee|ne(?=\W+(?:quatsch|sorry|stimmt|falsch|doch|moment)\b)|quatsch|sorry|(?:desculpa|perd[oó]n|pardon|scusa|entschuldigung|my (?:bad|mistake))(?=\s*[,.!:;–-])|actually|correction|korrektur|scrap that|scratch that(?=\s*(?:[,.;:!–-]|$))|make that (?=[^\W\d]{0,3}\d|\w{3,6}day\b)|i meant|i mean,? (?=(?:the )?[^\W\d]{0,3}\d|\w{3,6}day\b|not\b|the [\w ]{1,40}, not\b)|i(?:['’]ve)? (?:muddled (?:it|that|them|this|up)|mixed (?:(?:it|that|them|this) )?up)|not (?:[^\W\d]{0,3}\d[\w:.]{0,9}|(?!(?:to|every|yester|holi|birth)day)\w{2,8}day), (?:it['’]?s|but|rather)|ich meinte)\b"
    r"|^\W{0,3}(?:(?:ah|oh)\W{1,3})?wait\s*[,.:;!…–-]+\s*(?:it|they|that|this|he|she|es|er|sie|das)\b",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    rf"{_OPENS_CORRECTION.pattern}|\b(?:correction|wrong|muddled (?:it|that|them|this|up)|mixed (?:\w+ )?up|misread|misspel\w+|mistyped|mistake|i meant|"
    r"korrektur|vertan|verwechselt|verlesen|vertippt|stimmt (?:auch |so |leider |gar |doch )?nicht|falsch|doch|sondern|ich meinte)\b",
    re.IGNORECASE,
)


def says_anew(older: str, newer: str) -> bool:
    """Whether the newer text itself says that something is no longer as it was told before."""
    return SAYS_ANEW.search(newer) is not None or _CORRECTS.search(newer) is not None or denies_a_value(older, newer)


def denies_a_value(older: str, newer: str) -> bool:
    """ "Not the 3rd", of what was told to be on 3 December."""
    return any(_is_denied(value, newer) for some in values("", older).values() for value in some)


def _is_denied(value: str, text: str) -> bool:
    """In German a day has a full stop: "nicht am 12."."""
    places = re.finditer(rf"\b{re.escape(value.rstrip('.,:'))}(?:(?<=\d)(?:st|nd|rd|th))?\b", text, re.IGNORECASE)
    return any(_DENIES.search(text[max(0, found.start() - MAX_DENIAL) : found.start()]) for found in places)


def values(question: str, text: str) -> dict[str, set[str]]:
    """The figures, days and names of a text that the question does not have, by kind."""
    asked = set(_WORD.findall(question.casefold()))
    found = {kind: {one.casefold() for one in pattern.findall(text)} - asked for kind, pattern in _KINDS.items()}
    found["name"] -= found["day"]
    return {kind: some for kind, some in found.items() if some}
