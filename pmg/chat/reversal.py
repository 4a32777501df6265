"""Whether a later line told to this program says that what a yes-or-no question asks for is not so, or no longer: "Lukas kommt doch nicht", "we dropped Kafka", "my bicycle is stolen".

Knows: the words for it in English and German, and how much of the question such a line must name. A value that became another is told_values.py's, what was planned and is off
called_off.py's. Which line is shown first is time_order.py's. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pmg.base.calendar_words import MONTHS
from pmg.base.sentences import asks
from pmg.base.words import STOP_WORDS
from pmg.chat.person_words import LIVING
from pmg.chat.phrases import german
from pmg.index.function_words import function_words
from pmg.index.terms import document_terms

MAX_LINE = 300  # characters: a longer line tells of many things
MIN_INFINITIVE = 6  # letters of a German verb that is told in another form, too
_THING = r"[^.,;:!?\n]{2,60}"
# What was meant to be is not, or the other way round: half of what is asked for is enough to know of what it speaks.
_AFTER_ALL = re.compile(
    r"(?:\bnot|n['’]t)\b.{0,60}?\bafter all\b|\b(?:stay|keep)\w*\s(?:\w+\s){0,4}?after all\b|\bdoch (?:nicht|kein\w*|ned|net)\b|\bbleib\w*\s(?:\w+\s){0,3}?doch\b",
    re.IGNORECASE,
)
_NO_LONGER = re.compile(
    r"(?:\bnot|n['’]t)\s(?P<a>\w+)\b.{0,60}?\bany ?(?:more|longer)\b|\bno longer (?!than\b)(?P<b>\w+)|"
    r"\bnicht mehr\b(?! (?:als|lange|so)\b)(?: (?P<c>\w+))?|\bkein\w*\s(?:\w+\s){0,3}?mehr\b",
    re.IGNORECASE,
)
# It was given up: what is named right there must be what is asked for.
_GIVEN_UP = (
    re.compile(rf"(?:^\W*|, |\band |\b(?:i|we)(?:['’]ve| have)? (?:just |finally )?)(?:dropped(?! my\b| our\b| the\b)|ditched|scrapped|sold|got rid of|gave up|given up|quit|cancell?ed) (?!his\b|her\b|their\b)(?P<what>{_THING})", re.IGNORECASE),
    # Not "stopped smoking in the flat": somewhere else, or at another time, it may go on.
    re.compile(rf"(?:^\W*|, |\b(?:i|we)(?:['’]ve| have)? (?:just |now |finally )?)stopped (?P<what>\w+ing(?: (?!(?:in|at|on|by|to|for|with|from|after|before|during|when|while)\b)[\w-]+){{0,3}}?)(?= (?:because|since|last|this|in (?:\d{{4}}|{'|'.join(MONTHS)})|\w+ (?:\w+ )?ago|for good|altogether|completely|now|and)\b|[.,;:!?\n]|$)", re.IGNORECASE),
    re.compile(rf"\b(?:i|we)(?:['’]ve been| have been|['’]m| am| was| were) taken off (?P<what>{_THING})", re.IGNORECASE),
    re.compile(rf"\b(?:took|taken) (?:me|us) off (?P<what>{_THING})", re.IGNORECASE),
    re.compile(rf"\bhab(?:e|en)? (?P<what>{_THING}?) (?:verkauft|verschenkt|gekündigt|abgeschafft|aufgegeben|abgesetzt)\b", re.IGNORECASE),
    re.compile(r"\bhab(?:e|en)? (?:\w+ ){0,4}?mit (?:dem |der |den )?(?P<what>\w+) aufgehört\b|\baufgehört,? (?:\w+ ){0,2}?zu (?P<german>\w+)", re.IGNORECASE),
)  # fmt: skip
# Or it was lost. "The milk is gone" says nothing of whether I drink any.
_LOST = re.compile(
    rf"\b(?:my|our|the|mein\w*|unser\w*|der|die|das) (?P<what>{_THING}?) (?:is|are|was|were|got|has been|have been|wurden?|ist|sind)"
    r" (?:\w+ )?(?:stolen|sold|written off|geklaut|gestohlen|verkauft|verschenkt|(?:gone|dead|weg)(?=\s*(?:[.,;:!?–-]|$)| (?:now|since|and|for good|seit|und|jetzt)\b))",
    re.IGNORECASE,
)
_ASKS_OF_ITS_KIND = re.compile(
    r"(?!.*\b(?:my|our|mein\w*|unser\w*)\b).*\b(?:drinks?|eats?|likes?|loves?|hates?|prefers?|enjoys?|buys?|takes?|needs?|cooks?|allergic|"
    r"trink\w*|esse|essen|isst|mag|mögen|lieb(?:e|en|t)|kauf(?:e|en|t)|nehmen?|nimmt|brauch(?:e|en|t)|allergisch)\b",
    re.IGNORECASE,
)
_BEFORE_ANOTHER = re.compile(
    r"\s(?:of|for|to|because|since|as|and|in|on|at|from|with|after|but|except|apart|while|für|weil|und|an|auf|aber|außer|sondern)\b"
)
_REASON = re.compile(r"\s(?:because|since|weil|wegen)\s")
_OF_ANOTHER = re.compile(r"['’]s\b|\s(?:of|von|vom)\s", re.IGNORECASE)
_ARTICLES = frozenset("a an the".split())
_LEADS_ON = frozenset("in at on with out off there here dabei da bei in im am".split())
_NAME = re.compile(r"\b[A-ZÄÖÜ][\w-]+")
# "Tom wohnt", "Oma nimmt": in German every noun has a capital, a name has no article and stands before its verb.
_GERMAN_DOER = re.compile(r"(?:^|[,:]\s)\W*(?P<name>[A-ZÄÖÜ][\w-]+) [a-zäöü]+t\b")
_OPENS_WITH_VERB = re.compile(
    r"\W*(?!(?i:heute|bitte|seit|welche|alle|meine|deine|seine|ihre|unsere|eine|keine|diese)\b)[A-ZÄÖÜ]?[a-zäöüß]+(?:t (?:(?:noch|denn|eigentlich|jetzt|immer) )*(?:er|sie|es|der|die|das|mein\w*|unser\w*|[A-ZÄÖÜ][\w-]+)|en? (?:ich|wir|sie|die|mein\w*|unser\w*))\b[^?]*\?\s*$"
)
_ASKED_IN_GERMAN = re.compile(r"^\W*\w+ (?:(?:noch|denn|eigentlich|jetzt|immer) )*(?P<name>[A-ZÄÖÜ][\w-]+)")
# "Talked to Anna, sold the car": the first word is no name, and Anna did nothing.
_NO_NAME = re.compile(
    r"^\W*[A-ZÄÖÜ][\w-]+(?= (?:to|with|the|an?|my|our|at|in|on|from|for|of|up|out|off|over|it|him|her|them|done|some|all|that|this)\b)"
)
_FIRST_NAMES = re.compile(r"^\W*(?:[A-ZÄÖÜ][\w-]+\s?)+")
_DOES_NOTHING = re.compile(
    r"\b(?:to|with|at|from|for|after|mit|bei|beim|zu[mr]?|von|vom|für|nach) (?:(?:the|my|our|de[rmn]|mein\w*|unser\w*) )?[\w-]+",
    re.IGNORECASE,
)
_OURSELVES = frozenset("team teams family familie".split())
_WE = re.compile(r"\b(?:we|us|wir|uns)\b", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|never|nicht|nie|niemals)\b|n['’]t\b", re.IGNORECASE)
_OTHERS_HAVE = re.compile(r"\w.*?\s(?:hat|haben)\b", re.IGNORECASE)
_ANYBODY = re.compile(r"\b(?:he|she|they|er|sie)\b", re.IGNORECASE)
_OWN = re.compile(r"\b(?:i|we|me|us|ich|wir|mir|uns)\b", re.IGNORECASE)
_ENDS = re.compile(r"\b(?:giv(?:e|ing) up|quit\w*|stop\w*|sell\w*|drop\w*|ditch\w*|cancel\w*)\b", re.IGNORECASE)
_OWES = re.compile(r"\b(?:i|we) (?:\w+ )?owe\b|\bschulden? (?:ich|wir)\b", re.IGNORECASE)
_PAID_BACK = re.compile(
    r"(?:^|,|\band|\b(?:i|we)(?:['’]ve| have)?)\W*(?:just |finally |now )*(?:paid\b.{0,40}?\b(?:back|off)\b|repaid\b|settled up\b)|"
    r"(?:^|,|\bund|\b(?:ich|wir)\b).{0,60}?\bzurück(?:gezahlt|gegeben|bezahlt)\b",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"\b(?:if|might|may|maybe|perhaps|could|would|should|nearly|almost|whether|thinking|(?<!n't )(?<!n’t )(?<!not )wants?|says?|wenn|falls|vielleicht|könnte|würde|sollte|fast|beinahe|ob|sagt|meint|will)\b",
    re.IGNORECASE,
)


def is_not_so(question: str, older: str, newer: str) -> bool:
    """Asked whether something is so that the older line tells, and the newer denies it. What somebody says or thinks denies nothing."""
    if len(newer) > MAX_LINE or asks(newer):
        return False
    asked, there = _content(question), _content(newer)
    named = asked & _content(older)
    shared = named & there
    if not shared or not (_people(question) & _content(older) <= there or _leaves_unnamed(question, newer)):
        return False
    clauses = [clause for clause in re.split(r"[.;!\n]\s+", newer) if not _DOUBT.search(clause)]
    if any(_is_meant(question, older, found) for one in clauses for found in _AFTER_ALL.finditer(one)):
        return 2 * len(shared) >= len(named)
    if any(_is_of_what_is_asked(question, older, found) for one in clauses for found in _NO_LONGER.finditer(one)):
        return 2 * len(shared) > len(named)
    if any(_content(what) & shared for one in clauses for what in _given_up(question, older, one)):
        return True
    return _OWES.search(question) is not None and any(_is_paid_back(question, one) for one in clauses)


def _is_meant(question: str, older: str, denied: re.Match[str]) -> bool:
    """ "Ben isn't coming after all, only Anna" says nothing against Anna, and that she doesn't give it up after all that it is so."""
    ended = _ENDS.search(denied[0])
    is_so = ended is not None and _content(ended[0]).isdisjoint(_content(question))
    return not is_so and not _is_of_somebody_else(question, older, denied)


