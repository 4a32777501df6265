"""Whether a line says who or which one's own somebody or something is: "My bike is a red Cube" does, "My bike is broken" says how it is.

Knows: how such a question and such a line read in English and German. What the signals make of the two lines is much the same, for they share the one
word that is asked for; so a line that identifies is surely the answer, and one that only describes surely is not. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from pmg.base.calendar_words import MONTHS, WEEKDAYS
from pmg.base.verbs import is_participle, is_past
from pmg.chat.person_words import PEOPLE
from pmg.chat.sentences import split
from pmg.index.terms import document_terms


class IdentityTold(StrEnum):
    IDENTIFIED = "identified"  # by a name, a number, or what it is called
    DESCRIBED = "described"  # how it is, not which
    UNCLEAR = "unclear"  # told of the very thing, as what cannot be read: "ein alter Golf", "ein Chaos"


_OWNERS = "my|our|mein|meine|meinen|unser|unsere|unseren"
_OWNER = f"(?:{_OWNERS})"
_THING = r"([\w-]+(?:\s+[\w-]+){0,2})"
_HAVE = "(?:habe|haben|fahre|fahren|benutze|benutzen|nutze|nutzen|spiele|spielen|besitze|besitzen)"
_QUESTIONS = tuple(
    re.compile(rf"{form}\s*\??", re.IGNORECASE)
    for form in (
        rf"(?:which|what)\s+{_THING}\s+(?:do|am|are|have)\s+(?:I|we)\b(?:\s+[\w-]+){{0,3}}",
        rf"(?:welche[rsn]?|was für (?:ein|eine|einen))\s+{_THING}\s+{_HAVE}\s+(?:ich|wir)\b(?:\s+[\w-]+){{0,3}}",
        rf"(?:who|wer)(?:\s+(?:is|are|ist|sind)|['’]s)\s+{_OWNER}\s+{_THING}",
        rf"what(?:\s+(?:is|are)|['’]s)\s+the\s+name\s+of\s+{_OWNER}\s+{_THING}",
        rf"what(?:\s+(?:is|are)|['’]?s)\s+{_OWNER}\s+{_THING}\s+(?:called|named)",
        rf"what(?:\s+(?:is|are)|['’]?s)\s+{_OWNER}\s+{_THING}['’]s?\s+name",
        rf"wie\s+hei(?:ß|ss)(?:t|en)\s+{_OWNER}\s+{_THING}",
    )
)
_AT_PRESENT = r"\s+(?:this (?:year|term|season|week|month|time|semester|summer|winter)|these days|at the moment|for now|right now|currently|in diesem \w+|dieses \w+|diese \w+|zurzeit|momentan)"
_TOLD = re.compile(
    rf"\b{_OWNER}\s+(?P<thing>(?:[\w-]+\s+){{0,2}}?[\w-]+?)(?:{_AT_PRESENT})?(?:\s+(?P<verb>is|are|ist|sind|heißt|heisst|heißen)|['’]s(?=\s+(?:an?|called|named)\b))"
    r"\s+(?:(?:now|still|actually|jetzt|nun|noch)\s+)*(?P<what>.+)",
    re.IGNORECASE,
)
_NO_LONGER = frozenset(
    "old first previous former last next ex dream alter altes alte erster erste erstes letzter letzte letztes früherer frühere früheres".split()
)
_FORMER = _NO_LONGER - frozenset(("next", "dream", "last"))
_NEW = frozenset(document_terms("new current neu aktuell"))
_THE = frozenset(("the", "a", "an"))
_GERMAN_PARTICIPLE = re.compile(r"(?:\w*ge\w+|(?:ver|be|er|ent|zer)\w+)(?:t|en)")
_HAS = frozenset(("has", "hat"))
_OWN_WORDS = frozenset("i we my our mine ours ich wir mein meine meinen unser unsere unseren".split())
_PLAIN_KINDS = frozenset(
    "new old current former previous next first second last same own nice good best great whole".split()
)
_DENIED = re.compile(r"(?:not|no|never|nicht|kein\w*|nie)\b", re.IGNORECASE)
_IS_CALLED = re.compile(r"(?:called|named)\s+\S", re.IGNORECASE)
# A name or a number, after an article with words that describe it: "a red Cube", "Dr Kowalski", "number 63". After a preposition it is of something else.
_NAMED = re.compile(
    r"(?:(?:an?|the|number)\s+(?:(?!(?:in|at|on|of|from|by|with|for|since|to|near|under|after|before|until|that|which|and|or|as|like)\b)[a-z][\w-]*,?\s+){0,3})?"
    r"(?P<name>[A-Z][\w-]*|\w*\d[\w.,-]*)"
)
_NOT_A_NAME = re.compile(
    rf"(?:\w+(?:ish|ese|ian)|German|French|Dutch|Greek|Swiss|Czech|I|OK|{'|'.join((*MONTHS, *WEEKDAYS))})",
    re.IGNORECASE,
)
_OWN_THING = re.compile(rf"\b(?:{_OWNERS}|meiner|meinem|unserer|unserem)\s+([^\W\d_]+)", re.IGNORECASE)
_MINE = re.compile(
    r"\W*(?:(?:and|but|und|aber)\s+)?(?:mine|ours|meine[rs]?|meins|unsere[rs]?)(?:['’]s|\s+(?:is|are|was|were|ist|sind|war|heißt))\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*['’]?")
_ANOTHERS = frozenset("his her their your sein seine seinen ihr ihre ihren dein deine deinen".split())
_POSSESSIVE = re.compile(r"['’]s?$", re.IGNORECASE)
_GERMAN_OF = frozenset("meiner meines seiner seines ihrer ihres unserer unseres".split())
_GERMAN_NOUN = re.compile(r"(?:(?:ein|eine|einer|der|die|das|unser|mein)\s|[A-ZÄÖÜ])")


def asked_thing(question: str) -> tuple[str, ...]:
    """The terms of what one is asked to identify of one's own; none where the question asks for something else."""
    forms = (form.fullmatch(question.strip()) for form in _QUESTIONS)
    asked = next((found[1] for found in forms if found), "")
    return tuple(term for term in document_terms(asked) if term not in _NEW)


