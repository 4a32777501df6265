"""Whether a value is a secret, given what its name announces; `strict` where the name alone does not tell an assignment.

How values look is told by values.py; what names announce, by names.py.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from pmg.ingest.redact.literals import any_of
from pmg.ingest.redact.names import PARTS
from pmg.ingest.redact.reading import Value
from pmg.ingest.redact.values import (
    is_basic_pair,
    is_code,
    is_gibberish,
    is_identifier,
    is_named_stand_in,
    is_number,
    is_passphrase,
    is_place,
    is_placeholder,
    is_plainly_random,
    is_salt,
    is_stand_in,
    is_strong,
    is_version,
    is_wordy,
    looks_random,
    shape_of,
)
from pmg.ingest.redact.words import ALGORITHMS, PASSWORD_PARTS, PLACEHOLDERS, TOKEN_PARTS, UNITS

_TELLING = PASSWORD_PARTS.union(TOKEN_PARTS, {"key"})
# The shortest words of which every telling one holds one: a test that spares most values the next.
_STEMS = sorted(word for word in _TELLING if not any(other in word for other in _TELLING if other != word))
_STEM = re.compile("|".join(map(re.escape, _STEMS)))
# Of letters and digits alone: what every stand-in (values.py) and every label holds, in small letters.
_SPOKEN = any_of(
    [*b"xxxx example placeholder your change replace redacted goes tobe dummy sample todo".split()]
    + [stem.encode() for stem in _STEMS]
)
_KNOWN_WORDS = frozenset(word.encode() for word in ALGORITHMS | PLACEHOLDERS)
_MAX_KNOWN_WORD_SIZE = max(map(len, _KNOWN_WORDS))
_NINE = ord("9")
_DIGIT_RUN, _DECIMALS = re.compile(r"\d+"), re.compile(r"\.\d")
_HEX_NUMBER = re.compile(r"-?0[xX][0-9A-Fa-f]{1,10}")
_OF_NUMBERS, _MAX_UNIT_SIZE = b"0123456789x", len("characters")
MIN_KEY_SIZE = 8  # characters of what counts behind `key`


def is_generated(written: bytes) -> bool:
    """Letters and digits mixed and no word among them: most secrets, told fast. What is not may be one all the same."""
    if len(written) < 8 or not written.isalnum() or written.isalpha() or written.isdigit():
        return False
    lower = written.lower()
    if _SPOKEN(lower) or (len(lower) <= _MAX_KNOWN_WORD_SIZE and lower in _KNOWN_WORDS):
        return False
    return not (lower[0] <= _NINE and (_is_written_number(written) or _HEX_NUMBER.fullmatch(written.decode())))


def _is_written_number(written: bytes) -> bool:
    """Of letters and digits alone. What has more letters than any unit is none, which is told fast."""
    return len(written.translate(None, _OF_NUMBERS)) <= _MAX_UNIT_SIZE and is_number(written.decode())


def are_generated(values: Sequence[bytes]) -> list[bool]:
    """The same of many values that are letters and digits, mixed, and no shorter; those with a word in them are judged, too."""
    if not values:
        return []
    lines = [value + b"\n" for value in values]
    ends = list(accumulate(map(len, lines)))
    lower = b"".join(lines).lower()
    generated = [word not in _KNOWN_WORDS for word in lower.split()]
    for number, value in enumerate(values):
        if value[0] <= _NINE and (_is_written_number(value) or _HEX_NUMBER.fullmatch(value.decode())):
            generated[number] = False
    for number in {bisect_right(ends, place) for _, place, _ in _SPOKEN(lower)}:
        generated[number] = is_plainly_random(text := values[number].decode()) and not is_label(text)
    return generated


def is_password(value: Value, strict: bool) -> bool:
    """`strict` where the name alone does not tell an assignment from a sentence or an expression."""
    text = value.text
    if _ESCAPED_WORD.fullmatch(text) is not None or _HEX_NUMBER.fullmatch(text) is not None:
        return False
    if is_plainly_random(text):
        return not is_label(text) and (value.quoted or not value.after.startswith(("(", "[")))
    if is_placeholder(text) or _is_stand_in_name(text) or is_place(text) or text.lower() in ALGORITHMS:
        return False
    shape = shape_of(text)
    if value.quoted:
        if " " in text:
            return is_passphrase(text)
        return not is_label(text) and not is_version(text) and (shape.digits > 0 or shape.size > 3)
    if is_code(text) or value.after.startswith(("(", "[")):
        return False
    if shape.letters == 0 or is_number(text):
        return shape.digits >= 4 and "." not in text and next_word(value) not in UNITS and not is_unit(text)
    if shape.digits and shape.letters:
        return shape.size >= 4 and not is_label(text)
    if shape.symbols and not is_label(text):
        return shape.size >= 6
    if is_gibberish(text):
        return True
    return not strict and not is_wordy(text) and not is_label(text) and not _reads_like_a_state(text)


def is_token(value: Value, strict: bool) -> bool:
    text = value.text
    if _is_class_name(value) or _ESCAPED_WORD.fullmatch(text) is not None or _HEX_NUMBER.fullmatch(text) is not None:
        return False
    if is_plainly_random(text):
        return not is_label(text) and (value.quoted or not value.after.startswith(("(", "[")))
    if value.quoted and is_salt(text):
        return not is_stand_in(text.lower())
    if (
        is_placeholder(text)
        or _is_stand_in_name(text)
        or (not value.quoted and (is_code(text) or value.after.startswith(("(", "["))))
    ):
        return False
    if value.quoted and " " in text:
        return False
    if not strict and not value.quoted and text.isalpha():
        return len(text) >= 16 and not is_wordy(text)
    return looks_random(text, 8 if strict else 6) or (
        value.quoted and text.isalpha() and len(text) >= 16 and not is_wordy(text)
    )


def _is_class_name(value: Value) -> bool:
    """`OAuth2TokenValidator`, unquoted. A number at the end is more often that of a password, save where code goes on."""
    if value.quoted or not is_identifier(value.text):
        return False
    return not value.text[-1].isdigit() or value.after.startswith((",", ";", ")", "."))


def is_pin(value: Value) -> bool:
    return (
        value.text.isdigit()
        and 3 <= len(value.text) <= 8
        and next_word(value) not in UNITS
        and not _DECIMALS.match(value.after)
    )


def is_key(value: Value, strict: bool) -> bool:
    """Behind `key` and the like, which announce many things: only what nothing but a token looks like."""
    if value.quoted and is_salt(value.text):
        return not is_stand_in(value.text.lower())
    is_random = is_strong(value.text) or (len(value.text) >= MIN_KEY_SIZE and is_basic_pair(value.text))
    return is_random and not is_placeholder(value.text) and not value.after.startswith(("(", "["))


def is_unit(text: str) -> bool:
    """`90days`, `8-character`; what has three numbers in it and is that long is none, nor two among letters of both cases."""
    if not (text[:1].isdigit() and text[-1:].isalpha()):
        return False
    if not text.isalnum():
        return True
    numbers = len(_DIGIT_RUN.findall(text))
    is_long_mix = len(text) >= 12 and numbers > 2
    return not is_long_mix and not (len(text) >= 6 and numbers > 1 and text != text.lower() and text != text.upper())


def next_word(value: Value) -> str:
    words = value.after.split(maxsplit=1)
    return words[0].strip(".,;:()!?\"'").lower() if words else ""


_ESCAPED_WORD = re.compile(
    r"[A-Za-z]*(?:\\\\?u00[c-fC-F][0-9a-fA-F][A-Za-z]*)+"
)  # `Ung\\u00fcltig`, as message files have it
_CONSTANT = re.compile(r"[A-Z]{2,}(?:_[A-Z]{2,})+_?\d?")
_NOT_A_WORD = re.compile(r"[^A-Za-z0-9]+")
_NUMBERED, _NAME_LIKE = re.compile(r"\d\d"), re.compile(r"[\w\-.:/ ]+")


def _is_stand_in_name(text: str) -> bool:
    """`FORBIDDEN_VALUE`, the name of a constant; `somepassword`."""
    return _CONSTANT.fullmatch(text) is not None or is_named_stand_in(text.lower())


def is_label(text: str) -> bool:
    """Holds a name of a secret and nothing but words: `user_password`, `passwordField`, `auth.password.label`."""
    lower = text.lower()
    if _STEM.search(lower) is None:
        return False
    if lower in _TELLING or _NOT_A_WORD.sub("", lower) in _TELLING:
        return True
    if _NUMBERED.search(text) is not None or _NAME_LIKE.fullmatch(text) is None:
        return False
    parts = [part.lower() for part in PARTS.findall(text)]
    return len(parts) > 1 and not _TELLING.isdisjoint(parts)


_STATE = re.compile(r"(?i)(?:ed|ing|able|ible|ous|ive|less|ful|ly|ory|tion|ent|ant|ten|ment)$")


def _reads_like_a_state(text: str) -> bool:
    return (
        not text.isalpha()
        or _STATE.search(text) is not None
        or len(text) < 5
        or (text[0].isupper() and not text.isupper())
    )
