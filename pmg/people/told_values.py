"""The figures, days and names of a text, and whether a later text gives others in their place. Pure.

Knows: how such values look in English and German, and the words that tell of a change ("now", "switched", "umgezogen"). Whether a later text answers a question is asked elsewhere
(latest.py, and chat/newer_value.py, which has vectors too).
"""

from __future__ import annotations

import re
from itertools import chain

from pmg.base.calendar_words import GERMAN_WEEKDAYS, MONTHS, ONLY_GERMAN_MONTHS, WEEKDAYS
from pmg.base.words import STOP_WORDS
from pmg.index.function_words import function_words

MAX_GIVEN_UP = 500  # characters in which somebody is told to have left: a longer text tells of many things
MAX_DENIAL = 60  # characters before a value in which it is denied
FRAME = 0.5  # share of two clauses' other words that they have in common, where they say one thing with another value

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
_FIGURE_UNIT = re.compile(rf"({_FIGURE.pattern})\s*(%|€|£|\$|[^\W\d_]+)", re.IGNORECASE)
CHANGED = re.compile(
    r"\b(?:now|instead|these days|nowadays|from (?:now|today|this|here|next) ?\w*|since|as of|no longer|any ?more|new|chang(?:ed|es)|switch(?:ed|ing)|"
    r"mov(?:ed|ing|es to)|slip(?:ped|s)|delayed|replac\w+|upgraded|rais\w+|lower\w+|halved|doubled|went up|sold|cancell?ed|left|quit|corrected|agreed|"
    r"jetzt|ab (?:heute|jetzt|sofort)|seit|statt\w*|umgezogen|gewechselt|neue?[nmrs]?|nicht mehr|getauscht|gekündigt|verkauft|inzwischen|mittlerweile)\b",
    re.IGNORECASE,
)
# … so that it counts even where the older was said in the same breath: "new" and "since" do not.
SAYS_ANEW = re.compile(
    r"\b(?:now|instead|no longer|any ?more|chang(?:ed|es)|switched|(?:been|was|got|has|have|is|are)(?: been)? moved|shifted (?:it )?(?:to|back|forward)(?= [a-z]{0,2}\d| \w+day\b| next\b)|from (?:now|today|(?:this|next) (?:week|month|year|term|season|spring|summer|autumn|winter|\w{3,6}day)) on(?! (?:the|my|\w+day)\b)|(?:had|has|have|needs?|needed) to (?:be )?(?:move|moved|change|postpone|postponed)\b|mov(?:ed|es) (?:to|back|forward)|mov(?:ed|es) (?:the )?[\w'’-]+ to (?=[a-z]{0,2}\d|\w+day\b|next\b|noon\b)|slip(?:ped|s) (?:to|by|back|again)|delayed|replaced|pushed (?:back|to)|"
    r"put (?:back|off|forward|up)|put (?:[\w'’]+ ){1,3}up (?:to|by)|postponed|brought forward|rescheduled|ditched|gone with|going with|gone (?:up|down)|went (?:up|down)|goes (?:up|down)|raised|(?:lowered|reduced|increased|upped) (?:it|to|from|by|the|my|our)|cut (?:it )?to|(?:is|are|i['’]?m|now|went|goes|going|gone|back|been) (?:down|up) to(?= \D?\d)|scrap (?:that|it)|forget (?:that|what i said)|turns out|(?:got|was|were|been) cancell?ed|(?:upgraded|downgraded|migrated|renamed) (?:[\w'’]+ ){0,4}?(?:to|from)|(?:measured|checked|counted|looked|asked) again|double[ -]checked|"
    r"jetzt|statt\w*|nicht mehr|ist neu|sind neu|neuerdings|verschoben|verlegt|geändert|gewechselt|umgestellt|erhöht|angehoben|gestiegen|gesunken|gesenkt|reduziert|(?:herunter|runter|hoch|rauf)gesetzt|(?:runter|hoch|rauf) auf|inzwischen|mittlerweile)\b",
    re.IGNORECASE,
)
_GIVEN_UP = re.compile(
    r"\b(?:i|we)(?: have|['’]ve)?(?: just| finally| now)? (?:sold|scrapped|ditched|returned|traded(?: in)?|got rid of|gave away|swapped|cancelled|canceled|quit|dropped)"
    r" (?P<what>(?:[\w'’-]+\s?){1,4})|(?:\b(?:ich|wir) |(?:^|[.,;!]) ?)hab(?:e|en)? (?P<german>(?:[\w'’-]+ ){1,5}?)(?:verkauft|verschenkt|zurückgegeben|gekündigt|abgeschafft)\b",
    re.IGNORECASE,
)
# "Switched from Apifonda to plain fondant", "wir sind von Vodafone zu O2 gewechselt": of oneself, and with nothing between
_FROM_TO = re.compile(
    r"(?:(?:^|[.;!,])\W*|\b(?:i|we)(?: have|['’]ve)? (?:just |now |finally )?)(?:switched|changed|swapped|migrated) (?:over )?from (?P<what>[\w'’-]+(?: [\w'’-]+){0,2}?) (?:over )?(?:to|onto) \w"
    r"|(?:(?:^|[.;!,])\W*|\b(?:ich|wir|bin|sind) )von (?P<german>[\w'’-]+(?: [\w'’-]+){0,2}?) (?:auf|zu|zum|zur) [\w'’ -]{2,60}?\b(?:umgestiegen|gewechselt|umgestellt)\b",
    re.IGNORECASE,
)
_OF_ONESELF = re.compile(r"\b(?:i|we|my|our|ich|wir|mein\w*|unser\w*)\b", re.IGNORECASE)
_IS_OUT = re.compile(
    r"\b(?P<what>[^\W\d_][\w-]{1,40}) (?:(?:is|are|has been) (?:out|gone|history|off|off the table|cancelled|canceled|scrapped)|(?:got|was|is|turned out|came out|proved) (?:way |far |much |a bit )?too \w+|fell through|ist (?:(?:jetzt|nun|endlich) )?(?:gestrichen|abgesagt|raus|weg|vom tisch))"
    r"\s*(?:[,;.!]|$|and\b|now\b|und\b|so\b)",
    re.IGNORECASE,
)
# "Mrs Lamb has retired, so I now go to a Mr Adeyemi", "Lohmann hat zugemacht, die Rosen kommen jetzt vom Hof Ziegler"
_HAS_LEFT = re.compile(
    r"\b(?P<what>[^\W\d_][\w-]{1,40}) (?:(?:has|have|is|are) )?(?:just |now |finally )?(?:retired|resigned|left|quit|closed(?: down)?|shut(?: down| up shop)?|sold up|packed (?:it )?in|moved (?:away|out))(?: for good| the (?:practice|company|team|band|club|school))?(?:\s*[,;.!]|\s+(?:lol|so)\b)"
    r"|\b(?P<german>[^\W\d_][\w-]{1,40}) (?:hat (?:jetzt |leider )?(?:zugemacht|geschlossen|aufgehört|gekündigt)|ist (?:jetzt |leider )?(?:in (?:Rente|Pension)(?: gegangen)?|pensioniert|weggezogen))\s*[,;.]",
    re.IGNORECASE,
)
_TITLED_ANYHOW = re.compile(r"\b(?:mr|mrs|ms|miss|dr)\.? [^\W\d_]", re.IGNORECASE)
_REPLACED = re.compile(
    r"\b(?:now|these days|nowadays|instead|new|took over|takes over|taking over|jetzt|stattdessen|neue[mnrs]?|übernimmt)\b",
    re.IGNORECASE,
)
# "She gave up violin!! Doing drums now"
_GAVE_UP = re.compile(
    r"(?:\b(?P<who>[^\W\d_]{1,40}) (?:(?:has|have) )?|^\W*)(?:gave|given) up (?:(?:the|his|her|their|my|our) )?(?P<what>[^\W\d_][\w-]{1,40})",
    re.IGNORECASE,
)
_ANYBODY = frozenset("i we he she they has have".split())
_RENAMED = re.compile(
    r"\b(?:renamed|rebranded|(?:new|another|different) name(?! (?:tag|plate|badge|sign)s?)|changed (?:its|the|our|my|his|her|their) name|umbenannt|neue[nr]? name[n]?|hei(?:ß|ss)(?:t|en) jetzt)\b",
    re.IGNORECASE,
)
_FIGURES_ALIKE = tuple(
    map(re.compile, (r"\b\d{1,2}[:.]\d\d\b", r"\b[^\W\d_]{1,2}\d+\b"))
)  # two hours of the clock, two rooms
_ASKS_STILL = re.compile(r"\b(?:still|any ?more|immer noch|noch immer|noch|nicht mehr)\b", re.IGNORECASE)
_IN_ITS_PLACE = re.compile(r"\b(?:now|instead|will be|going with|jetzt|stattdessen|dafür)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;:.!]\s+|\s[-–—]\s|\s(?:so|and|but|since|because|und|aber|also|seit|weil)\s")
_ANOTHERS = frozenset(
    "his her hers their theirs your sein seine seinen seinem seiner ihr ihre ihren ihrem ihrer dein deine deinen".split()
)
_ORDINAL_ENDING = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b")
_TITLED = re.compile(
    r"\b(?:Dr|Mr|Mrs|Ms|Prof|St|Hr|Fr)\. (?=[A-ZÄÖÜ])"
)  # a name behind a full stop is one all the same
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


