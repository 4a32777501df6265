"""Whether a later line tells of somebody else what one is asked of oneself: "Tom now weighs 70 kg" beside "I weigh 80 kg" is no new weight of mine.

Knows: who stands before the verb that is asked for, or whose the thing is that is asked for, in English and German. What a person's name is no rule can tell: where it is asked when
something is, or what we do, the first word of a line may as well be a thing or a firm ("Shift starts at 9 now", "Acme has 25 employees"), which says something of me. So a line may be
another's, or surely be: only a word for a person or a pet, a "he" or what a person alone does ("weighs") makes it sure. Whose past deed a line tells of is whose_deed.py's. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pmg.base.calendar_words import GERMAN_WEEKDAYS, MONTHS, ONLY_GERMAN_MONTHS, WEEKDAYS
from pmg.base.verbs import ADVERBS, is_participle, plain
from pmg.base.words import STOP_WORDS
from pmg.chat.person_words import FAMILY, LIVING, PEOPLE
from pmg.chat.sentences import split
from pmg.chat.told_identity import is_only_anothers, own_thing
from pmg.chat.whose_deed import asked_deed
from pmg.index.terms import document_terms

MAX_LINE = 300  # characters: a longer line tells of many things
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_HAVE = re.compile(r"\bdo (?:i|we) (?:\w+ )?have\b", re.IGNORECASE)
_TELLS_DEED = re.compile(r"\b(?:i|we)\s+(?P<rest>[^\W\d_]+(?:\s+[^\W\d_]+){0,3})", re.IGNORECASE)
_GERMAN_DEED = re.compile(
    r"\b(?P<asked>[^\W\d_]{2,}?)(?:en?)\s+(?:ich|wir)\b|\b(?:ich|wir)\s+(?P<told>[^\W\d_]{2,}?)(?:en?)\b", re.IGNORECASE
)
_GERMAN_PARTICIPLE = re.compile(r"(?:[a-zäöüß]*ge\w+|(?:ver|be|er|ent|zer)\w+)(?:t|en)")
_ASKS_TIME = re.compile(r"\b(?:when|what time|how long|wann|wie ?viel uhr|wie lange)\b", re.IGNORECASE)
_ASKS_OF_US = re.compile(r"\b(?:we|us|ours?|wir|uns|unser\w*)\b", re.IGNORECASE)
_OWNER = re.compile(r"\b(?P<owner>[^\W\d_]+)['’]s\s|\b(?P<german>[A-ZÄÖÜ][^\W\d_]+)s\s(?=[A-ZÄÖÜ])")
_OWN = frozenset("i i'm i've i'd i'll we we're we've we'd we'll me us myself ich wir mir mich uns".split())
_OF_ONESELF = frozenset("me us myself ourselves".split())
_OTHERS = frozenset("he she they er sie".split())
_WITH_ME = frozenset("family team everyone everybody all alle".split())
_ONLY_PEOPLE_DO = frozenset("weigh live wiegt wohnt lebt".split())
_ONLY_PEOPLE_HAVE = frozenset(
    document_terms("shoe weight height age birthday Schuhgröße Gewicht Größe Alter Geburtstag")
)
_ARTICLES = frozenset("the a an this that der die das den dem ein eine".split())
_TIMES = frozenset((*WEEKDAYS, *GERMAN_WEEKDAYS, *MONTHS, *ONLY_GERMAN_MONTHS))
_BEFORE_VERB = ADVERBS | frozenset(
    "now still currently nowadays no longer not never does did doesn't didn't don't do jetzt nun inzwischen mittlerweile nicht nie".split()
)
_UMLAUTS = str.maketrans("äöü", "aou")


@dataclass(frozen=True, slots=True)
class _Proof:
    """What shows that a name is another person's."""

    known: frozenset[str]  # words of the question and the older line: what they speak of is no stranger
    may_be_thing: bool  # asked when something is
    is_of_us: bool  # asked of us: a firm, a group or a thing of ours may be the doer
    is_sure: bool  # a name alone is not enough


def is_anothers_value(question: str, older: str, newer: str) -> bool:
    """Asked of oneself: the newer tells it of somebody else alone, as it seems, and the older does not."""
    return _is_anothers(question, older, newer, is_sure=False)


def is_surely_anothers_value(question: str, older: str, newer: str) -> bool:
    """… and no thing or firm of mine can be meant: "Account has 6000 euros now" may be of my money."""
    return _is_anothers(question, older, newer, is_sure=True)


def _is_anothers(question: str, older: str, newer: str, is_sure: bool) -> bool:
    if len(newer) > MAX_LINE:
        return False
    proof = _Proof(
        known=frozenset(word.lower() for word in (*_WORD.findall(question), *_WORD.findall(older))),
        may_be_thing=_ASKS_TIME.search(question) is not None,
        is_of_us=_ASKS_OF_US.search(question) is not None,
        is_sure=is_sure,
    )
    return _is_of_another(question, older, newer, proof) and not _is_of_another(question, older, older, proof)


