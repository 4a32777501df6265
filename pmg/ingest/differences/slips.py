"""Two spellings that are one word: a slip of the finger, an accent left out.

Knows: the shapes that misspellings have, and real words that look like one.
Does not know: every word there is. So one of the two must be a word of our list of synonyms, and the other must not look
like a name or like another word.
"""

from __future__ import annotations

from pmg.ingest.differences.stems import stem
from pmg.ingest.differences.synonyms import GROUPS_OF

_VOWELS = frozenset("aeiou")
# Words of their own, one slip away from a common word: desert is not dessert, staring is not starving.
_REAL = frozenset(
    stem(word)[0]
    for word in """
    complementary desert diner expansive finnish finish latter litter mediation meditation oversee overseen prefect peasant sacred scarred
    staring starring super casual causal martial marital trial trail angel angle untied united diary dairy loose lose quite
    quiet affect effect personal personnel principal principle stationary stationery council counsel moral morale weather
    whether broad board dinning planning planing tinny planer writhing breath breathe cloths clothes altar alter ally alley
    costume custom formally formerly collage college conscience conscious county country eminent imminent elude allude
    perspective prospective prescribe proscribe respectfully respectively
    """.split()
)


def slip(a: str, b: str) -> bool:
    """Whether one is a word we know and the other can only be a misspelling of it."""
    known_a, known_b = stem(a)[0] in GROUPS_OF, stem(b)[0] in GROUPS_OF
    if known_a == known_b or a[:1] != b[:1]:
        return False
    good, bad = (a, b) if known_a else (b, a)
    return min(len(a), len(b)) >= 5 and stem(bad)[0] not in _REAL and _misspelt(good, bad)


def _misspelt(good: str, bad: str) -> bool:
    if len(good) == len(bad):
        at = [i for i, (x, y) in enumerate(zip(good, bad, strict=True)) if x != y]
        if len(at) == 2:  # freind
            first, second = at
            return len(good) > 5 and second == first + 1 and good[first] == bad[second] and good[second] == bad[first]
        return len(good) > 7 and len(at) == 1 and good[at[0]] in _VOWELS and bad[at[0]] in _VOWELS  # calendar, calender
    short, long = sorted((good, bad), key=len)
    if len(long) != len(short) + 1:
        return False
    at_one = next((i for i, (x, y) in enumerate(zip(short, long, strict=False)) if x != y), len(short))
    if long[:at_one] + long[at_one + 1 :] != short:
        return False
    doubled = at_one > 0 and long[at_one] == long[at_one - 1]
    if doubled:  # dinner, diner: a doubled letter at the end may be another form of the word
        return len(long) > 5 and at_one < len(long) - 1
    return len(bad) < len(good) and len(good) > 7 and at_one < len(long) - 2  # goverment
