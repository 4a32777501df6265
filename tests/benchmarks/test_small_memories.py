"""Memories of a few lines, cut from conversations."""

from __future__ import annotations

from pathlib import Path

from benchmarks import answers
from benchmarks.cases import RAW
from benchmarks.small_memories import SIZES, small_cases
from pmg.base.model import segment_id
from tests.benchmarks.synthetic import locomo_rows, write


def test_each_has_the_lines_that_answer_its_questions_and_is_the_same_in_every_run(tmp_path: Path) -> None:
    cases = answers.locomo_cases(write(tmp_path / "locomo10.json", [*locomo_rows(), *locomo_rows()]))
    found = small_cases(cases)
    assert found and found == small_cases(cases)
    for one in found:
        held = {segment_id(session.id, 0) for session in one.case.sessions}
        assert len(held) <= max(SIZES)
        assert all(ref.segment in held for q in one.questions for ref in q.asked.labels[RAW].lines)
