"""Secrets told in sentences: "my password is …", "das Passwort lautet …", "la contraseña es …", "my slack token …".

Here is how people say what a password or key is, in several languages. Passwords that are handed over in other words are in
prose_forms.py, PINs and other codes in codes.py, assignments in keyvalue.py, command lines in commands.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from pmg.base.patterns import AnyMatch
from pmg.ingest.redact.accept import (
    alternative,
    is_hyphenated_phrase,
    is_key,
    is_password,
    is_token,
    is_unit,
    next_word,
)
from pmg.ingest.redact.anchored import SPOKEN, anywhere, at_literals, at_part, in_bytes
from pmg.ingest.redact.reading import Value, read_run, read_value
from pmg.ingest.redact.rule import Rule, Span
from pmg.ingest.redact.values import (
    is_chosen_word,
    is_gibberish,
    is_identifier,
    is_named_stand_in,
    is_passphrase,
    is_placeholder,
    is_plainly_random,
    is_shipped,
    is_sign_mix,
    is_wordy,
    shape_of,
)
from pmg.ingest.redact.words import PLACEHOLDERS, STOP_WORDS, UNITS

_PASSWORD = (
    r"pass(?:word|wd|wort|phrase|code|ord)|pwd|pw|kennwort|contrase(?:ñ|n)a|clave|mot de passe|mdp|senha|palavra-passe|parola(?: d'ordine)?|"
    r"wachtwoord|hasło|lösenord|adgangskode|salasana|şifre|heslo|jelszó|пароль|密码|密碼|パスワード|비밀번호|"
    r"(?:wi-?fi|wlan|wpa2?|network)[ -](?:key|code|schlüssel)|(?:login|logon|sign-?in)[ -]code|door code|alarm code|gate code"
)
# What it is for, in up to five words.
_WHAT_FOR = (
    r"(?: (?:for|to|of|on|at|für|fürs|zum|zur|vom|von|der|meiner|meines|deiner|deines|seiner|ihrer|unserer|unseres|bei|beim|im|am|del|della|dello|de la|de|des|do|da|dos|das|di|para|du|pour|chez|per|voor|van)"
    r"(?: [^\s.,;:!?]{1,40}){1,5}?)"
)
ABOUT = rf"{_WHAT_FOR}?"
_IS = (
    r"(?: (?:is|was|has been|got) (?:set|changed|reset|updated|switched) to|,? c(?:'|’)est|"
    r" (?:is|was|used to be|will be|should be|would be|ist|war|lautet|heißt|es|era|est|était|è|é|era|jest|är|er|on|je|это|= ?|are)(?: (?:now|still|just|simply|"
    r"currently|set to|always|called|jetzt|nun|ahora|maintenant|actually|probably|literally|basically|either|übrigens|momentan|aktuell))?|'s| (?:set |changed |reset |updated |switched )?to| →)"
)
_GAP = r"(?:(?::|：)\s{0,3}|\s{1,3})[*_]{0,2}"


_COMPOUNDED, _COMPOUND_SIZE = (b"passwort", b"kennwort"), len(b"passwort")


def _told(words: str) -> bytes:
    return in_bytes(rf"(?i)(?:{words})(?:{ABOUT}{_IS}{_GAP}|(?:是|为|為|は|가|은|는)(?::|：)?\s?)")


# `Passwort für die Bahn-App: …`: no verb, so no number counts.
_FOR_WHAT = in_bytes(rf"(?i)(?:{_PASSWORD}){_WHAT_FOR} ?(?::|：)\s{{1,3}}(?=[^\s]*[A-Za-z])")


# A bare word is only a password where the sentence ends with it and it does not say how the password is.
_HUMP, _ACRONYM = re.compile(r"[a-z][A-Z]"), re.compile(r"[A-Z]{2,}[a-z]?\d{1,2}")  # `LDAPv3`, `OAUTH2`
_HOW = re.compile(
    r"(?i)(?:ed|ing|able|ible|ous|ive|less|ful|ly|ory|tion|ent|ant|ten|ment|al|ct|ng|ic|id|ry|est|er|ort|ich|ig|bar|lich|en|kt|[ai][dt][ao]|ée?)$"
)
_ENDS = re.compile(r"^[\"'”’)]*(?:[.!?]*\s*$|[.!?]\s)")


def at_compound(data: bytes, begin: int) -> bool:
    """As `at_part`, or within a German compound: `Sperrkennwort`."""
    return at_part(data, begin) or data[begin : begin + _COMPOUND_SIZE].lower() in _COMPOUNDED


def is_told_password(value: Value, may_be_word: bool) -> bool:
    """`may_be_word` where a plain word counts, too: in English, and where somebody says whose password it is."""
    text, shape = value.text, shape_of(value.text)
    if (
        is_placeholder(text)
        or is_named_stand_in(text.lower())
        or text.lower() in STOP_WORDS
        or text.lower() in PLACEHOLDERS
    ):
        return False
    if value.quoted and " " in text:
        return is_passphrase(text)
    if value.quoted:
        return is_password(value, True)
    if shape.letters == 0:
        return shape.digits >= 4 and is_password(value, True)
    if shape.digits or shape.symbols:
        return not is_unit(text) and next_word(value) not in UNITS and is_odd(text) and is_password(value, True)
    if is_gibberish(text) or is_hyphenated_phrase(value):
        return True
    return (
        may_be_word
        and text.isalpha()
        and shape.size >= 5
        and (text.islower() or text.istitle())
        and _ENDS.match(value.after) is not None
        and _HOW.search(text) is None
    )


def _is_chosen(value: Value) -> bool:
    """What may stand for a password in code, and is one where somebody says that it is: `changeme99`, `hunterPass`, `changeit`."""
    if is_chosen_word(value.text):
        return not is_unit(value.text) and next_word(value) not in UNITS and _ACRONYM.fullmatch(value.text) is None
    is_joined = value.text.isalpha() and _HUMP.search(value.text) is not None
    return (is_joined or is_shipped(value.text)) and _ENDS.match(value.after) is not None


def is_odd(text: str) -> bool:
    """Not a plain word with an apostrophe, hyphen or closing mark, as sentences have."""
    bare = text.strip("!?.,;:\"'’“”()*_-–—…")
    return not all(part.isalpha() for part in re.split(r"[-'’/–—_]", bare) if part) or not bare


_TOKEN_LIKE = re.compile(r"[\w+/=.~:|!-]+")


def _is_told_token(value: Value, _may_be_word: bool) -> bool:
    is_odd = _TOKEN_LIKE.fullmatch(value.text) is not None and not is_wordy(value.text)
    is_odd = is_odd and not is_identifier(value.text)
    return is_odd and is_token(value, True) and (shape_of(value.text).is_mixed or len(value.text) >= 32)


_ENGLISH = re.compile(rb"(?i)(?:pass(?:word|code|phrase)|pwd|pw|wi-?fi|login|door|gate|alarm).*(?: is| was|'s|to)\b")


# `La clave de este capítulo es 2024`: the word means what opens anything, and the number is a year or that of a queue.
_AMBIGUOUS, _COMMON = (
    re.compile(rb"(?i)clave|parola|senha|key|schl\xc3\xbcssel"),
    re.compile(r"(?:19|20)\d\d|[A-Z]{1,2}\d{2,3}"),
)
# `the public key is …`, and what everybody chooses: `the most common password is …`.
_PUBLIC, _MAX_PUBLIC = (
    re.compile(rb"(?i)\b(?:public|most (?:common|popular|used)|worst)(?:[ \t-]key)?[ \t-]\Z"),
    24,
)  # bytes
_OWNER = re.compile(
    rb"(?i)\b(?:mein|unser|mon|notre|mi|nuestra|minha|nossa|mijn|mia|nostra)[ \t](?:[\w-]{1,16}[ \t-])?\Z"
)
_MAX_OWNER = 30  # bytes
DIGIT_GROUPS = re.compile(rb"\d{4}(?:[ -]\d{4}){2,15}(?![\w-])")  # as routers have their keys on the back
_TO = re.compile(rb"(?i)(?<!set)(?<!changed)(?<!reset)(?<!updated)(?<!switched) to\s*\Z")
_MOTTO = re.compile(rb"(?i)word (?:of the (?:day|week|month|year|hour|game|evening|night)|to [^.]{1,80} to\b)")
_CHANGED = re.compile(rb"(?i)\b(?:chang|set|reset|updat|switch)[a-z]*\b[^.!?\r\n]*\Z")


def _judge(is_secret: Callable[[Value, bool], bool], data: bytes, match: AnyMatch) -> Sequence[Span]:
    value = read_value(data, match.end())
    is_assigned = data[match.start() : match.end()].rstrip().endswith(b"=")
    if _PUBLIC.search(data, max(0, match.start() - _MAX_PUBLIC), match.start()) is not None:
        return ()
    if (groups := DIGIT_GROUPS.match(data, match.end())) is not None and is_secret is is_told_password:
        return (groups.span(),)
    if is_secret is is_told_password and not is_assigned and (value is None or not value.quoted):
        run = read_run(data, match.end())
        if run is not None and is_sign_mix(run.text):
            return ((run.start, run.end),)
    if value is None or len(value.text) < 4:
        return ()
    if value.text.isdigit() and is_assigned:
        return ()  # an assignment, of which keyvalue.py knows more
    if _COMMON.fullmatch(value.text) is not None and _AMBIGUOUS.match(data, match.start()) is not None:
        return ()
    is_owned = _OWNER.search(data, max(0, match.start() - _MAX_OWNER), match.start()) is not None
    is_said = is_owned or _ENGLISH.match(data, *match.span()) is not None
    is_chosen = is_secret is is_told_password and not is_assigned and _is_chosen(value)
    if not is_chosen and not is_secret(value, is_said and _is_told(data, *match.span())):
        return ()
    other = alternative(data, value) if is_secret is is_told_password and not is_assigned else None
    is_another = other is not None and shape_of(other.text).is_mixed and is_told_password(other, False)
    return ((value.start, value.end), *([(other.start, other.end)] if other is not None and is_another else []))


def _is_told(data: bytes, start: int, end: int) -> bool:
    """Not `the password to expire`: what a password is changed to, or is. Nor the password of the day, which is a motto,
    nor a password's length."""
    if _MOTTO.search(data, start, end) is not None or data[start:end].rstrip().endswith(b"'s"):
        return False
    return _TO.search(data, start, end) is None or (_CHANGED.search(data, max(0, start - 40), start) is not None)