def _is_of_somebody_else(question: str, older: str, denied: re.Match[str]) -> bool:
    """Whether only others stand before the words that deny: of oneself, or of whom the question names, nothing is said."""
    before = denied.string[: denied.start()]
    if _OWN.search(before):
        return False
    others = _doers(question, denied.string, before)
    asked = _people(question)
    known = question if asked else f"{question}\n{older}"
    terms = {term for word in others for term in _content(word)}
    if not terms:
        return not asked and _OWN.search(question) is not None and _ANYBODY.search(before) is not None
    return terms.isdisjoint(_content(known)) and others.isdisjoint(_words(known))


def _doers(question: str, clause: str, before: str) -> set[str]:
    """Who does what is denied. Asked of us, a first word may be a part of us ("Platform doesn't use it any more"), as the team and the family are."""
    before = _DOES_NOTHING.sub("", _NO_NAME.sub("", before))
    if german(clause):
        names = [] if _WE.search(question) else _GERMAN_DOER.findall(clause)
    else:
        names = _NAME.findall(_FIRST_NAMES.sub("", before) if _WE.search(question) else before)
    living = {word for word in _words(before) if word in LIVING}
    return {name.casefold() for name in names if not _ANYBODY.fullmatch(name)} | living - _OURSELVES


def _is_of_what_is_asked(question: str, older: str, denied: re.Match[str]) -> bool:
    """ "Ella isn't nervous about the violin any more" says nothing of whether she plays it: what she is not is not asked for. Nor is where the piano stands."""
    if _is_of_somebody_else(question, older, denied):
        return False
    word = (denied["a"] or denied["b"] or denied["c"] or "").lower()
    if not word or word.endswith("ing"):
        return True
    if word not in _LEADS_ON:
        return word in _ARTICLES or not _content(word) or bool(_content(word) & _content(question))
    start = next(denied.start(group) for group in "abc" if denied[group])
    phrase = _content(re.split(r"[,:?]|\bany ?(?:more|longer)\b", denied.string[start:])[0])
    return not phrase or bool(phrase & _content(question))


