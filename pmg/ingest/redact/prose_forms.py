"""Passwords that are handed over in other words: "use … as the password", "user anna, pass …", "the password (…)", "das Passwort auf …
geändert", and a line that says `Password` above one that is it.

What a password `is` stands in prose.py. Here a value counts only if it looks like nothing but a password: letters and digits, or a sign
among them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pmg.ingest.redact.accept import is_numbered_word, is_password, is_unit
from pmg.ingest.redact.anchored import at_literals, in_bytes
from pmg.ingest.redact.linear import AnyMatch
from pmg.ingest.redact.prose import at_compound, is_odd
from pmg.ingest.redact.reading import Value, read_value
from pmg.ingest.redact.rule import Rule, Span
from pmg.ingest.redact.values import is_algorithm, is_identifier, is_place, is_plainly_random, is_wordy, shape_of

_WORD = r"(?:password|passwort|passcode|passphrase|kennwort)"
# Behind the word nothing that makes another thing of it: a password hash, a password field.
_AS_PASSWORD = in_bytes(
    rf"(?i){_WORD}(?:[\"')]{{0,2}}(?:[.,;!?\r\n]|\s*\Z)|[ \t]{{1,2}}(?:for|on|at|in|to|and|when|if|then|here|there|now|please|für|im|am|bei|beim|und|dort|hier|bitte)\b)"
)
_BEFORE_AS = re.compile(
    rb"(?i)\b(?:use|used|uses|using|enter|entered|type|typed|try|take|set|with|nimm|nehme|verwende|benutze|nutze|mit)[ \t]{1,2}"
    rb"(?:\"|'|`|\xe2\x80[\x9c\x9e\x98])?([^\s\"'`<>\xe2]{4,64})(?:\"|'|`|\xe2\x80[\x9c\x9d\x99])?,?[ \t]{1,2}(?:as|als)[ \t]{1,2}"
    rb"(?:(?:the|my|your|our|a|new|temporary|das|dein|mein|unser|neues)[ \t]{1,2}){0,2}(?:[\w-]{1,16}[ \t])?\Z"
)
_MAX_BEFORE_AS, _MAX_ARTICLES, _MAX_INDENT = 160, 40, 80  # bytes
# `user anna, pass …`: read at the second word, as the first is everywhere.
_PASS = in_bytes(r"(?i)(?:pass|pw|pwd|passwd|passwort|password|kennwort)[ \t]{1,3}")
_AFTER_USER = frozenset((b", ", b"; ", b"/ ", b"| ", b"d "))  # the last is of `and` and `und`
_USER = re.compile(
    rb"(?i)\b(?:user(?:name)?|login|benutzer(?:name)?|usuario|utilisateur)(?:[ \t]{0,2}[:=])?[ \t]{1,3}[\w.@+-]{2,60}[ \t]{0,2}(?:[,;/|]|[ \t](?:and|und))[ \t]{0,2}\Z"
)
_MAX_BEFORE_USER = 90  # bytes
# `the password (…)`, `password from … to`, `das Passwort auf … geändert`, and a line of its own above another.
_HANDED = in_bytes(
    r"(?i)(?:password|passwort|kennwort|passcode)(?:[ \t]{1,2}\(([^\s()\"'`<>]{6,64})\)|[ \t]{0,4}\r?\n[ \t]{0,4}([^\s\"'`<>]{6,64})[ \t]{0,4}(?=[\r\n]|\Z)|"
    r"(?:[ \t][^\s.,;:!?()]{1,40}){0,5}?[ \t](?:(?:from|von)[ \t]{1,2}([^\s]{4,64})[ \t]{1,2}(?:to|auf|zu)\b|"
    r"auf[ \t]{1,2}([^\s]{4,64})[ \t]{1,2}(?:um)?(?:geändert|gesetzt|zurückgesetzt|umgestellt|gestellt|aktualisiert)))"
)
_BRACKETS, _BELOW, _FROM, _TO = 1, 2, 3, 4  # groups of it
_SIGN = re.compile(r"[!#$%&*?^~+@§]")
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|C\+\+\d*")
_ACRONYM = re.compile(r"[A-Z]{2,}[a-z]?\d{1,4}")


def _value_of(data: bytes, span: Span) -> Value:
    text = data[slice(*span)].decode("utf-8", "ignore").rstrip(".,;:")
    return Value(span[0], span[0] + len(text.encode()), text, False, "")


def _is_chosen(value: Value, may_be_humps: bool = False) -> bool:
    """What a person chooses as a password, and nothing that a sentence or a program would have there."""
    text, shape = value.text, shape_of(value.text)
    if is_unit(text) or is_place(text) or is_algorithm(text) or _is_name(text) or not is_odd(text):
        return False
    if not may_be_humps and is_identifier(text):
        return False
    return shape.letters > 0 and shape.size >= 6 and (shape.is_mixed or _has_sign(text)) and is_password(value, True)


def _is_name(text: str) -> bool:
    return _ACRONYM.fullmatch(text) is not None or _ADDRESS.fullmatch(text) is not None or is_wordy(text)


def _has_sign(text: str) -> bool:
    return _SIGN.search(text) is not None


def _after_as(data: bytes, begin: int) -> bool:
    before = data[begin - _MAX_ARTICLES : begin] if begin >= _MAX_ARTICLES else data[:begin]
    return before[-1:] == b" " and (b"as " in before or b"als " in before)


def _as_password(data: bytes, match: AnyMatch) -> Sequence[Span]:
    first = max(0, match.start() - _MAX_BEFORE_AS)
    found = _BEFORE_AS.search(data, first, match.start())
    if found is None:
        return ()
    value = _value_of(data, found.span(1))
    return ((value.start, value.end),) if _is_chosen(value, may_be_humps=True) else ()


def _after_user(data: bytes, begin: int) -> bool:
    return data[begin - 2 : begin] in _AFTER_USER and (
        _USER.search(data, max(0, begin - _MAX_BEFORE_USER), begin) is not None
    )


def _with_user(data: bytes, match: AnyMatch) -> Sequence[Span]:
    value = read_value(data, match.end())
    if value is None or value.quoted or is_numbered_word(value.text):
        return ()
    return ((value.start, value.end),) if _is_chosen(value, may_be_humps=True) else ()


def _handed(data: bytes, match: AnyMatch) -> Sequence[Span]:
    form = next(group for group in (_BRACKETS, _BELOW, _FROM, _TO) if match.start(group) >= 0)
    value = _value_of(data, match.span(form))
    if not _is_chosen(value):
        return ()
    is_mixed, has_sign = shape_of(value.text).is_mixed, _has_sign(value.text)
    if form == _BRACKETS:  # names of methods and versions stand there, too: only a sign tells a password
        is_told = is_mixed and _has_sign(value.text.replace("$", ""))
    elif form == _BELOW:
        is_told = _is_line(data, match.start()) and (is_plainly_random(value.text) or (is_mixed and has_sign))
    else:
        is_told = not is_numbered_word(value.text)
    return ((value.start, value.end),) if is_told else ()


def _is_line(data: bytes, begin: int) -> bool:
    """Whether nothing but this word stands on its line."""
    line = data.rfind(b"\n", max(0, begin - _MAX_INDENT), begin) + 1 or max(0, begin - _MAX_INDENT)
    return not data[line:begin].strip(b" \t*>-#")


PROSE_FORM_RULES: tuple[Rule, ...] = (
    Rule("password", "",
         (("use ", "kX9#mPq2vL as password"), ('Use "', 'blauerElefant77" as the password'), ("nimm ", "7hills&Rome als Passwort")),
         (("use argon2id as the password hash",), ("use bcrypt as password hasher",), ("use your birthday as the password",), ("with SHA256 as password digest",)),
         literals=("password", "passwort", "passcode", "passphrase", "kennwort"), find=at_literals("password", _AS_PASSWORD, _as_password, left=_after_as), follow=b" .,;!?)\r\n\0"),
    Rule("password", "", (("user anna, pass ", "Zebra!Tango9"), ("username: tom / pw ", "Zebra77x")), (("user input, pass through",), ("user tests and pass rates",), ("Username and password required",)),
         literals=("pass", "password", "passwort", "passwd", "pwd", "kennwort"), words=("pw",), find=at_literals("password", _PASS, _with_user, left=_after_user), follow=b" \t"),
    Rule("password", "",
         (("the password (", "hunter42!) is on the note"), ("Ich habe das Passwort auf ", "7hills&Rome geändert"), ("I changed the password from ", "Sommer2024! to another"), ("Password\n", "letmein2026"), ("Kennwort\n", "Sommer!24\n")),
         (("the password (min8)",), ("a password (C++11)",), ("Passwort (WPA2)",), ("Das Passwort wurde auf Standard gesetzt",), ("das Passwort auf Zettel2 geschrieben",), ("the password from step2 to step3",), ("password from v1 to v2",),
          ("Password\nForgotten?",), ("Password\n--------\n",), ("Choose a password\nUbuntu2204LTS\n",)),
         literals=("password", "passwort", "kennwort", "passcode"), find=at_literals("password", _HANDED, _handed, left=at_compound), follow=b" \t\r\n"),
)  # fmt: skip
