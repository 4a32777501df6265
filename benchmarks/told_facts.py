"""Facts told in the chat, each in a chat of its own, and asked for in another: what a person does on the first day.

Knows: the file of facts, the telling and the asking through the chat's own path beside the sample memory, and what counts as right.
Does not know: how an answer is made (pmg/chat).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.answers import NAMESPACE, first_passage
from benchmarks.cases import Case
from benchmarks.run import memory
from pmg import sample
from pmg.answer.evidence import Tone
from pmg.chat.extractive import Extractive
from pmg.chat.responder import ChatAnswer
from pmg.chat.turn import ChatTarget, converse
from pmg.embed.embedder import Embedder
from pmg.engine import Engine

OUTCOMES = ("right, sure", "right, unsure", "shown further down", "missed, unsure", "nothing said", "wrong while sure")


@dataclass(frozen=True, slots=True)
class ToldFact:
    """What is told, message by message, and what the answer to the question must hold; nothing where nothing was told of it."""

    part: str
    kind: str
    told: tuple[str, ...]
    question: str
    answer: str


def read(file: Path) -> list[ToldFact]:
    rows = [json.loads(row) for row in file.read_text(encoding="utf-8").split("\n") if row]
    return [ToldFact(r["part"], r["kind"], tuple(r["told"]), r["question"], r["answer"]) for r in rows]


def run(facts: Sequence[ToldFact], embedder: Embedder) -> list[tuple[ToldFact, str]]:
    """Everything is told first, in the order of the file; then each question is asked in a chat that is not remembered."""
    with memory(Case("told facts", sample.sessions(), []), embedder, Counter()) as engine:
        for fact in facts:
            for text in fact.told:
                said(engine, text, kept=True)
        return [(fact, outcome(fact, said(engine, fact.question, kept=False))) for fact in facts]


def said(engine: Engine, text: str, kept: bool) -> ChatAnswer:
    *_, last = converse(engine, Extractive(engine), ChatTarget(NAMESPACE, kept=kept), text)
    return last.answer


def outcome(fact: ToldFact, answer: ChatAnswer) -> str:
    """One of OUTCOMES. Where nothing was told, saying nothing is as good as not being sure."""
    sure = answer.tone is Tone.SURE
    holds = [_holds(fact.answer, quote.text) for quote in answer.quotes]
    if any(holds[: first_passage(answer.quotes)]):
        return OUTCOMES[0] if sure else OUTCOMES[1]
    if sure:
        return OUTCOMES[5]
    if any(holds):
        return OUTCOMES[2]
    return OUTCOMES[4] if answer.tone is Tone.NOTHING else OUTCOMES[3]


def _holds(answer: str, text: str) -> bool:
    return bool(answer) and re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", text, re.IGNORECASE) is not None


def as_markdown(results: Sequence[tuple[ToldFact, str]]) -> str:
    """A row for each part and kind."""
    groups = dict.fromkeys((fact.part, fact.kind) for fact, _ in results)
    lines = ["| part, kind | asked | " + " | ".join(OUTCOMES) + " |", "|---" + "|---:" * (1 + len(OUTCOMES)) + "|"]
    for part, kind in sorted(groups):
        counts = Counter(reached for fact, reached in results if (fact.part, fact.kind) == (part, kind))
        cells = [str(counts.total()), *(str(counts[name]) for name in OUTCOMES)]
        lines.append(f"| {part}, {kind} | {' | '.join(cells)} |")
    return "\n".join(lines)
