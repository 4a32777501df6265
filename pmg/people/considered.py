"""Whether something was only considered: "I might buy the kiln" tells of no kiln that was bought. Pure.

Knows: the words of possibility in English and German. What a claim's modality is stands in clauses.py and predicates.py.
"""

from __future__ import annotations

import re

from pmg.people.clauses import sentence_spans

_POSSIBLE = re.compile(
    r"\b(?:might|could|maybe|perhaps|considering|wondering|thinking (?:of|about)|toying with|(?:would|['’]d) (?:like|love|prefer) to|"
    r"vielleicht|könnten?|würden? gern\w*|überleg\w+)\b",
    re.IGNORECASE,
)
_ASKS_FOR_IT = re.compile(
    r"\b(?:might|could|maybe|would|should|plan\w*|consider\w*|think\w*|idea\w*|want\w*|hope\w*|hoping|vielleicht|könnte\w*|würde\w*|will|wollte\w*|vor)\b",
    re.IGNORECASE,
)


def asks_for_plans(question: str) -> bool:
    return _ASKS_FOR_IT.search(question) is not None


def is_only_considered(text: str) -> bool:
    """Every sentence that says it speaks of what may be. Questions around it say nothing."""
    told = [text[start:end] for start, end in sentence_spans(text) if not text[start:end].rstrip().endswith("?")]
    return bool(told) and all(_POSSIBLE.search(sentence) for sentence in told)


def considers(text: str, start: int, end: int) -> bool:
    """Whether the words of a possibility stand in this part of a text."""
    return _POSSIBLE.search(text, start, end) is not None
