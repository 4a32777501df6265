"""Whether a message wants something forgotten: "forget what I said about Doreen's operation". The chat forgets nothing by itself: it shows what that may be.

Knows: how such a wish reads in English and German, and what it is about. A message that tells something after it, or wants a stain removed, is none: in doubt
something was told. What forgetting is stands in pmg/forget. Pure.
"""

from __future__ import annotations

import re

from pmg.base.patterns import short

_WHAT = r"(?P<what>[^\s,;:.!?–—][^,;:.!?\n–—]{1,59}?)[.!]?\s*"  # nothing after it: "… about the dentist. It's on Tuesday" tells
_SAID = r"(?:what|everything|all|anything)\s+(?:that\s+)?(?:i|we)(?:['’]ve| have)?\s+(?:just\s+)?(?:said|told you|wrote|mentioned|noted)\s+(?:about|of|on)"
_ENGLISH = short(
    r"\W{0,3}(?:(?:please|ok(?:ay)?|hey|now)[\s,]+){0,3}(?:(?:can|could|would|will) you (?:please )?)?"
    rf"(?:(?:forget|delete|erase|remove)\s+(?:{_SAID}|(?:everything|all|anything|what)\s+(?:that\s+)?you\s+(?:know|have)\s+(?:about|on)"
    r"|(?:the|my)\s+(?:last\s+)?(?:lines?|notes?|memory|memories|entry|entries)\s+about)"
    r"|forget\s+(?:everything|all|anything)\s+about|forget(?=\s+that\s+i (?:ever )?(?:said|told|mentioned|wrote)\b)\s+that)\s+"
    + _WHAT,
    re.IGNORECASE,
)
_GERMAN = short(
    r"\W{0,3}(?:(?:bitte|ok(?:ay)?|hey|nun)[\s,]+){0,3}(?:(?:kannst|könntest) du (?:bitte )?)?"
    r"(?:(?:vergiss|vergesse|lösche?|entferne?|streiche?)[\s,]+(?:bitte[\s,]*)?"
    r"(?:(?:alles[\s,]+)?was\s+ich\s+(?:dir\s+)?(?:über|zu|zum|zur|von)|alles\s+über"
    r"|(?:die|den|das|meine?n?)\s+(?:zeilen?|notiz(?:en)?|einträge?|eintrag|erinnerung(?:en)?)\s+(?:über|zu|zum|zur))"
    r"|vergiss(?:\s+bitte)?[\s,]+(?:bitte[\s,]+)?dass)\s+" + _WHAT,
    re.IGNORECASE,
)
# A figure, a day or another clause: then something is told with it.
_TELLS = short(
    r"\d|\s-\s|\w+day\b|\w+tag\b|\b(?:is|are|was|were|will|we|owe|need|am|paid|old|it|he|she|they|now|today|tomorrow|wir|er|sie|es|jetzt|wieder|heute|morgen)\b",
    re.IGNORECASE,
)


def what_to_forget(text: str) -> str:
    """What is to be forgotten; "" where nothing is, or something may be told with it: "don't forget the milk", "forget that, it is on Tuesday"."""
    found = _ENGLISH.fullmatch(text) or _GERMAN.fullmatch(text)
    return found["what"].strip() if found is not None and not _TELLS.search(found["what"]) else ""
