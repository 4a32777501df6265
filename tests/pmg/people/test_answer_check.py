"""An answer is held against its evidence: what stands nowhere in it is found, what does is left alone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pmg.people.answer_check import PartKind, ProofText, unproven

MAY = datetime(2023, 5, 25, 13, tzinfo=UTC)
EVIDENCE = (
    ProofText("How much is the rent, and when was the race?"),
    ProofText("Anna: My landlord Mr Brandt raised the rent to 1,950 euros; we are two.", MAY),
    ProofText("Melanie: I ran a charity race last Saturday.", MAY),
)


def found(answer: str) -> list[tuple[str, PartKind]]:
    return [(answer[one.start : one.end], one.kind) for one in unproven(answer, EVIDENCE)]


@pytest.mark.parametrize(
    "answer",
    [
        "The rent is 1950 euros [2], said by Anna on 25 May 2023.",
        "It is 1,950 for 2 people. It was told in May 2023.",
        "The race was on 20 May 2023, as Melanie said on 2023-05-25 [3].",
        "The landlord is Brandt, and Anna's rent went up.",
        "1. The rent went up.\n2. The race was run.",
        "In 2023 Mel ran on Saturday.",
    ],
)
def test_what_stands_in_the_evidence_is_left_alone(answer: str) -> None:
    assert found(answer) == []


@pytest.mark.parametrize(
    ("answer", "part", "kind"),
    [
        ("The rent is 1960 euros [2].", "1960", PartKind.FIGURE),
        ("They are seven people in there.", "seven", PartKind.FIGURE),
        ("The race was on 21 May 2023.", "21 May 2023", PartKind.DATE),
        ("It was raised on 2022-05-25.", "2022-05-25", PartKind.DATE),
        ("The landlord is Hoffmann [2].", "Hoffmann", PartKind.NAME),
        ("Die Miete stieg am 3. Juni 2023.", "3. Juni 2023", PartKind.DATE),
    ],
)
def test_what_comes_from_nowhere_is_found(answer: str, part: str, kind: PartKind) -> None:
    assert found(answer) == [(part, kind)]


def test_last_month_proves_a_month_and_no_day_in_it() -> None:
    said = [ProofText("We moved last month.", MAY)]
    assert unproven("They moved in April 2023.", said) == ()
    assert len(unproven("They moved on 12 April 2023.", said)) == 1


def test_a_language_that_writes_its_nouns_large_has_no_names_found_by_it() -> None:
    said = [ProofText("Der Hund ist krank.", MAY)]
    answer = "Dein Hund ist nach einem Spaziergang im Wald vom Tierarzt mit einer Spritze behandelt worden."
    assert unproven(answer, said) == ()
