"""How many of a thing a claim tells: "two books" are two, "for nine nights" is nine, "a lot of books" is no number. Pure.

Knows: numbers, units and vague words of English around a noun. A number that belongs to another word is none of its: 11 km are not 11 runs.
What is told as a habit ("three times a week") is no amount.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pmg.index.stem import stem
from pmg.words import SMALL_NUMBERS

_REACH = 4  # words before a noun among which its number stands: "two very good old books"
_TOKEN = re.compile(r"[$£€]\s?\d[\d.,]*|\d+-[^\W\d_]+|\d+(?:[.,–-]\d+)*|[^\W\d_]+(?:[-'’][^\W\d_]+)*|[;.!?]")
_YEARS = range(1900, 2100)
_SINGLE = frozenset("a an another the this that my our your his her their its".split())
_VAGUE = frozenset(
    """some any few several many lots lot bunch countless numerous dozen dozens hundreds thousands more most much both all every each no half
    other various plenty or""".split()
)
_LEADS_IN = frozenset("to at in on for into about around over like".split())
_ENDS_THE_HEAD = frozenset(
    """in on at for from with without to by about during after before near around over under into through since until as that which who where
    when while because like including but ; . ! ?""".split()
)
_UNITS = {
    unit: stem(name)
    for name, units in {
        "second": "second seconds sec secs",
        "minute": "minute minutes min mins",
        "hour": "hour hours hr hrs",
        "day": "day days",
        "night": "night nights",
        "week": "week weeks",
        "month": "month months",
        "year": "year years",
        "kilometre": "km kms kilometre kilometres kilometer kilometers",
        "mile": "mile miles",
        "metre": "metre metres meter meters",
        "kilogram": "kg kgs kilo kilos kilogram kilograms",
        "gram": "gram grams",
        "litre": "litre litres liter liters",
        "euro": "euro euros",
        "dollar": "dollar dollars",
        "page": "page pages",
        "step": "step steps",
        "calorie": "calorie calories",
    }.items()
    for unit in units.split()
}
_HABIT = re.compile(
    r"\b(?:every|each|per|daily|weekly|fortnightly|monthly|yearly|annually|regularly|usually|often|always|sometimes|occasionally|frequently|lately|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:on|at) week(?:day|end)s)\b|"
    r"\b(?:\w*s|once|twice|\d+|km) an? (?:day|night|week|fortnight|month|year)\b",
    re.IGNORECASE,
)
_TIMES = re.compile(rf"\b(?:(\d+|{'|'.join(SMALL_NUMBERS)}) times|(once)|(twice))\b", re.IGNORECASE)
_MANY_TIMES = re.compile(r"\b(?:times|again|before)\b", re.IGNORECASE)
_TITLES = re.compile(r"[A-Z0-9][\w'’:-]*(?: (?!and )[\w'’:-]+)*(?:, [A-Z0-9][^,]*?)*,? and (?=[A-Z0-9])")
# What may follow a noun that stands for itself: "a cat now", "a cat named Luna"; "a cat tree" is no cat.
_AFTER_A_NOUN = frozenset(
    "and or of now last this next today yesterday tonight so too there here again online together also once ago back a".split()
)
_PLURALS = frozenset("people children men women mice feet teeth geese".split())


@dataclass(frozen=True, slots=True)
class Amount:
    """`number` is None where the words leave open how many; `is_told`: it stands there as a number."""

    number: int | None
    is_told: bool = False


VAGUE = Amount(None)


def is_unit(word: str) -> bool:
    return word.lower() in _UNITS


def noun_stem(word: str) -> str:
    """Of a unit that of its full name: "km" and "kilometers" are "kilometres"."""
    return _UNITS.get(word.lower(), stem(word.lower()))


def is_habit(thing: str) -> bool:
    return _HABIT.search(thing) is not None


def measured(thing: str, unit: str) -> Amount | None:
    """How much of a unit; None where it is not named. `unit` is a stem."""
    tokens = _TOKEN.findall(thing)
    places = [at for at, token in enumerate(tokens) if _UNITS.get(token.lower()) == unit]
    if not places:
        return None
    return _before(tokens, places[0]) if len(places) == 1 else VAGUE


def counted_things(thing: str, nouns: Sequence[str]) -> Amount | None:
    """How many of what the nouns name, the last of them being what is counted; None where that is not what a claim's object is about: "some issues
    with my cat" are no cat. `nouns` are stems."""
    head = _head(_TOKEN.findall(thing))
    stems = ["" if token.endswith(("'s", "’s")) else noun_stem(token) for token in head]
    if not set(nouns) <= set(stems):
        return None
    noun = stems.index(nouns[-1])
    return VAGUE if _is_part_of_a_name(head, noun) else _before(head, noun)


