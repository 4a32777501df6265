"""Codes that a word announces: PINs, PUKs, the numbers on the back of a card, door and unlock codes, social security
numbers, the keys of wireless networks, and seed phrases of wallets.

Each is a few digits or plain words, and nothing but its name tells it from others. Passwords told in sentences are in
prose.py; numbers that prove themselves by check digits, in numbers.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pmg.ingest.redact.accept import is_password, is_pin, is_unit, next_word
from pmg.ingest.redact.anchored import SPOKEN, at_literals, in_bytes
from pmg.ingest.redact.linear import AnyMatch
from pmg.ingest.redact.prose import ABOUT, is_odd
from pmg.ingest.redact.reading import Value, read_value
from pmg.ingest.redact.rule import Rule, Span
from pmg.ingest.redact.values import is_algorithm, is_placeholder, is_wordy, shape_of
from pmg.ingest.redact.words import STOP_WORDS, UNITS

# A verb is whole: `est` is not `es`.
_SAID = rf"(?:[ \t]{{0,4}}[:=]|{ABOUT}[ \t]{{1,4}}(?:is|was|ist|war|lautet|es|est|è|é)(?=[ \t:]):?)[ \t]{{0,4}}"
_PIN = in_bytes(rf"(?i)(?:pin|puk2?|cvv2?|cvc2?|otp|geheimzahl)(?:[ _-]?(?:code|number|nummer))?[\"']?{_SAID}")
# `exp 04/29 CVV 739`: on a card they stand without a sign. Courses and wards are called so, too: only the rest of the card tells.
_ON_CARD = rb"(?i)(?:cvv2?|cvc2?)[ \t]{1,3}(?=\d{3}(?![\w.,-]*\d))"
_OF_CARD = re.compile(
    rb"(?i)\[redacted: (?:payment )?card|(?<!\d)(?:\d[ -]?){13,19}(?!\d)|(?<![\d/])(?:0[1-9]|1[0-2]) ?/ ?(?:20)?\d\d(?![\d/])"
)
_CARD_BEFORE = re.compile(rb"(?i)(?:card|karte|tarjeta|carte)(?:'s)?[,:(]?[ \t]{0,2}\Z")
_NEAR_CARD = 120  # bytes
_LOCK_CODE = in_bytes(
    r"(?i)(?:(?:(?:phone|screen|mobile|tablet|sim)[ -])?(?:unlock|lock[ -]?screen|screen[ -]?lock|lock)|front[ -]door|door|gate|alarm|garage|safe|"
    r"entsperr|sperr|haustür|tür|tresor|safe|alarm|garagen)[ -]?code"
    rf"{_SAID}"
)
# What a boiler or a car shows is an alarm code, too: it is one's own that is secret.
_OWN_ALARM = re.compile(in_bytes(r"(?i)\b(?:my|our|mein|unser|house|home|door|haus|tür)"))
_IS_ALARM, _NEAR_ALARM = re.compile(rb"(?i)alarm"), 40  # bytes
# A number that is explained or counts something: `4012 means`, `1000 points`.
_EXPLAINED = re.compile(
    in_bytes(r"(?i),?[ \t]{0,3}(?:=|(?:means|meaning|points|edition|laut|bedeutet|heißt|punkte)\b)|,[ \t]{0,3}which\b")
)
_MIN_LOCK_DIGITS, _YEAR = 4, re.compile(r"(?:19|20)\d\d")
_LOCK_WORDS = (
    "unlock code", "lock code", "lockscreen code", "lock screen code", "screen lock code", "phone unlock", "front door code", "door code", "gate code",
    "alarm code", "alarm-code", "garage code", "safe code", "safe-code", "entsperrcode", "entsperr-code", "sperrcode", "haustürcode", "türcode", "tür-code", "tresorcode",
    "safecode", "alarmcode", "garagencode",
)  # fmt: skip
_SOCIAL_SECURITY = rb"(?i)(?:ssn|social security (?:number|no\.?|nr\.?|#))[^\d\r\n]{0,30}?((?!000|666|9)\d{3}([- ]?)(?!00)\d{2}\2(?!0000)\d{4})(?![\d-])"
_NETWORK_KEY = in_bytes(
    r"(?i)(?:(?:wi-?fi|wlan|wpa[23]?|netzwerk|network security)[ -]{0,3}(?:netzwerk|security[ -]|network[ -])?"
    r"(?:sicherheits)?(?:key|schlüssel)|netzwerksicherheitsschlüssel)(?: ?\([^()\r\n]{1,20}\))?[\"'*]{0,3}[ \t]{0,3}[:=][*]{0,2}[ \t]{0,4}"
)
_MIN_NETWORK_KEY = 8  # characters, as WPA demands
_DIGIT_GROUPS = re.compile(rb"\d{4}(?:[ -]\d{4}){2,15}(?![\w-])")
_STANDARD = re.compile(r"(?i)(?:wpa|wep|aes|tkip|psk|802)[\w.+/-]*")  # `WPA2-PSK` says how, not what

# Twelve to twenty-four words, each perhaps with its number before it, as wallets show them.
_WORD_OF_SEED = r"(?:[#(]?\d{1,2}[.):\]-]?[ \t]{0,3})?[a-zA-Z]{3,8}"
_GAP_OF_SEED = r"[ \t,;|\r\n]{1,4}"
_SEED = (
    r"(?i)(?:(?:seed|recovery|mnemonic|backup|secret|wallet)[ _-]?(?:phrase|words|seed)|mnemonic|wiederherstellungs(?:phrase|wörter))"
    r"[^\r\n:=]{0,20}(?:[:=]|\bis\b|\bist\b|\r?\n)[\s\"'`*>-]{0,6}"
    rf"({_WORD_OF_SEED}(?:{_GAP_OF_SEED}{_WORD_OF_SEED}){{11,35}})"
)
_SEED_GATE = (
    r"(?i)(?:seed|recovery|backup|secret|wallet)[ _-]?(?:phrase|words|seed)|mnemonic|wiederherstellungs(?:phrase|w)"
)
_SEED_WORD, _SEED_NUMBER = re.compile(rb"[A-Za-z]{3,8}"), re.compile(rb"\d")
_SEED_SIZES = (24, 21, 18, 15, 12)  # words
# No list of seed words has these: the phrase ended before.
_NEVER_OF_SEED = frozenset(
    "the and but for not are was were has had his our from with please she him them their its und der die das ist".split()
)
_MAX_STOP_WORDS = 1  # some, such as `all` and `when`, are seed words too


def _pin(data: bytes, match: AnyMatch) -> Sequence[Span]:
    value = read_value(data, match.end())
    return ((value.start, value.end),) if value is not None and is_pin(value) else ()


def _on_card(data: bytes, match: AnyMatch) -> Sequence[Span]:
    """Only beside the number of a card, its date or its name: `CVC 300 word list` is of lessons."""
    before = data[max(0, match.start() - _NEAR_CARD) : match.start()]
    after = data[match.end() + 3 : match.end() + 3 + _NEAR_CARD]
    is_told = _CARD_BEFORE.search(before) or _OF_CARD.search(before) or _OF_CARD.search(after)
    return _pin(data, match) if is_told else ()


def _lock_code(data: bytes, match: AnyMatch) -> Sequence[Span]:
    value = read_value(data, match.end())
    if value is None:
        return ()
    digits = value.text.rstrip("#")  # as it is typed at a door
    if _YEAR.fullmatch(digits) is not None and b" of " in data[slice(*match.span())]:
        return ()  # the safe code of practice
    if _EXPLAINED.match(data, value.end) is not None or not _is_own(data, match):
        return ()
    bare = Value(value.start, value.start + len(digits), digits, value.quoted, value.after)
    return ((bare.start, bare.end),) if is_pin(bare) and len(digits) >= _MIN_LOCK_DIGITS else ()


def _is_own(data: bytes, match: AnyMatch) -> bool:
    """Whether it opens a lock, or the line says that the alarm is that of a home."""
    if _IS_ALARM.match(data, match.start()) is None:
        return True
    before = data[max(0, match.start() - _NEAR_ALARM) : match.start()].rpartition(b"\n")[2]
    return _OWN_ALARM.search(before + data[slice(*match.span())]) is not None


def _social_security(data: bytes, match: AnyMatch) -> Sequence[Span]:
    return (match.span(1),)


def _network_key(data: bytes, match: AnyMatch) -> Sequence[Span]:
    if (groups := _DIGIT_GROUPS.match(data, match.end())) is not None:
        return (groups.span(),)
    value = read_value(data, match.end())
    if value is None or len(value.text) < _MIN_NETWORK_KEY or " " in value.text:
        return ()
    text = value.text
    if text.isdigit():
        return ((value.start, value.end),) if next_word(value) not in UNITS else ()
    is_described = (
        is_placeholder(text) or is_algorithm(text) or is_wordy(text) or is_unit(text) or _STANDARD.fullmatch(text)
    )
    is_told = shape_of(text).digits > 0 and not is_described and is_odd(text) and is_password(value, True)
    return ((value.start, value.end),) if is_told else ()


def _phrase(data: bytes, match: AnyMatch) -> Sequence[Span]:
    """As many words as a wallet has, however the sentence goes on."""
    start, end = match.span(1)
    words = _seed_words(data, start, end)
    size = next((size for size in _SEED_SIZES if size <= len(words)), 0)
    texts = [data[slice(*span)].decode() for span in words[:size]]
    if not size or len(set(texts)) <= size // 2 or not "".join([texts[0].lower(), *texts[1:]]).islower():
        return ()
    return ((start, words[size - 1][1]),) if len(STOP_WORDS.intersection(texts)) <= _MAX_STOP_WORDS else ()


def _seed_words(data: bytes, start: int, end: int) -> list[Span]:
    """Words parted alike: without commas up to the first comma, with numbers up to the first word without one."""
    words = list[Span]()
    position, kind = start, (False, False)
    for found in _SEED_WORD.finditer(data, start, end):
        gap = data[position : found.start()]
        here = (b"," in gap, _SEED_NUMBER.search(gap) is not None)
        if len(words) == 1:
            kind = (here[0], here[1])
        if (len(words) > 1 and here != kind) or found[0].decode().lower() in _NEVER_OF_SEED:
            break
        words.append(found.span())
        position = found.end()
    return words


CODE_RULES: tuple[Rule, ...] = (
    Rule("seed phrase", _SEED,
         (("seed phrase: ", "apple river stone cloud maple tiger ocean candle violin rocket meadow lantern"),
          ("Recovery phrase\n1. apple\n2. river\n3. stone\n4. cloud\n5. maple\n6. tiger\n", "7. ocean\n8. candle\n9. violin\n10. rocket\n11. meadow\n12. lantern")),
         (("the seed phrase: write it down",), ("Seed phrase: write down twelve words which your wallet shows when you first open the app",)),
         judge=_phrase, gate=_SEED_GATE),
    Rule("pin", "",
         (("PIN: ", "4921"), ("my pin is ", "4921"), ("cvv=", "123"), ("Die PIN der Karte ist ", "4921"), ("mon code PIN est ", "4921"), ("die PIN meiner Karte ist ", "4921"), ("PUK: ", "48392017")),
         (("int pin = 13",), ("PIN: 4 digits",), ("pin: GPIO17",)),
         literals=("geheimzahl",), find=at_literals("pin", _PIN, _pin), words=("pin", "puk", "puk2", "cvv", "cvv2", "cvc", "cvc2", "otp")),
    Rule("pin", "", (("exp 04/29 CVV ", "739"),), (("CVC words and CVC 300 words",), ("CVV 2 is printed",), ("the CVC 123.4 m tower",), ("The ward is CVC 204.",)),
         words=("cvv", "cvv2", "cvc", "cvc2"), literals=("cvv2",), find=at_literals("pin", _ON_CARD, _on_card), follow=b" \t"),
    Rule("pin", "", (("phone unlock code: ", "258036"), ("Der Türcode ist ", "4482#"), ("Unser Alarmcode ist ", "4482")), (("Boiler alarm code: 4012",), ("door code: see the note",), ("alarm code: 12",), ("the unlock code is 2048 bytes",)),
         literals=_LOCK_WORDS, find=at_literals("pin", _LOCK_CODE, _lock_code), follow=SPOKEN + b":="),
    Rule("social security number", "", (("my SSN is 536-22-", "8145"), ("Social Security Number: 536-22-", "8145")),
         (("the SSN has nine digits",), ("SSN: 000-00-0000",), ("SSN order 9536-22-81456",)),
         literals=("social security",), words=("ssn",), find=at_literals("social security number", _SOCIAL_SECURITY, _social_security)),
    Rule("password", "", (("Wi-Fi key: ", "Sommer2024!"), ("WLAN-Schlüssel: 4930281736", "4529184736"), ("Netzwerkschlüssel: ", "Schatzi1987")),
         (("Wi-Fi key: WPA2-PSK",), ("WLAN-Schlüssel: siehe Rückseite",), ("WPA2 key: 12 characters",)),
         literals=("wifi", "wi-fi", "wlan", "wpa", "netzwerk", "network security"), find=at_literals("password", _NETWORK_KEY, _network_key), follow=b" -23kKsSnN\xc3"),
)  # fmt: skip
