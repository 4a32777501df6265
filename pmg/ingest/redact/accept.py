"""Whether a value is a secret, given what its name announces; `strict` where the name alone does not tell an assignment.

How values look is told by values.py, which of them are names by code_names.py; what names announce, by names.py.
"""

from __future__ import annotations

import re

from pmg.ingest.redact.code_names import is_field_name, is_label, is_message_code, is_numbered_name, is_stand_in_name
from pmg.ingest.redact.generated import HEX_NUMBER
from pmg.ingest.redact.reading import Value, read_value
from pmg.ingest.redact.values import (
    is_algorithm,
    is_basic_pair,
    is_chosen_word,
    is_code,
    is_gibberish,
    is_identifier,
    is_name_of_code,
    is_natural,
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
from pmg.ingest.redact.words import (
    HARMLESS_KEYS,
    HARMLESS_PARTS,
    KEY_QUALIFIERS,
    PASSWORD_PARTS,
    PLACEHOLDERS,
    TOKEN_PARTS,
    TRAILING_PARTS,
    UNITS,
)

# `2.4GHz`, `5-year-old`, `50km/h`, `8+characters`, `1,500€/Monat`: a number, and words joined by nothing but these.
_UNIT_WITH_SIGNS = re.compile(r"\d[\d.,:/x×–-]*+[+%°€$£²³_'’/-]{0,2}[^\W\d_]++(?:[-–/._'’²³]{1,2}[^\W\d_]++)*+")
_HUMP = re.compile(r"[a-z]{2}[A-Z][a-z]")
_DIGIT_RUN, _DECIMALS = re.compile(r"\d+"), re.compile(r"\.\d")
_ESCAPED_WORD = re.compile(
    r"[A-Za-z.,:'-]*(?:\\\\?u(?!00[0-9a-bA-B])[0-9a-fA-F]{4}[A-Za-z.,:'-]*)+"
)  # `Ung\\u00fcltig`, as message files have it
_CODED = re.compile(r"(?:[bB](?:ase)?64|[sS][hH][aA]\d{1,3}|[vV]\d)$")  # `authHeaderB64`
_STORED_AT = re.compile(r"[a-z][a-z_]{2,}\d*/")  # behind `key`, where something is stored: `results/2024/10/fc76…`
_NUMBERED_CLASS = re.compile(r"(?:[A-Z][a-z]{2,}){2,}\d{1,2}")
_IS_LABELLING = re.compile(r"[A-Za-z]+\d{0,2}: |\w+::")  # `debug2: …`, `pkcs12_derive::<…>`
_MEMBER = re.compile(r"(?:[A-Z][a-z]{2,}){1,6}(?:\.[A-Za-z_]\w*)+")  # `SensorKind.PM10_LEVEL.value`
# A hyphenated name ends with one of these words or has two; behind a passphrase its sentence ends, or goes on with another clause.
_OF_NAMES = PLACEHOLDERS.union(
    HARMLESS_PARTS, HARMLESS_KEYS, TRAILING_PARTS, KEY_QUALIFIERS, UNITS, PASSWORD_PARTS, TOKEN_PARTS,
    ("login factor authentication authorization based protected managed level wide driven free safe store server client policy "
     "name surname first last user email field reset manager").split(),
)  # fmt: skip
# What a form, a message or a line of code says in quotes behind `password`.
_OF_MESSAGES = PASSWORD_PARTS.union(
    TOKEN_PARTS, UNITS,
    ("passwords must should please choose enter confirm repeat use user minimum maximum least most between contain contains incorrect "
     "wrong invalid required missing expired again cannot error failed optional default example see step level version").split(),
)  # fmt: skip
_OF_PHRASES, _SIGNS_OF_PHRASES = re.compile(r"[A-Za-z][^%{}<>=\\|\"`:/]{5,59}"), re.compile(r"[!#$&*+?@^_~]")
_MAX_PHRASE_WORDS = 10
_PARTICIPLE = re.compile(r"(?i)ge\w{2,}(?:en|t)")  # `streng-geheim-geblieben`
# `Level10`, `Windows11`, `iOS18.2`, `Pixel8Pro`: as often a thing and its version as a password.
_NUMBERED_WORD = re.compile(
    r"[A-Z]?[a-zäöüß]+(?:[A-Z]{1,2}[a-zäöüß]*)?(?:\d{1,2}(?:[A-Z][a-z]+){0,2}|\d{1,2}(?:\.\d{1,3}){1,2})"
)
# `1000 to 9999`, `2048 or 4096 bits`, `1024 and up`: a range; behind a number of another length the sentence goes on.
_RANGE = re.compile(
    r"\s+(?:(?:to|bis)\s+(\d+)|(?:or|and|to|oder|und|bis)\s+(\d+)\s+([^\W\d_]+)|"
    r"(?:or|and|oder|und)\s+(?:more|longer|less|fewer|above|below|up|higher|greater|mehr|weniger|länger)\b)"
)
_OR = re.compile(rb",?[ \t]{1,2}(?:or|oder|ou|o)[ \t]{1,2}")
_PHRASE_ENDS = re.compile(r"[\"'`”’*|]{0,3}(?:[.!?,;]|\s*$|\s+(?:and|but|und|aber|so|if|\(|\|))")
_MIN_PHRASE_WORDS, _MAX_NAME_WORDS = 3, 1
MIN_KEY_SIZE = 8  # characters of what counts behind `key`


def is_password(value: Value, strict: bool) -> bool:
    """`strict` where the name alone does not tell an assignment from a sentence or an expression."""
    text = value.text
    if _is_text_or_code(value):
        return False
    if is_chosen_word(text) and not is_unit(text) and (not strict or (value.quoted and not is_numbered_name(text))):
        return True
    if is_plainly_random(text):
        return not is_label(text) and (value.quoted or not value.after.startswith(("(", "[")))
    if is_placeholder(text) or is_stand_in_name(text) or is_place(text) or is_algorithm(text):
        return False
    shape = shape_of(text)
    if value.quoted:
        if " " in text:
            return is_passphrase(text) or _is_odd_phrase(text)
        return (
            not is_label(text)
            and not is_version(text)
            and not is_message_code(text)
            and (shape.digits > 0 or shape.size > 3)
        )
    if is_code(text) or value.after.startswith(("(", "[")):
        return False
    if shape.letters == 0 or is_number(text):
        return shape.digits >= 4 and "." not in text and not counts_something(value) and not is_unit(text)
    if shape.digits and shape.letters:
        return shape.size >= 4 and not is_label(text)
    if shape.symbols and not is_label(text):
        return shape.size >= 6
    if is_gibberish(text) or is_hyphenated_phrase(value):
        return True
    return not strict and not is_wordy(text) and not is_label(text) and not _reads_like_a_state(text)


def _is_odd_phrase(text: str) -> bool:
    """`my dog has 3 legs`: words with a number or a sign among them, none of which talks about passwords."""
    words = [word.strip(".,;:!?\"'()").lower() for word in text.split()]
    if not 2 <= len(words) <= _MAX_PHRASE_WORDS or not _OF_PHRASES.fullmatch(text) or is_placeholder(text):
        return False
    is_odd = any(map(str.isdigit, text)) or _SIGNS_OF_PHRASES.search(text) is not None
    return is_odd and _OF_MESSAGES.isdisjoint(words) and not is_label(text) and not all(map(is_number, words))


def is_hyphenated_phrase(value: Value) -> bool:
    """`correct-horse-battery`, where nothing follows that a name or a description would have."""
    words = value.text.split("-")
    return (
        len(words) >= _MIN_PHRASE_WORDS
        and is_passphrase(value.text)
        and words[-1] not in _OF_NAMES
        and _PARTICIPLE.fullmatch(words[-1]) is None
        and sum(word in _OF_NAMES for word in words) <= _MAX_NAME_WORDS
        and _PHRASE_ENDS.match(value.after) is not None
    )


def is_numbered_word(text: str) -> bool:
    """A plain word with a small number or a version: a password only where something names it so."""
    return _NUMBERED_WORD.fullmatch(text) is not None


def is_token(value: Value, strict: bool) -> bool:
    text = value.text
    if value.quoted and is_salt(text):
        return not is_stand_in(text.lower())
    if _is_class_name(value) or _is_text_or_code(value) or is_field_name(text.encode("utf-8", "surrogatepass")):
        return False
    if is_plainly_random(text):
        return not is_label(text) and (value.quoted or not value.after.startswith(("(", "[")))
    if (
        is_placeholder(text)
        or is_stand_in_name(text)
        or (not value.quoted and (is_code(text) or value.after.startswith(("(", "["))))
    ):
        return False
    if value.quoted and " " in text:
        return False
    if not strict and not value.quoted and text.isalpha():
        return len(text) >= 16 and not is_wordy(text)
    if not value.quoted or not text.isalpha() or len(text) < 16:
        return looks_random(text, 8 if strict else 6)
    return not is_wordy(text) and not text.istitle()  # one capitalised word is a translation


def _is_class_name(value: Value) -> bool:
    """`OAuth2TokenValidator`, unquoted. A number at the end is more often that of a password, save where code goes on."""
    if value.quoted:
        return False
    goes_on = value.after.startswith((",", ";", ")", "."))
    if goes_on and _NUMBERED_CLASS.fullmatch(value.text) is not None:
        return True
    return is_identifier(value.text) and (
        goes_on or not value.text[-1].isdigit() or _CODED.search(value.text) is not None
    )


def is_pin(value: Value) -> bool:
    return (
        value.text.isdigit()
        and 3 <= len(value.text) <= 8
        and not counts_something(value)
        and not _DECIMALS.match(value.after)
    )


def is_key(value: Value, strict: bool) -> bool:
    """Behind `key` and the like, which announce many things: only what nothing but a token looks like."""
    if value.quoted and is_salt(value.text):
        return not is_stand_in(value.text.lower())
    if is_field_name(value.text.encode("utf-8", "surrogatepass")) or _STORED_AT.match(value.text) is not None:
        return False
    if not value.quoted and _MEMBER.fullmatch(value.text) is not None:
        return False
    is_random = is_strong(value.text) or (len(value.text) >= MIN_KEY_SIZE and is_basic_pair(value.text))
    return is_random and not is_placeholder(value.text) and not value.after.startswith(("(", "["))


def alternative(data: bytes, value: Value) -> Value | None:
    """What follows a value behind `or`: `my PIN is 4829 or 1234`."""
    found = None if value.quoted else _OR.match(data, value.end)
    return read_value(data, found.end()) if found is not None else None


def is_unit(text: str) -> bool:
    """`90days`, `8-character`, `2.4GHz`; what has three numbers in it and is that long is none, nor two among letters of both
    cases, nor are words in humps (`7daysOfRain`), nor what has a sign that no unit has (`7hills&Rome`)."""
    if not (text[:1].isdigit() and text[-1:].isalpha()):
        return False
    if not text.isalnum():
        return _UNIT_WITH_SIGNS.fullmatch(text) is not None
    numbers = len(_DIGIT_RUN.findall(text))
    is_long_mix = len(text) >= 12 and numbers > 2
    is_short_mix = len(text) >= 6 and numbers > 1 and text != text.lower() and text != text.upper()
    return not (is_long_mix or is_short_mix or _HUMP.search(text))


def counts_something(value: Value) -> bool:
    """Whether a unit follows, or the rest of a range."""
    if next_word(value) in UNITS:
        return True
    found = _RANGE.match(value.after) if value.text.isdigit() else None
    if found is None:
        return False
    other = found[1] or found[2]
    is_like = other is None or abs(len(other) - len(value.text)) <= 1
    return is_like and (found[3] is None or found[3].lower() in UNITS)


def next_word(value: Value) -> str:
    words = value.after.split(maxsplit=1)
    return words[0].strip(".,;:()!?\"'").lower() if words else ""


def _is_text_or_code(value: Value) -> bool:
    """Words of another language, a number, the name of a type or a call, or the label of what follows: `debug2: …`."""
    text = value.text
    if not value.quoted and value.after.startswith(":") and _IS_LABELLING.match(text + value.after) is not None:
        return True
    if text.isalnum() and text.isascii():
        return text[0] == "0" and HEX_NUMBER.fullmatch(text) is not None
    return (
        is_natural(text)
        or is_name_of_code(text)
        or ("\\" in text and _ESCAPED_WORD.fullmatch(text) is not None)
        or HEX_NUMBER.fullmatch(text) is not None
    )


_STATE = re.compile(r"(?i)(?:ed|ing|able|ible|ous|ive|less|ful|ly|ory|tion|ent|ant|ten|ment)$")


def _reads_like_a_state(text: str) -> bool:
    return (
        not text.isalpha()
        or _STATE.search(text) is not None
        or len(text) < 5
        or (text[0].isupper() and not text.isupper())
    )
