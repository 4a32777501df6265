"""How many of a thing a claim tells: "two books" are two, "for nine nights" is nine, "a lot of books" is no number. Pure.

Knows: numbers, units and vague words of English around a noun. A number that belongs to another word is none of its: 11 km are not 11 runs, and a
number above one is not that of a noun in the singular: "a 3 bedroom house" is one house. Of "2 of the 6 beers" the first number holds; any other number
after "of" leaves it open, as does a second one for the same ("two for Anna and three for Ben"). What is told as a habit ("three times a week") is no amount.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pmg.base.words import SMALL_NUMBERS
from pmg.index.stem import stem

_REACH = 4  # words before a noun among which its number stands: "two very good old books"
_TOKEN = re.compile(
    r"\d+(?:[.,]\d+)?\s?%|[$£€]\s?\d[\d.,]*|\d+-[^\W\d_]+|\d+(?:[.,–-]\d+)*|[^\W\d_]+(?:[-'’][^\W\d_]+)*|[;.!?]"
)
_OF_REACH = 3  # words before a number among which its "of" stands: "of the other 12"
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
        "centimetre": "cm cms centimetre centimetres centimeter centimeters",
        "millimetre": "mm millimetre millimetres millimeter millimeters",
        "foot": "foot feet ft",
        "inch": "inch inches",
        "kilogram": "kg kgs kilo kilos kilogram kilograms",
        "gram": "g gram grams",
        "milligram": "mg milligram milligrams",
        "pound": "pound pounds lb lbs",
        "ounce": "ounce ounces oz",
        "litre": "litre litres liter liters",
        "centilitre": "cl centilitre centilitres centiliter centiliters",
        "millilitre": "ml millilitre millilitres milliliter milliliters",
        "euro": "euro euros",
        "dollar": "dollar dollars",
        "percent": "percent",
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
# What may follow a noun that stands for itself: "a cat now", "a cat named Luna"; "a cat tree" is no cat.
_AFTER_A_NOUN = frozenset(
    "and or of now last this next today yesterday tonight so too there here again online together also once twice ago back a".split()
)
_PLURALS = ("people", "children", "men", "mice", "feet", "teeth", "geese")  # and what ends so: "grandchildren"
_INVARIABLE = frozenset("sheep fish deer aircraft spacecraft salmon trout shrimp squid bison moose offspring".split())
_SUMS = frozenset(("total", "sum"))  # "a total of 12 books" are twelve
_ADDS = frozenset(("and", "plus"))


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


def goes_on_after_a_noun(word: str) -> bool:
    """Whether a word after a noun says no more of what it is: "a cat now"; "a cat tree" is no cat."""
    return word in _AFTER_A_NOUN or word in _ENDS_THE_HEAD or word.endswith(("ly", "ed", "ing"))


def is_plural(word: str) -> bool:
    return word.lower().endswith(_PLURALS) or (
        word.islower() and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    )


def measured(thing: str, unit: str) -> Amount | None:
    """How much of a unit; None where it is not named. `unit` is a stem."""
    tokens = _TOKEN.findall(thing)
    places = [at for at, token in enumerate(tokens) if _UNITS.get(token.lower()) == unit]
    if not places:
        return None
    is_open = len(places) > 1 or _is_compound(tokens, places[0]) or _has_another_number(tokens, places[0])
    return VAGUE if is_open else _before(tokens, places[0])


def counted_things(thing: str, nouns: Sequence[str]) -> Amount | None:
    """How many of what the nouns name, the last of them being what is counted; None where that is not what a claim's object is about: "some issues
    with my cat" are no cat. `nouns` are stems."""
    tokens = _TOKEN.findall(thing)
    start, end = _head_span(tokens)
    head = tokens[start:end]
    stems = ["" if token.endswith(("'s", "’s")) else noun_stem(token) for token in head]
    if not set(nouns) <= set(stems):
        return None
    noun = stems.index(nouns[-1])
    is_open = _is_part_of_a_name(head, noun) or _has_another_number(tokens, start + noun)
    return VAGUE if is_open else _before(head, noun)


def occasions(thing: str) -> Amount:
    """How many times it happened: once, if nothing says otherwise."""
    told = _TIMES.search(thing)
    if told is not None:
        return Amount(1 if told[2] else 2 if told[3] else _number(told[1]), is_told=True)
    several = any(is_plural(token) and not is_unit(token) for token in _head(_TOKEN.findall(thing)))
    return VAGUE if several or _MANY_TIMES.search(thing) else Amount(1)


def _head(tokens: Sequence[str]) -> Sequence[str]:
    start, end = _head_span(tokens)
    return tokens[start:end]


def _head_span(tokens: Sequence[str]) -> tuple[int, int]:
    """Where the words of the thing itself begin and end, without what is said of where, when and with whom."""
    start = next((at for at, token in enumerate(tokens) if token.lower() not in _LEADS_IN), len(tokens))
    end = next((at for at in range(start, len(tokens)) if tokens[at].lower() in _ENDS_THE_HEAD), len(tokens))
    return start, end


def _before(tokens: Sequence[str], noun: int) -> Amount:
    """By the words before a noun, the nearest first."""
    is_one = False
    for at in range(noun - 1, max(-1, noun - 1 - _REACH), -1):
        word = tokens[at].lower()
        if word in _VAGUE or (word == "of" and not _is_number_of(tokens, at)):
            return VAGUE
        if word == "couple":
            return Amount(2, is_told=True)
        if _is_number(word) and not _is_of_another(tokens, at, noun):
            return _told(tokens, at)
        if word == "and" or word in _ENDS_THE_HEAD:
            break
        is_one = is_one or word in _SINGLE or word.endswith(("'s", "’s"))
    return Amount(1) if is_one and not is_plural(tokens[noun]) else VAGUE


