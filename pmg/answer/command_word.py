"""Whether a first word that could be a command is a thing of which something is told: "Show starts at 7:30", "Book club on 1 December is cancelled".

Knows: which commands are nouns as well, and where in a clause their verb stands. Such a word is a noun where a verb, or a noun or "of Friday" and
then a verb or a colon, says something of it; not where what follows is what is wanted: "show photos taken in Rome", "list of my allergies", "text Anna that
dinner is at 8". Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pmg.base.calendar_words import GERMAN_WEEKDAYS, WEEKDAYS
from pmg.base.verbs import is_only_participle, is_past, is_third_person
from pmg.base.words import SMALL_NUMBERS, STOP_WORDS

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_OF_SEARCH = frozenset("show find list search recall suche suchen".split())
_NOUNS = _OF_SEARCH | frozenset(
    "book order call text message email e-mail mail phone ring play schedule draft pay ruf spiel kauf".split()
)
# "Send-off for Kim", "Buy-in from Tom", "Show-Abend": another word; "such a lovely day" is English
_ANOTHER_WORD = re.compile(r"\W*(?:(?!e-?mails?\b)[^\W\d_]+-[^\W\d_]|such an?\b)", re.IGNORECASE)
# Where the part about the first word ends; what follows it is told with the command, or is what it is to find.
_NEXT_CLAUSE = re.compile(
    r"[,;.!?\n(–—]|\s-\s|\b(?:that|who|whom|whose|which|what|whatever|when|where|why|how|if|because|since|as|so|before|after|while|and|but|or|to|i|we|you|he|she|they|it|me|us|him|them"
    r"|dass|weil|wenn|falls|bevor|nachdem|wer|was|wann|wo|wie|welche[mnrs]?|und|aber|oder|ich|wir|du|er|sie|es|mir|uns)\b",
    re.IGNORECASE,
)
# "book club", "phone bill": what is looked for, if nothing is said of it
_NAMED_AFTER = frozenset(
    "club clubs number numbers confirmation status history centre center bill charger contract rehearsal launch fair token log".split()
)
_OF = frozenset(("of", "des"))
_WITH_NOUN = frozenset("for on at with from in by about am im von vom mit für gegen nach bei um in zum zur".split())
_SINGULAR_VERBS = frozenset("is isn't was wasn't has hasn't ist war hat wird".split())
_PLURAL_VERBS = frozenset("are aren't were weren't have haven't sind waren haben werden".split())
_HELPERS = frozenset("will won't can can't must should would could might had didn't did doesn't kann muss soll".split())
# Verbs in -s that are hardly ever things
_SAYS = frozenset(
    """starts begins ends finishes opens closes comes goes gets takes happens arrives leaves continues lasts meets says seems includes contains depends
    fällt findet beginnt endet läuft geht kommt dauert kostet steht fängt bleibt entfällt""".split()
)
_ALSO_THINGS = frozenset(
    "plans walks works shops drinks visits calls talks dates books orders texts parks rides stays plants paints shares trains dances changes deals cuts shows sets reads cooks rents wishes".split()
)
_PARTICIPLES_OF_THINGS = frozenset("lost broken used paid unpaid frozen fried baked saved shared".split())
_AFTER_VERB = frozenset(
    """at on in to from by until till for with after before through off up out down over back away again already early late well today yesterday tonight
    tomorrow last this next every the a an my our his her their""".split()
) | frozenset((*WEEKDAYS, *GERMAN_WEEKDAYS))
# Never of a thing, as "taken" and "bought" are
_PASTS_ALONE = frozenset(
    """arrived happened started ended became began blew broke came chose drank drew drove ate fell flew froze gave went grew knew rang rose ran saw sang shook
    sank spoke stole swam took tore threw woke wore wrote begann fiel fand ging kam lief""".split()
)
_BEGINS_OBJECT = frozenset("the a an my our his her their".split())
# By what somebody did with it a thing is told from others: "pay bill sent by Ikea", "play song heard on the radio"
_TELLS_WHICH = frozenset(
    """recommended suggested mentioned promised requested asked named described sent received heard met found bought booked ordered signed made played read
    liked loved wanted needed chosen""".split()
)
_TIME = frozenset(
    "day days night nights week weekend month year time times morning afternoon evening summer winter spring autumn".split()
)


def is_a_thing(text: str) -> bool:
    """Whether the first word names something, and the rest says something of it."""
    if _ANOTHER_WORD.match(text):
        return True
    words = _WORD.findall(text)
    if len(words) < 2 or words[0].lower() not in _NOUNS or "?" in text:
        return False
    clause = _first_clause(text, words[0])
    head, rest = clause[0].lower(), clause[1:]
    if not rest:
        return False
    second = rest[0].lower()
    if head in ("search", "suche", "suchen") and second in ("for", "nach"):
        return any(word.lower() in _SINGULAR_VERBS for word in rest[2:])  # "Search for the cat is over"
    if second in _OF and head != "list":
        return True  # nobody is asked to "draft of my speech" or "show of hands"; "list of my allergies" is looked for
    if second in _OF or second in _WITH_NOUN:
        return _has_colon(text, clause) or _says_something(clause, 2, head)
    if _is_verb_of(clause, 1, head, head):
        return True
    if rest[0] in _NAMED_AFTER and head != "pay":  # a bill is paid
        return True
    if len(rest) < 2 or second in STOP_WORDS or not rest[0].islower() or second[0].isdecimal():
        return False
    if head not in _OF_SEARCH and _has_colon(text, clause):
        return True
    if rest[1].lower() in _WITH_NOUN:
        return _says_something(clause, 3, second)
    return _is_verb_of(clause, 2, head, second)


def _first_clause(text: str, first: str) -> list[str]:
    start = text.index(first) + len(first)
    stop = _NEXT_CLAUSE.search(text, start)
    colon = text.find(": ", start)
    ends = [at for at in (stop.start() if stop else -1, colon) if at >= 0]
    return [first, *_WORD.findall(text[start : min(ends, default=len(text))])]


def _has_colon(text: str, clause: Sequence[str]) -> bool:
    """Right after that clause: "List for Sunday: milk, eggs"."""
    last = text.find(clause[-1], len(clause[0]))
    return re.match(r"\S*:\s+\S", text[last + len(clause[-1]) :]) is not None


def _says_something(clause: Sequence[str], start: int, subject: str) -> bool:
    """A verb after "club on 1 December", "from Ikea": one that is no participle, so that it says something of the first noun.
    One in -s after a plural has that noun for its subject: "List of chores hangs on the fridge"."""
    return any(
        _agrees(word.lower(), subject)
        or word.lower() in _SAYS
        or (is_third_person(word) and word not in _ALSO_THINGS and _is_plural(clause[at - 1]))
        or (word.lower() in _PASTS_ALONE and not (clause[0].lower() in _OF_SEARCH and clause[at - 1][:1].isupper()))
        for at, word in enumerate(clause)
        if at > start
    )


def _is_verb_of(clause: Sequence[str], place: int, head: str, subject: str) -> bool:
    """Whether the word at that place is the verb of what stands before it."""
    word = clause[place].lower()
    following = clause[place + 1].lower() if place + 1 < len(clause) else ""
    if _agrees(word, subject) or (word in _SAYS and not _is_plural(subject)):
        return True
    if word in _PASTS_ALONE and not _is_plural(subject):
        return True
    goes_on = not following or following in _AFTER_VERB or following in SMALL_NUMBERS or following[0].isdecimal()
    if is_third_person(word):
        is_value = following[:1].isdecimal() or following in ("until", "till", "from", *_BEGINS_OBJECT)
        return word not in _ALSO_THINGS and not _is_plural(subject) and is_value
    if not is_past(word) or word in _PARTICIPLES_OF_THINGS or _is_plural(subject):
        return False
    says_which = word in _TELLS_WHICH or is_only_participle(word) or following == "by"
    if place > 1 and (head in _OF_SEARCH or says_which):
        return _has_object(clause, place) and not is_only_participle(word)
    return goes_on


def _has_object(clause: Sequence[str], verb: int) -> bool:
    """ "Search party found the dog" tells; "list food bought in May" and "find photo taken the other day" look for something."""
    after = [word.lower() for word in clause[verb + 1 : verb + 4]]
    return bool(after) and after[0] in _BEGINS_OBJECT and _TIME.isdisjoint(after)


def _agrees(word: str, subject: str) -> bool:
    word = word.replace("’", "'")
    return word in _HELPERS or word in (_PLURAL_VERBS if _is_plural(subject) else _SINGULAR_VERBS)


def _is_plural(noun: str) -> bool:
    return noun.endswith("s") and not noun.endswith(("ss", "us", "is"))