def _given_up(question: str, older: str, clause: str) -> Iterator[str]:
    """The last word of each thing: of "the dog crate" the crate. What is of another, or a part of something, is none."""
    ended = (one for pattern in _GIVEN_UP for one in pattern.finditer(clause))
    lost = () if _ASKS_OF_ITS_KIND.match(question) else _LOST.finditer(clause)
    for found in (*(one for one in ended if _is_ended_by_them(question, older, one)), *lost):
        what = _REASON.split(found[_thing(found)])[0]
        if not _OF_ANOTHER.search(what):
            yield _BEFORE_ANOTHER.split(what)[0].split()[-1]


def _thing(given_up: re.Match[str]) -> str:
    """The group that names it."""
    return "what" if given_up["what"] else "german"


def _is_ended_by_them(question: str, older: str, given_up: re.Match[str]) -> bool:
    """ "Tom hat aufgehört zu rauchen" says nothing of me, and "ich habe nicht aufgehört" that it goes on."""
    thing = _thing(given_up)
    before = given_up.string[: given_up.start(thing)]
    if _NOT.search(before.rpartition(",")[2]):
        return False
    if _OWN.search(before) or given_up[thing].lower().startswith(("ich ", "wir ")):
        return True
    of_others = _OWN.search(question) is not None and _OTHERS_HAVE.match(before) is not None
    return not of_others and not _is_of_somebody_else(question, older, given_up)


