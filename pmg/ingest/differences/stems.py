"""Brings a word's forms together: plural, tense, British and American spelling.

Knows: suffix rules and the irregular forms of words.py. The result is a key to compare by, not always a word.
Does not know: synonyms, or anything about the word's neighbours.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pmg.ingest.differences.words import IRREGULAR, PLURALS

_VOWEL = re.compile(r"[aeiouy]")
_KEEP_S = ("ss", "us", "is", "news", "series", "species", "gas", "lens")
_KEEP_ED = frozenset(
    "hundred sacred naked wicked need speed feed seed weed indeed exceed proceed succeed breed bleed".split()
)
_KEEP_ING = frozenset(
    "thing nothing something anything everything morning evening king ring sing bring spring string wing".split()
)
_KEEP_LY = frozenset(
    "early family fly reply apply supply only daily italy july ugly belly jelly lonely assembly likely".split()
)
_KEEP_OUR = frozenset("hour four your tour pour sour flour detour contour glamour".split())
_BRITISH = (
    (r"isation\b", "ization"),
    (r"ise\b", "ize"),
    (r"yse\b", "yze"),
    (r"([^aeiou])tre\b", r"\1ter"),
    (r"etre\b", "eter"),
    (r"itre\b", "iter"),
    (r"ogue\b", "og"),
)
_BRITISH_RULES = tuple((re.compile(pattern), new) for pattern, new in _BRITISH)


@lru_cache(maxsize=16_384)
def stem(low: str) -> tuple[str, str]:
    """(key, tense): tense is "past" where the form says past, "participle" where it can only be one, "either", "ing" or ""."""
    if low in IRREGULAR:
        lemma, tense = IRREGULAR[low]
        return _base(lemma), tense
    if low in PLURALS:
        return _base(PLURALS[low]), ""
    if low.endswith("ed") and len(low) > 4 and low not in _KEEP_ED:
        head = low[:-3] + "y" if low.endswith("ied") else low[:-2]
        if _VOWEL.search(head):
            return _base(head), "either"
    if low.endswith("ing") and len(low) > 4 and low not in _KEEP_ING and _VOWEL.search(low[:-3]):
        return _base(low[:-3]), "ing"
    return _base(singular(low)), ""


def singular(low: str) -> str:
    if len(low) < 4 or not low.endswith("s") or low.endswith(_KEEP_S):
        return low
    if low.endswith("ies"):
        return low[:-3] + "y" if len(low) > 4 else low[:-1]
    if low.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return low[:-2]
    return low[:-1]


def _base(low: str) -> str:
    """Spelling variants and endings that carry no difference: -our/-or, -ise/-ize, doubled final consonant, final e."""
    if len(low) <= 3:
        return low
    if low.endswith("our") and low not in _KEEP_OUR:
        low = low[:-3] + "or"
    for rule, new in _BRITISH_RULES:
        low = rule.sub(new, low)
    if low.endswith("ly") and len(low) > 5 and low not in _KEEP_LY:
        low = low[:-2]
    if low.endswith("y") and low[-2] not in "aeiou":
        low = low[:-1] + "i"
    if len(low) > 3 and low[-1] == low[-2] and low[-1] not in "aeiou":
        low = low[:-1]
    if low.endswith("e") and len(low) > 3:
        low = low[:-1]
    return low


def is_plural(low: str) -> bool:
    return low in PLURALS or singular(low) != low