def _alone(data: bytes, match: AnyMatch) -> Sequence[Span]:
    """A value on a line of its own below what announces it."""
    start, end = match.span(1)
    return ((start, end),) if is_plainly_random(data[start:end].decode()) else ()


def _passphrase(data: bytes, match: AnyMatch) -> Sequence[Span]:
    start, end = match.span(1)
    return ((start, end),) if is_passphrase(data[start:end].decode("utf-8", "ignore")) else ()


_PASSWORD_WORDS = (
    "password", "passwd", "passwort", "passphrase", "passcode", "passord", "pwd", "kennwort", "contraseña", "contrasena", "clave",
    "mot de passe", "mdp", "senha", "palavra-passe", "parola", "wachtwoord", "hasło", "lösenord", "adgangskode", "salasana", "şifre", "heslo", "jelszó",
    "пароль", "密码", "密碼", "パスワード", "비밀번호", "wifi", "wi-fi", "wlan", "wpa", "wpa2", "network", "login", "logon", "signin", "sign-in",
    "door code", "alarm code", "gate code",
)  # fmt: skip
_TOKEN_WORDS = ("secret", "token", "key", "schlüssel", "credential")
_DIRECT = in_bytes(r"(?i)(?:password|passwd|passwort|passcode|pwd|contraseña|mot de passe|senha)[ \t]{1,3}")