def told_identity(thing: tuple[str, ...], text: str) -> IdentityTold | None:
    """None where the text does not say of this very thing what it is."""
    told = (_of_sentence(text[start:end], thing) for start, end in split(text)) if thing else ()
    return next((one for one in told if one is not None), None)


def own_thing(question: str) -> tuple[str, ...]:
    """What the question calls one's own: "my dog" of "What's my dog's name?", "Schuhgröße" of "Welche Schuhgröße habe ich?"."""
    found = _OWN_THING.search(question)
    return tuple(document_terms(found[1])) if found else asked_thing(question)


def is_only_anothers(thing: tuple[str, ...], text: str) -> bool:
    """Names such a thing, and only as somebody else's: "Priya's viva", where mine is asked for."""
    return bool(thing) and set(thing) <= set(document_terms(text)) and not speaks_of_own(thing, text)


def says_mine(text: str) -> bool:
    """ "Mine is 1 April", after what others have was told."""
    return _MINE.match(text) is not None


def speaks_of_own(thing: tuple[str, ...], text: str) -> bool:
    """Names the thing, and not only as somebody else's: "Mum's dentist retired" says nothing of one's own."""
    return any(_is_own(text[start:end], thing) for start, end in split(text))


def speaks_of_former(thing: tuple[str, ...], text: str) -> bool:
    """ "Old mentee was Josie" says nothing of the one of now."""
    words = [word.lower() for word in _WORD.findall(text)]
    places = [at for at, word in enumerate(words) if at and thing and thing[-1] in document_terms(word)]
    return bool(places) and all(_FORMER.intersection(words[max(0, at - len(thing)) : at]) for at in places)


def _is_own(sentence: str, thing: tuple[str, ...]) -> bool:
    words = _WORD.findall(sentence)
    if not set(thing) <= set(document_terms(sentence)):
        return False
    places = [at for at, word in enumerate(words) if thing[-1] in document_terms(word)]
    return not places or any(not _is_of_another(words, at) for at in places)


def _is_of_another(words: Sequence[str], place: int) -> bool:
    before, after = words[max(0, place - 2) : place], [word.lower() for word in words[place + 1 : place + 3]]
    genitive = bool(before) and before[-1][:1].isupper() and before[-1].endswith("s") and words[place][:1].isupper()
    earlier = {word.lower() for word in words[:place]}
    return (
        (_OWN_WORDS.isdisjoint(earlier) and (_is_another_kind(words, place) or _has_such(words, place)))
        or any(word.lower() in _ANOTHERS or _POSSESSIVE.search(word) for word in before)
        or genitive  # "Lenas Hund"
        or (
            bool(after)
            and (
                after[0] in _GERMAN_OF
                or (after[0] in ("of", "von") and after[1:] not in (["mine"], ["ours"], ["mir"], ["uns"]))
            )
        )
    )


def _is_another_kind(words: Sequence[str], place: int) -> bool:
    """ "The office manager" is not one's own manager."""
    before = [word.lower() for word in words[max(0, place - 2) : place]]
    is_kind = len(before) == 2 and before[0] in _THE and before[1] not in _PLAIN_KINDS
    return is_kind and words[place].lower() in PEOPLE


def _has_such(words: Sequence[str], place: int) -> bool:
    """ "Tom has two phones"; not "the landlord has raised the rent", "die Praxis hat den Termin verlegt"."""
    near = range(max(0, place - 4), place)
    has = next((at for at in near if words[at].lower() in _HAS), None)
    if has is None:
        return False
    following = words[has + 1].lower()
    is_done = is_past(following) or is_participle(following) or following == "been"
    return not (is_done and following != "got") and _GERMAN_PARTICIPLE.fullmatch(words[-1]) is None


def _of_sentence(sentence: str, thing: tuple[str, ...]) -> IdentityTold | None:
    found = _TOLD.search(sentence)
    if found is None or tuple(document_terms(found["thing"])[-len(thing) :]) != thing:
        return None
    what, verb = found["what"], (found["verb"] or "is").lower()
    if _DENIED.match(what) or not _NO_LONGER.isdisjoint(found["thing"].lower().split()):
        return None
    if verb.startswith("hei") or _IS_CALLED.match(what):
        return IdentityTold.IDENTIFIED
    if verb in ("ist", "sind"):  # every noun has a capital
        return IdentityTold.UNCLEAR if _GERMAN_NOUN.match(what) else IdentityTold.DESCRIBED
    named = _NAMED.match(what)
    is_name = named is not None and _NOT_A_NAME.fullmatch(named["name"]) is None
    return IdentityTold.IDENTIFIED if is_name else IdentityTold.DESCRIBED
