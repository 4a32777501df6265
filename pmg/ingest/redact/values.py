"""Judges a value on its looks: could this be the secret itself, or is it code, a type, a label, a number?

Knows: shapes of values.
"""

from __future__ import annotations

import base64
import binascii
import re
from operator import ne
from typing import NamedTuple
from unicodedata import category

from pmg.ingest.redact.literals import any_of
from pmg.ingest.redact.words import ALGORITHMS, PARTS_OF_PHRASES, PLACEHOLDERS, STAND_IN_PREFIXES, STOP_WORDS

# These run on values of bounded length and have no nested repeats.
# Of each, what stands anywhere (each branch begins with a plain character, so a text without any is passed over fast)
# and what stands at the beginning.
_TEMPLATE = re.compile(r"\$\{|\$\(|\{\{|#\{|<%|%\(\w+\)[sd]|['\"=]%[sdrv]|\{[A-Za-z_][\w.]*[}\[(]|\{\}")
_TEMPLATE_BEGINS = re.compile(
    r"[<\[({].*[>\])}]$|\{(?:@|\\*\")|%\w+(?:\([^)]*\))?%$|![A-Z][A-Z0-9_]+!$|%(?:\d\$)?[sdv@](?:$|%)|--[a-z][\w-]*(?:=|$)|\$(?!(?!Pass|Secret|Token|Key|Cred|User|Admin|Auth|Login|Config|Value|Input|Output|Buf|Anchor|Default|Param|Arg|Data|Var|Str|Text|Result|Field|Env|Base|Temp|Test|Node|Ptr|Reg|Line)[A-Z][a-z]{2,}\d{2,}$)[A-Za-z_]\w*$|\$[A-Z_][A-Z0-9_]*[&;,.]$|[:@][a-z]\w*_\w*$|[@!*&:#]\$?[A-Za-z_]+$|@[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|\.\$[A-Za-z_]|['\"] ?[.+].*[.+] ?['\"]$"
)
# Looked for in small letters; the ranges of letters are those of patterns.
_STAND_IN = re.compile(
    r"xxxx|\|(?:min|max|string|required)|\*\*\*|\.\.\.|…|•••|____|\?\?\?|example|placeholder|your[_\- ]?\w|"
    r"a-za-z|0-9a-f|0-9a-z|a-z0-9|change[_-]?(?:me|it|this)|replace[_-]?(?:me|this|with)|insert[_-]|redacted|goes[_-]?here|_here$|-here$|to[_-]?be[_-]?"
)
# What each of these holds: most values hold none of it.
_STAND_IN_PIECE = any_of(
    "xxxx | *** ... … ••• ____ ??? example placeholder your a-za-z 0-9a-f 0-9a-z a-z0-9 change replace insert redacted goes here tobe to_be to-be".encode().split()
)
_STAND_IN_BEGINS = re.compile(
    r"required\||x+$|[.\-_*•#?=~+|]+$|<.*>$|\[.*\]$|(?:my|the|some|a|an)[_-]|"
    r"dummy|fake[_-]|mock[_-]|sample|todo|test[_-](?:token|key|secret|password|api)"
)
_EXPRESSION = re.compile(
    r"\(\)|\)[|,]|;[A-Za-z_$]\w*[.(=]|\?[A-Za-z_$][\w$.]*:|,[A-Za-z_]\w*:|\\[sdw][+*]|=>|->|::|\][.\[]|\)[.\[]|\|\||&&|\{|\}|==\w"
)
_EXPRESSION_BEGINS = re.compile(
    r"\\?[\w$.:>\-?!&*]+[(\[{]|(?:self|this|os|process|config|env|settings|args|req|request|ctx|props|params)\.|"
    r"[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$|[A-Z][A-Za-z]+!$|\$[A-Za-z_]\w*-$|@{1,2}[a-z_]\w*[.(\[]|\+[A-Za-z_]\w*[.(\[]|[&*](?!(?!Pass|Secret|Token|Key|Cred|User|Admin|Auth|Login|Config|Value|Input|Output|Buf|Anchor|Default|Param|Arg|Data|Var|Str|Text|Result|Field|Env|Base|Temp|Test|Node|Ptr|Reg|Line)[A-Z][a-z]{2,}\d{2,}$)'?[A-Za-z_][\w.-]*$|[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+[=?:,)]|(?:!|\+\+|--)(?:this\b|[A-Za-z_$][\w$]*[.#\[])|%[iwq][\[({]|![01]\b|new\s|await\s|f?['\"]"
)
_TYPE = re.compile(
    r"^(?:&|\*|\[\])*(?:(?:std::)?(?:str|string|String|char|text|bytes?|int|uint|u?int\d+|[iuf]\d{1,3}|usize|float\d*|double|bool|boolean|"
    r"VARCHAR|varchar|TEXT|CHAR|NVARCHAR|BLOB|UUID|JSON|SecretStr|Optional|List|Dict|Any|None|Vec|Option|bytes32|uint256)"
    r"(?:[\[(<{?!|].*|[;,?!]*))$"
)
_PLACE = re.compile(
    r"(?i)^(?:https?|ftp|file|arn|vault|op|ssm|env|projects|kms|gs|s3|ref|data|urn|sha\d+|azure|aws|gcp|classpath|keychain|keyring|bws|lpass|pass)"
    r"(?::|://|/)|^(?:[a-z]:)?[\\/~.]{1,2}[\\/]?[\w.\-]+(?:[\\/][\w.\- ]+)+[\\/]?$|^[\w\-]+(?:/[\w\-]+)*\.(?:txt|json|ya?ml|pem|key|env|py|js|ts|"
    r"md|html?|php|toml|ini|cfg|conf|crt|cer|p12|pfx|gpg|java|go|rs|rb|sh|css|vue|tsx?|jsx?)$|^www\.|^\.{1,2}/\S+$|^#/\w|^\$\{?\w+\}?/\w|^[A-Za-z]:\\+|^[a-z][a-z0-9+.\-]{1,20}://|^(?:localhost|[\w\-]+(?:\.[\w\-]+)+):\d{2,5}(?:/|$)"
)
_NUMBER = re.compile(r"^[$€£~<>≥≤=+\-±]*\d[\d.,_:/\-–x×]*[%+kKmMbB°]?$")
_DATE = re.compile(r"^\d{4}-\d\d-\d\d|^\d\d?[./]\d\d?[./]\d{2,4}$|^\d\d?:\d\d")
_UNIT = re.compile(
    r"(?i)^\d+(?:\.\d+)?[+\-]?(?:x|s|ms|m|h|d|w|y|k|kb|mb|gb|px|em|rem|pt|st|nd|rd|th|am|pm|chars?|days?|hours?|hrs?|mins?|secs?|bits?|bytes?|digits?|characters?)$"
)
_VERSION = re.compile(r"^[\^~<>=v]*\d+(?:\.\d+)+(?:[-+.]?[A-Za-z]+[\d.]*)?$")
_MIXED = re.compile(r"(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]{8,}")
_DIGITS, _JOINTS = b"0123456789", b"_-./: "
_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_TOKEN_CHARACTERS = re.compile(r"[A-Za-z0-9_+/=.~:!|-]{20,}")
_HEXADECIMAL = re.compile(r"(?:[0-9a-f]+|[0-9A-F]+)")
_NAMED_STAND_IN = re.compile(
    rf"(?:(?:{'|'.join(STAND_IN_PREFIXES)})[_ -]?){{1,4}}(?:password|passwd|passwort|passphrase|passcode|pass|pwd|pw|secret|token|key)|test"
)
_LONG_WORD = re.compile(r"[A-Za-z][a-z]{8}")
_INTERPOLATED = re.compile(r"[#$]\{(?:\{ ?)?[A-Za-z_][\w.]{3,}|\{[A-Za-z_][\w.]{3,}\(|^\{\\*[\"']")
_WORDY = re.compile(r"[_\-./:\\ ]+")
_DOTTED = re.compile(r"[A-Za-z_]{2,}\d{0,2}(?:\.[A-Za-z_]{2,}\d{0,2})+")  # `state.layer1.weight`
# `data1`, `12hours`, `sha256`, `oid4vci`: a word with a number at one end of it or within.
_NUMBERED_WORD = re.compile(
    r"(?:(?:[a-z]{1,12}|[A-Z]{1,12}|[A-Z][a-z]{1,12})\d{1,3}|\d{1,3}[a-z]{3,12}|[a-z]{2,6}\d[a-z]{2,6}|[a-z]\d{1,2}[a-z]{1,3})"
)
# `Symfony\\Component\\Form`, `RemoteEvent|array|null`, `Symbol(token)`, `users#show`: names of types, calls and routes.
_NAME_OF_CODE = re.compile(
    r"\\?[A-Za-z]\w*(?:\\{1,2}[A-Z]\w*)+|\\?[A-Za-z]\w*(?:\|\\?[A-Za-z]\w*)+|[A-Za-z_][\w.]*\([\w., ]*\)|[a-z][a-z_/]*#\w+[?!]?"
)
# A regular expression; what stands between two strings of a line of code: `"…password: " + name + "…"`.
_PIECE_OF_CODE = re.compile(r"=='|'==|\\[dwsb](?:[{+*]|\\)|^ ?[)+.,;]{1,3} ?[A-Za-z_$][\w$]*[.(=)\[]")
# What stands together in code, patterns and markup, and by chance hardly ever.
_OF_CODE = re.compile(
    r"\(\)|=>|->|::|&&|\|\||[=!]=|[\])]\.|[$#]\{|\$\(|\{\{|</|://|\[\d+\]|\\[dwsnrtbux]|\w-\w\]|[\"'],[\"']|[\"']:|:[\"']|[\"'\]]\]|\(['\"?]|^[A-Za-z_][\w.]*[<\[][^<\[]*[>\]][?!&*]{0,2}$"
)
_CLASS_OF = bytes(
    48 if 48 <= byte < 58 else 65 if 65 <= byte < 91 else 97 if 97 <= byte < 123 else 35 for byte in range(256)
)
_PAIRS = {")": "(", "]": "[", "}": "{"}
_CAMEL = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]{2}")  # `userPassword`, `HMACAlgorithm`
_HUMPS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_HUMP_WORD = re.compile(r"[A-Z][a-z]{2,}|[a-z]{3,}")
_OF_SENTENCES = frozenset(" '.,?()/-:&;")
_CHOSEN_WORD = re.compile(r"(?=.{6,40}\Z)[^\W\d_]{3,}\d{1,6}[!?*#$%&.+-]{0,2}")
_SHIPPED = re.compile(r"(?i)change[_-]?(?:me|it|this)")
_APOSTROPHE = re.compile(r"[A-Za-z]+['’][A-Za-z]+")  # `c'hoazh`
_VOWEL = re.compile(r"[aeiouyAEIOUY]")
_SMALL = frozenset(
    "Db DB db Id ID id Is is My my To to In in On on Of of Or or At at By by No no Pw pw Os OS os Io IO io".split()
)


