"""Does a piece of recalled text read like an order to a language model?

Knows: the usual shapes of such text. Does not know: whether it is meant badly; it only marks, it never removes.
Being unmarked is no proof of harmlessness, and the block says of all its text that it is quoted.
It is asked whenever text is shown, not once at ingest: that costs some microseconds, and what is stored needs no second look
when a shape is added here.
"""

from __future__ import annotations

from collections.abc import Sequence

from pmg.base.patterns import linear

_ORDERS = linear(
    r"(?im)\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all|your|system)\b[^.\n]{0,30}"
    r"\b(?:instructions?|prompts?|rules|messages?|context|guidelines)\b"
    r"|\byou (?:are|must act as|will act as) (?:now|from now on)\b"
    r"|\bfrom now on,? you\b|\bact as (?:an?|the) (?:unrestricted|jailbroken|system|admin)"
    r"|\b(?:reveal|print|repeat|output|leak|send)\b[^.\n]{0,30}\b(?:system prompt|hidden prompt|api keys?|passwords?|secrets)\b"
    r"|^[\s\pZ]*(?:system|assistant|developer)[\s\pZ]*(?:prompt|message)?[\s\pZ]*:[\s\pZ]*[^\s\pZ]"
    r"|<\|(?:im_start|im_end|system|endoftext)\|>|\[/?INST\]|<</?SYS>>|</?(?:system|instructions?)>"
    r"|\bdo not (?:tell|inform|mention this to) the user\b|\bwithout (?:telling|asking) the user\b"
)

QUOTED, ORDER = "quoted", "instruction-like"


def any_order(texts: Sequence[str]) -> bool:
    """Whether any of some texts reads so."""
    return any(trust_of(text) == ORDER for text in texts)


def trust_of(text: str) -> str:
    return ORDER if _ORDERS.search(text) else QUOTED