def _is_of_another(question: str, older: str, text: str, proof: _Proof) -> bool:
    if _is_anothers_thing(question, text, proof):
        return True
    english, german = set(_deeds(question, older)), set(_german_stems(question, older))
    told = [
        found
        for start, end in split(text)
        for found in (
            *_english_doers(english, text[start:end], proof),
            *_german_doers(german, text[start:end], proof),
        )
    ]
    return bool(told) and all(told)


def _is_anothers_thing(question: str, text: str, proof: _Proof) -> bool:
    """ "Tom's shoe size", where mine is asked for; the landlord's rent may be what I pay, and this month's too."""
    thing = own_thing(question)
    if not is_only_anothers(thing, text):
        return False
    owners = [found["owner"] or found["german"] for found in _OWNER.finditer(text)]
    if any(word.lower() in FAMILY for word in owners):
        return True
    if proof.is_of_us or (proof.is_sure and _ONLY_PEOPLE_HAVE.isdisjoint(thing)):  # "Telekom's internet" may be mine
        return False
    return any(
        word[:1].isupper() and word.lower() not in PEOPLE and word.lower() not in _TIMES | STOP_WORDS for word in owners
    )


def _deeds(question: str, older: str) -> Iterator[str]:
    """The plain form of the verb that the question asks of me, and of the one that the older tells of me."""
    if asked_deed(question):
        yield asked_deed(question)
    elif _HAVE.search(question):
        yield "have"
    elif not own_thing(question):
        return
    found = _TELLS_DEED.search(older)
    words = [word.lower() for word in found["rest"].split()] if found is not None else []
    told = next((word for word in words if word not in _BEFORE_VERB), "")
    if told and (told == "have" or told not in STOP_WORDS):
        yield plain(told)


def _english_doers(deeds: set[str], sentence: str, proof: _Proof) -> Iterator[bool]:
    """For each time that such a deed is told, whether somebody else does it."""
    words = [found.replace("’", "'") for found in _WORD.findall(sentence)]
    for at, word in enumerate(words):
        if plain(word.lower()) not in deeds:
            continue
        following = words[at + 1].lower() if at + 1 < len(words) else ""
        if word.lower() in ("has", "have", "had") and (is_participle(following) or following in ("been", "to")):
            continue
        is_of_me = following in _OF_ONESELF or not _OWN.isdisjoint(one.lower() for one in words[:at])
        is_third_person = word.endswith("s") and word.lower() not in deeds
        yield not is_of_me and _is_somebody(words[:at], plain(word.lower()), is_third_person, proof)


def _is_somebody(before: Sequence[str], deed: str, is_third_person: bool, proof: _Proof) -> bool:
    """Whether the last of these words, but for adverbs, is a person other than me."""
    subject = [word for word in before if word.lower() not in _BEFORE_VERB]
    if not subject:
        return False
    word = re.sub(r"'s$", "", subject[-1])
    if word.lower() in _OTHERS or (word.lower() in LIVING and word.lower() not in _WITH_ME):
        return True
    if word.lower() in STOP_WORDS | _TIMES | _WITH_ME or (len(subject) > 1 and subject[-2].lower() in _ARTICLES):
        return False
    is_first = len(subject) == 1
    if is_first and proof.may_be_thing:
        return False
    return (word[:1].isupper() or (is_first and is_third_person)) and _may_be_name(word, deed, proof)


def _may_be_name(word: str, deed: str, proof: _Proof) -> bool:
    """ "Tom" of "Tom now has five hens"; neither "Acme", where we are asked of, nor "Klasse", where my older line speaks of it."""
    only_people_do_it, is_known = deed in _ONLY_PEOPLE_DO, word.lower() in proof.known
    if proof.is_sure:
        return only_people_do_it and not is_known and not proof.is_of_us
    return only_people_do_it or not (is_known or proof.is_of_us)


def _german_stems(question: str, older: str) -> Iterator[str]:
    """ "wohn" of "Wo wohne ich?" and "Ich wohne in Leeds"."""
    asked = [found["asked"] for found in _GERMAN_DEED.finditer(question) if found["asked"]]
    if asked:
        told = [found["told"] for found in _GERMAN_DEED.finditer(older) if found["told"]]
        yield from (stem.lower() for stem in (*asked, *told))


def _german_doers(stems: set[str], sentence: str, proof: _Proof) -> Iterator[bool]:
    """The third person of the verb ("wohnt", "läuft", "hat"), with its doer before it or right after."""
    if not stems:
        return
    words = _WORD.findall(sentence)
    is_mine = not _OWN.isdisjoint(word.lower() for word in words)
    thirds = {f"{stem.translate(_UMLAUTS)}{ending}" for stem in stems for ending in ("t", "et")}
    thirds |= {"hat"} if "hab" in stems else set()
    for at, word in enumerate(words):
        is_helper = word == "hat" and any(map(_GERMAN_PARTICIPLE.fullmatch, words[at + 1 :]))  # "hat … verschoben"
        if word.translate(_UMLAUTS) in thirds and not is_helper:
            before = [one for one in words[:at] if one.lower() not in _BEFORE_VERB]
            doer = before or words[at + 1 : at + 2]
            yield not is_mine and _is_somebody(doer, word.lower(), False, proof)
