"""Keys in the form in which devices and services show them: the code of a wireless network for cameras, what Windows prints of one,
recovery and backup codes, keys of an authenticator in groups of four, passwords for apps.

Each is told by its label and its groups. Keys in one piece are in keyvalue.py, network keys behind a colon in codes.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pmg.base.patterns import AnyMatch
from pmg.ingest.redact.anchored import anywhere, at_literals, at_part, in_bytes
from pmg.ingest.redact.rule import Rule, Span
from pmg.ingest.redact.values import is_number, is_placeholder
from pmg.ingest.redact.words import STOP_WORDS, UNITS

# A value within the code of a network ends with a semicolon, unless that is escaped.
_QR_VALUE = rb"(?:[^;\\\r\n]|\\[^\r\n]){1,80}+"
_WIFI_CODE = rb"WIFI:(?:[A-Z0-9]{1,3}:(?:[^;\\\r\n]|\\[^\r\n]){0,80}+;){0,6}?P:(" + _QR_VALUE + rb");"
# `netsh wlan show profile … key=clear`: columns, so the colon stands apart.
_KEY_CONTENT = in_bytes(
    r"(?i)(?:key content|schlüsselinhalt|contenu de la clé|contenido de la clave|contenuto chiave)[ \t]{2,40}:[ \t]([!-~]{8,63})[ \t]{0,3}(?=[\r\n]|\Z)"
)
_CODE_WORD = r"(?:recovery|backup|back-up|rescue|scratch|wiederherstellungs|notfall|sicherungs)[ -]?(?:codes?|keys?|schlüssel)|ersatz-?codes?"
_SHOWN_CODES = in_bytes(
    rf"(?i)(?:{_CODE_WORD})(?: (?:for|für|of|from|von)(?: [^\s.,;:!?]{{1,30}}){{1,3}}?)?[*_]{{0,2}}(?: (?:is|are|ist|sind|lautet|lauten):?|[ \t]?:)?[*_]{{0,2}}(?:[ \t]{{1,4}}|[ \t]{{0,4}}(?:\r?\n[ \t]{{0,8}}){{1,2}})"
)
# Groups with a hyphen, of which the whole has a digit; `7041 8667`; a run of digits, or of digits and letters.
_SHOWN_CODE = re.compile(
    rb"(?:\d{1,2}[.)][ \t]{1,3}|[-*][ \t]{1,3})?[`\"']?("
    rb"\d{6}(?:-\d{6}){7}|(?=[A-Z-]{0,60}\d)[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){1,8}|(?=[a-z-]{0,60}\d)[a-z0-9]{4,8}(?:-[a-z0-9]{4,8}){1,8}|"
    rb"\d{4} \d{4}|\d{6,10}|(?=[a-z]{0,12}\d)(?=\d{0,12}[a-z])[a-z0-9]{8,12})(?![\w-])"
)
_BETWEEN_CODES = re.compile(
    rb"[`\"']?(?:[ \t]{0,3}[,;|][ \t]{0,3}|[ \t]{1,3}(?:(?:and|und|or|oder)[ \t]+)?|[ \t]{0,3}\r?\n[ \t]{0,8})"
)
_DATE = re.compile(r"(?:19|20)\d\d(?:-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])|-\d{4})")
# `customer-0001`, `user-profile-2024`, `refactor01`: words and their numbers; `100000`: a number of something.
_NUMBERED = re.compile(r"(?:[a-z]{4,8}-)+\d{4,8}|[a-z]{4,}\d{1,4}|base(?:32|58|64)\w*|\d+000")
_MAX_CODES, _MAX_CODES_SIZE = 24, 900  # bytes of all of them
_BITLOCKER = r"\b\d{6}(?:-\d{6}){7}\b"

# `Setup key: ad5j 4v5z …`, as an authenticator takes it; without blanks it is told by the label alone.
_GROUPED_KEY = in_bytes(
    r"(?i)key(?: ?\([^()\r\n]{1,40}\))?(?: (?:is|ist))?:?\s{1,4}((?-i:[a-z2-7]{4}(?: [a-z2-7]{4}){3,15}|[A-Z2-7]{4}(?: [A-Z2-7]{4}){3,15}))(?![\w-])"
)
_SETUP_KEY = rb"(?i)set-?up (?:key|code)(?: is)?:?\s{1,4}((?-i:[A-Z2-7]{16,64}|[a-z2-7]{16,64}))(?![\w-])"
_HAS_DIGIT, _MIN_LETTERS = re.compile(rb"[2-7]"), 6
# `App password: vpst rose zrqe nyvi`; with digits and capitals, as WordPress makes them.
_APP_PASSWORD = in_bytes(
    r"(?i)(?:app(?:lication)?(?:-specific)?[ -]password|app-?(?:lications)?passwort)(?: (?:for|für)(?: [^\s.,;:!?]{1,30}){1,4}?)?(?: (?:is|ist|lautet))?:?\s{1,4}"
    r"((?-i:[a-z]{4}(?: [a-z]{4}){3}|[A-Za-z0-9]{4}(?: [A-Za-z0-9]{4}){5}))(?!\w| [a-z]{1,12}\b)"
)
_ODD_GROUP = re.compile(r"[^aeiouy]{3}|[aeiouy]{3}|[A-Za-z]\d|\d[A-Za-z]|[a-z][A-Z]")


_ANNOUNCED = re.compile(rb"(?i)(?::|\bis|\bist|lautet|[\r\n])\s{0,4}\Z")


def _told(data: bytes, match: AnyMatch) -> Sequence[Span]:
    span = match.span(1)
    return () if is_placeholder(data[slice(*span)].decode("utf-8", "ignore")) else (span,)


def _codes(data: bytes, match: AnyMatch) -> Sequence[Span]:
    """One code, or as many as follow."""
    spans, position = list[Span](), match.end()
    while (
        len(spans) < _MAX_CODES
        and position - match.start() < _MAX_CODES_SIZE
        and (found := _SHOWN_CODE.match(data, position)) is not None
    ):
        text = found[1].decode()
        if _DATE.fullmatch(text) or _NUMBERED.fullmatch(text) or _counts(data, found):
            break
        if is_number(text) and not text.replace(" ", "").replace("-", "").isdigit():
            break
        spans.append(found.span(1))
        if (between := _BETWEEN_CODES.match(data, found.end())) is None:
            break
        position = between.end()
    return spans


def _counts(data: bytes, code: re.Match[bytes]) -> bool:
    """`backup keys 12345678 rows`"""
    words = data[code.end() : code.end() + 20].split(maxsplit=1)
    return bool(words) and code[1].isdigit() and words[0].decode("utf-8", "ignore").strip(".,;:").lower() in UNITS


def _in_groups(data: bytes, match: AnyMatch) -> Sequence[Span]:
    """A key has many letters; answers of a test and strands of genes have few."""
    text = data[slice(*match.span(1))]
    is_key = _HAS_DIGIT.search(text) is not None and len(set(text.lower()) - set(b" 234567")) >= _MIN_LETTERS
    return (match.span(1),) if is_key else ()


def _app_password(data: bytes, match: AnyMatch) -> Sequence[Span]:
    """Four letters make a word as often as not: one of the groups must be none, two where nothing announces them."""
    groups = data[slice(*match.span(1))].decode().split()
    odd = sum(_ODD_GROUP.search(group) is not None for group in groups)
    is_announced = _ANNOUNCED.search(data, match.start(), match.start(1)) is not None
    is_sentence = bool(STOP_WORDS.intersection(groups)) or odd < (1 if is_announced else 2)
    return () if is_sentence else (match.span(1),)


SHOWN_KEY_RULES: tuple[Rule, ...] = (
    Rule("password", "", (("WIFI:T:WPA;S:Home;P:", "Sommer2024!;;"), ("WIFI:S:My Net;T:WPA;P:semi", "\\;colon99;H:false;;")), (("WIFI:T:nopass;S:Cafe;;",), ("WIFI: ask at the desk; P: parking",), ("WIFI:T:WPA;S:Home;P:password;;",)),
         literals=("WIFI:",), find=at_literals("password", _WIFI_CODE, _told)),
    Rule("password", "", (("    Key Content            : ", "Sommer2024!"), ("    Schlüsselinhalt            : ", "Sommer2024!\n")), (("Key content: chapter one",), ("Key Content : Absent",)),
         literals=("key content", "schlüsselinhalt", "contenu de la clé", "contenido de la clave", "contenuto chiave"), find=at_literals("password", _KEY_CONTENT, _told), follow=b" \t"),
    Rule("recovery code", "", (("Recovery code: R0FR-", "QH79-736M"), ("backup codes:\n", "7041 8667\n3200 4511"), ("my recovery codes are ", "a551f-e71c3, baf88-09174"), ("Sicherungscodes: ", "79520617")),
         (("Recovery codes: keep them safe",), ("backup code: 10 of them",), ("Backup code from 2024-05-01",), ("backup keys: spare-key and main-key",), ("Recovery code: E1001",), ("Backup codes 2026-11-18",), ("backup keys customer-0001 and customer-0002",), ("backup code: refactor01 branch",), ("Ersatzschlüssel 12345678",), ("recovery codes 100000 generated",), ("backup keys 12345678 rows",)),
         literals=("recovery", "backup", "back-up", "rescue", "scratch", "wiederherstellungs", "notfall", "ersatz", "sicherungs"), find=at_literals("recovery code", _SHOWN_CODES, _codes), follow=b" -cCkKs\xc3"),
    Rule("recovery code", _BITLOCKER, (("542616-077312-607947-951383-", "724633-067631-159570-896838"),), (("542616-077312-607947",),), gate=r"\d{6}-\d{6}-\d{6}-\d{6}"),
    Rule("otp seed", "", (("Enter this setup key: ad5j 4v5z ", "gasw gqxc"),), (("the key: turn left then right",), ("Key: this will work only here",), ("Answer key: abba dcab bacd 2abc",), ("key: 2222 3333 4444 5556",)),
         literals=("key",), find=at_literals("otp seed", _GROUPED_KEY, _in_groups, left=at_part), follow=b" :"),
    Rule("otp seed", "", (("Setup key: AJFOVWJCOBAAUWLO", "EKPWMKVSTQSESIF4"),), (("setup key: see the manual",), ("setup code: INTRODUCTION",)),
         literals=("setup key", "setup code", "set-up key"), find=at_literals("otp seed", _SETUP_KEY, _in_groups), follow=b" :\n\r"),
    Rule("password", "", (("App password: vpst ", "rose zrqe nyvi"), ("Application password: nJXS nygw ", "BPTT QNz1 UUXS ZKBN")), (("my app password is very long they said",), ("the app password must have more than four words",), ("app password: blue fish tree moon",), ("app password auth flow uses http",)),
         literals=("app password", "app-password", "application password", "app-specific password", "app-passwort", "apppasswort"), find=at_literals("password", _APP_PASSWORD, _app_password, left=anywhere), follow=b" :\n\r"),
)  # fmt: skip