def opens_with_correction(text: str) -> bool:
    """ "Oh no sorry, it was £94.50": of what was said just before."""
    return _OPENS_CORRECTION.match(text) is not None


def gives_up(question: str, older: str, newer: str) -> bool:
    """Whether the newer text says that one no longer has what the older names: "we sold the Mazda" beside "Our car is a Mazda 3"."""
    named = {word for word in _own_words(question, older) if len(word) > 2}
    switches = _FROM_TO.finditer(newer[:MAX_GIVEN_UP]) if _OF_ONESELF.search(older) else ()
    changes = chain(_GIVEN_UP.finditer(newer), switches)
    given_up = [found["what"] or found["german"] for found in changes]
    asked = set(_WORD.findall(question.casefold())) - STOP_WORDS
    for found in _IS_OUT.finditer(newer):  # "Larch is out, the facade will now be brick"
        rest = newer[found.end() :]
        if _IN_ITS_PLACE.search(rest) and not asked.isdisjoint(_WORD.findall(rest.casefold())):
            given_up.append(found["what"])
    for found in _HAS_LEFT.finditer(newer[:MAX_GIVEN_UP]):
        rest = newer[found.end() :]
        is_named = values(question, f"x {rest}").get("name") or _TITLED_ANYHOW.search(rest)
        if _REPLACED.search(rest) and is_named:
            given_up.append(found["what"] or found["german"])
    known = set(_WORD.findall(f"{question} {older}".casefold())) | _ANYBODY
    for found in _GAVE_UP.finditer(newer[:MAX_GIVEN_UP]):  # "Mum gave up coffee" says nothing of what dad drinks
        if (found["who"] or "i").casefold() in known and _REPLACED.search(newer[found.end() :]):
            given_up.append(found["what"])
    return any(not named.isdisjoint(_WORD.findall(what.casefold())) for what in given_up)


