"""English stemming: the Snowball project's second Porter algorithm, word in, stem out.

Knows: the published rules (regions R1 and R2, steps 0 to 5, the exceptional words).
Does not know: other languages; a word with any letter outside a–z and the apostrophe is returned as it is.
"""

from __future__ import annotations

import re
from functools import lru_cache

_V = "aeiouy"
_WORD = re.compile(r"[a-z']+\Z")
_REGION = re.compile(rf"[{_V}][^{_V}]")
_SHORT_END = re.compile(rf"(?:\Apast|\A[{_V}][^{_V}]|[^{_V}][{_V}][^{_V}wxY])\Z")
_DOUBLES = ("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt")

# words whose first region is set by hand, so that university and universe, organ and organize stay apart
_PREFIXES = ("gener", "commun", "arsen", "past", "univers", "later", "emerg", "organ", "inter")

_SPECIAL = {
    "skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl", "gently": "gentl",
    "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl", "sky": "sky", "news": "news", "howe": "howe",
    "atlas": "atlas", "cosmos": "cosmos", "bias": "bias", "andes": "andes",
}  # fmt: skip
_FINISHED = {"evening", "inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"}

_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "abli": "able", "entli": "ent", "izer": "ize",
    "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al", "aliti": "al", "alli": "al", "fulness": "ful",
    "ousli": "ous", "ousness": "ous", "iveness": "ive", "iviti": "ive", "biliti": "ble", "bli": "ble", "fulli": "ful",
    "lessli": "less", "ogist": "og",
}  # fmt: skip
_STEP_3 = {
    "ational": "ate", "tional": "tion", "alize": "al", "icate": "ic", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}  # fmt: skip
_STEP_4 = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "al", "er",
    "ic",
)  # fmt: skip
_BY_LENGTH_2 = sorted(_STEP_2, key=len, reverse=True)
_BY_LENGTH_3 = sorted(_STEP_3, key=len, reverse=True)


@lru_cache(maxsize=200_000)  # the vocabulary of a memory: a word is worked out once
def stem(word: str) -> str:
    """The stem of a lower-case English word."""
    if len(word) <= 2 or not _WORD.match(word):
        return word
    word = word.removeprefix("'")
    if word in _SPECIAL:
        return _SPECIAL[word]
    word = _mark_consonant_y(word)
    r1, r2 = _regions(word)
    word = _step_1a(_step_0(word))
    if word in _FINISHED:
        return word
    word = _step_1c(_step_1b(word, r1))
    word = _step_3(_step_2(word, r1), r1, r2)
    return _step_5(_step_4(word, r2), r1, r2).replace("Y", "y")


def _mark_consonant_y(word: str) -> str:
    return re.sub(rf"(\A|[{_V}])y", r"\1Y", word)


def _regions(word: str) -> tuple[int, int]:
    """Where R1 and R2 begin: after the first non-vowel that follows a vowel, and the same again."""
    r1 = len(word)
    for prefix in _PREFIXES:
        if word.startswith(prefix):
            r1 = len(prefix)
            break
    else:
        if found := _REGION.search(word):
            r1 = found.end()
    found = _REGION.search(word, r1)
    return r1, found.end() if found else len(word)


def _is_short(word: str, r1: int) -> bool:
    return r1 >= len(word) and _SHORT_END.search(word) is not None


def _has_vowel(text: str) -> bool:
    return any(letter in _V for letter in text)


def _step_0(word: str) -> str:
    for ending in ("'s'", "'s", "'"):
        if word.endswith(ending):
            return word[: -len(ending)]
    return word


def _step_1a(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss")) and _has_vowel(word[:-2]):
        return word[:-1]
    return word


def _step_1b(word: str, r1: int) -> str:
    for ending in ("eedly", "eed"):
        if word.endswith(ending):
            at = len(word) - len(ending)
            return word[:at] + "ee" if at >= r1 else word
    for ending in ("ingly", "edly", "ing", "ed"):
        if word.endswith(ending):
            rest = word[: -len(ending)]
            if ending == "ing" and len(rest) == 2 and rest[1] == "y" and rest[0] not in _V:
                return rest[0] + "ie"
            return _repair(rest, r1) if _has_vowel(rest) else word
    return word


def _repair(word: str, r1: int) -> str:
    """After -ed or -ing is gone: give the e back, or undouble the consonant."""
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if word.endswith(_DOUBLES):
        return word if len(word) == 3 and word[0] in "aeo" else word[:-1]
    return word + "e" if _is_short(word, r1) else word


def _step_1c(word: str) -> str:
    if len(word) > 2 and word[-1] in "yY" and word[-2] not in _V:
        return word[:-1] + "i"
    return word


def _step_2(word: str, r1: int) -> str:
    for ending in _BY_LENGTH_2:
        if word.endswith(ending):
            at = len(word) - len(ending)
            return word[:at] + _STEP_2[ending] if at >= r1 else word
    if word.endswith("ogi"):
        return word[:-1] if len(word) - 3 >= r1 and word[-4:-3] == "l" else word
    if word.endswith("li") and len(word) - 2 >= r1 and word[-3:-2] in tuple("cdeghkmnrt"):
        return word[:-2]
    return word


def _step_3(word: str, r1: int, r2: int) -> str:
    if word.endswith("ative"):
        return word[:-5] if len(word) - 5 >= r2 else word
    for ending in _BY_LENGTH_3:
        if word.endswith(ending):
            at = len(word) - len(ending)
            return word[:at] + _STEP_3[ending] if at >= r1 else word
    return word


def _step_4(word: str, r2: int) -> str:
    for ending in _STEP_4:
        if word.endswith(ending):
            return word[: -len(ending)] if len(word) - len(ending) >= r2 else word
    if word.endswith("ion") and len(word) - 3 >= r2 and word[-4:-3] in ("s", "t"):
        return word[:-3]
    return word


def _step_5(word: str, r1: int, r2: int) -> str:
    at = len(word) - 1
    if word.endswith("e") and (at >= r2 or (at >= r1 and not _SHORT_END.search(word[:-1]))):
        return word[:-1]
    if word.endswith("ll") and at >= r2:
        return word[:-1]
    return word
