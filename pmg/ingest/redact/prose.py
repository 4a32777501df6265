"""Secrets told in sentences: "my password is …", "das Passwort lautet …", "la contraseña es …".

Knows: how people say what a password or key is, in several languages, and command lines without a name for it.
Does not know: assignments (keyvalue.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from pmg.ingest.redact.keyvalue import (
    PASSWORD_LITERALS,
    TOKEN_LITERALS,
    Value,
    is_password,
    is_token,
    is_unit,
    next_word,
    read_value,
)
from pmg.ingest.redact.linear import Match, compile_linear
from pmg.ingest.redact.rule import Rule, Span, filler
from pmg.ingest.redact.values import is_gibberish, is_passphrase, is_place, is_placeholder, shape_of
from pmg.ingest.redact.words import PLACEHOLDERS, STOP_WORDS, UNITS

_PASSWORD = (
    r"pass(?:word|wd|wort|phrase|code|ord)|pwd|pw|kennwort|contrase(?:ñ|n)a|clave|mot de passe|mdp|senha|parola(?: d'ordine)?|"
    r"wachtwoord|hasło|lösenord|adgangskode|salasana|şifre|heslo|jelszó|пароль|密码|密碼|パスワード|비밀번호|"
    r"(?:wi-?fi|wlan|wpa2?|network)[ -](?:key|code|schlüssel)|(?:login|logon|sign-?in)[ -]code|door code|alarm code|gate code"
)
_TOKEN = (
    r"(?:api|access|secret|private|auth|encryption|license|licence|product|recovery|master|signing|service)[ -]?(?:key|token|secret|schlüssel)|"
    r"client secret|shared secret|secret|token|key"
)
_ABOUT = r"(?: (?:for|to|of|on|at|für|zum|zur|vom|von|del|de la|de|para|du|pour|per|voor)(?: [^\s.,;:!?]{1,30}){1,5}?)?"
_IS = (
    r"(?: (?:is|was|will be|should be|would be|ist|war|lautet|es|era|est|était|è|é|era|jest|är|er|on|je|это|= ?|are)(?: (?:now|still|just|simply|"
    r"currently|set to|always|called|jetzt|nun|ahora|maintenant|actually|probably|literally|basically|either))?|'s| (?:set |changed |reset |updated |switched )?to| →)"
)
_GAP = r"(?:[:：]\s{0,3}|\s{1,3})[*_]{0,2}"


def _told(words: str) -> str:
    return rf"(?i)(?:^|\W|[^\x00-\x7f]|_)(?:{words})(?:{_ABOUT}{_IS}{_GAP}|(?:是|为|為|は|가|은|는)[:：]?\s?)"


# A bare word is only a password where the sentence ends with it and it does not say how the password is.
_HOW = re.compile(
    r"(?i)(?:ed|ing|able|ible|ous|ive|less|ful|ly|ory|tion|ent|ant|ten|ment|al|ct|ng|ic|id|ry|est|er|ort|ich|ig|bar|lich)$"
)
_ENDS = re.compile(r"^[\"'”’)]*(?:[.!?]*\s*$|[.!?,;]\s)")


def _is_told_password(value: Value, in_english: bool) -> bool:
    text, shape = value.text, shape_of(value.text)
    if is_placeholder(text) or text.lower() in STOP_WORDS or text.lower() in PLACEHOLDERS:
        return False
    if value.quoted and " " in text:
        return is_passphrase(text)
    if value.quoted:
        return shape.size >= 4
    if shape.letters == 0:
        return shape.digits >= 4 and is_password(value, True)
    if shape.digits or shape.symbols:
        return not is_unit(text) and next_word(value) not in UNITS and _is_odd(text) and is_password(value, True)
    if is_gibberish(text):
        return True
    return (
        in_english
        and text.isalpha()
        and shape.size >= 5
        and text.islower()
        and _ENDS.match(value.after) is not None
        and _HOW.search(text) is None
    )


def _is_odd(text: str) -> bool:
    """Not a plain word with an apostrophe, hyphen or closing mark, as sentences have."""
    bare = text.strip("!?.,;:\"'’“”()*_-–—…")
    return not all(part.isalpha() for part in re.split(r"[-'’/–—_]", bare) if part) or not bare


def _is_told_token(value: Value, in_english: bool) -> bool:
    return is_token(value, True) and (shape_of(value.text).is_mixed or len(value.text) >= 32)


_ENGLISH = compile_linear(
    r"(?i)^[^a-z]?(?:pass(?:word|code|phrase)|pwd|pw|wi-?fi|login|door|gate|alarm).*(?: is| was|'s|to)\b",
    "told in English",
)


def _judge(is_secret: Callable[[Value, bool], bool], data: bytes, match: Match) -> Sequence[Span]:
    value = read_value(data, match.end())
    if value is None or len(value.text) < 4:
        return ()
    in_english = _ENGLISH.search(data[match.start() : match.end()]) is not None
    return ((value.start, value.end),) if is_secret(value, in_english) else ()


def _phrase(data: bytes, match: Match) -> Sequence[Span]:
    start, end = match.span(1)
    text = data[start:end].decode("utf-8", "ignore")
    words = text.split()
    return (
        ((start, start + len(text.rstrip().encode())),)
        if len(words) >= 12 and len(set(words)) > 6 and not STOP_WORDS.intersection(words) and text.islower()
        else ()
    )


def _passphrase(data: bytes, match: Match) -> Sequence[Span]:
    start, end = match.span(1)
    return ((start, end),) if is_passphrase(data[start:end].decode("utf-8", "ignore")) else ()


def _argument(data: bytes, match: Match) -> Sequence[Span]:
    start, end = match.span(1)
    text = data[start:end].decode("utf-8", "ignore")
    return () if is_placeholder(text) or len(text) < 3 else ((start, end),)


def _pair(data: bytes, match: Match) -> Sequence[Span]:
    start, end = match.span(1)
    text = data[start:end].decode("utf-8", "ignore").rstrip(".,;)")
    odd = shape_of(text).is_mixed and not is_unit(text) and not is_placeholder(text) and not is_place(text)
    return ((start, start + len(text.encode())),) if odd else ()


_CODES = (" code", "-code", " key", "-key", " schlüssel", "-schlüssel")
_DIRECT = r"(?i)\b(?:password|passwd|passwort|passcode|pwd|contraseña|mot de passe|senha)[ \t]{1,3}"


def _is_direct(value: Value, in_english: bool) -> bool:
    """`user bob password hunter22`: no verb between, so only letters and digits together count."""
    shape = shape_of(value.text)
    return (
        not value.quoted
        and shape.is_mixed
        and shape.size >= 6
        and not is_unit(value.text)
        and _is_odd(value.text)
        and is_password(value, True)
    )


_DIRECT_TOKEN = (
    r"(?i)\b(?:(?:api|access|application|app|auth|secret|bearer|private|signing|service)[ _-]?(?:key|token|secret)|client[ _-]secret)"
    r"(?:[ \t]{0,3}[–—-][ \t]{1,3}|[ \t]{1,3})"
)


def _is_direct_token(value: Value, in_english: bool) -> bool:
    """`my api key 4f3c…`: no verb between, so only a long random run counts."""
    return shape_of(value.text).is_mixed and len(value.text) >= 16 and is_token(value, True)


PROSE_RULES: tuple[Rule, ...] = (
    Rule("secret", _DIRECT_TOKEN, (("the api key ", filler(32), " works"), ("Api token - ", filler(24))), (("api key validation failed",), ("the access token lifetime",)),
         TOKEN_LITERALS, partial(_judge, _is_direct_token)),
    Rule("password", _told(_PASSWORD), (("my password is ", "hunter2"), ("the wifi password is ", "BlueFish77"), ("Das Passwort lautet ", "Sommer24!"),
         ("la contraseña es ", "Gato123"), ("le mot de passe est ", "Soleil99")),
         (("the password is required",), ("my password is the same as yours",), ("Das Passwort ist falsch.",)), (*PASSWORD_LITERALS, *_CODES), partial(_judge, _is_told_password)),
    Rule("password", _DIRECT, (("login bob password ", "hunter22 now"),), (("password hashing with bcrypt",), ("password reset",)), PASSWORD_LITERALS, partial(_judge, _is_direct)),
    Rule("secret", _told(_TOKEN), (("my api key is ", filler(24)), ("the token is ", filler(30))), (("the token is valid for 3600 seconds",), ("the key is under the mat",)),
         TOKEN_LITERALS, partial(_judge, _is_told_token)),
    Rule("password", r"(?i)\bpass ?phrase(?: is|:| =|=)?[ \t]{1,4}((?:[a-z]{3,12}[ -]){2,9}[a-z]{3,12})", (("passphrase: ", "correct horse battery staple"),),
         (("the passphrase is stored in the keychain",),), ("passphrase", "pass phrase"), _passphrase),
    Rule("seed phrase", r"(?i)(?:(?:seed|recovery|mnemonic|backup|secret|wallet)[ _-]?(?:phrase|words|seed)|mnemonic)[^\r\n:=]{0,20}(?:[:=]|\bis\b)[\s\"']{0,4}((?:[a-z]{3,8}[ ,\r\n]{1,2}){11,23}[a-z]{3,8})",
         (("seed phrase: ", "apple river stone cloud maple tiger ocean candle violin rocket meadow lantern"),), (("the seed phrase: write it down",),),
         ("seed", "recovery", "mnemonic", "backup", "wallet", "secret"), _phrase),
    Rule("password", r"(?i)\b(?:mysql|mysqldump|mysqladmin|mariadb|mycli)\b[^\r\n|;&]{0,200}?[ \t]-p([^\s\"'`$<-][^\s\"'`]{2,})", (("mysql -u root -p", "hunter22 app"),),
         (("mysql -u root -p app",), ("mysql -u root -p$PASS",)), ("mysql", "mariadb", "mycli"), _argument),
    Rule("password", r"(?i)\b(?:sshpass -p|redis-cli[^\r\n|;&]{0,80}? -a|docker login[^\r\n|;&]{0,120}? -p|pass(?:in|out) pass:|smbclient[^\r\n]{0,80}%|ldap\w+[^\r\n|;&]{0,160}? -w|sqlcmd[^\r\n|;&]{0,120}? -P|"
         r"(?:zip|7z|unzip)[^\r\n|;&]{0,80}? -p|identified by|masterauth|requirepass)[ \t]{0,3}[\"']?([^\s\"'`$<]{3,})", (("sshpass -p ", "hunter22 ssh host"), ("redis-cli -a ", "hunter22"), ("identified by '", "hunter22'")),
         (("sshpass -p $PASS ssh host",),), ("sshpass", "redis-cli", "docker login", "pass:", "smbclient", "ldap", "sqlcmd", "zip", "7z", "identified by", "masterauth", "requirepass"), _argument),
    Rule("password", r"(?i)\b(?:curl|wget|http|https|httpie)\b[^\r\n|;]{0,300}?[ \t](?:-u|--user|-a|--auth|-U|--proxy-user)[ =]{1,2}[\"']?[^\s:\"'$<]{1,80}:([^\s\"'`$<]{2,})", (("curl -u bob:", "hunter22 https://x.org"),),
         (("curl -u user:password https://x.org",),), ("curl", "wget", "http"), _argument),
    Rule("password", r"(?i)(?:auth\s{0,3}=\s{0,3}|BasicAuth|basic_auth|HTTPBasicAuth|credentials\s{0,3}=\s{0,3})\(?\s{0,3}\(?\s{0,3}[\"'][^\"'\r\n]{1,80}[\"']\s{0,3},\s{0,3}[\"']([^\"'\r\n$<{]{3,200})[\"']",
         (("requests.get(u, auth=('bob', '", "hunter22'))"),), (("auth=('user', 'password')",),), ("auth", "credentials"), _argument),
    Rule("password", r"(?i)\b(?:credentials|creds|login|log-?in|zugangsdaten|user(?:name)?(?: ?/ ?| and )pass(?:word)?)\s{0,3}(?:are|is|:|=)\s{0,3}[\"'`]?[\w.@+-]{2,60}[ \t]{0,2}(?:/|:)[ \t]{0,2}([^\s\"'`<$/]{4,80})",
         (("login: bob / ", "hunter22"),), (("login: https://example.org",), ("login: 10:30 today",)), ("credentials", "creds", "login", "log-in", "zugangsdaten", "/pass", "/ pass", "and pass"), _pair),
)  # fmt: skip
