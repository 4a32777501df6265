"""Loading LoCoMo: the traps of the published file."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks import locomo
from benchmarks.cases import AUDITED, RAW, LineRef
from pmg.base.errors import InputError, NotFound
from pmg.base.model import Role
from tests.benchmarks.synthetic import audit_rows, locomo_rows, write


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write(tmp_path / "locomo10.json", locomo_rows())


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (["D1:3"], ["D1:3"]),
        (["D8:6; D9:17"], ["D8:6", "D9:17"]),
        (["D:11:26"], ["D11:26"]),
        (["D30:05"], ["D30:5"]),
        (["D9:1 D4:4 D4:6"], ["D9:1", "D4:4", "D4:6"]),
        (["D1:1", "D1:01"], ["D1:1"]),
        (["D"], []),
        (None, []),
    ],
)
def test_evidence_ids_are_split_and_normalised(written: object, meant: list[str]) -> None:
    assert locomo.evidence_ids(written) == meant


def test_sessions_come_in_their_number_s_order_with_neutral_names_and_parsed_dates(file: Path) -> None:
    (case,) = locomo.load(file).cases
    assert [session.id for session in case.sessions] == ["s0001", "s0002"]
    assert [session.started_at for session in case.sessions] == [
        datetime(2023, 5, 8, 13, 56, tzinfo=UTC),
        datetime(2023, 6, 3, 9, 5, tzinfo=UTC),
    ]
    assert {session.title for session in case.sessions} == {""}


def test_speakers_are_people_and_a_picture_is_known_by_its_caption(file: Path) -> None:
    (case,) = locomo.load(file).cases
    (line,) = case.sessions[0].turns[1].lines
    assert (line.speaker, line.role) == ("Ben", Role.PERSON)
    assert line.text == "Look at this! [image: a photo of a red bicycle]"


def test_gold_names_the_segments_the_engine_will_make(file: Path) -> None:
    (case,) = locomo.load(file).cases
    gold = case.questions[1].labels[RAW]
    assert gold.lines == {LineRef("seg_s0002_0", 0), LineRef("seg_s0002_1", 0)}
    assert gold.sessions == {"s0002"}


def test_what_is_left_out_is_counted(file: Path) -> None:
    dataset = locomo.load(file)
    assert [question.id for question in dataset.cases[0].questions] == [f"locomo_0_qa{n}" for n in (0, 1, 2, 4, 5)]
    assert dataset.skipped["questions without evidence"] == 1
    assert dataset.skipped["dates without a session"] == 1
    assert dataset.skipped["evidence that names no turn"] == 1


def test_the_adversarial_category_stays_out_of_the_headline(file: Path) -> None:
    dataset = locomo.load(file)
    outside = [q.id for q in dataset.cases[0].questions if q.category not in dataset.headline]
    assert outside == ["locomo_0_qa4"]


def test_the_audit_beside_the_file_corrects_labels_and_drops_those_it_cannot(file: Path) -> None:
    write(file.parent / locomo.AUDIT_FILE, audit_rows())
    questions = {question.id: question for question in locomo.load(file.parent).cases[0].questions}
    assert questions["locomo_0_qa5"].labels[RAW].lines == {LineRef("seg_s0001_0", 0)}
    assert questions["locomo_0_qa5"].labels[AUDITED].lines == {LineRef("seg_s0001_1", 0)}
    assert AUDITED not in questions["locomo_0_qa2"].labels
    assert questions["locomo_0_qa0"].labels[RAW] == questions["locomo_0_qa0"].labels[AUDITED]


def test_without_an_audit_there_is_one_label_set(file: Path) -> None:
    assert list(locomo.load(file).notes) == [RAW]


def test_an_audit_of_another_file_is_refused(file: Path, tmp_path: Path) -> None:
    wrong = write(tmp_path / "other.json", [{**audit_rows()[0], "question": "Something else?"}])
    with pytest.raises(InputError, match="belongs to another file"):
        locomo.load(file, wrong)


def test_a_file_that_is_not_the_benchmark_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="conversation"):
        locomo.load(write(tmp_path / "a.json", [{"qa": []}]))
    (tmp_path / "b.json").write_text("{")
    with pytest.raises(InputError, match="cannot be read"):
        locomo.load(tmp_path / "b.json")
    with pytest.raises(NotFound, match="must hold one file"):
        locomo.load(tmp_path)


def test_the_published_file_loads_as_counted_by_hand(shared_data: Path) -> None:
    dataset = locomo.load(shared_data / "locomo10.json")
    assert sum(len(case.sessions) for case in dataset.cases) == 272
    assert sum(len(s.turns) for case in dataset.cases for s in case.sessions) == 5882
    assert sum(len(case.questions) for case in dataset.cases) == 1982
    assert dataset.skipped["questions without evidence"] == 4
