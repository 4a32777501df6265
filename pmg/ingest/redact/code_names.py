"""Values that are names: of a secret, a field, a class, a constant or a message. Programs write them where a secret may stand.

Knows: how such names look. Does not know: where the value stands (accept.py).
"""

from __future__ import annotations

import re

from pmg.ingest.redact.names import PARTS
from pmg.ingest.redact.values import is_named_stand_in, is_stand_in
from pmg.ingest.redact.words import PASSWORD_PARTS, TOKEN_PARTS

_TELLING = PASSWORD_PARTS.union(TOKEN_PARTS, {"key"})
# The shortest words of which every telling one holds one: a test that spares most values the next.
STEMS = sorted(word for word in _TELLING if not any(other in word for other in _TELLING if other != word))
_STEM = re.compile("|".join(map(re.escape, STEMS)))
_CONSTANT = re.compile(r"[A-Z]{2,}(?:_[A-Z]{2,})+_?\d?|[A-Z]{3,}(?:_[A-Z]+\d{0,4})+")
# Words in humps with a number before the last of them: `bdc1DischargePower`, `AppV1Controller`, `Percent100ths`. A number
# at the end is more often that of a secret. Fast on what is random: it hardly ever begins so.
_HUMPED = re.compile(
    rb"[A-Z]?[a-z]{2,}(?:[A-Z][a-z]{2,}|[A-Z]?[0-9]{1,3}(?:(?=[A-Z])|ths?|st|nd|rd|n)|[A-Z]{2,4}(?=[A-Z0-9]|$))++"
)
_OF_MESSAGES = frozenset(
    "auth failed failure error cannot not unknown connect connection denied mismatch must unable unauthorized required needed need "
    "activated deleted missing invalid expired wrong incorrect empty login".split()
)
_MESSAGE_CODE = re.compile(r"[a-z]{2,}(?:[_-][a-z]{2,})+")
_AT_HOST = re.compile(r"@[A-Za-z][\w.-]*[?/:]")
_NOT_A_WORD = re.compile(r"[^A-Za-z0-9]+")
_VOWELS = frozenset("aeiouyAEIOUY")
_HUMP_WORD = re.compile(r"[A-Z][a-z]{2,}|[a-z]{3,}|^[A-Z]{3,}$")
_MIN_FIELD_WORDS, _MIN_LABEL_WORDS = 0.5, 0.4  # share of the letters of a name that are in words
_NUMBERED, _NAME_LIKE = re.compile(r"\d\d\D+\d|\d\d\Z|\d{6}"), re.compile(r"[\w\-.:/, ]+")
_NUMBER = re.compile(r"\d\d")
_MIN_PLAIN_LABEL = 8  # characters


def is_stand_in_name(text: str) -> bool:
    """`FORBIDDEN_VALUE`, the name of a constant; `somepassword`."""
    bare = text.partition("@")[0]  # `SECRET_KEY@default`, as addresses in documentation have it
    if _CONSTANT.fullmatch(bare) is not None or is_named_stand_in(text.lower()):
        return True
    return len(bare) < len(text) and _AT_HOST.match(text, len(bare)) is not None and is_label(bare)


def is_numbered_name(text: str) -> bool:
    """`newPassword2`, `PasswordField1`, `example1`: a name or a stand-in with a number; `SummerPass1` is none."""
    lower = text.rstrip("0123456789!?*#$%&.+-").lower()
    return is_stand_in(text.lower()) or is_named_stand_in(lower) or lower.startswith(tuple(PASSWORD_PARTS))


def is_message_code(text: str) -> bool:
    """`invalid_auth`, `not-activated`: what a program says about a password."""
    return _MESSAGE_CODE.fullmatch(text) is not None and not _OF_MESSAGES.isdisjoint(_NOT_A_WORD.split(text))


def is_field_name(written: bytes) -> bool:
    """`bdc1DischargePower`: words in humps with a number among them, as programs name fields and classes, in quotes too."""
    found = _HUMPED.match(written)
    if found is None or found.end() != len(written) or written.isalpha():
        return False
    text = written.decode()
    return not text[-1].isdigit() and sum(map(str.isdigit, text)) <= 4 and _share_of_words(text) >= _MIN_FIELD_WORDS


def _share_of_words(text: str) -> float:
    words = [word for word in _HUMP_WORD.findall(text) if not _VOWELS.isdisjoint(word)]
    return sum(map(len, words)) / len(text)


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
    if len(parts) < 2 or _TELLING.isdisjoint(parts):
        return False
    # `PW` and `Key` stand in random letters by chance: then little of the rest is words.
    least = _MIN_FIELD_WORDS if _NUMBER.search(text) is not None else _MIN_LABEL_WORDS  # `Ed25519PrivateKey`
    return not text.isalnum() or len(text) < _MIN_PLAIN_LABEL or _share_of_words(text) >= least
