"""Secrets that are known by their name: `password = …`, `"api_key": …`, `--token …`, `<secret>…</secret>`.

Knows: how names and values are written in code, env files, JSON, YAML, XML, SQL, flags and query strings.
Does not know: how a value must look to count (values.py), nor whole sentences (prose.py).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from pmg.ingest.redact.linear import Match
from pmg.ingest.redact.rule import HEX, Rule, Sample, Span, filler
from pmg.ingest.redact.values import (
    is_code,
    is_gibberish,
    is_number,
    is_passphrase,
    is_place,
    is_placeholder,
    is_wordy,
    looks_random,
    shape_of,
)
from pmg.ingest.redact.words import (
    ALGORITHMS,
    HARMLESS_PARTS,
    KEY_QUALIFIERS,
    PASSWORD_PARTS,
    PIN_PARTS,
    TOKEN_PARTS,
    TRAILING_PARTS,
    UNITS,
)

# Behind these, `key` is a secret.
_QUALIFIED = "|".join(sorted(KEY_QUALIFIERS))
# What every name of a secret holds: text without any of them needs no closer look.
PASSWORD_LITERALS = tuple(
    "pass pwd psw pw kennwort contrase clave mdp senha parol wachtwoord hasło haslo lösenord losenord adgangskode salasana "
    "şifre sifre heslo jelszó пароль 密码 密碼 パスワード 비밀번호 암호 κωδικός סיסמה पासवर्ड รหัสผ่าน geheimzahl zugangscode masterauth".split()
)
TOKEN_LITERALS = tuple("secret token credential creds bearer jwt pat key".split())

_PASSWORD_WORD = (
    r"pass(?:word|wd|wrd|wort|phrase|code|ord|w)?|requirepass|masterauth|pwd|psw|pswd|pw|kennwort|contrase(?:ñ|n)a|clave|mdp|senha|"
    r"parol[aă]|mot[ _-]?de[ _-]?passe|wachtwoord|hasło|haslo|l[öo]senord|adgangskode|salasana|[sş]ifre|heslo|jelszó|пароль|密码|"
    r"密碼|パスワード|비밀번호|암호|κωδικός|סיסמה|पासवर्ड|รหัสผ่าน|geheimzahl|zugangscode"
)
_TOKEN_WORD = rf"secret|token|credentials?|creds|bearer|jwt|pat|api[ _.-]?key|(?:{_QUALIFIED})[ _.-]?key"
_NAME_END = r"[\w-]{0,40}(?:\[\d{0,4}\]|\(\))?\\{0,3}[\"'`]?[\])]{0,2}[*_]{0,3}[ \t]{0,24}\??"
_TYPED = r":[ \t]{0,8}[A-Za-z_&*][\w.:\[\]<> |?&*,]{0,60}=[ \t]{0,8}"
_OPERATOR = rf"(?:{_TYPED}|:=|=>|={{1,3}}|!==?|:|->|→|：|＝|\|)"
_VALUE_START = r"[*_]{0,3}[ \t]{0,24}(?:[bBrRuUfF@]{1,2}(?:[\"']))?"


def _assignment(word: str) -> str:
    return rf"(?i)(?:{word})({_NAME_END}){_OPERATOR}{_VALUE_START}"


def _call(word: str) -> str:
    """`define('DB_PASSWORD', '…')`, `("password", "…")`, `setPassword("…")`, `WITH PASSWORD '…'`, `--password …`."""
    return rf"(?i)(?:{word})([\w-]{{0,40}}\\{{0,3}}(?:[\"'`][ \t]{{0,4}},[ \t]{{0,4}}|\([ \t]{{0,4}}|[ \t]{{1,4}})\\{{0,3}})[\"'`]"


def _tag(word: str) -> str:
    """`<password>…</password>`, `<add key="Password" value="…"/>`, `name: X` with `value: …` on the next line."""
    return (
        rf"(?i)(?:{word})([\w-]{{0,40}}\\{{0,3}}[\"']?,?\s{{1,40}}\\{{0,3}}[\"']?value\\{{0,3}}[\"']?[ \t]{{0,4}}[:=][ \t]{{0,4}}|"
        r"[\w-]{0,40}[\"']?[^<>\r\n]{0,40}?>)"
    )


def _flag(word: str) -> str:
    return rf"(?i)(?:^|[\s\"'`(])--?[a-z-]{{0,30}}(?:{word})([\w-]{{0,20}}[ \t]{{1,4}})"


def _environment(word: str) -> str:
    """`ENV DB_PASS …` of a Dockerfile, `setenv API_KEY …` of a shell: no sign between."""
    return rf"(?im)^[ \t]{{0,12}}(?:ENV|ARG|setenv|setx)[ \t]{{1,4}}[\w.-]{{0,40}}(?:{word})([\w-]{{0,20}}[ \t]{{1,4}})"


_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\WA-Z\d_]+|\d+")
_NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$-"
_MARK = b"[redacted: "
_CLOSING = {"“": "”", "‘": "’", "«": "»", "„": "“", "「": "」", "『": "』"}
_STOP = re.compile(
    r"[\s\"`<>。、，；「」『』（）]|['’](?:$|[\s,;)\]}])|[,;](?:$|[\s\"'])|[&;,](?:amp;)?[\w.-]{1,40}=|\\[nrt\"]|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]"
)
_REACH = 1024


@dataclass(frozen=True, slots=True)
class Value:
    """A value as it is written: where, what, whether in quotes, and what comes after it on its line."""

    start: int
    end: int
    text: str
    quoted: bool
    after: str


def kind_of(name: str) -> str:
    """`password`, `token` or `pin` when the name is that of a secret, else nothing."""
    parts = [part.lower() for part in _PARTS.findall(name)]
    while parts and (parts[-1].isdigit() or parts[-1] in TRAILING_PARTS):
        parts.pop()
    if not parts or HARMLESS_PARTS.intersection(parts):
        return ""
    last, pair = parts[-1], "".join(parts[-2:])
    if last in PASSWORD_PARTS or pair in PASSWORD_PARTS or parts[-3:] == ["mot", "de", "passe"]:
        return "password"
    if last in TOKEN_PARTS or pair in TOKEN_PARTS or (last == "key" and parts[-2:-1] and parts[-2] in KEY_QUALIFIERS):
        return "token"
    return "pin" if (set(parts) - {"code", "number", "nummer"}) & PIN_PARTS and len(parts) <= 3 else ""


def read_value(data: bytes, position: int) -> Value | None:
    """The value that starts at `position`, within quotes or up to where an unquoted one ends."""
    window = data[position : position + _REACH].decode("utf-8", "ignore")
    skipped = len(window) - len(window.lstrip("\\"))
    mark = window[skipped : skipped + 1]
    closing = _CLOSING.get(mark, mark if mark in "\"'`" else "")
    if not closing or not mark:
        return _unquoted(position, window)
    opened = skipped + (3 if window.startswith(mark * 3, skipped) else 1)
    line_end = _line_end(window, opened)
    closed = _closing_quote(window, closing, opened, line_end)
    if closed < 0:
        return _unquoted(position + len(window[:opened].encode()), window[opened:])
    text = window[opened:closed].rstrip("\\")
    start = position + len(window[:opened].encode())
    return Value(start, start + len(text.encode()), text, True, window[closed + 1 : line_end])


def _closing_quote(window: str, closing: str, opened: int, line_end: int) -> int:
    closed = window.find(closing, opened, line_end)
    # An escaped quote inside the value does not close it, unless the opening quote was escaped itself.
    while closed > opened and window[closed - 1] == "\\" and window[opened - 2 : opened - 1] != "\\":
        closed = window.find(closing, closed + 1, line_end)
    return closed


def _line_end(window: str, start: int) -> int:
    end = window.find("\n", start)
    return len(window) if end < 0 else end


def _unquoted(position: int, window: str) -> Value | None:
    stop = _STOP.search(window)
    text = window[: stop.start()] if stop else window
    text = text.rstrip(".,;:)]}|'*_\\")
    if not text or text[0] in "([{":
        return None
    after = window[len(text) : _line_end(window, len(text))]
    return Value(position, position + len(text.encode()), text, False, after)


def is_password(value: Value, strict: bool) -> bool:
    """`strict` where the name alone does not tell an assignment from a sentence or an expression."""
    text, shape = value.text, shape_of(value.text)
    if shape.size < 3 or is_placeholder(text) or is_place(text) or text.lower() in ALGORITHMS:
        return False
    if value.quoted:
        return is_passphrase(text) if " " in text else not _is_label(text) and (shape.digits > 0 or shape.size > 3)
    if is_code(text) or value.after.startswith(("(", "[")):
        return False
    if shape.letters == 0 or is_number(text):
        return shape.digits >= 4 and "." not in text and next_word(value) not in UNITS and not is_unit(text)
    if shape.digits and shape.letters:
        return shape.size >= 4 and not _is_label(text)
    if shape.symbols and not _is_label(text):
        return shape.size >= 6
    if is_gibberish(text):
        return True
    return not strict and not is_wordy(text) and not _is_label(text) and not _reads_like_a_state(text)


def is_token(value: Value, strict: bool) -> bool:
    text = value.text
    if is_placeholder(text) or (not value.quoted and (is_code(text) or value.after.startswith(("(", "[")))):
        return False
    if value.quoted and " " in text:
        return False
    if not strict and not value.quoted and text.isalpha():
        return len(text) >= 16 and not is_wordy(text)
    return looks_random(text, 8 if strict else 6) or (
        value.quoted and text.isalpha() and len(text) >= 16 and not is_wordy(text)
    )


def is_pin(value: Value, strict: bool) -> bool:
    return (
        value.text.isdigit()
        and 3 <= len(value.text) <= 8
        and next_word(value) not in UNITS
        and not value.after.startswith(".")
    )


def is_unit(text: str) -> bool:
    return text[:1].isdigit() and text[-1:].isalpha()


def next_word(value: Value) -> str:
    words = value.after.split(maxsplit=1)
    return words[0].strip(".,;:()!?\"'").lower() if words else ""


def _is_label(text: str) -> bool:
    """Holds a name of a secret and nothing but words: `user_password`, `passwordField`, `auth.password.label`."""
    parts = [part.lower() for part in _PARTS.findall(text)]
    telling = PASSWORD_PARTS.union(TOKEN_PARTS, {"key"})
    simple = all(character.isalnum() or character in "_-.:/ " for character in text)
    short_digits = all(len(part) <= 1 for part in parts if part.isdigit())
    return (simple and short_digits and len(parts) > 1 and bool(telling.intersection(parts))) or text.lower() in telling


_STATE = re.compile(r"(?i)(?:ed|ing|able|ible|ous|ive|less|ful|ly|ory|tion|ent|ant|ten|ment)$")


def _reads_like_a_state(text: str) -> bool:
    return (
        not text.isalpha()
        or _STATE.search(text) is not None
        or len(text) < 5
        or (text[0].isupper() and not text.isupper())
    )


def _full_name(data: bytes, match: Match) -> tuple[str, int]:
    """The whole name around the telling word, and where it starts."""
    start = match.start()
    before = data[max(0, start - 60) : start].decode("utf-8", "ignore")
    outside = before.rstrip(_NAME_CHARACTERS)
    prefix = before[len(outside) :]
    if outside.endswith("\\") and prefix[:1] in ("n", "r", "t"):
        prefix = prefix[1:]  # an escaped line end, not a letter of the name
    elif outside.endswith("\x1b["):
        prefix = prefix.partition("m")[2]  # a colour code of a terminal
    elif prefix.startswith(("-D", "-P")):
        prefix = prefix[2:]  # a property given to Java or Gradle
    tail = data[start : match.start(1)].decode("utf-8", "ignore") + _head(data[slice(*match.span(1))])
    return prefix + tail, start - len(prefix.encode())


def _head(rest: bytes) -> str:
    found = re.match(r"[\w-]*", rest.decode("utf-8", "ignore"))
    return found.group() if found else ""


def _is_line_of_its_own(data: bytes, name_start: int, value: Value) -> bool:
    """Nothing but the name and the value on the line, as in env and YAML files; a keyword argument is not."""
    line = data.rfind(b"\n", max(0, name_start - 200), name_start) + 1 or max(0, name_start - 200)
    before = data[line:name_start].decode("utf-8", "ignore").strip(" \t-*>\"'#$")
    return before in ("", "export", "set", "ENV", "env", "declare -x") and not value.after.strip(" \t\r|*`\"'")


_ACCEPT = {"password": is_password, "token": is_token, "pin": is_pin}


def _judge(kind: str, loose: bool, data: bytes, match: Match) -> Sequence[Span]:
    position = match.end()
    if data[position - 1 : position] in (b'"', b"'", b"`") and data[position - 2 : position - 1] != b"\\":
        position -= 1  # the pattern took the quote along
    if data.startswith(_MARK, position) or data.startswith(_MARK, position + 1):
        return ()
    value = read_value(data, position)
    if value is None or len(value.text) < 3:
        return ()
    if data[position - 1 : position] == b">" and not value.after.startswith("</"):
        return ()
    name, name_start = _full_name(data, match)
    if kind_of(name) != kind:
        return ()
    spaced = data[position - 1 : position] in (b" ", b"\t")
    upper = name.isupper() and not spaced
    strict = not (loose or upper or _is_line_of_its_own(data, name_start, value))
    return ((value.start, value.end),) if _ACCEPT[kind](value, strict) else ()


_LITERALS = {"password": PASSWORD_LITERALS, "token": TOKEN_LITERALS, "pin": ()}


def _rule(kind: str, name: str, pattern: str, yes: list[Sample], no: list[str], loose: bool = False) -> Rule:
    counter = tuple((text,) for text in no)
    gate = r"(?i)\b(?:pin|cvv|cvc|otp|geheimzahl)" if kind == "pin" else ""
    return Rule(name, pattern, tuple(yes), counter, _LITERALS[kind], partial(_judge, kind, loose), gate)


KEY_VALUE_RULES: tuple[Rule, ...] = (
    _rule("password", "password", _assignment(_PASSWORD_WORD),
          [("password = ", '"hunter22"'), ("DB_PASSWORD=", "sw0rdfish"), ('{"password": "', 'tr0ub4dor&3"}'), ("Passwort: ", "Sommer2024!")],
          ["password = getpass.getpass()", "password: str", "Password: minimum 12 characters", "password=${DB_PASSWORD}"]),
    _rule("password", "password", _call(_PASSWORD_WORD),
          [("define('DB_PASSWORD', '", "sw0rdfish');"), ("ALTER USER bob WITH PASSWORD '", "sw0rdfish'")],
          ["define('DB_PASSWORD', 'password')", "getPassword('label')"]),
    _rule("password", "password", _tag(_PASSWORD_WORD),
          [("<password>", "sw0rdfish</password>"), ('<add key="Password" value="', 'sw0rdfish"/>')],
          ["<password>string</password>", '<input type="password" value="">'], loose=True),
    _rule("password", "password", _flag(_PASSWORD_WORD),
          [("tool --password ", "sw0rdfish"), ("sshpass --pass ", "hunter22 ssh")],
          ["tool --password <password>", "tool --password-file path.txt"]),
    _rule("password", "password", _environment(_PASSWORD_WORD), [("ENV DB_PASS ", "sw0rdfish")], ["ENV DB_PASSWORD_FILE /run/pw"]),
    _rule("token", "secret", _environment(_TOKEN_WORD), [("ENV API_TOKEN ", filler(24))], ["ENV API_TOKEN $TOKEN"]),
    _rule("token", "secret", _assignment(_TOKEN_WORD),
          [("api_key = '", filler(32, HEX), "'"), ("CLIENT_SECRET=", filler(24)), ("?access_token=", filler(30), "&x=1")],
          ["api_key = os.environ['API_KEY']", "The secret: cook it slowly", "max_tokens=4096", "token: <your-token>"]),
    _rule("token", "secret", _call(_TOKEN_WORD),
          [("('api_key', '", filler(24), "')"), ("setToken(\"", filler(24), '")')], ["getToken('session')"]),
    _rule("token", "secret", _tag(_TOKEN_WORD),
          [("<apiKey>", filler(24), "</apiKey>"), ("- name: API_TOKEN\n  value: ", filler(24))], ["<token>string</token>"], loose=True),
    _rule("token", "secret", _flag(_TOKEN_WORD), [("tool --token ", filler(24))], ["tool --token $TOKEN"]),
    _rule("pin", "pin", r"(?i)\b(?:pin|cvv2?|cvc2?|otp|geheimzahl)((?:[ _-]?(?:code|number|nummer))?[\"']?)[ \t]{0,4}(?:is|ist|es|est|:|=)[ \t]{0,4}[\"']?",
          [("PIN: ", "4921"), ("my pin is ", "4921"), ("cvv=", "123")], ["int pin = 13", "PIN: 4 digits", "pin: GPIO17"], loose=True),
)  # fmt: skip
