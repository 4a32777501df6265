"""Brings a word's forms together: plural, tense, British and American spelling.

Knows: suffix rules and the irregular forms of words.py. The result is a key to compare by, not always a word.
Does not know: synonyms, or anything about the word's neighbours.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from pmg.ingest.differences.words import IRREGULAR, PLURALS

_VOWEL = re.compile(r"[aeiouy]")
_SYLLABLE = re.compile(r"[aeiouy]+")
_KEEP_S = ("ss", "us", "is", "news", "series", "species", "gas", "lens")
_KEEP_ED = frozenset(
    "hundred sacred naked wicked need speed feed seed weed indeed exceed proceed succeed breed bleed".split()
)
_KEEP_ING = frozenset(
    "thing nothing something anything everything morning evening king ring sing bring spring string wing".split()
)
_KEEP_LY = frozenset(
    """early family fly reply apply supply only daily italy july ugly belly jelly lonely assembly likely lately hardly mostly
    shortly nearly barely highly fairly closely lovely friendly costly deadly lively elderly namely timely orderly partly
    unlikely heavenly earthly ghostly bodily overly evenly chilly""".split()
)
_KEEP_OUR = frozenset("hour four your tour pour sour flour detour contour glamour".split())
# Words in -ise that have no spelling in -ize, as far as the ending: "raise" and "rise" and "raised".
_KEEP_ISE = re.compile(
    r"(?:^r|^w|a|o|u|adv|surpr|exerc|prom|rev|dev|superv|televis|improv|comprom|compr|enterpr|prec|conc|expert|parad"
    r"|franch|merchand|otherw|likew|clockw|prem|dem|exc|inc|arr|disgu)is(?:e[ds]?|ing|er|ers)\Z"
)
_ISE = re.compile(r"([a-z]{2,})(is|ys)(e[drs]?|ing|ation|ations|ers)\Z")
_BRITISH_RULES = tuple(
    (re.compile(pattern), new)
    for pattern, new in ((r"([^aeiou])tre\b", r"\1ter"), (r"etre\b", "eter"), (r"itre\b", "iter"), (r"ogue\b", "og"))
)
_WITH_E = frozenset("chang tast wast past hast rang plung".split())  # change, taste …: the ending does not tell


@lru_cache(maxsize=16_384)
def stem(low: str) -> tuple[str, str]:
    """(key, tense): tense is "past" where the form says past, "participle" where it can only be one, "either", "ing" or ""."""
    if low in IRREGULAR:
        lemma, tense = IRREGULAR[low]
        return _base(lemma), tense
    if low in PLURALS:
        return _base(PLURALS[low]), ""
    low = _american(low)
    if low.endswith("ed") and len(low) > 4 and low not in _KEEP_ED:
        head = low[:-3] + "y" if low.endswith("ied") else low[:-2]
        if _VOWEL.search(head):
            return _base(_whole(head)), "either"
    if low.endswith("ing") and len(low) > 4 and low not in _KEEP_ING and _VOWEL.search(low[:-3]):
        return _base(_whole(low[:-3])), "ing"
    return _base(singular(low)), ""


def singular(low: str) -> str:
    if len(low) < 4 or not low.endswith("s") or low.endswith(_KEEP_S):
        return low
    if low.endswith("ies"):
        return low[:-3] + "y" if len(low) > 4 else low[:-1]
    if low.endswith(("sses", "xes", "ches", "shes", "zzes")) or low in ("goes", "echoes"):
        return low[:-2]
    return low[:-1]


def folded(low: str) -> str:
    """Without accents: résumé is resume."""
    if low.isascii():
        return low
    return "".join(letter for letter in unicodedata.normalize("NFKD", low) if not unicodedata.combining(letter))


def american(low: str) -> str:
    """A word in American spelling: organise, colour and centre become organize, color and center."""
    low = _american(low)
    if low.endswith("our") and low not in _KEEP_OUR:
        low = low[:-3] + "or"
    for rule, new in _BRITISH_RULES:
        low = rule.sub(new, low)
    return low


def _american(low: str) -> str:
    if "is" not in low and "ys" not in low:
        return low
    match = _ISE.match(low)
    if match is None or _KEEP_ISE.search(low):
        return low
    return match[1] + match[2][0] + "z" + match[3]


def _whole(head: str) -> str:
    """Gives a word of one syllable back the e that -ed or -ing took: hoping is hope, hopping is hop."""
    if len(_SYLLABLE.findall(head)) != 1 or len(head) < 2 or head[-1] in "aeiouywx":
        return head
    if head[-1] == head[-2]:
        return head if head[-1] in "lsfz" else head[:-1]
    lone = head[-2] in "aeiouy" and (len(head) < 3 or head[-3] not in "aeiouy")  # a short vowel would have doubled
    soft = head[-1] in "cvz" or (head[-1] == "s" and head[-2] in "aeiounr") or head[-2:] in ("rg", "dg")
    return head + "e" if lone or soft or head in _WITH_E else head


def _base(low: str) -> str:
    """Spelling variants and endings that carry no difference: -our/-or, -ly, doubled final consonant, final e of long words."""
    if len(low) <= 3:
        return low
    low = american(low)
    if low.endswith("ly") and len(low) > 5 and low not in _KEEP_LY:
        low = low[:-2]
    if low.endswith("y") and low[-2] not in "aeiou":
        low = low[:-1] + "i"
    if len(low) > 3 and low[-1] == low[-2] and low[-1] not in "aeiou":
        low = low[:-1]
    if low.endswith("e") and len(_SYLLABLE.findall(low[:-1])) > 1:
        low = low[:-1]
    return low


def is_plural(low: str) -> bool:
    return low in PLURALS or singular(low) != low