class ValueShape(NamedTuple):
    """What a value is made of."""

    size: int
    digits: int
    letters: int
    symbols: int  # neither letters, digits, nor what joins words

    @property
    def is_mixed(self) -> bool:
        return self.digits > 0 and self.letters > 0


def _is_letter(character: str) -> bool:
    """Or what many scripts write above, below and behind one."""
    return character.isalpha() or category(character)[0] == "M"


def shape_of(value: str) -> ValueShape:
    size, raw = len(value), value.encode("utf-8", "surrogatepass")
    if len(raw) == size:
        digits, letters = size - len(raw.translate(None, _DIGITS)), size - len(raw.translate(None, _LETTERS))
    else:
        digits, letters = sum(map(str.isdigit, value)), sum(map(_is_letter, value))
    joints = len(raw) - len(raw.translate(None, _JOINTS))
    return ValueShape(size, digits, letters, size - digits - letters - joints)


def is_stand_in(lower: str) -> bool:
    """What documentation writes in place of a secret; in small letters."""
    if _STAND_IN_BEGINS.match(lower) is not None:
        return True
    return bool(_STAND_IN_PIECE(lower.encode("utf-8", "surrogatepass"))) and _STAND_IN.search(lower) is not None


def is_named_stand_in(lower: str) -> bool:
    """`somepassword`, `new_password`, `testpw`: a word that says what stands here, and a word for a password."""
    return _NAMED_STAND_IN.fullmatch(lower) is not None