def renames(question: str, older: str, newer: str) -> bool:
    """Whether the newer says that what both name and the question asks for is called otherwise: "clan got renamed, its soggy waffles now"."""
    if _RENAMED.search(newer) is None:
        return False
    there = set(_WORD.findall(newer.casefold())) & set(_WORD.findall(older.casefold())) - STOP_WORDS
    return not there.isdisjoint(_WORD.findall(question.casefold()))


def no_longer_so(question: str, older: str, newer: str) -> bool:
    """Asked whether something is still so, and the newer says that it is another now: "FYI standup moved to 10:15", asked "Is standup still at 9:45?"."""
    if _ASKS_STILL.search(question) is None or SAYS_ANEW.search(newer) is None:
        return False
    asked = set(_WORD.findall(question.casefold())) - STOP_WORDS - function_words(question)
    shared = asked & set(_WORD.findall(older.casefold())) & set(_WORD.findall(newer.casefold()))
    held, there = values("", older), values("", newer)
    if not shared or not any(there.get(kind, set()) - held[kind] for kind in held):
        return False
    if held.get("day") and there.get("day"):
        return True
    is_alike = bool(units(older) & units(newer)) or any(
        one.search(older) and one.search(newer) for one in _FIGURES_ALIKE
    )
    return is_alike or len(shared) > 1  # "Anna now plays with Carl" says nothing of where she lives


