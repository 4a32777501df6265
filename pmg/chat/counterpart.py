"""The question before, asked of another: its counterpart in the question gives way, a possessor to a possessor, a person to a person, a thing to a thing.

Knows: which phrase of a question is the counterpart of another. How phrases are found is named_phrases.py's. Pure.
"""

from __future__ import annotations

import re

from pmg.chat.answer_type import asks_who_it_is
from pmg.chat.asked_subject import english_subject, german_last_word
from pmg.chat.named_phrases import NamedPhrase, named_phrases, one_phrase, own_words
from pmg.chat.phrases import german

_MY = re.compile(r"\b(?:my|our|mein(?:e[mnrs]?)?|unser(?:e[mnrs]?)?)\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_SAME_LEAD = re.compile(
    r"(?P<lead>in|im|on|am|at|last|next|this|letzte[mnrs]?|nächste[mnrs]?|diese[mnrs]?) ", re.IGNORECASE
)
_DETERMINERS = frozenset("the a an my our his her their your this that".split())
_ARTICLE = re.compile(r"(?:the|my|our|der|dem|den) ", re.IGNORECASE)
_FOR = re.compile(r"\b(?:for|of|in|on|with|für|bei|von|in|auf)\b", re.IGNORECASE)
_NAME_PHRASE = re.compile(r"[A-ZÄÖÜ][\w'’-]*(?: (?:(?:&|and|und) )?[A-ZÄÖÜ][\w'’-]*)*")
_GERMAN_THING = re.compile(
    r"\b(?P<article>der|die|das|den|dem)\s+(?:(?P<adjective>[^\W\d_]{2,}(?:e|en|er|es))\s+)?(?P<noun>(?!(?:zum|zur|vom|beim|bei|mit|von|nach|für|aus|auf|aufs|ins|und|oder|noch|jetzt|dran|fertig|fällig)\b)[^\W\d_]{3,})\b",
    re.IGNORECASE,
)
_FIRST_PERSON = {"does": "do", "did": "did", "is": "am", "was": "was", "has": "have"}


def both_without_capital(question: str, name: str) -> str:
    """ "What does wren get paid?" and "mikkel?": nothing but their place tells that both are people; "" where the question names a thing that it may stand for."""
    is_german = german(question)
    found = german_last_word(question) if is_german else english_subject(question)
    if found is None or found.follows_be or " " in name or not (found.word.islower() and name.islower()):
        return ""
    has_thing = not is_german and any(
        one.owner or one.text.lower().split()[0] in _DETERMINERS for one in named_phrases(question)
    )
    return "" if has_thing else _put(question, found.start, found.end, name)


def put_in_place(question: str, name: str) -> str:
    """With the name in the place of its counterpart; at the end where there is none, and without what else the question named if it names somebody."""
    time = time_swapped(question, name)
    if time:
        return time
    is_name = not name[0].isdigit() and _SAME_LEAD.match(name) is None
    phrase = one_phrase(name, german(question)) if is_name else None
    if phrase is None:
        return f"{question.rstrip('? ')} {name}?"
    asked = swapped(question, phrase)
    if asked:
        return asked
    frame = question
    for other in reversed(named_phrases(question)):
        frame = frame[: other.start] + frame[other.end :]
    return f"{' '.join(frame.rstrip('? ').split())} {name}?"


def of_oneself(question: str) -> str:
    """What it asks of somebody's, asked of one's own: "Who is Yuki's supervisor?", "Who is my supervisor?"; "" where it asks of nobody's."""
    owned = next((one for one in named_phrases(question) if one.owner and one.head and not one.is_mine), None)
    if owned is None:
        return ""
    return _put(question, owned.start, owned.head_start, "mein " if german(question) else "my ")


def of_me(question: str) -> str:
    """What it asks of somebody, asked of whoever asks: "What does Priya play?", "What do I play?"; "" where it asks of nobody."""
    if not german(question):
        found = english_subject(question)
        if found is not None:
            phrases = named_phrases(question)
            end = next((one.end for one in phrases if one.is_living and one.start == found.start), found.end)
            return _put(question, found.verb_start, end, f"{_FIRST_PERSON[found.verb]} I")
    return of_oneself(question)


def modifier_swapped(question: str, word: str) -> str:
    """ "What's the prod db host?", asked "for staging": of a thing with two words or more the first gives way; "" where there is none."""
    things = [one for one in named_phrases(question) if not one.is_living and " " in one.head]
    if not things or _FOR.search(question):
        return ""
    one = things[0]
    return _put(question, one.head_start, one.head_start + len(one.head.split()[0]), word)


