"""A day that is put right in the words behind it is not the one that is named: "Dinner is on Saturday. Actually make it Sunday." """

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pmg.index.terms import document_terms
from pmg.people.corrected_day import corrected_day, only_corrects_a_day
from pmg.people.meant_days import meant_time

WEDNESDAY = datetime(2026, 11, 18, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "question", "meant"),
    [
        (
            "Dinner with Prue on Saturday at the Thai place. Actually make it Sunday.",
            "When's dinner with Prue?",
            "22.11",
        ),
        ("The haircut is on Friday. No wait, Thursday.", "When's the haircut?", "19.11"),
        ("The haircut is on Friday. Thursday at 10, sorry!", "When's the haircut?", "19.11"),
        ("The haircut is on Friday. No wait. Tomorrow.", "When's the haircut?", "19.11"),
        ("I saw the dentist on Monday. Sorry, I meant Tuesday.", "When did I see the dentist?", "17.11"),
        ("Der Friseur ist am Freitag. Nein, lieber Donnerstag.", "Wann ist der Friseur?", "19.11"),
        ("The haircut is on Friday. Actually make it the 27th.", "When's the haircut?", ""),
        ("The haircut is on Friday. Actually Thursday, the salon is shut.", "When's the haircut?", ""),
        ("The haircut is next Friday. No wait, Thursday.", "When's the haircut?", ""),
        ("The haircut is on Friday. Not Friday, Saturday!", "When's the haircut?", ""),
        ("The haircut is on Friday. They moved it to Saturday.", "When's the haircut?", ""),
        ("The haircut is on Friday. Make it Thursday?", "When's the haircut?", ""),
        ("The haircut is on Friday. Wait, tomorrow?", "When's the haircut?", ""),
        ("Der Friseur ist am Freitag. Doch lieber Donnerstag?", "Wann ist der Friseur?", ""),
        ("The haircut is on Friday. The bins go out on Monday. Actually make it Tuesday.", "When's the haircut?", ""),
        (
            "The haircut is on Friday. No, Saturday. Tom's here. Bins on Monday. Oh no, Tuesday.",
            "When's the haircut?",
            "",
        ),
        ("The haircut is on Friday. Tom can't come. Actually make it Tuesday.", "When's the haircut?", "24.11"),
        # nothing of the day is put right
        ("The haircut is on Friday at 10. Actually make it 11.", "When's the haircut?", "20.11"),
        ("The haircut is on Friday. Actually, Tom is coming on Sunday.", "When's the haircut?", "20.11"),
        ("The haircut is on Friday. No school on Monday.", "When's the haircut?", "20.11"),
        ("The haircut is on Friday. Not Thursday, as I said.", "When's the haircut?", "20.11"),
    ],
)
def test_the_day_that_is_put_right_is_meant(text: str, question: str, meant: str) -> None:
    found = meant_time(text, WEDNESDAY, document_terms(question))
    assert (f"{found.first:%d.%m}" if found else "") == meant


@pytest.mark.parametrize("text", ["no, I meant Tuesday", "sorry, Thursday", "Nein, am Dienstag um 10."])
def test_of_what_a_bare_correction_is_nobody_can_say(text: str) -> None:
    assert only_corrects_a_day(text) and meant_time(text, WEDNESDAY) is None


@pytest.mark.parametrize("text", ["I meant to go on Tuesday", "It's on Thursday", "No, the dentist is on Tuesday"])
def test_what_says_what_it_is_of_is_no_bare_correction(text: str) -> None:
    assert corrected_day(text) is None