def is_direct(value: Value, _may_be_word: bool) -> bool:
    """`user bob password hunter22`: no verb between, so only letters and digits together count."""
    shape = shape_of(value.text)
    return (
        not value.quoted
        and shape.is_mixed
        and shape.size >= 6
        and not is_unit(value.text)
        and is_odd(value.text)
        and _ACRONYM.fullmatch(value.text) is None
        and is_password(value, True)
    )


# Between "token" and the value at most a few words: "my slack token for the bot …".
_DIRECT_TOKEN = in_bytes(
    r"(?i)(?:key|token|secret|credential|schlüssel)s?(?: (?:for|to|of|from|in|here|für) ?(?:[\w.-]{1,20} ){0,3}?)?"
    r"(?:[ \t]{0,3}(?:–|—|-)[ \t]{1,3}|[ \t]{1,3})"
)
_QUALIFIED = re.compile(
    rb"(?i)(?:api|access|application|app|auth|secret|bearer|private|signing|service|client)[ _-]?\Z"
)
_TOKEN = r"secret|token|key|schlüssel"
# `apikey is …`: joined with the word before it.
_JOINED = re.compile(
    rb"(?i)(?:^|[^A-Za-z0-9])(?:api|access|secret|private|auth|encryption|license|licence|product|recovery|master|"
    rb"signing|service)\Z"
)


def _at_token_word(data: bytes, begin: int) -> bool:
    return at_part(data, begin) or _JOINED.search(data, max(0, begin - 14), begin) is not None


