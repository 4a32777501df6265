"""Does a piece of recalled text read like an order to a language model?

Knows: the usual shapes of such text. Does not know: whether it is meant badly; it only marks, it never removes.
Being unmarked is no proof of harmlessness, and the block says of all its text that it is quoted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all|your|system)\b[^.\n]{0,30}"
    r"\b(?:instructions?|prompts?|rules|messages?|context|guidelines)\b"
    r"|\byou (?:are|must act as|will act as) (?:now|from now on)\b"
    r"|\bfrom now on,? you\b|\bact as (?:an?|the) (?:unrestricted|jailbroken|system|admin)"
    r"|\b(?:reveal|print|repeat|output|leak|send)\b[^.\n]{0,30}\b(?:system prompt|hidden prompt|api keys?|passwords?|secrets)\b"
    r"|^\s*(?:system|assistant|developer)\s*(?:prompt|message)?\s*:\s*\S"
    r"|<\|(?:im_start|im_end|system|endoftext)\|>|\[/?INST\]|<</?SYS>>|</?(?:system|instructions?)>"
    r"|\bdo not (?:tell|inform|mention this to) the user\b|\bwithout (?:telling|asking) the user\b",
    re.IGNORECASE | re.MULTILINE,
)

# Every shape above holds one of these: most texts hold none, and are not searched any further.
_TELLTALES = (
    "ignore", "disregard", "forget", "override", "now", "act as", "reveal", "print", "repeat", "output", "leak", "send", "system",
    "assistant", "developer", "<|", "inst]", "sys>", "instruction", "the user",
)  # fmt: skip

LOOKED_AT = 50_000  # characters
QUOTED, ORDER = "quoted", "instruction-like"


def any_order(texts: Sequence[str]) -> bool:
    """Whether any of some texts reads so: looked at together first, since nearly all are harmless."""
    lower = "\n".join(text[:LOOKED_AT] for text in texts).lower()
    return any(word in lower for word in _TELLTALES) and any(trust_of(text) == ORDER for text in texts)


def trust_of(text: str) -> str:
    head = text[:LOOKED_AT]
    lower = head.lower()
    return ORDER if any(word in lower for word in _TELLTALES) and _ORDERS.search(head) else QUOTED
