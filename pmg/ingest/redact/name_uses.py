"""What a name of a secret is used for where it stands: an assignment, or something else that looks like one.

`"/reset/:token" => …` is a route, `token == other` a comparison, `PW` a country. Knows: what stands around a name and its value.
Does not know: whether the value looks like a secret (accept.py).
"""

from __future__ import annotations

import re

from pmg.ingest.redact.names import TOKEN
from pmg.ingest.redact.reading import Value
from pmg.ingest.redact.values import is_plainly_random, is_strong, shape_of
from pmg.ingest.redact.words import PASSES

_QUOTES = frozenset((b'"', b"'", b"`"))
_OF_ROUTES = frozenset((b"/", b":"))
_PALAU = re.compile(rb"(?:[a-z]{2,3}_(?:[A-Z][a-z]{3}_)?)?PW")  # as lists of countries and languages have it
_CHOSEN = re.compile(r"[\w!@#$%&*?.+=~-]{8,}")  # what a person may choose as a password
# `arn:aws:secretsmanager:…:secret:prod/db-Ab12Cd` names a secret.
_ARN = re.compile(rb"\barn:[\w:-]{1,100}:\Z")
_PUBLIC = re.compile(rb"(?i)\bpublic[ \t-]key[ \t]\Z")  # its token is a digest of it
_DECLARED = re.compile(rb"\b(?:var|let|const|val|auto)[ \t]\Z")
# `"auth.reset_password": "Kontowiederherstellung"`
_TRANSLATED, _CAPITALISED = re.compile(rb"[a-z][\w-]*\.[\w.-]+"), re.compile(r"[A-Z][a-z]{3,}")
# `boarding pass: LH2038`, `pass: 1204, fail: 0`
_WORD_BEFORE = re.compile(rb"([A-Za-z]{2,16})[ \t-]\Z")
_FAIL, _NEAR_FAIL = re.compile(rb"(?i)\b(?:fail(?:ed|s|ures?)?|skip(?:ped|s)?)\b[\"']?[ \t]?[:=]"), 40  # bytes
_TICKETS, _TICKET = (
    (b"senha", b"clave"),
    re.compile(r"[A-Z]{1,2}\d{2,3}"),
)  # the number of a queue is called so, and a clef
_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3,4}){1,2}")  # as style sheets have it
_TABLE = re.compile(rb"\|[^\r\n|]*\Z")  # a cell of it is before the name
_MIN_TOLD_TOKEN = 12  # characters of a token that follows its name without a sign between
_OWN_LINE = frozenset({b"", b"export", b"set", b"ENV", b"env", b"declare -x", b"var", b"local", b"const", b"let"})


def is_listed_well(data: bytes, name_start: int, stop: int, place: int, value: Value) -> bool:
    """Whether it is no list, or of a list such as `('password', '…')` what counts."""
    if b"," not in data[stop:place]:
        return True
    if value.quoted and value.after.lstrip("\\\"' ").startswith(":"):
        return False  # the next key: `"type": "password", "since": …`
    if data[stop : stop + 1] not in _QUOTES:
        return True
    return data[name_start - 1 : name_start] in _QUOTES and _is_listed_secret(data[name_start:stop], value)


def is_compared_or_told(kind: str, value: Value, before: bytes, between: bytes) -> bool:
    """`token == other_token`; `"password" | "implicit"`, a choice; `secret "busybox1" is there`, which tells a name."""
    if not value.quoted:
        # `.Values.password) | b64enc`: a pipeline, while a table has a bare name in its cell.
        return b"==" in between or b"!=" in between or (b"|" in between and not _TABLE.search(before))
    is_choice = between[:1] in _QUOTES and b"|" in between
    return is_choice or (kind == TOKEN and not between.strip() and len(value.text) < _MIN_TOLD_TOKEN)


def is_other_pass(data: bytes, name_start: int, stop: int) -> bool:
    """Whether a name that is `pass` alone means a ticket, a turn, or that tests passed."""
    before = _WORD_BEFORE.search(data, max(0, name_start - 20), name_start)
    if before is not None and before[1].decode().lower() in PASSES:
        return True
    near = data[max(0, name_start - _NEAR_FAIL) : name_start].rpartition(b"\n")[2] + b"\n"
    return _FAIL.search(near + data[stop : stop + _NEAR_FAIL].partition(b"\n")[0]) is not None


def is_other_name(data: bytes, name_start: int, stop: int, value: Value) -> bool:
    """`var token = client`, whose value is a name, too; `"/reset/:token" => …`, a route; `PW`, which is Palau; `${PASSWORD:+set}`: then only what is plainly random counts."""
    before = data[name_start - 1 : name_start]
    if value.text.isdigit() and not value.quoted and value.after.startswith(";"):
        return True  # a constant of C and its kin
    if data.startswith(b"--", name_start) and not value.quoted and _COLOUR.fullmatch(value.text):
        return True  # a property of a style sheet
    if data[name_start:stop].lower() in _TICKETS and _TICKET.fullmatch(value.text):
        return True
    is_route = before in _OF_ROUTES and data[stop : stop + 1] in _QUOTES
    is_expansion = value.text[0] == "+" and data[name_start - 2 : name_start] == b"${"
    if (
        not value.quoted
        and (value.text.isidentifier() or value.text.isdigit())
        and _DECLARED.search(data, max(0, name_start - 8), name_start)
    ):
        return True
    if _TRANSLATED.fullmatch(data, name_start, stop) and _CAPITALISED.fullmatch(value.text):
        return True
    if before == b":" and _ARN.search(data, max(0, name_start - 120), name_start):
        return True
    if before == b" " and _PUBLIC.search(data, max(0, name_start - 12), name_start):
        return True
    # `input[type=password]:valid`, while `--from-literal=password=…` is an assignment
    is_value = before == b"=" and not data.endswith(b"--from-literal=", max(0, name_start - 16), name_start)
    if not (is_route or is_value or is_expansion or _PALAU.fullmatch(data, name_start, stop)):
        return False
    is_chosen = not is_value and _CHOSEN.fullmatch(value.text) is not None and shape_of(value.text).is_mixed
    return not (is_chosen or is_plainly_random(value.text) or is_strong(value.text))


def _is_listed_secret(name: bytes, value: Value) -> bool:
    """Of `('password', '…')`: the last of its list, and not just another word, unless the name stands for a constant."""
    if is_plainly_random(value.text.strip("\"'`\\")):  # Gradle writes quotes within quotes
        return True
    is_last = value.after.lstrip().startswith((")", "]", "}"))
    return is_last and (name.isupper() or not value.text.replace("_", "").isalpha())


def is_shouted(data: bytes, name_start: int, stop: int, place: int) -> bool:
    return data[place - 1 : place] not in (b" ", b"\t") and data[name_start:stop].isupper()


def is_line_of_its_own(data: bytes, name_start: int, value: Value) -> bool:
    """Nothing but the name and the value on the line, as in env and YAML files; a keyword argument is not."""
    if value.after.strip(" \t\r|*`\"'"):
        return False
    line = data.rfind(b"\n", max(0, name_start - 200), name_start) + 1 or max(0, name_start - 200)
    return data[line:name_start].strip(b" \t-*>\"'#$") in _OWN_LINE