def is_chosen_word(value: str) -> bool:
    """`ExamplePas123`, `changeme99`: a word and a number, as people make a password. In code it may stand for one."""
    return _CHOSEN_WORD.fullmatch(value) is not None and not is_algorithm(value) and value.lower() not in PLACEHOLDERS


def is_shipped(value: str) -> bool:
    """`changeit`: what programs come with, and what many leave."""
    return _SHIPPED.fullmatch(value) is not None


def is_salt(value: str) -> bool:
    """What programs generate as salts and keys of a site: long, of signs, letters and digits without any order."""
    if len(value) < 40 or value.count(" ") > 4 or _LONG_WORD.search(value) or _INTERPOLATED.search(value):
        return False
    shape = shape_of(value)
    return shape.symbols >= 8 and shape.digits >= 1 and shape.letters >= 16


def is_placeholder(value: str) -> bool:
    """Something that stands where a secret would: a template, a label, dots and stars."""
    if value in PLACEHOLDERS:
        return True
    bare = value.strip("\"'`<>[](){}%$*_:.?! ").lower()
    if not bare or bare in PLACEHOLDERS or (len(set(bare)) == 1 and (len(bare) > 3 or not bare.isdigit())):
        return True
    return is_stand_in(value.lower()) or (not value.isalnum() and _is_template(value))


