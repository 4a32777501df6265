"""A deterministic check of an answer against its evidence: figures, names, and how much of it the evidence holds. Pure.

It stands before every answer, also before a language model's: what is neither in the evidence nor in the question was made up.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pmg.index.terms import document_terms
from pmg.words import STOP_WORDS

ENOUGH = 0.6  # share of the answer's telling words that the evidence holds
_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)(?<![\"“])\b[A-ZÀ-Þ][\w'’-]+")


@dataclass(frozen=True, slots=True)
class EvidenceCheck:
    figures: tuple[str, ...]  # of the answer, that no evidence has
    names: tuple[str, ...]
    coverage: float

    @property
    def is_supported(self) -> bool:
        return not self.figures and not self.names and self.coverage >= ENOUGH


def check_answer(answer: str, evidence: Sequence[str], question: str = "") -> EvidenceCheck:
    """What of an answer its evidence does not hold. Names of the question may be said again."""
    held = " ".join(evidence)
    figures = set(_FIGURE.findall(held)) | set(_FIGURE.findall(question))
    words = {word.lower() for word in re.findall(r"\w+", f"{held} {question}")}
    missing = dict.fromkeys(
        name for name in _NAME.findall(answer) if not {part.lower() for part in re.findall(r"\w+", name)} & words
    )
    telling = set(document_terms(answer)) - STOP_WORDS
    there = set(document_terms(f"{held} {question}"))
    return EvidenceCheck(
        tuple(dict.fromkeys(one for one in _FIGURE.findall(answer) if one not in figures)),
        tuple(missing),
        len(telling & there) / len(telling) if telling else 0.0,
    )
