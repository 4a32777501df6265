"""Codes that a word announces: PINs, PUKs, the numbers on the back of a card, door and unlock codes, social security
numbers, the keys of wireless networks, and seed phrases of wallets.

Each is a few digits or plain words, and nothing but its name tells it from others. Passwords told in sentences are in
prose.py; numbers that prove themselves by check digits, in numbers.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pmg.base.patterns import AnyMatch
from pmg.ingest.redact.accept import alternative, counts_something, is_password, is_pin, is_unit, next_word
from pmg.ingest.redact.anchored import SPOKEN, anywhere, at_literals, in_bytes
from pmg.ingest.redact.prose import ABOUT, DIGIT_GROUPS, is_odd
from pmg.ingest.redact.reading import Value, read_value
from pmg.ingest.redact.rule import Rule, Span
from pmg.ingest.redact.values import is_algorithm, is_placeholder, is_wordy, shape_of
from pmg.ingest.redact.words import STOP_WORDS

# A verb is whole: `est` is not `es`.
_SAID = rf"(?:{ABOUT}[ \t]{{0,4}}[:=]|{ABOUT}[ \t]{{1,4}}(?:is|was|ist|war|lautet|es|est|è|é)(?=[ \t:]):?)[ \t]{{0,4}}"
_PIN = in_bytes(rf"(?i)(?:pin|puk2?|cvv2?|cvc2?|otp|geheimzahl)(?:[ _-]?(?:code|number|nummer))?[\"']?{_SAID}")
# `PIN 4829`, `my pin 4829`: with no sign between, only where nothing else is called so.
_PIN_ALONE = rb"(?:PIN2?|PUK2?|(?i:pin|puk)2?)(?:[ -](?i:code|nummer))?[ \t]{1,2}(?=(\d{4,8})(?![\w.,:/-]*\d))"
_PIN_OWNER = re.compile(
    in_bytes(
        r"(?i)\b(?:my|our|sim|card|bank|atm|phone|mobile|iphone|voicemail|debit|credit|meine|unsere|karten|handy|mon|mi)[ -]\Z"
    )
)
# Of a device or a tool: `dowel PIN 5512`, `PIN 4017 of the connector`, `PIN of the chip: 1024`.
_PIN_THING = re.compile(
    rb"(?i)\b(?:dowel|hinge|firing|clevis|cotter|split|roll(?:ing)?|bowling|bobby|hair|safety|push|tie|lapel|enamel|input|output|connect(?:ed)?|solder(?:ed)?)[ -]\Z"
)
_PIN_PART = re.compile(
    rb"(?i)\b(?:boards?|chip|ic|(?:micro)?controllers?|connectors?|steckers?|socket|plug|header|harness|hinge|map|cpu|gpu|relays?)\b"
)
_NEAR_PART = 30  # bytes
_PIN_SIZES, _PUK_SIZE = (4, 5), 8  # digits; six are a post code in India
# `PIN code: 560001, Bangalore`: post codes are called so in India.
_POST_CODE = re.compile(r"[1-8]\d{5}")
_IN_INDIA = re.compile(
    rb"(?i)\b(?:india|delhi|mumbai|bombay|bengaluru|bangalore|chennai|madras|kolkata|calcutta|hyderabad|pune|ahmedabad|surat|jaipur|lucknow|"
    rb"kanpur|nagpur|indore|bhopal|patna|vadodara|kochi|cochin|coimbatore|mysuru|mysore|noida|gurgaon|gurugram|chandigarh|goa|varanasi|agra|"
    rb"thane|nashik|kerala|karnataka|maharashtra|tamil nadu|telangana|gujarat|rajasthan|punjab|haryana|bihar|odisha|assam|west bengal|uttar pradesh|"
    rb"madhya pradesh|andhra pradesh|district|taluk|post office|postal)\b"
)
_NEAR_PLACE = 60  # bytes
# `exp 04/29 CVV 739`: on a card they stand without a sign. Courses and wards are called so, too: only the rest of the card tells.
_ON_CARD = in_bytes(
    r"(?i)(?:cvv2?|cvc2?|security code|kartenprüfnummer|prüfnummer|prüfziffer|cryptogramme|código de seguridad)"
    r"(?:[ \t]?:|[ \t](?:is|ist|est|es))?[ \t]{1,3}(?=\d{3,4}(?![\w.,-]*\d))"
)
_OF_CARD = re.compile(
    rb"(?i)\[redacted: (?:payment )?card|(?<!\d)(?:\d[ -]?){13,19}(?!\d)|(?<![\d/])(?:0[1-9]|1[0-2]) ?/ ?(?:20)?\d\d(?![\d/])"
)
_CARD_BEFORE = re.compile(rb"(?i)(?:card|karte|karten|tarjeta|carte|visa|mastercard|amex)(?:'s)?[,:(]?[ \t]{0,2}\Z")
_NEAR_CARD = 120  # bytes
# Behind words that mean other numbers, too, a date alone tells nothing: `Prüfnummer 455 vom 03/21`.
_CARD_ONLY = re.compile(rb"(?i)cv[vc]|karten")
_CARD_NEAR = re.compile(
    in_bytes(
        r"(?i)card|karte|tarjeta|carte\b|visa\b|amex|maestro|gültig|valid|\bexp\b|expir|\d{4}[ -]\d{4}|(?:\d[ -]?){13}"
    )
)
_OTHER_CODE = re.compile(rb"(?i)\b(?:social|password|e-?mail|sms|text)[ \t-]\Z")  # of another security
_LOCK_CODE = in_bytes(
    r"(?i)(?:(?:(?:phone|screen|mobile|tablet|sim)[ -])?(?:unlock|lock[ -]?screen|screen[ -]?lock|lock)|front[ -]door|door|gate|alarm|garage|safe|"
    r"entsperr|sperr|haustür|tür|tresor|safe|alarm|garagen|iphone|ipad|tablet|locker|lock ?box|key ?box|key ?safe|padlock|bike lock|keypad)[ -]?code"
    rf"(?:{_SAID}|[ \t]{{1,2}}(?=\d{{4,8}}#?(?![\w.,:/-]*\d)))"
)
# `the code for the front door is …`
_CODE_FOR = in_bytes(
    r"(?i)code (?:for|to|of|für|fürs|zum|zur|vom|von|am)(?: (?:the|my|our|your|his|her|their|das|die|den|der|dem|unsere|unser|meine|mein)n?(?:er|em)?)?(?: [^\s.,;:!?]{1,20})?? "
    r"(?:(?:front |back |main |garage )?door|garage|gate|alarm|safe|lock|locker|lock ?box|key ?box|padlock|(?:i|my )?phone|ipad|tablet|"
    r"haustür|tür|tor|garagentor|tresor|schloss|fahrradschloss|handy|briefkasten|eingang)"
    r"(?: (?:is|was|ist|war|lautet)|:)[ \t]{1,3}(?=\d{4,8}#?(?![\w.,:/-]*\d))"
)
# `the area code for the garage`, `the paint code for the door`: what stands before it names another code.
_ANY_CODE = re.compile(
    in_bytes(
        r"(?i)(?:\A|[^\w \t-][ \t]*|\b(?:the|a|an|my|our|your|his|her|their|its|new|old|current|and|that|this|access|entry|entrance|pin|number|numeric|"
        r"secret|digit|security|unlock|lock|der|den|dem|ein|einen|mein|meinen|unser|unseren|neue|neuen|alte|alten|und|pin-|zahlen|zugangs)[ -]?)\Z"
    )
)
_MAX_BEFORE_CODE = 12  # bytes
# What a boiler or a car shows is an alarm code, too: it is one's own that is secret.
_OWN_ALARM = re.compile(in_bytes(r"(?i)\b(?:my|our|mein|unser|house|home|door|haus|tür)"))
_IS_ALARM, _NEAR_ALARM = re.compile(rb"(?i)alarm|tablet code"), 40  # bytes; a tablet may be a pill
# A number that is explained or counts something: `4012 means`, `1000 points`.
_EXPLAINED = re.compile(
    in_bytes(r"(?i),?[ \t]{0,3}(?:=|(?:means|meaning|points|edition|laut|bedeutet|heißt|punkte)\b)|,[ \t]{0,3}which\b")
)
_TOLD = re.compile(in_bytes(rf"{_SAID}\Z"))
_MIN_LOCK_DIGITS, _YEAR = 4, re.compile(r"(?:19|20)\d\d")
_LOCK_WORDS = (
    "unlock code", "lock code", "lockscreen code", "lock screen code", "screen lock code", "phone unlock", "front door code", "door code", "gate code",
    "alarm code", "alarm-code", "garage code", "safe code", "safe-code", "entsperrcode", "entsperr-code", "sperrcode", "haustürcode", "türcode", "tür-code", "tresorcode",
    "safecode", "alarmcode", "garagencode", "iphone code", "ipad code", "tablet code", "locker code", "lockbox code", "lock box code", "key box code",
    "keybox code", "key safe code", "padlock code", "bike lock code", "keypad code",
)  # fmt: skip
_SOCIAL_SECURITY = rb"(?i)(?:ssn|social security (?:number|no\.?|nr\.?|#))[^\d\r\n]{0,30}?((?!000|666|9)\d{3}([- ]?)(?!00)\d{2}\2(?!0000)\d{4})(?![\d-])"
# Other countries' numbers have letters or check digits; each counts only behind its name.
_INSURANCE_NUMBER = in_bytes(
    r"(?i)(?:national insurance(?: (?:number|no\.?|nr\.?))?|ni number|nino|(?<![\w-])versicherungs(?:nummer|nr\.?)|(?<=sozial)versicherungs(?:nummer|nr\.?)|(?<=renten)versicherungs(?:nummer|nr\.?)|(?<=kranken)versicherungs(?:nummer|nr\.?)|sv-?nummer|svnr|"
    r"de sécurité sociale)[^\d\r\n]{0,30}?[^\w\r\n](?-i:"
    r"([A-Z]{2}[ ]?\d\d[ ]?\d\d[ ]?\d\d[ ]?[A-D]|\d\d[ ]?\d{6}[ ]?[A-Z][ ]?\d{3}|\d{4}[ ]?(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])\d\d|"
    r"[12][ ]?\d\d[ ]?(?:0[1-9]|1[0-2])[ ]?(?:\d\d|2[AB])[ ]?\d{3}[ ]?\d{3}(?:[ ]?\d\d)?))(?![\w-])"
)
# A number of an account is that of a bank only if something says so.
_BANK_ACCOUNT = in_bytes(
    r"(?i)(?:bank account(?: (?:number|no\.?|nr\.?|#))?|konto(?:nummer|-nr\.?|nr\.?)|account (?:number|no\.?|nr\.?|#))"
    r"(?:[ \t]{0,3}[:=]|,?[ \t](?:is|was|ist|war|lautet))?[ \t]{1,3}(\d(?:[ -]?\d){5,16})(?![\w-]|[.,]\d)"
)
_OF_BANK = re.compile(
    rb"(?i)(?<!power )(?<!blood )(?<!food )(?<!river )(?<!piggy )\b(?:banks?\b|bank account|konto|sort code|routing n|aba\b|blz\b|iban\b|(?-i:BIC\b(?! pen)|SWIFT\b)|swift[ -]code)"
)
_OTHER_ACCOUNT = re.compile(rb"(?i)(?:kunden|(?:sach|buchungs|skr)\S{0,12}[ \t]{1,2})\Z")  # of a customer, of a ledger
_ROUND_SUM = re.compile(rb"(?i)bank account(?! (?:n|#)).*000\Z")  # `my bank account was 2000000 at the time`
_NEAR_BANK = 80  # bytes
_NETWORK_KEY = in_bytes(
    r"(?i)(?:(?:wi-?fi|wlan|wpa[23]?|netzwerk|network security)[ -]{0,3}(?:netzwerk|security[ -]|network[ -])?"
    r"(?:sicherheits)?(?:key|schlüssel)|netzwerksicherheitsschlüssel)(?: ?\([^()\r\n]{1,20}\))?[\"'*]{0,3}[ \t]{0,3}[:=][*]{0,2}[ \t]{0,4}"
)
_MIN_NETWORK_KEY = 8  # characters, as WPA demands
_STANDARD = re.compile(r"(?i)(?:wpa|wep|aes|tkip|psk|802)[\w.+/-]*")  # `WPA2-PSK` says how, not what

# Twelve to twenty-four words, each perhaps with its number before it, as wallets show them.
_WORD_OF_SEED = r"(?:[#(]?\d{1,2}[.):\]-]?[ \t]{0,3})?[a-zA-Z]{3,8}"
_GAP_OF_SEED = r"[ \t,;|\r\n]{1,4}"
_SEED = (
    r"(?i)(?:(?:seed|recovery|mnemonic|backup|secret|wallet)[ _-]?(?:phrase|words|seed)|mnemonic|wiederherstellungs(?:phrase|wörter)|(?:12|15|18|21|24|twelve|eighteen|twenty-four) (?:seed |secret |recovery )?words (?:of|for|from|to)[^\r\n:=]{0,20}(?:wallet|ledger|trezor|metamask|phantom|exodus|electrum|bitcoin|btc|ether|eth\b|crypto|coin|seed))"
    r"[^\r\n:=]{0,20}(?:[:=]|\bis\b|\bist\b|\r?\n)[\s\"'`*>-]{0,6}"
    rf"({_WORD_OF_SEED}(?:{_GAP_OF_SEED}{_WORD_OF_SEED}){{11,35}})"
)
_SEED_GATE = r"(?i)(?:seed|recovery|backup|secret|wallet)[ _-]?(?:phrase|words|seed)|mnemonic|wiederherstellungs(?:phrase|w)|(?:\d\d|twelve|eighteen|four) words (?:of|for|from|to)"
_SEED_WORD, _SEED_NUMBER = re.compile(rb"[A-Za-z]{3,8}"), re.compile(rb"\d")
_SEED_SIZES = (24, 21, 18, 15, 12)  # words
# No list of seed words has these: the phrase ended before.
_NEVER_OF_SEED = frozenset(
    "the and but for not are was were has had his our from with please she him them their its und der die das ist".split()
)
_MAX_STOP_WORDS = 1  # some, such as `all` and `when`, are seed words too


def _pin(data: bytes, match: AnyMatch) -> Sequence[Span]:
    value = read_value(data, match.end())
    if value is None or not is_pin(value) or _is_other_number(data, match, value):
        return ()
    other = alternative(data, value)
    is_other_pin = other is not None and is_pin(other) and len(other.text) == len(value.text)
    return ((value.start, value.end), *([(other.start, other.end)] if other is not None and is_other_pin else []))


def _is_other_number(data: bytes, match: AnyMatch, value: Value) -> bool:
    """A post code of India, what a device has (`PIN of the chip: 1024`), or a year that names something: `CVC: 2018 report`."""
    if _PIN_PART.search(data, *match.span()) is not None:
        return True
    if _POST_CODE.fullmatch(value.text) is not None and data[match.start() : match.start() + 3].lower() == b"pin":
        near = data[max(0, match.start() - _NEAR_PLACE) : value.end + _NEAR_PLACE]
        return _IN_INDIA.search(near) is not None
    is_word_next = next_word(value).isalpha() and next_word(value) not in STOP_WORDS and value.after[:1].isspace()
    return (
        _YEAR.fullmatch(value.text) is not None
        and is_word_next
        and data[match.start() : match.start() + 3].lower() != b"pin"
    )


def _pin_alone(data: bytes, match: AnyMatch) -> Sequence[Span]:
    digits, name = data[slice(*match.span(1))].decode(), data[slice(*match.span())].decode("utf-8", "ignore")
    is_puk = name[:3].lower() == "puk"
    if len(digits) != _PUK_SIZE if is_puk else len(digits) not in _PIN_SIZES or _YEAR.fullmatch(digits) is not None:
        return ()
    if _PIN_THING.search(data, max(0, match.start() - 12), match.start()) is not None:
        return ()
    is_owned = _PIN_OWNER.search(data, max(0, match.start() - 12), match.start()) is not None
    is_part = _PIN_PART.search(data, match.end(), match.end() + _NEAR_PART) is not None
    return _pin(data, match) if is_owned or (name[:3].isupper() and not is_part) else ()


def _on_card(data: bytes, match: AnyMatch) -> Sequence[Span]:
    """Only beside the number of a card, its date or its name: `CVC 300 word list` is of lessons."""
    before = data[max(0, match.start() - _NEAR_CARD) : match.start()]
    after = data[match.end() + 3 : match.end() + 3 + _NEAR_CARD]
    if _OTHER_CODE.search(before) is not None:
        return ()
    is_told = _CARD_BEFORE.search(before) or _OF_CARD.search(before) or _OF_CARD.search(after)
    if _CARD_ONLY.match(data, match.start()) is None and _CARD_NEAR.search(before + b" " + after) is None:
        return ()
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
    if (
        _YEAR.fullmatch(digits) is not None
        and data[match.end() - 1] not in b":="
        and not _TOLD.search(data, *match.span())
    ):
        return ()
    bare = Value(value.start, value.start + len(digits), digits, value.quoted, value.after)
    return ((bare.start, bare.end),) if is_pin(bare) and len(digits) >= _MIN_LOCK_DIGITS else ()


def _code_for(data: bytes, match: AnyMatch) -> Sequence[Span]:
    is_any = _ANY_CODE.search(data, max(0, match.start() - _MAX_BEFORE_CODE), match.start()) is not None
    return _lock_code(data, match) if is_any else ()


def _is_own(data: bytes, match: AnyMatch) -> bool:
    """Whether it opens a lock, or the line says that the alarm is that of a home, the tablet somebody's."""
    if _IS_ALARM.match(data, match.start()) is None:
        return True
    before = data[max(0, match.start() - _NEAR_ALARM) : match.start()].rpartition(b"\n")[2]
    return _OWN_ALARM.search(before + data[slice(*match.span())]) is not None