def _leaves_unnamed(question: str, newer: str) -> bool:
    """ "Die Zahnspange ist weg", "sie wohnt nicht mehr da": whose it was, or who, needs no second telling. A word such as "Oma" does."""
    living = any(word in LIVING for word in _words(question))
    is_plain = _LOST.search(newer) is not None or _ANYBODY.search(newer) is not None
    return not living and _asks_in_german(question) and is_plain and _OWN.search(newer) is None


def _is_paid_back(question: str, clause: str) -> bool:
    """To the one asked about: "I paid Anna back, Tom saw it"."""
    return any(
        _PAID_BACK.search(f"{mark}{part}") and _people(question) <= _content(part)
        for mark, part in re.findall(r"(^|,)([^,]+)", clause)
    )


def _people(question: str) -> set[str]:
    """Whom it asks of: what is told of dad says nothing of mum."""
    if _asks_in_german(question):
        asked = _ASKED_IN_GERMAN.match(question)
        words = [asked["name"]] if asked is not None else []
    else:
        words = _NAME.findall(question[:1].lower() + question[1:])
    return {
        term
        for word in (*words, *(word for word in question.lower().split() if word in LIVING))
        for term in document_terms(word)
    }


def _asks_in_german(question: str) -> bool:
    return german(question) or opens_with_its_verb(question)


def _words(text: str) -> set[str]:
    return set(re.findall(r"[\w-]+", text.casefold()))


def opens_with_its_verb(question: str) -> bool:
    """ "Rauche ich?", "Nimmt Opa Ibuprofen?": in German any verb may stand first in what asks whether something is so."""
    return _OPENS_WITH_VERB.match(question) is not None


def _content(text: str) -> set[str]:
    """What it speaks of: neither "still" nor "noch" does. "Rauchen" is what "ich rauche" tells."""
    silent = STOP_WORDS | function_words(text) | {"still", "anymore", "immer", "jetzt", "hab", "get", "got"}
    words = [word for word in re.findall(r"[^\W_]+", text) if word.lower() not in silent]
    verbs = [word[:-1] for word in words if len(word) >= MIN_INFINITIVE and word.endswith("en")]
    return {term for word in (*words, *verbs) for term in document_terms(word)}