def _told(tokens: Sequence[str], at: int) -> Amount:
    """The number at a place; none where it is one end of a range, comes after another ("two 3 bedroom houses"), or what it counts is only part of
    something ("6 packs of 12 eggs")."""
    before = tokens[at - 1].lower() if at > 0 else ""
    of = _of_before(tokens, at)
    is_part = of is not None and tokens[of - 1].lower() not in _SUMS
    is_open = before in ("or", "to") or is_part or _follows_a_number(tokens, at)
    return VAGUE if is_open or not _is_whole(tokens[at].lower()) else Amount(_number(tokens[at]), is_told=True)


def _of_before(tokens: Sequence[str], at: int) -> int | None:
    """Where the "of" of a number stands: "of 12", "of the other 12"."""
    return next(
        (place for place in range(at - 1, max(0, at - 1 - _OF_REACH), -1) if tokens[place].lower() == "of"), None
    )


def _follows_a_number(tokens: Sequence[str], at: int) -> bool:
    """Whether the number before it, if there is one, has no noun of its own in between."""
    for word in reversed(tokens[max(0, at - _REACH) : at]):
        if word.lower() in _ENDS_THE_HEAD or word.lower() in _ADDS or _can_be_counted(word):
            return False
        if _is_number(word.lower()):
            return True
    return False


def _has_another_number(tokens: Sequence[str], noun: int) -> bool:
    """Whether after a noun comes another number of it: "two pizzas for Anna and three for Ben"."""
    adds = [at for at in range(noun + 1, len(tokens) - 1) if tokens[at].lower() in _ADDS]
    return any(_counts_the_same(tokens[at + 1 :], noun_stem(tokens[noun])) for at in adds)


def _counts_the_same(tokens: Sequence[str], noun: str) -> bool:
    """Whether words that begin with a number name nothing else that it counts, or the same again."""
    words = [token.lower() for token in tokens]
    first = 1 if words[0] == "a" and len(words) > 1 and words[1] in _VAGUE else 0
    if not (_is_number(words[first]) or words[first] in _VAGUE or words[first] == "another"):
        return False
    rest = words[first + 1 :]
    ends = _ENDS_THE_HEAD | _ADDS | {"of"}
    end = next((at for at, word in enumerate(rest) if word in ends), len(rest))
    own = [word for word in rest[:end] if word not in _VAGUE and word not in _SINGLE and word != "one"]
    return not own or noun in map(noun_stem, own)


def _is_compound(tokens: Sequence[str], unit: int) -> bool:
    """Whether a measure has two parts: "1 hour 30 minutes"."""
    after = tokens[unit + 1 : unit + 4]
    after = after[1:] if after and after[0].lower() in _ADDS else after
    before = [token for token in tokens[max(0, unit - 3) : unit - 1] if token.lower() not in _ADDS]
    goes_on = len(after) > 1 and _is_number(after[0].lower()) and is_unit(after[1])
    return goes_on or (bool(before) and is_unit(before[-1]) and _is_number(tokens[unit - 1].lower()))


def _is_part_of_a_name(tokens: Sequence[str], noun: int) -> bool:
    """Whether the noun only says what kind of another thing it is: "a book review"."""
    after = tokens[noun + 1] if noun + 1 < len(tokens) else ""
    stands_alone = not after.islower() or goes_on_after_a_noun(after)
    return not stands_alone and not is_plural(tokens[noun])


def _is_number_of(tokens: Sequence[str], at: int) -> bool:
    """ "Two of my books", "a couple of books"; "ten hours of videos" are no ten videos."""
    return at > 0 and (_is_number(tokens[at - 1].lower()) or tokens[at - 1].lower() == "couple")


def _is_of_another(tokens: Sequence[str], at: int, noun: int) -> bool:
    """A number of something else than the noun: of what stands between ("a 5 km run", "two lamps, old books", "a 3 bedroom house"), of the whole that the
    noun is some of ("2 of the 6 beers"), or a year ("a 2018 model")."""
    is_year = tokens[at].isdigit() and int(tokens[at]) in _YEARS
    is_several = _is_whole(tokens[at].lower()) and _number(tokens[at]) > 1
    of = _of_before(tokens, at)
    is_some_of_it = of is not None and _is_number_of(tokens, of)
    is_anothers = any(_is_of(tokens, at, place) for place in range(at + 1, noun))
    return is_year or is_anothers or is_some_of_it or (is_several and not _can_be_counted(tokens[noun]))


def _is_of(tokens: Sequence[str], number: int, word: int) -> bool:
    """Whether a number may be that of a word after it, which has none of its own: of "two 5 km runs" only 5 is that of "km"."""
    has_its_own = word - 1 > number and _is_number(tokens[word - 1].lower())
    return _can_be_counted(tokens[word]) and not has_its_own


def _can_be_counted(word: str) -> bool:
    """Whether a number above one can be that of the word."""
    return is_unit(word) or word.lower() in _INVARIABLE or is_plural(word.lower())


def _is_number(word: str) -> bool:
    return (word[0].isdigit() and word[-1].isdigit()) or word in SMALL_NUMBERS


def _is_whole(word: str) -> bool:
    return word in SMALL_NUMBERS or re.fullmatch(r"\d+|\d{1,3}(?:,\d{3})+", word) is not None


def _number(word: str) -> int:
    return SMALL_NUMBERS[word.lower()] if word.lower() in SMALL_NUMBERS else int(word.replace(",", ""))