def _is_template(value: str) -> bool:
    return _TEMPLATE.search(value) is not None or _TEMPLATE_BEGINS.match(value) is not None


def is_code(value: str) -> bool:
    """An expression, a type or an attribute, as unquoted values in source code are."""
    is_expression = not value.isalnum() and (
        _EXPRESSION.search(value) is not None or _EXPRESSION_BEGINS.match(value) is not None
    )
    return is_expression or _TYPE.match(value) is not None


def is_place(value: str) -> bool:
    """A URL, a path, a file or a reference to where the secret is kept."""
    return not value.isalnum() and _PLACE.match(value) is not None


def is_number(value: str) -> bool:
    return _NUMBER.match(value) is not None or _DATE.match(value) is not None or _UNIT.match(value) is not None


def is_wordy(value: str) -> bool:
    """Words joined by hyphens, dots or humps (`my-app-token-2`, `gpt-4o-mini`): a name, not a secret."""
    parts = [part for part in _WORDY.split(value) if part]
    if len(parts) == 1:
        return (
            parts[0].isalpha()
            and _CAMEL.search(parts[0]) is not None
            and len(parts[0]) < 40
            and not is_gibberish(parts[0])
        )
    if _DOTTED.fullmatch(value) is not None:
        return True
    if all(part.isalpha() or (part.isdigit() and len(part) <= 4) or len(part) <= 3 for part in parts):
        return True
    words = sum(part.isalpha() and len(part) >= 3 and _VOWEL.search(part) is not None for part in parts)
    return words > 0 and all(
        (part.isalpha() and len(part) <= 14)
        or len(part) <= 3
        or _NUMBERED_WORD.fullmatch(part) is not None
        or part.lower() in ALGORITHMS
        for part in parts
    )


def is_name_of_code(value: str) -> bool:
    """A type, a call or a route, as they stand within quotes too."""
    if value.isalnum():
        return False
    return _NAME_OF_CODE.fullmatch(value) is not None or _PIECE_OF_CODE.search(value) is not None


def is_natural(value: str) -> bool:
    """Words with letters beyond ASCII or an apostrophe within, and nothing else but what sentences have: a translation, as
    message files hold them."""
    if _APOSTROPHE.fullmatch(value) is not None:
        return True
    if value.isascii():
        return False
    foreign = sum(not sign.isascii() and _is_letter(sign) for sign in value)
    if foreign * 10 >= len(value) * 6:
        return True
    if any(map(str.isdigit, value)):
        return False
    return all(
        _is_letter(sign) or sign in _OF_SENTENCES or (category(sign)[0] in "PZC" and not sign.isascii())
        for sign in value
    )


