"""Passwords that are handed over in other words: "use … as the password", "… is my password", "my passwords are … and …", "it is now …",
"user anna, pass …", "my pass is …", "the password (…)", "das Passwort auf … geändert", and a line that says `Password` above one that is it.

What a password `is` stands in prose.py. Here a value counts only if it looks like nothing but a password: letters and digits, or a sign
among them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pmg.base.patterns import AnyMatch
from pmg.ingest.redact.accept import is_numbered_word, is_password, is_unit, next_word
from pmg.ingest.redact.anchored import SPOKEN, at_literals, in_bytes
from pmg.ingest.redact.prose import ABOUT, at_compound, is_odd
from pmg.ingest.redact.reading import Value, read_value
from pmg.ingest.redact.rule import Rule, Span
from pmg.ingest.redact.values import is_algorithm, is_identifier, is_place, is_plainly_random, is_wordy, shape_of
from pmg.ingest.redact.words import UNITS

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
    r"(?i)(?:password|passwort|kennwort|passcode)(?:[ \t]{1,2}\(([^\s()\"'`<>]{6,64})\)|(?:[*_]{0,2}:[*_]{0,2})?[ \t]{0,4}\r?\n[ \t]{0,4}([^\s\"'`<>]{6,64})[ \t]{0,4}(?=[\r\n]|\Z)|"
    r"(?:[ \t][^\s.,;:!?()]{1,40}){0,5}?[ \t](?:(?:from|von)[ \t]{1,2}([^\s]{4,64})[ \t]{1,2}(?:to|auf|zu)\b|"
    r"auf[ \t]{1,2}([^\s]{4,64})[ \t]{1,2}(?:um)?(?:geändert|gesetzt|zurückgesetzt|umgestellt|gestellt|aktualisiert)))"
)
_BRACKETS, _BELOW, _FROM, _TO = 1, 2, 3, 4  # groups of it
# `… is my password`: read at the last word, as a value alone tells nothing.
_BEFORE_IS = re.compile(
    rb"(?i)(?:\A|[\s\"'`(])([^\s\"'`<>(]{6,64})[\"'`]?[ \t]{1,2}(?:is|was|ist|war)[ \t]{1,2}"
    rb"(?:(my|our|mein|unser)|the|your|his|her|their|das|dein|sein|ihr)[ \t]{1,2}(?:new|old|current|neues|altes)?[ \t]?((?:[\w-]{1,16}[ \t-]){0,2})\Z"
)
_MAX_BEFORE_IS = 140  # bytes
# `my passwords are … and …`
_SEVERAL = in_bytes(
    rf"(?i)(?:passwords|passwörter|kennwörter|passcodes){ABOUT}(?: (?:are|were|sind|waren|lauten)(?: now| jetzt)?:?|[ \t]?:)[ \t]{{1,3}}"
)
_AND = re.compile(r"[ \t]*(?:[,;/][ \t]*)?(?:(?:and|or|und|oder)[ \t]+)?")
_MAX_SEVERAL, _MAX_SEVERAL_SIZE = 12, 700  # bytes of all of them
# `the password used to be … but now it is …`
_NOW = in_bytes(
    r"(?i)(?:now[ \t](?:it(?:'s|’s|[ \t]is)|is)|it(?:'s|’s|[ \t]is)[ \t]now|jetzt[ \t](?:ist[ \t]es|lautet[ \t]es)|es[ \t]ist[ \t]jetzt)[ \t]{1,2}"
)
_PASSWORD = re.compile(rb"(?i)password|passwort|kennwort|passcode|\[redacted: password\]")
_ENDS = b".!?\r\n"  # of a sentence
_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}")
_MAX_BEFORE_NOW = 120  # bytes
# `my pass is …`; a pass that is a ticket has no small letter in its number.
_OWN_PASS = in_bytes(r"(?i)pass(?:[ \t](?:is|was)|'s)[ \t:]{1,3}")
_OWNER = re.compile(rb"(?i)\b(?:my|our|wi-?fi|wlan|login|email|mail|admin|root|account)[ \t]\Z")
# `password for netflix …`, with no sign between.
_PASSWORD_FOR = in_bytes(
    r"(?i)(?:password|passwort|passcode|pwd|pw)[ \t](?:for|to|of|für|vom|zum)((?:[ \t][^\s.,;:!?]{1,40}){1,3}?)[ \t]([^\s\"'`<>]{6,64})(?=\s|\Z)"
)
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


def _before_is(data: bytes, begin: int) -> bool:
    """Told fast: one of the few words that may stand between."""
    before = data[max(0, begin - _MAX_ARTICLES) : begin]
    return b" is " in before or b" was " in before or b" ist " in before or b" war " in before


def _is_password(data: bytes, match: AnyMatch) -> Sequence[Span]:
    found = _BEFORE_IS.search(data, max(0, match.start() - _MAX_BEFORE_IS), match.start())
    if found is None:
        return ()
    value = _value_of(data, found.span(1))
    if not _is_chosen(value, may_be_humps=True):
        return ()
    is_owned = found[2] is not None or found[3] != b""  # `Level10 is the password` may be of anything
    return ((value.start, value.end),) if is_owned or not is_numbered_word(value.text.rstrip("!?")) else ()


def _several(data: bytes, match: AnyMatch) -> Sequence[Span]:
    spans, position = list[Span](), match.end()
    while len(spans) < _MAX_SEVERAL and position - match.start() < _MAX_SEVERAL_SIZE:
        value = read_value(data, position)
        if value is None or not (_is_chosen(value, may_be_humps=True) and next_word(value) not in UNITS):
            break
        spans.append((value.start, value.end))
        between = _AND.match(value.after, 1 if value.quoted else 0)
        position = value.end + (len(value.after[: between.end()].encode()) if between else 0)
        if not between or not between[0] or position <= value.end:
            break
    return spans


def _now(data: bytes, match: AnyMatch) -> Sequence[Span]:
    before = data[max(0, match.start() - _MAX_BEFORE_NOW) : match.start()]
    sentence = max(before.rfind(end) for end in _ENDS) + 1
    if _PASSWORD.search(before, sentence) is None:
        return ()
    value = read_value(data, match.end())
    is_told = value is not None and _is_chosen(value, may_be_humps=True) and next_word(value) not in UNITS
    return ((value.start, value.end),) if value is not None and is_told and not _COLOUR.fullmatch(value.text) else ()


def _after_owner(data: bytes, begin: int) -> bool:
    return _OWNER.search(data, max(0, begin - 10), begin) is not None


def _own_pass(data: bytes, match: AnyMatch) -> Sequence[Span]:
    value = read_value(data, match.end())
    if value is None or not _is_chosen(value, may_be_humps=True) or value.text == value.text.upper():
        return ()
    return ((value.start, value.end),)


def _for_something(data: bytes, match: AnyMatch) -> Sequence[Span]:
    """What it is for may have a number, too (`the password for my iPhone15!`): a word with a small number does not count."""
    value = _value_of(data, match.span(2))
    bare = value.text.rstrip("!?")
    is_told = shape_of(value.text).is_mixed and _is_chosen(value) and not is_numbered_word(bare)
    return ((value.start, value.end),) if is_told and (_has_sign(bare) or is_plainly_random(bare)) else ()


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
        is_signed = is_mixed and has_sign
        is_told = is_signed and b":" in data[match.start() : value.start]  # `Wifi password:` may have words before it
        is_told = is_told or (_is_line(data, match.start()) and (is_plainly_random(value.text) or is_signed))
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
    Rule("password", "", (("", "Zebra!Tango9 is my password"), ("", "Zebra77 is our wifi password."), ("", "Zebra!77 ist mein Passwort")),
         (("Windows11 is the password manager I use",), ("Chapter12 is the password.",), ("This is my password",), ("bcrypt is the password hash",), ("Nothing was the password I expected.",)),
         literals=("password", "passwort", "passcode", "kennwort"), find=at_literals("password", _AS_PASSWORD, _is_password, left=_before_is), follow=b" .,;!?)\r\n\0"),
    Rule("password", "", (("my passwords are ", "Zebra!77 and 7hills&Rome"), ("Meine Passwörter sind ", "Zebra77 und Tango99")),
         (("passwords are hashed with sha256",), ("passwords: 8 characters or more",), ("Her passwords are strong and long",)),
         literals=("passwords", "passwörter", "kennwörter", "passcodes"), find=at_literals("password", _SEVERAL, _several, left=at_compound), follow=SPOKEN + b":"),
    Rule("password", "", (("the password is gone, it's now ", "Zebra!77"), ("Das alte Passwort war falsch, jetzt ist es ", "Zebra77x")),
         (("I forgot the password and now it is 2024",), ("the password field: now it is required",), ("It is now v2.1 of the app",), ("The password screen was red, now it's #ff0000",)),
         literals=("now it", "now is", "it is now", "it's now", "it’s now", "jetzt ist es", "jetzt lautet es", "es ist jetzt"), find=at_literals("password", _NOW, _now), follow=b" '\xe2"),
    Rule("password", "", (("my pass is ", "Zebra77x"), ("wifi pass is ", "Zebra!77")), (("my pass is valid until 2027",), ("My boarding pass is LH2038",), ("my pass is LH2038",), ("the pass is 1200m high",)),
         literals=("pass",), find=at_literals("password", _OWN_PASS, _own_pass, left=_after_owner), follow=b" '"),
    Rule("password", "", (("password for netflix ", "Zeb!raTango9"),), (("I forgot the password for my iPhone15!",), ("the password for the Windows11 laptop",), ("password for user_id1 is required",)),
         literals=("password", "passwort", "passcode", "pwd"), words=("pw",), find=at_literals("password", _PASSWORD_FOR, _for_something), follow=b" \t"),
    Rule("password", "",
         (("the password (", "hunter42!) is on the note"), ("Ich habe das Passwort auf ", "7hills&Rome geändert"), ("I changed the password from ", "Sommer2024! to another"), ("Password\n", "letmein2026"), ("Kennwort\n", "Sommer!24\n"), ("Password:\n", "Sommer!24\n")),
         (("the password (min8)",), ("a password (C++11)",), ("Passwort (WPA2)",), ("Das Passwort wurde auf Standard gesetzt",), ("das Passwort auf Zettel2 geschrieben",), ("the password from step2 to step3",), ("password from v1 to v2",),
          ("Password\nForgotten?",), ("Password\n--------\n",), ("Choose a password\nUbuntu2204LTS\n",)),
         literals=("password", "passwort", "kennwort", "passcode"), find=at_literals("password", _HANDED, _handed, left=at_compound), follow=b" \t\r\n:*_"),
)  # fmt: skip
