"""Whether a later line told to this program says that what an earlier one tells of does not take place: "Whitby is off, the Hendersons have covid". Or that one does not take part any more: "I quit the choir".

Knows: the words for it in English and German, and what makes them say something else: a doubt, or one time of many ("no choir this week"). That it takes place after all is
told by a line after that. Which line is shown first is time_order.py's. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from pmg.base.calendar_words import GERMAN_WEEKDAYS, MONTHS, ONLY_GERMAN_MONTHS, WEEKDAYS
from pmg.base.words import STOP_WORDS
from pmg.index.terms import document_terms
from pmg.people.meant_days import is_repeated

MAX_LINE = 300  # characters: a longer line tells of many things
_SAY_NOTHING = STOP_WORDS | frozenset(
    "der die das den dem des ein eine einen einem mein meine unser unsere mit zu zum zur in im am bei von vom".split()
)
_APPOINTED = frozenset(
    document_terms("trip plan plans meeting booking reservation appointment visit thing termin treffen besuch reise")
)
SAME_START = 5  # letters that two forms of a word share: "Wanderung", "wandern"
# One of these is in every line that calls something off.
OFF_WORDS = "cancelled canceled off called scrapped abandoned happening happen going go place pulled backed not after abgesagt storniert abgeblasen gecancelt gestrichen ausgefallen geplatzt deferred withdrew withdrawn dropped cancel call scrap quit quitting gave given giving stopped packed sag sage aufgehört mehr aus flach wasser statt nichts"
_THING = r"[^.,;:!?\n]{2,60}"
_ITS_END = r"(?=\s*(?:[.,;:!\n–—]|$)|\s(?:because|since|as|and|for good|altogether|now|last|weil|und|jetzt)\b)"
_GAVE_UP = r"(?:quit|gave up|given up|(?:stopped|quit|given up|gave up) (?:going to|attending|doing)|packed in)"
_CALLED_OFF = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?P<what>{_THING}?)(?:['’]s| is| are| was| were| got| ha(?:s|ve) been)(?: now| all| been)? (?:cancell?ed|called off|scrapped|abandoned|not (?:happening|going ahead|taking place))\b",
        rf"(?P<what>{_THING}?)(?:['’]s| is| are) (?:all |now )?off\s*(?:[,.;:!–-]|$|because\b|since\b|as\b|due\b)",
        rf"(?P<what>{_THING}?) (?:isn['’]?t|aren['’]?t|won['’]?t|will not)(?: be)? (?:happen(?:ing)?|tak(?:e|ing) place|go(?:ing)? ahead)\b",
        rf"\b(?:cancell?ed|called off|deferred|(?:pulled|backed|dropped) out of|withdr(?:ew|awn) from) (?!(?:if|by|on|for|at|due|because)\b)(?P<what>{_THING})",
        rf"\b(?:not|n['’]t) (?:going|coming|doing|having|flying|travell?ing|meeting|visiting|seeing)(?: to| on| with)? (?P<what>{_THING}?) (?:after all|any ?more|now)\b",
        rf"(?P<what>{_THING}?) (?:habe?|haben) (?:ich|wir) (?:\w+ ){{0,2}}(?:abgesagt|storniert|abgeblasen|gecancelt|gestrichen|ausgefallen|geplatzt)\b",
        rf"\b(?:ich|wir) (?:habe?|haben) (?P<what>{_THING}?) (?:abgesagt|storniert|abgeblasen|gecancelt|gestrichen|ausgefallen|geplatzt)\b",
        rf"(?P<what>{_THING}?) (?:ist|sind|wurden?|wird|werden) (?:\w+ ){{0,2}}(?:abgesagt|storniert|abgeblasen|gecancelt|gestrichen|ausgefallen|geplatzt)\b",
        rf"(?P<what>{_THING}?) f(?:ä|ae|a)ll(?:t|en) (?:\w+ ){{0,2}}(?:aus|flach|ins wasser)\s*(?:[,.;:!–-]|$|weil\b|wegen\b|da\b|und\b)",
        rf"(?P<what>{_THING}?) findet (?:\w+ ){{0,2}}nicht statt\b",
        rf"\baus (?P<what>{_THING}?) wird (?:\w+ )?nichts\b",
    )
)
# Of what one does oneself: "Cancel the choir" is to be, and this program cannot; what is to be done by some day, or is tied to something, is not yet.
_GIVEN_UP = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^\W*(?:(?:ok(?:ay)?|so|right|please|pls|can you|could you)\W+){{0,3}}(?:cancel|call off|scrap) (?P<what>(?:(?!\b(?:by|before|until|when|once|after)\b)[^.,;:!?\n]){{2,60}}?){_ITS_END}",
        rf"^\W*{_GAVE_UP} (?P<what>{_THING}?){_ITS_END}",
        rf"\b(?:i|we)(?:['’]ve| have)? (?:(?:just|finally|now|also) )?{_GAVE_UP} (?P<what>{_THING}?){_ITS_END}",
        rf"\b(?:i['’]?m|i am|we['’]?re|we are) (?:quitting|giving up) (?P<what>{_THING}?){_ITS_END}",
        rf"^\W*(?:bitte )?sage? (?P<what>{_THING}?) (?:bitte )?ab{_ITS_END}",
        rf"\b(?:ich habe?|wir haben|habe?(?: ich)?|haben wir) mit (?P<what>{_THING}?) aufgehört\b",
        rf"\b(?:ich|wir) gehe?n? (?:jetzt )?nicht mehr (?:zu[mr]?|in(?: den| die|s)?) (?P<what>{_THING}?){_ITS_END}",
    )
)
# Before "I quit": else it is dreamt, thought, another's words, or what one will not ("no way I'm giving up").
_BEFORE_GIVEN_UP = re.compile(
    r"(?:\W*\b(?:so|and|but|well|ok|okay|actually|yes|yeah|sorry|sadly|update|note|fyi|because|since|as|now|today|yesterday|also|und|aber|leider|ja|jetzt|weil|da|denn|heute|gestern)\b)*\W*",
    re.IGNORECASE,
)
_IN_OTHER_WORDS = re.compile(
    r"\b(?:says?|said|thinks?|thought|believes?|reckons?|claims?|told|tells|heard|dream\w*|pretend\w*|imagin\w*|wish\w*|(?:just )?(?:kidding|joking)|no longer true|sag(?:t|te|en|ten)|mein(?:t|te|en|ten)|glaub\w*|denkt|dachte\w*|träum\w*|geträumt|(?:spaß|scherz))\b",
    re.IGNORECASE,
)
_LONG_AGO = re.compile(
    r"\b(?:in (?:19|20)\d\d|last (?:year|summer|winter|spring|autumn)|ago|back then|used to|when (?:i|we) (?:was|were)|letztes jahr|damals|früher|vor \w+ (?:jahren|monaten))\b",
    re.IGNORECASE,
)
# Who cancels, which is not what: it calls off what is with them alone.
_CANCELLED_BY = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:^|(?<=[.;!] ))(?P<who>{_THING}?) (?:(?:have|has|just|now) ){{0,2}}cancell?ed\s*(?:[,.;:!–-]|$|(?:because|due|so|on me|last minute|at (?:short notice|the last))\b)",
        rf"(?:^|(?<=[.;!] ))(?P<who>{_THING}?) (?:hat|haben) (?:(?:leider|heute|kurzfristig|gerade|eben|uns|mir|doch) ){{0,2}}abgesagt\b(?! (?:für|bei|beim)\b)",
    )
)
# What is arranged with somebody, behind their name: they come, it is a booking of theirs ("delacroix, 10 people"), or it has its time ("picks me up at 8 on Friday").
_COMES = re.compile(
    r"(?:\s+(?:is|are|will|wants? to|wird|werden|wollen|now|also|still|all|auch|jetzt|noch))*\s+"
    r"(?:com(?:e|es|ing)|visit(?:s|ing)?|arriv(?:e|es|ing)|join(?:s|ing)?|stay(?:s|ing)?|deliver(?:s|ing)?|babysit(?:s|ting)?|(?:drop|pop)(?:s|ping)? (?:in|by|over|round)|"
    r"komm(?:t|en)|besuch(?:t|en)|liefer(?:t|n)|übernachte(?:t|n)|schau(?:t|en) vorbei)\b"
    r"|\s*[,;:–-]?\s*(?:(?:now|still|jetzt|noch|on|at|am|um)\s+)*(?:\d|for\b|für\b)",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<!\d)[.!?](?=\s)|\n")
_ANY_MONTH = "|".join((*MONTHS, *ONLY_GERMAN_MONTHS))
_HAS_ITS_TIME = re.compile(
    rf"\b(?:{'|'.join((*WEEKDAYS, *GERMAN_WEEKDAYS))})s?\b|\b(?:today|tonight|tomorrow|weekend|heute|morgen|wochenende|next (?:week|month|year)|nächste\w*)\b"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th|\.)? (?:of )?(?:{_ANY_MONTH})\b|\b(?:{_ANY_MONTH}) \d|\b(?:in|im) (?:{_ANY_MONTH})\b|\b\d{{1,2}}[./]\d{{1,2}}\b|\bam \d"
    r"|\b(?:at|by|um|ab|gegen) (?:about |around )?(?:\d|noon|midday|half|quarter|halb)|\b\d{1,2}[:.]\d\d\b|\b\d{1,2} ?(?:am|pm|uhr)\b",
    re.IGNORECASE,
)
# What goes on all the same when somebody cancels: their birthday, school, work, holiday and flight, where they are from and where they live.
_BEFORE_VERB = r"^\s+(?:(?:is|are|will|ist|sind|wird|now|also|still|only|always|jetzt|auch) )*"
_GOES_ON_ANYWAY = re.compile(
    r"\b(?:birthday|geburtstag|born|geboren|holidays?|vacation|urlaub|ferien)\b"
    rf"|{_BEFORE_VERB}(?:li(?:ves?|ving)|wohn(?:t|en)|work(?:s|ing)?(?! on (?:my|our|the)\b)|arbeite(?:t|n)|fl(?:y|ies|ying)(?! in\b| over\b)|flieg(?:t|en)|away|turns? \d)\b"
    r"|^\s+(?:is|are|ist|sind)\b.*\b(?:away|verreist|sick|krank)\b|^\s+wird\b.*(?<!um )\b\d{1,3}$"
    rf"|{_BEFORE_VERB}(?:has|have|hat|haben|at|start\w*|beg[ai]n\w*|fängt|fangen|go(?:es|ing)?|geht|gehen)\b.*\b(?:school|schule|work|arbeit|job)\b"
    r"|^\s+(?:is|are|ist|sind)\b(?!\s+\w+ing\b).*\b(?:at (?:school|work)|schule|arbeit)\b"
    rf"|{_BEFORE_VERB}(?:start\w*|beg[ai]n\w*|fängt|fangen)\b.*\b(?:at|as|bei|beim|als) (?!\d|noon\b|midday\b|half\b|quarter\b)",
    re.IGNORECASE,
)
_IS_FROM = re.compile(
    r"\s+(?:comes? from|komm(?:t|en) aus) [^\s,]+\s*(?:,|$)", re.IGNORECASE
)  # without a time: "comes from Leeds on Friday" arrives
# "Mum's visiting on Sunday" is of Mum, "Anna's driving test" of the test
_SHORT_IS = r"['’](?:s|re)(?=\s+(?:(?:com|visit|arriv|join|stay|deliver|babysitt|dropp|popp|play|pick|bring|teach|cook|help)ing|due|booked)\b(?!.*\s(?:is|are|was|starts)\b))"
_OF_OTHERS_TOO = re.compile(r"\b(?:party|feier|fest|we|wir|ours|uns|and|und)\b|&", re.IGNORECASE)
# Without one of these no expression above finds anything: they are read one after the other only where there is one.
_MAY_CALL_OFF = re.compile(
    r"cancel|\bscrap\b|\bquit|(?:gave|given|giving) up|stopped (?:going|attending|doing)|packed in|\bsage?\b|aufgehört|nicht mehr|\boff\b|scrapped|abandoned|deferred|withdr(?:ew|awn) from|(?:pulled|backed|dropped) out|\bnot\b|n['’]?t\b|abgesagt|storniert|abgeblasen|gecancelt|gestrichen|ausgefallen|geplatzt|f(?:ä|ae|a)ll(?:t|en) |nicht statt|nichts",
    re.IGNORECASE,
)
# "The heating is off", "Anna is off": of what is switched off, and of who leaves
_SWITCHED = re.compile(
    r"\b(?:heating|water|power|electricity|gas|lights?|tv|telly|oven|alarm|wi-?fi|internet|engine|boiler|phone|computer|radio|milk|meat|fish|cream)\b",
    re.IGNORECASE,
)
# "Gestrichen" is what is cut from a plan, and what is painted; "ausgefallen" and "geplatzt" what does not take place, and what breaks
_PAINTING = re.compile(r"streich|gestrichen|anstrich|\bmaler|\bfarbe", re.IGNORECASE)
_NO_PLANS = {
    "gestrichen": r"wand|wände|küche|zimmer|flur|diele|decke|zaun|tür|türen|fassade|fenster|keller|bad|haus|wohnung|garage|balkon",
    "ausgefallen": r"heizung|therme|strom|licht|wasser|gas|internet|w-?lan|netz|leitung|server|rechner|computer|laptop|router|drucker|handy|telefon|system|website|"
    r"maschine|anlage|gerät|motor|bremsen?|pumpe|aufzug|lift|ampel|schrank|ofen|herd|batterie|akku|zahn|zähne|haare?|fell|federn?|blätter",
    "geplatzt": r"reifen|schlauch|rohr|leitung|ballon|naht|hose|kessel|tank|ventil|blase|ader|gefäß|tüte|flasche|lippe|kopf",
}
_NO_PLAN = {word: re.compile(rf"(?:{things})\b", re.IGNORECASE) for word, things in _NO_PLANS.items()}
_NAME = re.compile(r"(?<=\w )[A-ZÄÖÜ][\w-]+")
_CLAUSE_END = re.compile(r"[.,;:!?\n]")
# What one quit is taken up by oneself.
_TAKEN_UP = re.compile(
    r"\b(?:i|we)(?:['’]?ve|['’]?m|['’]?re| have| am| are)? (?:(?:just|now|finally|also) )?(?:rejoined|re-joined|joined|back (?:at|in|to|with)|(?:go|going|gone|went|start\w*|join\w*|sing\w*|play\w*) [^.,;:!?\n]{2,40} again)\b",
    re.IGNORECASE,
)
_ON_AGAIN = re.compile(
    r"\b(?:back on|on again|on after all|after all|rebooked|re-booked|going ahead|takes place|doch|wieder|findet statt)\b",
    re.IGNORECASE,
)
_NOT_SO = re.compile(
    r"\b(?:not|never|nearly|almost|if|unless|might|may|could|would|should|maybe|perhaps|whether|nicht|nie|fast|beinahe|wenn|falls|ob|vielleicht|könnte|würde|sollte)\b|n['’]t\b",
    re.IGNORECASE,
)
_ONE_TIME = re.compile(
    rf"\b(?:this|next|that) (?:week|month|time|term)|\b(?:today|tonight|tomorrow|heute|morgen|diese[nmrs]? (?:woche|monat|mal)|nächste[nmrs]? (?:woche|mal)|{'|'.join((*WEEKDAYS, *GERMAN_WEEKDAYS))})\b",
    re.IGNORECASE,
)
_GONE_OFF = re.compile(r"\boff\b", re.IGNORECASE)  # of what comes every week: the milk is, too
# What takes place at some time: "Tom is off" says nothing of where he works.
_PLANNED = re.compile(
    rf"\b(?:{'|'.join((*WEEKDAYS, *GERMAN_WEEKDAYS, *MONTHS, *ONLY_GERMAN_MONTHS))})s?\b|\b(?:today|tonight|tomorrow|next|going|coming|flying|meeting|visiting|seeing|having|will|booked|booking|planned|planning|plan|trip|party|appointment|"
    r"heute|morgen|nächste\w*|wollen|will|werden|wird|fahren?|fährt|gehen?|geht|fliegen?|fliegt|treffen|gebucht|geplant|termin|uhr)\b|\b\d{1,2}(?:st|nd|rd|th|\.)? (?:jan|feb|mar|mrz|apr|jun|jul|aug|sept?|oct|okt|nov|dec|dez)\b|['’]ll\b|\bat \d|\d(?:st|nd|rd|th|[ap]m)\b|\d\.",
    re.IGNORECASE,
)


def calls_off(older: str, newer: str) -> bool:
    """Whether the newer line says that what the older tells of is off."""
    things = things_called_off(newer)
    if len(older) > MAX_LINE or _PLANNED.search(older) is None:
        return False
    if _cancelled_by_whom_it_is_with(older, newer):
        return True
    if "gestrichen" in newer.casefold() and _PAINTING.search(older):
        return False
    if is_repeated(older) and (_ONE_TIME.search(newer) or _GONE_OFF.search(newer)):
        return False
    given_up = set(_given_up(newer)) if things else set()
    return any(
        is_of(what, older)
        and not (_GONE_OFF.search(newer) and _does_something(what, older))
        and not (what in given_up and _is_beside(what, older))
        for what in things
    )


def is_on_again(older: str, newer: str) -> bool:
    """Whether the newer says that what was called off in the older takes place all the same."""
    if len(newer) > MAX_LINE or things_called_off(newer):
        return False
    things = things_called_off(older) if _ON_AGAIN.search(newer) else ()
    taken_up = tuple(_given_up(older)) if len(older) <= MAX_LINE and _TAKEN_UP.search(newer) else ()
    return any(is_of(what, newer) for what in (*things, *taken_up))


@lru_cache(maxsize=1_024)
def things_called_off(text: str) -> tuple[str, ...]:
    """Each thing that a line says is off."""
    if len(text) > MAX_LINE or _MAY_CALL_OFF.search(text) is None:
        return ()
    return (*_off(text), *_given_up(text))


def _off(text: str) -> Iterator[str]:
    for pattern in _CALLED_OFF:
        for found in pattern.finditer(text):
            clause = _CLAUSE_END.split(text[: found.start()])[-1] if pattern.pattern.startswith(r"\b") else ""
            is_switched = "off" in found[0].lower() and _SWITCHED.search(found["what"])
            if not is_switched and not _is_no_plan(found) and not _NOT_SO.search(f"{clause} {found['what']}"):
                yield found["what"].strip()


def _given_up(text: str) -> Iterator[str]:
    if _LONG_AGO.search(text) or _IN_OTHER_WORDS.search(text):
        return
    for pattern in _GIVEN_UP:
        for found in pattern.finditer(text):
            clause = _CLAUSE_END.split(text[: found.start()])[-1]
            if _BEFORE_GIVEN_UP.fullmatch(clause) and not _NOT_SO.search(found["what"]):
                yield found["what"].strip()


def _is_beside(what: str, line: str) -> bool:
    """ "Meeting Anna at the gym": who quits the gym may meet her all the same."""
    thing = re.escape(re.sub(r"^(?:the|my|our|der|die|das|dem|den)\s+", "", what, flags=re.IGNORECASE))
    beside = r"(?:at|from|near|behind|after|before|by|beim?|vor|nach|neben|hinter|im|in der)"
    return re.search(rf"\b{beside} (?:the |my |our |der |dem |den )?{thing}\b", line, re.IGNORECASE) is not None


def _is_no_plan(found: re.Match[str]) -> bool:
    """ "Die Heizung ist ausgefallen"."""
    said = found[0].casefold()
    return any(word in said and things.search(found["what"]) is not None for word, things in _NO_PLAN.items())


def _cancelled_by_whom_it_is_with(older: str, newer: str) -> bool:
    """ "delacroix cancelled" beside "delacroix, 10 people, friday 7.30"; not Mia beside "Party on Saturday, Mia and Tom are coming", nor Anna beside "Anna's birthday is on 5 May"."""
    if len(newer) > MAX_LINE or _MAY_CALL_OFF.search(newer) is None or _OF_OTHERS_TOO.search(older):
        return False
    for pattern in _CANCELLED_BY:
        for found in pattern.finditer(newer):
            who = re.escape(re.sub(r"^(?:the|die|der|das)\s+", "", found["who"].strip(), flags=re.IGNORECASE))
            is_theirs = _is_arranged_with(who, older)
            if is_theirs and not _NOT_SO.search(found["who"]):
                return True
    return False


def _is_arranged_with(who: str, line: str) -> bool:
    """ "The plumber is due on Tuesday at 9", "lunch with the Hendersons": not "Anna is on holiday until Friday". `who` is escaped for an expression."""
    if re.search(rf"\b(?:with|mit|bei)\s(?:the |der |dem )?{who}\b(?!['’]s\b)", line, re.IGNORECASE):
        return True
    begins = re.match(rf"\W*(?:the |die |der |das )?{who}(?:{_SHORT_IS}|(?![\w'’]))", line, re.IGNORECASE)
    if begins is None:
        return False
    said = _SENTENCE_END.split(line[begins.end() :])[0]
    if _COMES.match(said):
        return _IS_FROM.match(said) is None
    return _HAS_ITS_TIME.search(said) is not None and _GOES_ON_ANYWAY.search(said) is None


def _does_something(what: str, line: str) -> bool:
    """ "Anna is flying to Rome": who is off then has left."""
    return re.search(rf"\b{re.escape(what)}(?:['’]s| is| are| will be) \w+ing\b|\b{re.escape(what)} (?:comes|goes|flies|visits|arrives|leaves|works|starts)\b", line, re.IGNORECASE) is not None  # fmt: skip


def is_of(what: str, line: str) -> bool:
    """Whether a thing is one that a line names. Half of its words are there, the first, the last and every name among them: neither "the cake for the party", "the party tent" nor "my flight to Oslo" is the party or the
    flight to Rome."""
    said, there = _terms(what), _terms(line)
    names = {term for name in _NAME.findall(what) for term in _terms(name)}
    shared = {one for one in said if any(_alike(one, other) for other in there)}
    ends = {said[0], *(said[-1:] if said[-1] not in _APPOINTED else ())} if said else set()
    return bool(said) and 2 * len(shared) >= len(said) and ends | names <= shared


def _terms(text: str) -> list[str]:
    return [term for term in document_terms(text) if term not in _SAY_NOTHING]


def _alike(one: str, other: str) -> bool:
    return one == other or (len(one) >= SAME_START and one[:SAME_START] == other[:SAME_START])