def corrects(question: str, older: str, newer: str) -> bool:
    """Whether the newer text says that the older is wrong and what is right: then it holds of then, too."""
    denied = any(_is_denied(word, newer) for word in _own_words(question, older))
    return denied or (_CORRECTS.search(newer) is not None and replaces(question, older, newer))


def _own_words(question: str, text: str) -> set[str]:
    """What a text says beyond the question."""
    return set(_WORD.findall(text.casefold())) - set(_WORD.findall(question.casefold())) - STOP_WORDS


def replaces(question: str, older: str, newer: str) -> bool:
    """Whether the newer text says anew what the older says: another figure of the same unit, the older value denied, or another value where a change is told or
    the rest of the words is the same. That both speak of one matter is taken for granted."""
    older, newer = (_TITLED.sub("", text) for text in (older, newer))
    if any(_figures(older, unit) != _figures(newer, unit) for unit in units(older) & units(newer)):
        return True
    held, there = values(question, older), values(question, newer)
    if any(_is_denied(word, newer) for word in _own_words(question, older)):
        return True
    others = [kind for kind in held if held[kind] - there.get(kind, set()) and there.get(kind, set()) - held[kind]]
    told = CHANGED.search(newer) is not None or _CORRECTS.search(newer) is not None
    return bool(others) and (told or _alike(older, newer))


def restates(question: str, older: str, newer: str) -> bool:
    """Whether a clause of the newer text says nothing but what the older says, with other values: what it speaks of may stand anywhere in the newer text ("there")."""
    frame = _frame(older) - STOP_WORDS
    there = set(_WORD.findall(newer.casefold()))
    if not frame or not frame <= there or _is_anothers(older) != _is_anothers(newer):
        return False
    for clause in _CLAUSE.split(newer):
        said = _frame(clause) - STOP_WORDS
        if said and said <= frame and values(question, clause):
            return True
    return False


def _is_anothers(text: str) -> bool:
    """ "Her landlord" beside "our landlord"."""
    return not _ANOTHERS.isdisjoint(_WORD.findall(text.casefold()))


def covers_frame(question: str, text: str) -> bool:
    """Whether the question has all that the text speaks of, but for its values."""
    return _frame(text) - STOP_WORDS <= set(_WORD.findall(question.casefold()))


def _figures(text: str, unit: str) -> set[str]:
    return {found[1].casefold() for found in _FIGURE_UNIT.finditer(text) if found[2].casefold().rstrip("s") == unit}


def _is_denied(value: str, text: str) -> bool:
    """In German a day has a full stop: "nicht am 12."."""
    places = re.finditer(rf"\b{re.escape(value.rstrip('.,:'))}(?:(?<=\d)(?:st|nd|rd|th))?\b", text, re.IGNORECASE)
    return any(_DENIES.search(text[max(0, found.start() - MAX_DENIAL) : found.start()]) for found in places)


def _alike(older: str, newer: str) -> bool:
    a, b = (_frame(text) for text in (older, newer))
    return bool(a | b) and len(a & b) / len(a | b) >= FRAME


def _frame(text: str) -> set[str]:
    rest = _ORDINAL_ENDING.sub("", text)
    for pattern in _KINDS.values():
        rest = pattern.sub(" ", rest)
    return set(_WORD.findall(rest.casefold()))


def units(text: str) -> set[str]:
    """What follows a figure: "five hens" and "3 hens" are of one unit."""
    return {found.casefold().rstrip("s") for _, found in _FIGURE_UNIT.findall(text)}


def values(question: str, text: str) -> dict[str, set[str]]:
    """The figures, days and names of a text that the question does not have, by kind."""
    asked = set(_WORD.findall(question.casefold()))
    found = {kind: {one.casefold() for one in pattern.findall(text)} - asked for kind, pattern in _KINDS.items()}
    found["name"] -= found["day"]
    return {kind: some for kind, some in found.items() if some}