def _social_security(data: bytes, match: AnyMatch) -> Sequence[Span]:
    return (match.span(1),)


def _bank_account(data: bytes, match: AnyMatch) -> Sequence[Span]:
    if _OTHER_ACCOUNT.search(data, max(0, match.start() - 24), match.start()) or _ROUND_SUM.match(data, *match.span()):
        return ()
    near = data[max(0, match.start() - _NEAR_BANK) : match.end() + _NEAR_BANK]
    return (match.span(1),) if _OF_BANK.search(near) is not None else ()


def _network_key(data: bytes, match: AnyMatch) -> Sequence[Span]:
    if (groups := DIGIT_GROUPS.match(data, match.end())) is not None:
        return (groups.span(),)
    value = read_value(data, match.end())
    if value is None or len(value.text) < _MIN_NETWORK_KEY or " " in value.text:
        return ()
    text = value.text
    if text.isdigit():
        return ((value.start, value.end),) if not counts_something(value) else ()
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
    Rule("pin", "", (("PIN ", "4921"), ("my pin ", "4921"), ("SIM PUK ", "48392017")),
         (("PIN 560001",), ("pin 2048 of the chip",), ("connect PIN 13 and PIN 12",), ("PIN 2024 conference",), ("PIN 4921 dollars",), ("PUK 12345678901",)),
         literals=("puk2",), find=at_literals("pin", _PIN_ALONE, _pin_alone), follow=b" \t-2", words=("pin", "puk", "pin2")),
    Rule("pin", "", (("the code for the front door is ", "4482"), ("Der Code fürs Tor ist ", "4482"), ("code to the garage: ", "4482#")),
         (("the code for the door is in the mail",), ("the code of the gate valve is 2018-4",), ("the dress code for the gate is smart",), ("the area code for the garage is 0512",), ("the RAL code for the door is 7016.",), ("the code for the tablet is 1500 lines long",), ("the code for the door is 12",)),
         literals=("code for", "code to", "code of", "code für", "code zum", "code zur", "code vom", "code von", "code am"), find=at_literals("pin", _CODE_FOR, _code_for), follow=b" sS"),
    Rule("pin", "", (("exp 04/29 CVV ", "739"), ("Visa, 04/29, security code ", "739")), (("CVC words and CVC 300 words",), ("CVV 2 is printed",), ("the CVC 123.4 m tower",), ("The ward is CVC 204.",)),
         words=("cvv", "cvv2", "cvc", "cvc2"), literals=("cvv2", "security code", "prüfnummer", "prüfziffer", "cryptogramme", "código de seguridad"), find=at_literals("pin", _ON_CARD, _on_card, left=anywhere), follow=b" \t:"),
    Rule("pin", "", (("phone unlock code: ", "258036"), ("Der Türcode ist ", "4482#"), ("Unser Alarmcode ist ", "4482")), (("Boiler alarm code: 4012",), ("door code: see the note",), ("alarm code: 12",), ("the unlock code is 2048 bytes",)),
         literals=_LOCK_WORDS, find=at_literals("pin", _LOCK_CODE, _lock_code), follow=SPOKEN + b":="),
    Rule("social security number", "", (("my SSN is 536-22-", "8145"), ("Social Security Number: 536-22-", "8145")),
         (("the SSN has nine digits",), ("SSN: 000-00-0000",), ("SSN order 9536-22-81456",)),
         literals=("social security",), words=("ssn",), find=at_literals("social security number", _SOCIAL_SECURITY, _social_security)),
    Rule("social security number", "", (("National Insurance number: AB1234", "56C"), ("Sozialversicherungsnummer: 6517", "0839J003"), ("SVNR: 1237 ", "010180"), ("Mon numéro de sécurité sociale : 1 84 12 76 ", "451 089 46")),
         (("The National Insurance rate is 12 percent",), ("Die Sozialversicherungsnummer hat 12 Stellen",), ("SVNR: siehe Karte",), ("KFZ-Versicherungsnummer 12 345678 K 001",), ("National Insurance since 1948",)),
         literals=("national insurance", "ni number", "versicherungsnummer", "versicherungsnr", "sv-nummer", "svnummer", "svnr", "de sécurité sociale"), words=("nino",),
         find=at_literals("social security number", _INSURANCE_NUMBER, _social_security, left=anywhere)),
    Rule("bank account", "", (("my bank account number is ", "0055779911"), ("Kontonummer: ", "0384150802"), ("Sort code 20-00-00, account number ", "55779911")),
         (("Account number: 12345678",), ("The account number of the gas company is 6424055711.",), ("Kontonummer: siehe Rechnung",), ("my bank account has 2500 dollars",), ("my bank account was 2000000 then",), ("account number 4455667 for the power bank",), ("account # 1234567 on Swift Playgrounds",), ("Bank account number 12",)),
         literals=("bank account", "kontonummer", "kontonr", "konto-nr", "account number", "account no", "account nr", "account #"), find=at_literals("bank account", _BANK_ACCOUNT, _bank_account, left=anywhere)),
    Rule("password", "", (("Wi-Fi key: ", "Sommer2024!"), ("WLAN-Schlüssel: 4930281736", "4529184736"), ("Netzwerkschlüssel: ", "Schatzi1987")),
         (("Wi-Fi key: WPA2-PSK",), ("WLAN-Schlüssel: siehe Rückseite",), ("WPA2 key: 12 characters",)),
         literals=("wifi", "wi-fi", "wlan", "wpa", "netzwerk", "network security"), find=at_literals("password", _NETWORK_KEY, _network_key), follow=b" -23kKsSnN\xc3"),
)  # fmt: skip