_FINGERPRINT = re.compile(r"[0-9A-F]{40}|[0-9A-F]{16}")  # of a public key, as GnuPG writes it


def _direct_token(data: bytes, match: AnyMatch) -> Sequence[Span]:
    """`my api key 4f3c…`: no verb between, so only a long random run counts."""
    value = read_value(data, match.end())
    if value is None or _TOKEN_LIKE.fullmatch(value.text) is None or is_identifier(value.text):
        return ()
    if _FINGERPRINT.fullmatch(value.text) is not None:
        return ()
    is_random = len(value.text) >= 16 and shape_of(value.text).is_mixed and is_token(value, True)
    if not (is_random and _is_qualified(data, match.start())) and not is_key(value, True):
        return ()
    return ((value.start, value.end),)


def _is_qualified(data: bytes, start: int) -> bool:
    return _QUALIFIED.search(data, max(0, start - 16), start) is not None


# The line end may be escaped, as in JSON.
_PASSWORD_BELOW = rb"(?i)pass(?:word|code)\b[^\r\n]{0,80}?:[ \t]{0,3}(?:(?:\r?\n|(?:\\{1,3}r)?\\{1,3}n)[ \t>*#]{0,8}){1,3}([0-9A-Za-z_-]{12,64})[ \t]{0,3}(?:\r?\n|\\{1,3}[rn]|\Z)"
_PASSPHRASE = rb"(?i)pass ?phrase(?: is|:| =|=)[ \t]{1,4}((?:[a-z]{3,12}[ -]){2,9}[a-z]{3,12})"
PROSE_RULES: tuple[Rule, ...] = (
    Rule("secret", "", (("the api key {alnum 32} works",), ("Api token - {alnum 24}",), ("my slack token {alnum 32}",), ("use this key {alnum 40}",)),
         (("api key validation failed",), ("the access token lifetime",), ("[API key safety](https://help.example.org/en/articles/5112595-best-practices)",)),
         literals=_TOKEN_WORDS, find=at_literals("secret", _DIRECT_TOKEN, _direct_token, left=anywhere), follow=SPOKEN + b"sS-"),
    Rule("password", "", (("my password is ", "hunter2"), ("the wifi password is ", "BlueFish77"), ("Das Passwort lautet ", "Sommer24!"),
         ("mot de passe du wifi, c'est ", "Soleil99"), ("la contraseña es ", "Gato123"), ("le mot de passe est ", "Soleil99"), ("My router password is ", "bluefish")),
         (("the password is required",), ("my password is the same as yours",), ("Das Passwort ist falsch.",)), literals=_PASSWORD_WORDS,
         find=at_literals("password", _told(_PASSWORD), partial(_judge, is_told_password), left=at_compound), follow=SPOKEN + b"-", words=("pw",)),
    Rule("password", "", (("Passwort für die Bahn-App: ", "Zugfahrt#21"), ("mot de passe de la boîte mail : ", "Soleil99")),
         (("Passwort für die App: mindestens 8 Zeichen",), ("Password for the site: see your mail",)), literals=_PASSWORD_WORDS,
         find=at_literals("password", _FOR_WHAT, partial(_judge, is_told_password), left=at_compound), follow=b" ", words=("pw",)),
    Rule("password", "", (("login bob password ", "hunter22 now"), ("login bob password 7{hex 38}d",)), (("password hashing with bcrypt",), ("password reset",)),
         literals=("password", "passwd", "passwort", "passcode", "pwd", "contraseña", "mot de passe", "senha"),
         find=at_literals("password", _DIRECT, partial(_judge, is_direct)), follow=b" \t"),
    Rule("secret", "", (("my api key is {alnum 24}",), ("the token is {alnum 30}",)), (("the token is valid for 3600 seconds",), ("the key is under the mat",)),
         literals=_TOKEN_WORDS, find=at_literals("secret", _told(_TOKEN), partial(_judge, _is_told_token), left=_at_token_word), follow=SPOKEN),
    Rule("password", "", (("Use the following password to proceed:\n\n{hex 32}\n",), ("Your password:\\n{hex 32}\\n",)),
         (("Choose a password:\n\nRequirements\n",),), ("password", "passcode"), find=at_literals("password", _PASSWORD_BELOW, _alone), follow=b" \t:*)"),
    Rule("password", "", (("passphrase: ", "correct horse battery staple"),),
         (("the passphrase is stored in the keychain",),), ("passphrase", "pass phrase"), find=at_literals("password", _PASSPHRASE, _passphrase), follow=b" \t:="),
)  # fmt: skip
