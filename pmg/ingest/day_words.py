"""Words that mean another day when they are said on another: "tomorrow", "am Montag", "la semaine prochaine", "in March".

Knows: such words in English, German, French, Spanish and Italian, and by how many days apart they may still mean the same. What repeats ("every Monday", "montags", "los lunes")
and what has its year mean the same on any day. In doubt a word points to a day: a memory that is shown twice is a nuisance, one with the wrong day a lie. Which day it is says people/meant_days.py.
"""

from __future__ import annotations

import re
from functools import cache

from pmg.base import calendar_words as names
from pmg.base.words import NUMBER_WORDS

DAY_WORDS = r"today|tonight|tomorrow|tmrw|yesterday|this (?:morning|afternoon|evening)|last night|heute|übermorgen|(?<!guten )(?<!am )(?<!jeden )(?<!tag )morgen|(?:vor)?gestern|demain|hier|aujourd['’]hui|(?<!la )mañana|hoy(?! en día)|ayer|anteayer|anoche|oggi|ieri|(?:dopo)?domani|stasera|stamattina|stanotte"
# Before and behind a time: "next week", "la semaine prochaine". Before a number of days: "vor drei Tagen", "for two hours".
_SIDE = r"this|next|last|past|coming|diese[nmrs]?|(?:über)?nächste[nmrs]?|(?:vor)?letzte[nmrs]?|vorige[nmrs]?|vergangene[nmrs]?|kommende[nmrs]?|ce|cet|cette|est[ea]|próxim[oa]s?|quest[oa]|prossim[oaie]|scors[oaie]"
_BEHIND = r"ago|away|from now|left|old|alt|prochaine?s?|derni(?:er|ère)s?|passée?s?|qui vient|que viene|pasad[oa]s?|próxim[oa]s?|prossim[oaie]|scors[oaie]|che viene|fa"
_COUNTED = r"in|within|since|vor|seit|dans|depuis|il y a|en|dentro de|hace|tra|fra|da"
_LASTING = r"for|pendant|durante|per"
_NUMBERS = (
    rf"\d+|an?|{'|'.join(NUMBER_WORDS)}|thirty|forty|fifty|few|couple of|several"
    r"|eine[mr]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|vierzehn|zwanzig|dreißig|paar|einigen|wenigen|mehreren|\w+einhalb|anderthalb"
    r"|une?|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|quinze|vingt|trente|quelques"
    r"|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|quince|veinte|treinta|un[oa]s|poc\w+"
    r"|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|dodici|quindici|venti|trenta|qualche"
)
_COUNT = rf"(?:(?:about|another|just|half|a|etwa|ein|environ|circa) )?(?:{_NUMBERS})(?:(?:[-–]| (?:to|or|bis|oder|à|ou|o) )(?:{_NUMBERS}))?(?: and a half)?"
_DAYTIME = r"(?:morgen|vormittag|mittag|nachmittag|abend|nacht)?"
_ROMANCE_DAYS = "|".join((*names.FRENCH_WEEKDAYS, *names.SPANISH_WEEKDAYS, *names.ITALIAN_WEEKDAYS))
_WEEKDAY = rf"(?<!on a )(?:{'|'.join(names.WEEKDAYS)})(?! (?:morning|afternoon|evening|night)s)|(?<!an einem )(?:{'|'.join(names.GERMAN_WEEKDAYS)}|sonnabend){_DAYTIME}|(?<!\bl[eao] )(?<!\bl[eo]s )(?<!\bil )(?<!\bdi )(?<!\bun )(?:{_ROMANCE_DAYS})"
_MONTH = rf"(?:{'|'.join((*names.MONTHS, *names.GERMAN_MONTHS, *names.FRENCH_MONTHS, *names.SPANISH_MONTHS, *names.ITALIAN_MONTHS))}|jänner)"
_SEASON = r"(?:spring|summer|autumn|fall|winter|frühling|frühjahr|sommer|herbst|printemps|été|automne|hiver|primavera|verano|otoño|invierno|estate|autunno|inverno)"
_FEAST = r"(?:christmas|easter|thanksgiving|weihnachten|ostern|silvester|noël|pâques|navidad|natale|pasqua)"
_NEAR_MONTH = r"in|by|until|till|since|early|late|mid|im|bis|seit|ab|anfang|mitte|ende|en|début|fin|hasta|desde|a|entro|\d{1,2}(?:st|nd|rd|th|\.|er)?(?: of| de)?"
_NO_YEAR = r"(?!,? (?:of |del? )?\d{4})"
_DATE = rf"(?:{_NEAR_MONTH}) {_MONTH}\b{_NO_YEAR}|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b{_NO_YEAR}|\d{{1,2}}\.\d{{1,2}}\.(?!\d)|(?:(?:in|over|during) the|im|en) {_SEASON}|(?:at|over|for|before|after|spend|an|zu|über|à|en|a) {_FEAST}{_NO_YEAR}"
_OF_MONTH = rf"on the \d{{1,2}}(?:st|nd|rd|th)(?! (?:of|floor|street|avenue|day|{_MONTH}))|am \d{{1,2}}\.(?! ?\d| (?:{_MONTH}|tag))|(?:le|el|el día|il) \d{{1,2}}(?![\w:.,]| (?:de )?{_MONTH})"
_OF_WEEK = r"(?:at|on|over|for) the weekend|(?:am|übers) wochenende|el fin de semana|nel (?:fine settimana|weekend)|on (?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)|am (?:mo|di|mi|do|fr|sa|so)"
_DAY = r"(?:day|hour|minute|night)s?|tage?n?|stunden?|minuten?|nächten|jours?|heures?|d[íi]as?|horas?|minutos?|giorn[oi]|or[ae]|minut[oi]"
_PART = (
    r"morning|afternoon|evening|nacht|abend|matin|après-midi|soir|nuit|mañana|tarde|noche|mattina|pomeriggio|sera|notte"
)
_WEEK = r"weeks?|fortnights?|wochen?|semaines?|semanas?|settiman[ae]"
_MONTHS = r"months?|monate?n?|mois|mes(?:es)?|mes[ei]"
_YEAR = r"years?|jahre?n?|ans?|années?|años?|ann[oi]"
_WEEKEND = r"weekend|wochenende|week-end|fin de semana|fine settimana"
_LATELY = r"end of the week|week after next|ende der woche|recently|lately|soon|kürzlich|bald|bientôt|récemment|pronto|hace poco|di recente"
_OTHER_DAY = r"right now|the other day|neulich|l['’]autre jour|el otro día|l['’]altro giorno"
_MONTH_END = r"end of the month|monatsende|fin du mois|fin de mes|fine mese"
_YEAR_END = r"end of the year|jahresende|fin d['’]année|fin de año|fine anno"
_UNIT = rf"{_DAY}|{_WEEK}|{_MONTHS}|{_YEAR}"
_TIME = rf"{_UNIT}|{_PART}|{_WEEKEND}|{_WEEKDAY}|{_ROMANCE_DAYS}s?|{_MONTH}|{_SEASON}|{_FEAST}|morgen|time"
_EVERY = r"every|each|jede[nmrs]?|chaque|tous les|toutes les|cada|tod[oa]s l[oa]s|ogni|tutt[ie] (?:i|le|gli)"
_TIMES = rf"(?:once|twice|times|\w+mal|mal|fois|ve(?:z|ces)|volt[ae]|{_DAY}) (?:a|per|pro|par|por|al|am|die|in der)"
_DAYS_OF_WEEK = rf"(?:{'|'.join(names.WEEKDAYS)}|weekend)s|(?:{'|'.join(names.WEEKDAYS)}) (?:morning|afternoon|evening|night)s|(?:{'|'.join(names.GERMAN_WEEKDAYS)}|sonnabend){_DAYTIME}s"
_USUALLY = r"usually|normally|always|meistens|normalerweise|immer(?! noch| wieder)|siempre|sempre|of the month|im monat"
_REPEATS = rf"\b(?:(?:{_EVERY}) (?!am |on |in |im |en )(?:\w+\.? )?(?:{_TIME})|(?:{_TIMES}|alle(?: \w+)?) (?:{_UNIT})|{_DAYS_OF_WEEK}|{_USUALLY})\b"
# "My birthday is on 3 March" tells the day of every year. A clause has one time: what repeats in it says nothing of the next clause.
_BIRTHDAY = rf"\b(?:birthday|born|geburtstag|geboren|anniversaire|née?|cumpleaños|nac[íi]\w*|compleanno|nat[oa])\b[^,!?]{{0,20}}?{_MONTH}\b|\b{_MONTH} (?:\d{{4}} )?geboren\b"
# What lasted so long then, or lasts so long at any time; "meetings last two hours", which is a verb; "hier" in a German sentence, where it is a place.
_WHILE = rf"(?<!have )(?<!has )(?<!['’]ve )(?<!['’]s )(?<!always )\b(?:lived|studied|worked|trained|taught|served|lasts|lasted)\b[^,!?]{{0,30}}? for {_COUNT} (?:{_UNIT})\b"
_VERB = rf"(?:\b\w+s|\b(?:can|may|will|must|should|usually|often)) last {_COUNT} (?:{_UNIT})\b"
_GERMAN = r"\b(?:ich|wir|ist|sind|bin|der|das|den|dem|und|nicht|gibt|gab|habe|hat|haben|wird|werden|im|auf|zu)\b"
_CLAUSE = rf"(?<!\d)[.;:!?\n]|(?:(?<!\d),|\b(?:and|but|so|und|aber|et|mais|(?<!il )y|pero|e|ma)\b)(?! (?:a half|{_WEEKDAY}|{_MONTH}))"