def after_preposition_swapped(question: str, preposition: str, named: str) -> str:
    """ "What's my rate for Carver & Holt now?", asked "for the museum": what follows the same word gives way; "" where nothing does."""
    found = list(re.finditer(rf"\b{preposition} ", question, re.IGNORECASE))
    if not found:
        return ""
    start = found[-1].end()
    names = _NAME_PHRASE.match(question, start)
    there = next((one for one in named_phrases(question) if one.start == start), None)
    end = names.end() if names is not None else there.end if there is not None else 0
    return _put(question, start, end, named) if end else ""


def article_swapped(question: str, named: str) -> str:
    """A German thing in small letters is told by its article: "wann muss der transporter zum tüv", asked of "der caddy". Of "der grosse service" an adjective alone changes the
    adjective. "" where one of them has no article."""
    wanted, there = _GERMAN_THING.fullmatch(named), _GERMAN_THING.search(question)
    if wanted is None or there is None or there["noun"][:1].isupper() or wanted["noun"][:1].isupper():
        return ""
    if there["adjective"] and not wanted["adjective"] and wanted["noun"].endswith(("e", "en", "er", "es")):
        return _put(question, *there.span("adjective"), wanted["noun"])
    return _put(question, there.start(), there.end(), named)


def swapped(question: str, phrase: NamedPhrase) -> str:
    """ "" where the question has no counterpart."""
    there = named_phrases(question)
    if not phrase.head:
        return _owner_swapped(question, there, phrase)
    if not phrase.is_living:
        return _thing_swapped(question, there, phrase)
    return _living_swapped(question, there, phrase)


def _owner_swapped(question: str, there: list[NamedPhrase], phrase: NamedPhrase) -> str:
    """ "and dad's?": in the place of "mum" in "mum's operation", of "my" in "my operation", of "the" in "the operation"."""
    for one in there:
        if one.owner and one.head:
            return _put(question, one.start, one.head_start, f"{_genitive(phrase.owner, question)} ")
    for one in there:
        if not one.is_living:
            return _put(question, one.start, one.head_start, f"{_genitive(phrase.owner, question)} ")
    living = [one for one in there if one.is_living]
    return _put(question, living[0].start, living[0].end, phrase.owner) if living else ""


def _thing_swapped(question: str, there: list[NamedPhrase], phrase: NamedPhrase) -> str:
    things = [one for one in there if not one.is_living]
    people = [one for one in there if one.is_living]
    owned = [one for one in things if one.owner]
    if phrase.owner and not phrase.is_mine and not owned and people and things:
        # "When does Tom have judo?" and "Maya's ballet": one for one
        person, thing = people[0], things[-1]
        first, second = sorted(((person, phrase.owner), (thing, phrase.head)), key=lambda pair: pair[0].start)
        asked = _put(question, second[0].start, second[0].end, second[1])
        return _put(asked, first[0].start, first[0].end, first[1])
    one = next(iter((*owned, *things)), None)
    if one is None:
        named = [person for person in people if person.is_name]
        return _put(question, named[0].start, named[0].end, phrase.text) if named and not phrase.owner else ""
    if one.owner and not one.is_mine and not phrase.owner:
        return _put(question, one.head_start, one.end, phrase.head)
    return _put(question, one.start, one.end, phrase.text)


def _living_swapped(question: str, there: list[NamedPhrase], phrase: NamedPhrase) -> str:
    for one in there:
        if (
            one.is_living
            and one.owner
            and asks_who_it_is(question)
            and phrase.is_kin_or_name
            and (phrase.is_mine or not phrase.owner)
        ):
            # "Who is mum's doctor?" and "dad?"
            return _put(question, one.start, one.head_start, f"{_genitive(phrase.text, question)} ")
        if one.is_living:
            return _put(question, one.start, one.end, phrase.text)
        if one.owner and not one.is_mine:
            return _put(question, one.start, one.head_start, f"{_genitive(phrase.text, question)} ")
    own = own_words(question)
    if own:
        return _put(question, *own[0], phrase.text)
    mine = _MY.search(question)
    return _put(question, mine.start(), mine.end(), _genitive(phrase.text, question)) if mine is not None else ""


def time_swapped(question: str, name: str) -> str:
    """A year for a year, "in Verona" for "in Trento"; "" where the question has none."""
    if _YEAR.fullmatch(name):
        return _YEAR.sub(name, question, count=1) if _YEAR.search(question) else ""
    lead = _SAME_LEAD.match(name)
    if lead is None:
        return ""
    article = r"(?:the|my|our|der|dem|den) " if _ARTICLE.match(name, lead.end()) else "(?!the |my |our |der |dem |den )"
    there = re.search(rf"\b{lead['lead']} {article}\w+", question, re.IGNORECASE)
    return _put(question, there.start(), there.end(), name) if there is not None else ""


def _genitive(name: str, question: str) -> str:
    if not german(question):
        return f"{name}'s"
    return f"{name}s" if " " not in name and not name.endswith(("s", "ß", "x", "z")) else name


def _put(question: str, start: int, end: int, text: str) -> str:
    return f"{question[:start]}{text}{question[end:]}"
