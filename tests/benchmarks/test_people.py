"""The bench of claims: the draw is the same every time, labels are ids only, and figures come from the data."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path

from benchmarks import locomo, people, proofs
from benchmarks.cases import Dataset
from pmg.people.extract import VERSION
from tests.benchmarks.synthetic import locomo_rows


def dataset(tmp_path: Path) -> tuple[Path, Dataset]:
    file = tmp_path / "locomo10.json"
    file.write_text(json.dumps(locomo_rows()), encoding="utf-8")
    return file, locomo.load(file)


def test_the_labels_are_of_this_extractor_and_hold_no_text() -> None:
    labels = people.read_labels()
    assert labels["version"] == VERSION, "the extractor changed: draw and label again"
    assert len(labels["labels"]) >= 300
    assert all(re.fullmatch(r"locomo_\d seg_s\d+_\d+ \d+-\d+ \d", name) for name in labels["labels"])


def test_figures_are_those_of_the_labels_that_are_drawn(tmp_path: Path) -> None:
    file, data = dataset(tmp_path)
    names = people.drawn([people.extracted(case) for case in data.cases])
    assert names and names == people.drawn([people.extracted(case) for case in data.cases])
    marks = {name: [int(i > 0), 1] for i, name in enumerate(names)} | {"locomo_9 seg_gone_1 0-1 0": [0, 0]}
    found = people.figures(data, file, {"version": VERSION, "labels": marks})
    assert found.labelled == len(names) and found.attribution == 1.0
    assert found.precision == 1 - 1 / len(names)
    assert 0 <= found.covered <= found.covered_by_lines <= 1
    assert json.loads(json.dumps(asdict(found)))["modalities"]["stated"] > 0  # as `--json` saves it


def test_the_sheet_shows_every_drawn_claim_beside_its_line(tmp_path: Path) -> None:
    _, data = dataset(tmp_path)
    sheet = people.labelling_form(data)
    assert "Ada | plant | tomato seeds in the garden soil" in sheet
    assert "I planted tomato seeds in the garden soil." in sheet


def test_an_answer_is_proven_by_its_own_evidence_and_not_by_anothers(tmp_path: Path) -> None:
    rows = locomo_rows()
    rows[0]["qa"] = [
        {"question": "When did the kitten see the vet?", "answer": "8 May 2023", "evidence": ["D1:1"], "category": 2},
        {"question": "What was burnt?", "answer": "bread", "evidence": ["D2:1"], "category": 4},
    ]
    file = tmp_path / "locomo10.json"
    file.write_text(json.dumps(rows), encoding="utf-8")
    found = proofs.run(locomo.load(file))
    assert (found.answers, found.marked, found.marked_elsewhere) == (2, 0.0, 0.5)