def _words(units: str, named: str, pointing: str, plain: str) -> tuple[str, str]:
    """Of a span: words that always point to a day, and those that do where nothing repeats."""
    pointing += rf"|(?:{_SIDE}) (?!minute\b)(?:{_COUNT} )?(?:{units}|{named})|(?:{units}|{named}) (?:{_BEHIND})|(?:{_COUNTED}) {_COUNT}[ '’](?:{units})"
    return rf"\b(?:{pointing})\b", rf"\b(?:{plain}|(?:{_LASTING}) {_COUNT}[ '’](?:{units}))(?!\w)"


_SPANS = {
    0: _words(_DAY, _PART, f"{DAY_WORDS}|{_OTHER_DAY}", r"\d+ (?:days?|hours?|minutes?)"),
    3: _words(_WEEK, f"{_WEEKEND}|{_WEEKDAY}|{_ROMANCE_DAYS}", _LATELY, f"{_WEEKDAY}|{_OF_WEEK}"),
    14: _words(_MONTHS, "quarter|quartal", _MONTH_END, _OF_MONTH),
    120: _words(_YEAR, f"season|{_SEASON}|{_FEAST}|{_MONTH}", _YEAR_END, _DATE),
}


@cache
def _compiled(words: str) -> re.Pattern[str]:  # not at import: it takes a moment
    return re.compile(words, re.IGNORECASE)


def day_word(text: str, apart: int) -> str:
    """The first word that means something else when it is said so many days later, "" if there is none."""
    timeless = rf"{_BIRTHDAY}|{_WHILE}|{_VERB}"
    for part in _compiled(_CLAUSE).split(_compiled(timeless).sub(" ", text)) if apart else ():
        clause = _compiled(r"\bhier\b").sub(" ", part) if _compiled(_GERMAN).search(part) else part
        kinds = 1 if _compiled(_REPEATS).search(clause) else 2
        for words in (words for days, both in _SPANS.items() if apart > days for words in both[:kinds]):
            if found := _compiled(words).search(clause):
                return found[0]
    return ""
