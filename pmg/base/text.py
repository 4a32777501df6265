"""Small laws about text: how it is written into a database without loss, how long it is in tokens.

Knows: which code points a database refuses, and a way there and back for them.
"""

from __future__ import annotations

import hashlib
import re

# A lone surrogate is not valid UTF-8, and half-broken exports hold them. Each becomes the mark and four hex digits; the
# mark itself is a noncharacter that no keyboard makes, and is escaped too, so that the way back is exact for any string.
_MARK = "\U0010ffff"
_UNSAFE = re.compile("[\ud800-\udfff\U0010ffff]")
_ESCAPED = re.compile(_MARK + "([0-9a-f]{4}|!)")


def escape(text: str) -> str:
    """The same text as valid Unicode; `unescape` brings the original back exactly."""
    if text.isascii() or _UNSAFE.search(text) is None:
        return text
    return _UNSAFE.sub(lambda m: _MARK + ("!" if m[0] == _MARK else f"{ord(m[0]):04x}"), text)


def unescape(text: str) -> str:
    if _MARK not in text:
        return text
    return _ESCAPED.sub(lambda m: _MARK if m[1] == "!" else chr(int(m[1], 16)), text)


_HIDDEN = "redacted-"  # before what stands for an id
_UNSPACED = "\u3005"  # from here on scripts write no spaces between words


def has_name(text: str, name: str, *, as_written: bool = False) -> bool:
    """Whether a name stands in a text as words of its own, whatever its case unless `as_written`: "Al" does not stand in "also"."""
    before, after = (r"\w" if end < _UNSPACED else r"\d" for end in (name[:1], name[-1:]))
    case = re.NOFLAG if as_written else re.IGNORECASE
    return bool(name) and re.search(rf"(?<!{before}){re.escape(name)}(?!{after})", text, case) is not None


REDACTED = "[redacted: "  # how a mark in the place of a secret begins


def redaction_mark(kind: str) -> str:
    """What stands in a text where a secret of this kind was."""
    return f"{REDACTED}{kind}]"


def is_hidden_id(name: str) -> bool:
    return name.startswith(_HIDDEN)


def hidden_id(name: str) -> str:
    """What stands for an id that is a secret: the same for the same id, fit to name a session, and not to be read back."""
    return f"{_HIDDEN}{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def printable(text: str) -> str:
    """The text with control characters made visible, so that a stored terminal escape cannot act when it is printed."""
    if text.replace("\n", "").replace("\t", "").isprintable() and _MARK not in text:
        return text
    return "\n".join(row if row.isprintable() else "".join(map(_shown, row)) for row in text.split("\n"))


def _shown(char: str) -> str:
    return char if char == "\t" or char.isprintable() else _visible(char)


def _visible(char: str) -> str:
    # Joiners and variation selectors hold emoji and many scripts together: they are not printable by Python's word, yet harmless.
    if char in "\u200c\u200d\ufe0e\ufe0f\u00a0\u3000\u00ad":
        return char
    return (
        "�" if 0xD800 <= ord(char) <= 0xDFFF else f"\\x{ord(char):02x}" if ord(char) < 0x100 else f"\\u{ord(char):04x}"
    )


def tokens(text: str) -> int:
    """About how many tokens a language model will count: UTF-8 bytes over four, rounded up.

    Close enough to keep a budget for any model, and the same on every machine because no tokenizer is asked.
    """
    return (len(text.encode("utf-8", "surrogatepass")) + 3) // 4


def headline(text: str, most: int = 60) -> str:
    """The first words on one line, whole ones where there is a choice: what is called by nothing else is called by these."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1].rsplit(" ", 1)[0].rstrip(",;:") + "…"


def counted(count: int, one: str, many: str = "") -> str:
    """`1 turn`, `2 turns`, `1,200 turns`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
