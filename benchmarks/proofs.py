"""How often the check of an answer against its evidence marks something: in LoCoMo's own answers beside their evidence, and beside the evidence of another question.

The first is what it marks although it is right (an answer that is counted or concluded stands in no line), the second what it finds of answers that are made up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.cases import RAW, BenchQuestion, Case, Dataset
from pmg.base.model import segment_id
from pmg.people.answer_check import ProofText, unproven

ADVERSARIAL = "adversarial"


@dataclass(frozen=True, slots=True)
class ProofFigures:
    answers: int
    marked: float  # share of the answers in which something is marked beside their own evidence
    marked_elsewhere: float  # beside the evidence of the next question of the same conversation


def run(dataset: Dataset) -> ProofFigures:
    rows = [row for case in dataset.cases for row in _marks(case)]
    count = max(len(rows), 1)
    return ProofFigures(len(rows), sum(own for own, _ in rows) / count, sum(other for _, other in rows) / count)


def _marks(case: Case) -> Iterator[tuple[bool, bool]]:
    said = _said(case)
    asked = [one for one in case.questions if one.answer and one.category != ADVERSARIAL and RAW in one.labels]
    for place, one in enumerate(asked):
        another = asked[(place + 1) % len(asked)]
        question = ProofText(one.text)
        yield (
            bool(_unproven(one, [question, *_evidence(one, said)])),
            bool(_unproven(one, [question, *_evidence(another, said)])),
        )


def _unproven(one: BenchQuestion, evidence: Sequence[ProofText]) -> bool:
    return bool(unproven(one.answer, evidence))


def _evidence(one: BenchQuestion, said: dict[str, ProofText]) -> list[ProofText]:
    return [said[name] for name in sorted(one.labels[RAW].segments) if name in said]


def _said(case: Case) -> dict[str, ProofText]:
    return {
        segment_id(session.id, place): ProofText(f"{line.speaker}: {line.text}", session.started_at)
        for session in case.sessions
        for place, turn in enumerate(session.turns)
        for line in turn.lines
    }