def is_gibberish(value: str) -> bool:
    """Letters in both cases that make no words: `qWTCrpQuvn`, while `userPassword` is a name."""
    if len(value) < 8 or not (value.isascii() and value.isalpha()):
        return False
    humps = _HUMPS.findall(value)
    odd = sum(len(hump) < 3 or not _VOWEL.search(hump) for hump in humps if hump not in _SMALL)
    return len(humps) > 2 and odd * 2 > len(humps)


def is_identifier(value: str) -> bool:
    """Words in humps with a number among them, as programs name things: `OAuth2TokenValidator`, `x509Credentials`."""
    if not value.isalnum() or value == value.lower():
        return False
    words = [word for word in _HUMP_WORD.findall(value) if _VOWEL.search(word) is not None]
    letters = sum(map(len, words))
    return letters >= 10 and letters * 10 >= len(value) * 7 and sum(map(str.isdigit, value)) <= 4


def looks_random(value: str, least: int) -> bool:
    """A token: long enough, letters and digits together or very long, and not words joined together."""
    if len(value) < least:
        return False
    shape = shape_of(value)
    if is_number(value) or is_algorithm(value) or is_place(value) or " " in value:
        return False
    if shape.is_mixed:
        return not is_wordy(value)
    if shape.letters == 0:
        return False
    return (shape.size >= 24 and not is_wordy(value)) or (shape.symbols >= 2 and shape.size >= 10)


def is_plainly_random(value: str) -> bool:
    """Eight letters and digits mixed, and nothing else: what most generated secrets are. The fast way to say so."""
    return (
        _MIXED.fullmatch(value) is not None
        and not (value[0].isdigit() and is_number(value))
        and (lower := value.lower()) not in ALGORITHMS
        and lower not in PLACEHOLDERS
        and not is_stand_in(lower)
    )


def is_sign_mix(value: str) -> bool:
    """What a generator makes of the whole keyboard, brackets and quotes too: all kinds of characters, changing at every other step."""
    if not 8 <= len(value) <= 64 or not value.isascii() or not value.isprintable():
        return False
    classes = value.encode().translate(_CLASS_OF)
    if len(set(classes)) < 4 or sum(map(ne, classes, classes[1:])) * 20 < len(value) * 9:
        return False
    if value[-1] in _PAIRS and all(value.count(close) == value.count(opening) for close, opening in _PAIRS.items()):
        return False  # a call
    return _OF_CODE.search(value) is None and not is_stand_in(value.lower()) and not is_place(value)


def is_basic_pair(value: str) -> bool:
    """Whether it is the Base64 of `user:password`."""
    # b64decode refuses what is not ASCII in another way; a word in small letters is no Base64 of a pair.
    if not value.isascii() or (value.isalpha() and value.islower()):
        return False
    bare = value.rstrip("=")
    try:
        pair = base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return False
    return ":" in pair and len(pair) >= 3 and pair.isprintable()


def is_algorithm(value: str) -> bool:
    """`SHA-256`, `oauth2`."""
    return value.lower().replace("-", "") in ALGORITHMS


def is_version(value: str) -> bool:
    return _VERSION.match(value) is not None


def is_strong(value: str) -> bool:
    """What hardly anything but a token looks like: twenty random characters and more, letters and digits together."""
    if _TOKEN_CHARACTERS.fullmatch(value) is None or is_place(value) or is_wordy(value) or is_number(value):
        return False
    shape = shape_of(value)
    if shape.digits < 2 or shape.letters < 2 or len(set(value)) < 9:
        return False
    if _HEXADECIMAL.fullmatch(value):
        return shape.size >= 32
    longest = max(map(len, _WORDY.split(value)))
    return longest >= 16 or (shape.size >= 28 and longest >= 8)


def is_passphrase(value: str) -> bool:
    """Three to ten plain words in lower case with no function word among them; `four random words` says how one is made."""
    words = value.replace("-", " ").split()
    plain = all(word.isalpha() and word.islower() and 2 < len(word) < 13 for word in words)
    return 3 <= len(words) <= 10 and plain and words[-1] not in PARTS_OF_PHRASES and not STOP_WORDS.intersection(words)
