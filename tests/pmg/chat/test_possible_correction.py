"""A line told later that may correct the one that answers: then that is not sure, and the later one is shown with it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from benchmarks.dialogues import until_embedded
from pmg.base.model import Turn
from pmg.chat.answer_signals import AskedQuestion, asked_question
from pmg.chat.extractive import Extractive
from pmg.chat.possible_correction import may_correct
from pmg.chat.responder import ChatAnswer, Tone
from pmg.chat.turn import ChatTarget, converse
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput, exchange

CONCERT = "Freya's school concert is on 3 December at 6 pm."
PHYSIO = "Am Donnerstag habe ich um 15 Uhr Physiotherapie bei Frau Adomeit."


def asked(question: str) -> AskedQuestion:
    return asked_question(question, question, {}, 10, ())


def answer(engine: Engine, *said: str) -> ChatAnswer:
    """To the last of what is said, in another chat than the rest."""
    *told, question = said
    session = ""
    for text in told:
        *_, last = converse(engine, Extractive(engine), ChatTarget("default", session), text)
        session = last.passage.session_id if last.passage else ""
    until_embedded(engine)
    *_, last = converse(engine, Extractive(engine), ChatTarget("default", kept=False), question)
    return last.answer


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("When is Freya's concert?", CONCERT, "oh wait, the concert is on 4 December, not the 3rd"),
        ("Wann habe ich Physiotherapie?", PHYSIO, "Der Termin bei Frau Adomeit wurde auf Freitag verschoben."),
        ("Wann ist Omas Geburtstagsfeier?", "Omas Geburtstagsfeier ist am 12. Mai.", "Moment, die Feier ist am 13. Mai, nicht am 12."),
        ("When is my physio?", "I have physio with Dr Osei on Tuesday.", "Dr Osei's office rang, the appointment has been moved to Thursday."),
        ("How much is the kitchen?", "Marek quoted £14,200 for it.", "Update from Marek: the price went up to £15,650 because of the wiring."),
        ("when do we fly to lisbon?", "We're flying to Lisbon on 4 April", "the flight got moved to 5 April"),
        ("Wann fliegen wir nach Rom?", "Wir fliegen am 4. April nach Rom", "Der Flug wurde auf den 6. April verlegt"),
        ("Wann heiratet Nina?", "Nina heiratet am 3. Juni", "Die Hochzeit wurde auf den 10. Juni verschoben"),
        ("Was kostet das Dach?", "Dachdecker Brandt will 3.200 Euro für das Dach.", "Brandt hat das Angebot auf 3.900 Euro erhöht."),
    ],
)  # fmt: skip
def test_what_shares_the_thing_or_the_person_may_correct(question: str, older: str, newer: str) -> None:
    assert may_correct(asked(question), older, newer)


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("When is Freya's concert?", CONCERT, "Jakob's concert is on 9 December, not the 3rd."),
        ("When is Freya's concert?", CONCERT, "The Radiohead concert has been moved to 12 June."),
        ("When is Freya's concert?", CONCERT, "Freya's swimming moved to Tuesday."),
        ("When is Freya's concert?", CONCERT, "Was the concert moved to 4 December?"),
        ("Wann habe ich Physiotherapie?", PHYSIO, "Der Termin bei Herrn Kraft wurde auf Freitag verschoben."),
        ("How much is the kitchen?", "Marek quoted £14,200 for the kitchen.", "The price of the sofa went up to £1,650."),
        ("How much is the kitchen?", "Marek quoted £14,200 for the kitchen.", "Marek has moved the start to 9 May."),
        ("Where is the Limpet?", "Ned keeps his boat, the Limpet, on mooring 18.", "They shifted the Petrel, she is on mooring 44 now."),
        ("What does Barry drive?", "Barry drives a white transit", "put Barry up to 200 a day from this month"),
        ("How much is my rent?", "My rent is £900 a month.", "The gym went up to £45 a month."),
    ],
)  # fmt: skip
def test_what_is_of_another_does_not(question: str, older: str, newer: str) -> None:
    assert not may_correct(asked(question), older, newer)


def test_what_is_told_right_after_may_be_of_another() -> None:
    older, newer = "Omas Geburtstagsfeier ist am 12. Mai.", "Die Hochzeit ist am 13. Juni, nicht am 12."
    assert not may_correct(asked("Wann ist Omas Geburtstagsfeier?"), older, newer, is_next=True)


def test_what_is_told_right_after_needs_no_name() -> None:
    question, older, newer = "When is Tom's lesson?", "Tom's piano lesson is at 4:30.", "it's been moved to 5:30"
    assert may_correct(asked(question), older, newer, is_next=True)
    assert not may_correct(asked(question), older, newer)


@pytest.mark.parametrize("question", ["when is Freya's concert?", "What day is Freya's school concert?"])
def test_a_correction_that_does_not_repeat_the_name_comes_first(engine: Engine, question: str) -> None:
    right = "oh wait, the concert is on 4 December, not the 3rd"
    found = answer(engine, CONCERT, "My bike is a Cube", "We bought lemons at Lidl", right, question)
    assert found.tone is not Tone.SURE and [quote.text for quote in found.quotes[:2]] == [right, CONCERT]


def test_a_moved_appointment_shares_the_name_with_the_earlier_line_alone(engine: Engine) -> None:
    moved = "Der Termin bei Frau Adomeit wurde auf Freitag verschoben."
    found = answer(engine, PHYSIO, "Mein Rad ist ein Cube", moved, "Wann habe ich Physiotherapie?")
    assert found.tone is not Tone.SURE and [quote.text for quote in found.quotes[:2]] == [moved, PHYSIO]


def test_two_who_have_appointments_are_told_apart(engine: Engine) -> None:
    other = "Der Termin bei Herrn Kraft wurde auf Freitag verschoben."
    found = answer(engine, PHYSIO, other, "Wann habe ich Physiotherapie?")
    assert found.quotes[0].text == PHYSIO


def test_another_amount_at_the_end_of_a_long_message_of_later_is_shown_too(engine: Engine) -> None:
    """Though it ends as a question."""
    first = "I'm so glad I got pre-approved for $350,000 from Wells Fargo."
    later = "Can you help me with a budget for the new house? " + "I also want to plan the garden with some care. " * 8
    later += "By the way, remember when I got pre-approved for $400,000 from Wells Fargo?"
    days = (datetime(2023, 9, 13, tzinfo=UTC), datetime(2024, 1, 2, tzinfo=UTC))
    engine.ingest(
        [
            SessionInput([Turn(exchange(text, "I see."))], id=f"s{at.year}", started_at=at, source="chatgpt")
            for text, at in zip((first, later), days, strict=True)
        ]
    )
    found = answer(engine, "How much was I pre-approved for with Wells Fargo?")
    assert found.tone is not Tone.SURE
    assert "$350,000" in found.quotes[0].text and any("$400,000" in quote.text for quote in found.quotes)
