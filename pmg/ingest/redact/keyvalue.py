"""Secrets that are known by their name: `password = …`, `"api_key": …`, `--token …`, `<secret>…</secret>`.

Here is how names and values are written in code, env files, JSON, YAML, XML, SQL, flags and query strings. What a name
announces is in names.py, how a value must look to count in accept.py; whole sentences are in prose.py.

The rules of this file find their matches with Python's own `re`, anchored at each name and without nested repeats: a file
may be full of secrets, and one call for each is all there is time for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pmg.ingest.redact.accept import is_key, is_password, is_token
from pmg.ingest.redact.marks import MARK_START
from pmg.ingest.redact.names import KEY, PASSWORD, TOKEN, kind_of
from pmg.ingest.redact.reading import Value, read_value
from pmg.ingest.redact.rule import Hit, Rule, Sample
from pmg.ingest.redact.words import KEY_QUALIFIERS

# What every name of a secret holds: text without any of them needs no closer look.
PASSWORD_STEMS = (
    "pass pwd psw kennwort contraseña contrasena clave mdp senha parola parolă wachtwoord hasło haslo lösenord losenord adgangskode "
    "salasana şifre sifre heslo jelszó пароль Пароль ПАРОЛЬ 密码 密碼 パスワード 비밀번호 암호 κωδικός סיסמה पासवर्ड รหัสผ่าน geheimzahl "
    "zugangscode masterauth"
).split()
TOKEN_STEMS = "secret token credential creds bearer jwt key auth login".split()
_SHORT_STEMS = r"\bpw\b|\bpat\b|_pat\b|_pw\b"
NAME_GATE = "(?i)" + "|".join([*PASSWORD_STEMS, *TOKEN_STEMS]) + f"|{_SHORT_STEMS}"

_STEM = re.compile(
    b"(?i:" + "|".join([*PASSWORD_STEMS, *TOKEN_STEMS]).encode() + b"|" + _SHORT_STEMS.encode() + rb")[\w-]{0,40}+"
)
_NAME_CHARACTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$-"
_VALUE_START = rb"[*_]{0,3}[ \t]{0,24}+(?:[bBrRuUfF@]{1,2}(?=[\"']))?"
_TYPE = rb"[A-Za-z_&*][\w.:\[\]<> |?&*,]{0,60}?=(?![=>])[ \t]{0,8}"
_ASSIGNED = re.compile(
    rb"(?:\[\d{0,4}\]|\(\))?\\{0,3}[\"'`]?[\])]{0,2}[*_]{0,3}[ \t]{0,24}+\??"
    rb"(?::[ \t]{0,8}" + _TYPE + rb"|:{1,3}=|\?\??=|[.+]=|=>|={1,3}|!==?|:|->|\xe2\x86\x92|\xef\xbc\x9a|\xef\xbc\x9d|\|)"
    + _VALUE_START + rb"|[ \t]{1,8}(?:string|String|str|char|const char ?\*|auto|&str|&'static str|\[\]byte)[ \t]{0,8}=[ \t]{0,8}"
)  # fmt: skip
# `define('DB_PASSWORD', '…')`, `("password", "…")`, `setPassword("…")`, `WITH PASSWORD '…'`
_CALLED = re.compile(
    rb"\\{0,3}(?:[\"'`]\]?[ \t]{0,4},[ \t]{0,4}|\([ \t]{0,4}|[ \t]{1,4})\\{0,3}(?=[\"'`])"
)
# `<add key="Password" value="…"/>`, `name: X` with `value: …` on the next line, `variable "x" { default = "…" }`
_GIVEN = re.compile(
    rb"\\{0,3}[\"']?,?\s{1,40}\\{0,3}[\"']?value\\{0,3}[\"']?[ \t]{0,4}[:=][ \t]{0,4}|"
    rb"[\"']\s{0,4}\{[^{}]{0,200}?\bdefault\s{0,12}=\s{0,8}"
)
_TAGGED = re.compile(rb"(?:[ \t][^<>\r\n]{0,60}?)?>\s{0,40}+(?=[^<\s])")
_SPACED = re.compile(rb"[ \t]{1,4}(?=[^\s-])")
_ENVIRONMENT = re.compile(rb"(?:^|\n)[ \t]{0,12}(?:ENV|ARG|setenv|setx)[ \t]{1,4}$")
_WORD_BEFORE = re.compile(rb"([A-Za-z]{2,16})[ \t]$")
_OWN_LINE = frozenset({b"", b"export", b"set", b"ENV", b"env", b"declare -x", b"var", b"local", b"const", b"let"})

_ACCEPT: dict[str, Callable[[Value, bool], bool]] = {PASSWORD: is_password, TOKEN: is_token, KEY: is_key}
_KINDS = {PASSWORD: "password", TOKEN: "secret", KEY: "secret"}


def find_named(data: bytes, position: int, end: int) -> Iterator[Hit]:
    """Every name of a secret that begins before `end`, with its value where that is one."""
    for found in _STEM.finditer(data, position, min(len(data), end + 64)):
        start, stop = found.span()
        if start >= end:
            return
        if start < position:
            continue
        name_start = _name_start(data, start)
        kind = _kind(data, name_start, stop)
        if kind and (hit := _hit(data, kind, start, name_start, stop)) is not None:
            yield hit
            position = hit.end


def _hit(data: bytes, kind: str, start: int, name_start: int, stop: int) -> Hit | None:
    form = _form(data, name_start, stop)
    if form is None:
        return None
    place, is_loose, is_tag = form
    if data.startswith(MARK_START, place) or data.startswith(MARK_START, place + 1):
        return None
    value = read_value(data, place)
    if value is None or len(value.text) < 3 or (is_tag and not value.after.lstrip().startswith("</") and not _closes(data, value.end)):
        return None
    strict = not (is_loose or _is_shouted(data, name_start, stop, place) or _is_line_of_its_own(data, name_start, value))
    if not _ACCEPT[kind](value, strict):
        return None
    return Hit(start, value.end, ((value.start, value.end),), _KINDS[kind])


def _form(data: bytes, name_start: int, stop: int) -> tuple[int, bool, bool] | None:
    """Where the value stands, whether its place alone tells that it is one, and whether it is the text of a tag."""
    if (found := _ASSIGNED.match(data, stop)) is not None:
        return found.end(), False, False
    if (found := _CALLED.match(data, stop)) is not None:
        if data[stop : stop + 1] in b" \t" and (_is_verb(data, name_start, stop) or data[found.end() : found.end() + 1] == b"`"):
            return None
        return found.end(), False, False
    if (found := _GIVEN.match(data, stop)) is not None:
        return found.end(), True, False
    if (found := _TAGGED.match(data, stop)) is not None:
        return found.end(), True, True
    if (found := _SPACED.match(data, stop)) is not None:
        is_flag = data[name_start : name_start + 1] == b"-"
        if is_flag or _ENVIRONMENT.search(data, max(0, name_start - 40), name_start) is not None:
            return found.end(), False, False
    return None


def _is_verb(data: bytes, name_start: int, stop: int) -> bool:
    """`pass 'x' to it`: the word alone, with nothing but a space behind it."""
    return data[name_start:stop].lower() in (b"pass", b"key", b"token", b"clave", b"login", b"auth")


def _closes(data: bytes, end: int) -> bool:
    return data[end : end + 60].lstrip().startswith(b"</")


def _name_start(data: bytes, start: int) -> int:
    before = data[max(0, start - 60) : start]
    outside = before.rstrip(_NAME_CHARACTERS)
    prefix = before[len(outside) :]
    if outside.endswith(b"\\") and prefix[:1] in (b"n", b"r", b"t"):
        prefix = prefix[1:]  # an escaped line end, not a letter of the name
    elif outside.endswith(b"\x1b["):
        prefix = prefix.partition(b"m")[2]  # a colour code of a terminal
    elif prefix.startswith((b"-D", b"-P")):
        prefix = prefix[2:]  # a property given to Java or Gradle
    return start - len(prefix)


def _kind(data: bytes, name_start: int, stop: int) -> str:
    name = data[name_start:stop].decode("utf-8", "ignore")
    kind = kind_of(name)
    if kind == KEY and name.isalpha() and (before := _WORD_BEFORE.search(data, max(0, name_start - 20), name_start)):
        # `API key: …`: two words make the name
        return TOKEN if before[1].decode().lower() in KEY_QUALIFIERS and name.lower() == "key" else kind
    if not kind and name.lower() == "passe" and data[max(0, name_start - 7) : name_start].lower() == b"mot de ":
        return PASSWORD
    return kind


def _is_shouted(data: bytes, name_start: int, stop: int, place: int) -> bool:
    return data[place - 1 : place] not in (b" ", b"\t") and data[name_start:stop].isupper()


def _is_line_of_its_own(data: bytes, name_start: int, value: Value) -> bool:
    """Nothing but the name and the value on the line, as in env and YAML files; a keyword argument is not."""
    if value.after.strip(" \t\r|*`\"'"):
        return False
    line = data.rfind(b"\n", max(0, name_start - 200), name_start) + 1 or max(0, name_start - 200)
    return data[line:name_start].strip(b" \t-*>\"'#$") in _OWN_LINE


def _rule(name: str, yes: list[Sample], no: list[str]) -> Rule:
    counter = tuple((text,) for text in no)
    return Rule(name, "", tuple(yes), counter, gate=NAME_GATE, find=find_named)


KEY_VALUE_RULES: tuple[Rule, ...] = (
    _rule("password",
          [("password = ", '"hunter22"'), ("DB_PASSWORD=", "sw0rdfish"), ('{"password": "', 'tr0ub4dor&3"}'), ("Passwort: ", "Sommer2024!"),
           ("define('DB_PASSWORD', '", "sw0rdfish');"), ("ALTER USER bob WITH PASSWORD '", "sw0rdfish'"), ("$dbpasswd = '", "sw0rdfish9';"),
           ("<password>", "sw0rdfish</password>"), ('<add key="Password" value="', 'sw0rdfish"/>'), ('<Pass encoding="plain">\n  ', "sw0rdfish9\n</Pass>"),
           ("tool --password ", "sw0rdfish"), ("sshpass --pass ", "hunter22 ssh"), ("ENV DB_PASS ", "sw0rdfish"),
           ('dbPassword := "', 'sw0rdfish9"'), ('variable "db_password" {\n  default = "', 'sw0rdfish9"\n}')],
          ["password = getpass.getpass()", "password: str", "Password: minimum 12 characters", "password=${DB_PASSWORD}",
           "define('DB_PASSWORD', 'password')", "getPassword('label')", "<password>string</password>", '<input type="password" value="">',
           "tool --password <password>", "tool --password-file path.txt", "ENV DB_PASSWORD_FILE /run/pw",
           "validate the password first. Then pass `user_id` to the function", "la clave `price`", '"pbkdf2-password": "1.2.1"']),
    _rule("secret",
          [("api_key = '{hex 32}'",), ("CLIENT_SECRET={alnum 24}",), ("?access_token={alnum 30}&x=1",), ("ENV API_TOKEN {alnum 24}",),
           ("('api_key', '{alnum 24}')",), ('setToken("{alnum 24}")',), ("<apiKey>{alnum 24}</apiKey>",), ("- name: API_TOKEN\n  value: {alnum 24}",),
           ("tool --token {alnum 24}",), ("SERVICE_KEY={alnum 24}",), ("key={alnum 40}",), ("here is the key: {alnum 40}",),
           ("sonar.login={hex 40}",), ("PresharedKey = {alnum 43}=",), ('"auth": "{base64 40}"',)],
          ["api_key = os.environ['API_KEY']", "The secret: cook it slowly", "max_tokens=4096", "token: <your-token>", "ENV API_TOKEN $TOKEN",
           "getToken('session')", "<token>string</token>", "tool --token $TOKEN", "cache_key={hex 40}", "key: value", "key=user_profile_cache_version_2"]),
)  # fmt: skip
