"""Payment cards and bank accounts: numbers that prove themselves by their check digits.

Knows: which issuer ranges and lengths cards have, how they are grouped, Luhn; the length of an IBAN by country, mod 97.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pmg.base.patterns import AnyMatch, compile_linear
from pmg.ingest.redact.rule import Rule, RuleHit, Span

_GAP = rb"(?:[ \t.\-_/]|\xc2\xa0|\xe2\x80[\x89\x90\x91\x93\xaf]){1,2}"
# A whole run of digits, or groups as cards have them. The first digit, one that cards begin with, stands alone, which makes the search fast.
_CARD = re.compile(
    rb"[2-68](?:\d{12,}+|\d{3}(?!\d)" + _GAP + rb"(?:"
    rb"\d{4}" + _GAP + rb"\d{4}" + _GAP + rb"\d{4}(?:" + _GAP + rb"\d{3})?|\d{6}" + _GAP + rb"\d{4,5}|"
    rb"\d{3}" + _GAP + rb"\d{3}" + _GAP + rb"\d{3}|\d{5}" + _GAP + rb"\d{6}))(?!\w|\.\d)"
)  # fmt: skip
_BEGINS_CARD = compile_linear(
    r"[2-68]\d{3}(?:\d{9}|(?:[ \t.\-_/\x{00a0}\x{2009}\x{2010}\x{2011}\x{2013}\x{202f}]){1,2}\d{3})",
    "card",
    captures=False,
)
_GAPS = re.compile(r"\D+")
_MAX_CARD_SIZE = 40  # bytes of a card as it is written, gaps and all
# What must not stand before a card: a word or a point, or a hyphen or stroke behind another digit.
_BEFORE_CARD = re.compile(rb"[\w+.]\Z|(?:^|\d)[\-/]\Z")
_IBAN = r"(?i)\b([A-Z]{2}\d{2}(?:[ \-]|\x{00a0})?[A-Z0-9]{4}(?:(?:[ \-]|\x{00a0}){0,1}[A-Z0-9]{1,4}){2,7})"

# Numbers of other kinds that may pass Luhn by chance are announced by such a word.
_OTHER_NUMBER = compile_linear(
    r"(?i)(?:order|invoice|tracking|parcel|shipment|imei|isbn|ean|gtin|upc|ticket|case|serial|sku|barcode|part|"
    r"article|phone|tel|fax|mobile|timestamp|epoch|commit|build|version|job|run|trace|span|request|event|message|"
    r"tweet|status|user|account|item|product|doc|file|page|row|seed|hash|uid|guid|bestell|rechnung|sendung)"
    r"[\w ]{0,12}(?:id|no|nr|num|number|nummer|code)?\.?[\"']?[ \t]?[:#=]{0,2}[ \t]?[\"']?#?$|(?:id|ts|_at|ns|ms)[\"']?[ \t]?[:=][ \t]?[\"']?$",
    "other numbers",
)
_OTHER_WORD = compile_linear(
    r"(?i)\b(?:orders?|invoices?|tracking|parcel|shipments?|imei|isbn|ean|gtin|ticket|serial|sku|barcode|bestell\w*|rechnung\w*|sendung\w*|pedido|commande|reference|ref|transaction)\b",
    "words of other numbers",
    captures=False,
)
_CARD_WORD = compile_linear(
    r"(?i)card|visa|master|amex|american express|diners|discover|jcb|maestro|credit|debit|kredit|karte|tarjeta|carte|pan\b",
    "card words",
)

_IBAN_WORD = compile_linear(r"(?i)iban|konto|account", "account words", captures=False)
_IBAN_LENGTH = {
    code: int(length)
    for length, codes in {
        "15": "NO", "16": "BE", "18": "DK FO FI GL NL SD", "19": "MK SI", "20": "AT BA EE KZ LT LU XK MN",
        "21": "HR LV LI CH", "22": "BH BG CR GE DE IE ME RS GB VA", "23": "GI IQ IL OM TL AE SO",
        "24": "AD CZ MD PK RO SA SK ES SE TN VG", "25": "PT ST LY", "26": "IS TR", "27": "FR GR IT MR MC SM BI DJ",
        "28": "AL AZ CY DO SV GT HU LB PL BY NI", "29": "BR EG PS QA UA", "30": "JO KW MU YE", "31": "MT SC",
        "32": "LC", "33": "RU",
    }.items()
    for code in codes.split()
}  # fmt: skip


_DOUBLED = bytes.maketrans(b"0123456789", b"0246813579")


def luhn(digits: str) -> bool:
    raw = digits.encode()
    return (sum(raw[::-2]) + sum(raw[-2::-2].translate(_DOUBLED)) - 48 * len(raw)) % 10 == 0


def is_issued(digits: str) -> bool:
    """Whether the first digits and the length are those of a card network."""
    size = len(digits)
    if digits[0] == "4":
        return size in (13, 16, 19)
    if digits[0] in "0179" or not 14 <= size <= 19:
        return False
    two, three, four = int(digits[:2]), int(digits[:3]), int(digits[:4])
    if 51 <= two <= 55 or 2221 <= four <= 2720:
        return size == 16
    if two in (34, 37):
        return size == 15
    if 300 <= three <= 305 or three == 309 or two in (36, 38, 39):
        return size in (14, 16)
    if 3528 <= four <= 3589:
        return size == 16
    if four == 6011 or 644 <= three <= 649 or two == 65 or two == 62:
        return 16 <= size <= 19
    return (two == 50 or 56 <= two <= 58 or two in (60, 63, 67, 81)) and size in (16, 18, 19)


def mod_97(iban: str) -> bool:
    turned = iban[4:] + iban[:4]
    return int("".join(str(int(character, 36)) for character in turned)) % 97 == 1


def find_cards(data: bytes, position: int, end: int, _places: Sequence[Span]) -> Iterator[RuleHit]:
    for start, stop in _candidates(data, position, end):
        spans: Sequence[Span] = ()
        if stop - start <= _MAX_CARD_SIZE and _BEFORE_CARD.search(data, max(0, start - 2), start) is None:
            spans = _card(data, start, stop)
        if spans or stop > end:
            yield start, stop, spans, "payment card"


def _candidates(data: bytes, position: int, end: int) -> Iterator[Span]:
    """What `_CARD` matches and begins before `end`: where it may begin is found many times faster than it is matched."""
    limit = min(len(data), end + _MAX_CARD_SIZE)
    while (begun := _BEGINS_CARD.find(data, position, limit)) is not None and begun[0] < end:
        found = _CARD.match(data, begun[0], limit)
        position = found.end() if found is not None else begun[0] + 1
        if found is not None:
            yield found.span()


def _card(data: bytes, start: int, end: int) -> Sequence[Span]:
    written = data[start:end].decode()
    digits = written if written.isdigit() else "".join(filter(str.isdigit, written))
    if not is_issued(digits) or not luhn(digits) or len(set(digits)) < 2 or len(set(_GAPS.findall(written))) > 1:
        return ()  # groups of a card are parted alike; those of a drawing's path are not
    line = data.rfind(b"\n", max(0, start - 60), start) + 1 or max(0, start - 60)
    before = data[line:start]
    told = _CARD_WORD.search(before) is not None
    # Thirteen digits are far more often a barcode than a card of the twentieth century, and more than sixteen in one run
    # far more often a count or an id; and one number in ten passes Luhn.
    doubtful = (
        len(digits) == 13
        or (len(digits) > 16 and written.isdigit())
        or (written.isdigit() and _OTHER_WORD.search(before + data[end : end + 30]) is not None)
    )
    doubtful = doubtful or _OTHER_NUMBER.search(before) is not None
    return () if doubtful and not told else ((start, end),)


def _iban(data: bytes, match: AnyMatch) -> Sequence[Span]:
    """The pattern takes what may follow the account number too; its country says where it ends."""
    start, end = match.span(1)
    if start > 1 and data[start - 1 : start] == b"-" and data[start - 2 : start - 1].isalnum():
        return ()  # a piece of a GUID
    text = data[start:end].decode()
    if not (wanted := _IBAN_LENGTH.get(text[:2].upper(), 0)):
        return ()
    taken, bare = 0, ""
    for taken, character in enumerate(text, start=1):  # noqa: B007
        bare += character if character.isalnum() else ""
        if len(bare) == wanted:
            break
    if bare != bare.upper() and _IBAN_WORD.search(data[max(0, start - 30) : start]) is None:
        return ()  # in small letters and not announced: a dump of bytes
    cut = start + len(text[:taken].encode())
    whole = len(bare) == wanted and not data[cut : cut + 1].isalnum()
    return ((start, cut),) if whole and mod_97(bare.upper()) else ()


NUMBER_RULES: tuple[Rule, ...] = (
    Rule(
        "payment card",
        "",
        (("4111 1111 ", "1111 1111"), ("5500-0000-", "0000-0004"), ("3782 822463 ", "10005"), ("60111111", "11111117")),
        (("4111 1111 ", "1111 1112"), ("978-3-16-148410-0",), ("1700000000", "000"), ("+49 170 1234567",)),
        find=find_cards,
        gate=r"\d{4}[^a-zA-Z]{0,4}\d{3}",
    ),
    Rule(
        "iban",
        _IBAN,
        (
            ("DE89 3704 0044 ", "0532 0130 00"),
            ("GB82WEST1234", "5698765432"),
            ("FR14 2004 1010 0505 ", "0001 3M02 606"),
        ),
        (("DE89 3704 0044 ", "0532 0130 01"), ("AB12 3456 7890 1234",)),
        judge=_iban,
        gate=r"(?i)\b[A-Z]{2}\d\d.?[A-Z0-9]{4}",
    ),
)