def occasions(thing: str) -> Amount:
    """How many times it happened: once, if nothing says otherwise."""
    told = _TIMES.search(thing)
    if told is not None:
        return Amount(1 if told[2] else 2 if told[3] else _number(told[1]), is_told=True)
    several = any(_is_plural(token) and not is_unit(token) for token in _head(_TOKEN.findall(thing)))
    return VAGUE if several or _MANY_TIMES.search(thing) else Amount(1)


def titles(thing: str) -> int:
    """ "Middlemarch and Stoner" are two."""
    if quotes := len(re.findall(r"[\"“”]", thing)):
        return (quotes + 1) // 2
    several = _TITLES.match(thing)
    return 2 + several[0].count(", ") if several is not None else 1


def same_things(one: Collection[str], other: Collection[str]) -> bool:
    """Whether the words of one tell nothing that those of the other do not."""
    return set(one) <= set(other) or set(other) <= set(one)


def _head(tokens: Sequence[str]) -> list[str]:
    """The words of the thing itself, without what is said of where, when and with whom."""
    start = next((at for at, token in enumerate(tokens) if token.lower() not in _LEADS_IN), len(tokens))
    end = next((at for at in range(start, len(tokens)) if tokens[at].lower() in _ENDS_THE_HEAD), len(tokens))
    return list(tokens[start:end])


def _before(tokens: Sequence[str], noun: int) -> Amount:
    """By the words before a noun, the nearest first."""
    is_one = False
    for at in range(noun - 1, max(-1, noun - 1 - _REACH), -1):
        word = tokens[at].lower()
        if word in _VAGUE or (word == "of" and not _is_number_of(tokens, at)):
            return VAGUE
        if word == "couple":
            return Amount(2, is_told=True)
        if _is_number(word) and not _is_of_a_unit(tokens, at, noun):
            is_range = at > 0 and tokens[at - 1].lower() in ("or", "to")
            return VAGUE if is_range or not _is_whole(word) else Amount(_number(word), is_told=True)
        if word == "and":
            break
        is_one = is_one or word in _SINGLE or word.endswith(("'s", "’s"))
    return Amount(1) if is_one and not _is_plural(tokens[noun]) else VAGUE


def _is_part_of_a_name(tokens: Sequence[str], noun: int) -> bool:
    """Whether the noun only says what kind of another thing it is: "a book review"."""
    after = tokens[noun + 1] if noun + 1 < len(tokens) else ""
    stands_alone = not after.islower() or after in _AFTER_A_NOUN or after.endswith(("ly", "ed", "ing"))
    return not stands_alone and not _is_plural(tokens[noun])


def _is_number_of(tokens: Sequence[str], at: int) -> bool:
    """ "Two of my books", "a couple of books"; "ten hours of videos" are no ten videos."""
    return at > 0 and (_is_number(tokens[at - 1].lower()) or tokens[at - 1].lower() == "couple")


def _is_of_a_unit(tokens: Sequence[str], at: int, noun: int) -> bool:
    """A number of something else than the noun: "a 5 km run", or a year: "a 2018 model"."""
    is_year = tokens[at].isdigit() and int(tokens[at]) in _YEARS
    return is_year or (at + 1 < noun and is_unit(tokens[at + 1]))


def _is_number(word: str) -> bool:
    return (word[0].isdigit() and not word[-1].isalpha()) or word in SMALL_NUMBERS


def _is_whole(word: str) -> bool:
    return word in SMALL_NUMBERS or re.fullmatch(r"\d+|\d{1,3}(?:,\d{3})+", word) is not None


def _number(word: str) -> int:
    return SMALL_NUMBERS[word.lower()] if word.lower() in SMALL_NUMBERS else int(word.replace(",", ""))


def _is_plural(word: str) -> bool:
    return word.lower() in _PLURALS or (word.islower() and word.endswith("s") and not word.endswith(("ss", "us", "is")))
