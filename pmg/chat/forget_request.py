"""Whether a message wants something forgotten: "forget what I said about Doreen's operation". The chat forgets nothing by itself: it shows what that may be.

Knows: how such a wish reads in English and German, and what it is about. What forgetting is stands in pmg/forget. Pure.
"""

from __future__ import annotations

import re

_ENGLISH = re.compile(
    r"\W*(?:(?:please|ok(?:ay)?|hey|now)[\s,]+)*(?:(?:can|could|would|will) you (?:please )?)?(?:forget|delete|erase|remove|wipe)\s+"
    r"(?:(?:what|everything|all|anything)\s+(?:that\s+)?(?:i|we)(?:['’]ve| have)?\s+(?:just\s+)?(?:said|told you|wrote|mentioned|noted)\s+(?:about|of|on)"
    r"|(?:everything|all|anything|what)(?:\s+(?:that\s+)?you\s+(?:know|have))?\s+(?:about|on)"
    r"|(?:the|my|that)\s+(?:last\s+)?(?:lines?|notes?|memory|memories|message|entry|bit|part|thing|fact)\s+(?:about|on|with|where|that)"
    r"|that)\s+(?P<what>[^,;:!?\n]{2,120}?)[.!]?\s*",
    re.IGNORECASE,
)
_GERMAN = re.compile(
    r"\W*(?:(?:bitte|ok(?:ay)?|hey|nun)[\s,]+)*(?:(?:kannst|könntest) du (?:bitte )?)?(?:vergiss|vergesse|lösche?|entferne?|streiche?)[\s,]+(?:bitte[\s,]*)?"
    r"(?:(?:alles\s*,?\s*)?was\s+ich\s+(?:dir\s+)?(?:über|zu|zum|zur|von)|alles\s+(?:über|zu|zum|zur|von)|dass"
    r"|(?:die|den|das|meine?n?)\s+(?:zeilen?|notiz(?:en)?|einträge?|eintrag|satz|erinnerung(?:en)?|nachricht)\s+(?:über|zu|zum|zur|von|mit))\s+"
    r"(?P<what>[^,;:!?\n]{2,120}?)[.!]?\s*",
    re.IGNORECASE,
)


def what_to_forget(text: str) -> str:
    """What is to be forgotten; "" where nothing is: "don't forget the milk", "forget that, it is on Tuesday"."""
    found = _ENGLISH.fullmatch(text) or _GERMAN.fullmatch(text)
    return found["what"].strip() if found is not None else ""
