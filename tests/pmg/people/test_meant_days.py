""" "On Thursday" and "yesterday" are days, counted from the one on which they were said; what may be two days is none."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from pmg.answer.ask import ask
from pmg.answer.phrases import day_meant, time_in
from pmg.chat.extractive import Extractive
from pmg.chat.turn import ChatTarget, converse
from pmg.engine import Engine
from pmg.index.terms import document_terms
from pmg.people import meant_days
from pmg.people.meant_days import MeantTime, meant_time
from tests.pmg.people.talk import told_to_assistant

TUESDAY = datetime(2026, 11, 3, 12, tzinfo=UTC)
SAID = (
    ("On Thursday I have my dentist appointment.", "05.11"),
    ("The meeting is on Monday.", "09.11"),
    ("No, the meeting is on Wednesday, not Monday.", "04.11"),
    ("We went to the zoo yesterday.", "02.11"),
    ("I went to the doctor on Friday.", "30.10"),
    ("The concert was moved to Saturday.", "07.11"),
    ("I play the cello on Sundays.", ""),
    ("I swim every Monday.", ""),
    ("The book group meets on the first Wednesday of the month.", ""),
    ("Chor ist am ersten Montag im Monat.", ""),
    ("The meeting is on Monday in the park.", "09.11"),
    ("I bought a bike last week.", "26.10..01.11"),
    ("My exam is tomorrow.", "04.11"),
    ("We fly next Thursday.", ""),
    ("Mein Zahnarzttermin ist am Donnerstag.", "05.11"),
    ("Ich war am Freitag beim Arzt.", "30.10"),
    ("Ich habe am Freitag ein Fahrrad gekauft.", "30.10"),
    ("Wir treffen uns übermorgen.", "05.11"),
    ("day after tomorrow a client is coming", "05.11"),
    ("Ich habe morgen eine Prüfung.", "04.11"),
    ("Wir fahren nächste Woche nach Wien.", "09.11..15.11"),
    ("Letzten Monat habe ich gekündigt.", "01.10..31.10"),
    ("The party is on Thursday 26 November.", ""),
    ("Opening night is Friday 6th.", "06.11"),
    ("Opening night is Friday 15th.", ""),  # a Friday that is another than the next
    ("Die Premiere ist am Freitag, den 15.", ""),
    ("The plumber came two days ago.", "01.11"),
    ("Der Klempner kam vor drei Tagen.", "31.10"),
    ("On Tuesday I see Anna.", ""),
    ("The course runs from Monday to Thursday.", ""),
    ("Donnerstags gehe ich schwimmen.", ""),
    ("I've got the interview on Friday.", "06.11"),
    ("We won't meet on Saturday.", "07.11"),
    ("I joined a choir last Thurs.", "29.10"),
    ("This past weekend was insane.", "31.10..01.11"),
    ("Last Tuesday I had coffee with Lena.", "27.10"),
    ("On Tuesday I had coffee with Lena.", ""),
    ("At the weekend we painted the fence.", "31.10..01.11"),
    ("At the weekend we paint the fence.", "07.11..08.11"),
    ("Am Wochenende haben wir den Schuppen gestrichen.", "31.10..01.11"),
    ("Letzte Nacht habe ich schlecht geschlafen.", "02.11"),
)


@pytest.mark.parametrize(("text", "meant"), SAID)
def test_the_day_that_was_meant(text: str, meant: str) -> None:
    found = meant_time(text, TUESDAY)
    days = [] if found is None else [found.first] if found.first == found.last else [found.first, found.last]
    assert "..".join(f"{day:%d.%m}" for day in days) == meant


def test_it_is_read_in_the_sentence_that_is_asked_about() -> None:
    text = "We played the concert yesterday. The dentist is on Thursday."
    assert meant_time(text, TUESDAY, document_terms("When is the dentist?")) == MeantTime(*[date(2026, 11, 5)] * 2)
    assert meant_time(text, TUESDAY, document_terms("When was the concert?")) == MeantTime(*[date(2026, 11, 2)] * 2)


def test_two_sentences_about_it_with_a_time_each_tell_none() -> None:
    text = "Spoke to the client about the meeting this morning. The client meeting moves to Thursdays."
    assert meant_time(text, TUESDAY, document_terms("When is the client meeting?")) is None


@pytest.mark.parametrize("year", [1, 9999])
def test_the_ends_of_time_are_no_error(year: int) -> None:
    for text in (
        "I leave tomorrow.",
        "I left yesterday.",
        "We move next month.",
        "We moved last year.",
        "It is on Friday.",
    ):
        meant_time(text, datetime(year, 12 if year > 1 else 1, 31 if year > 1 else 1, tzinfo=UTC))


def test_a_time_in_words() -> None:
    assert time_in("when is it?", MeantTime(date(2026, 10, 1), date(2026, 10, 31))) == "October 2026"
    assert time_in("wann ist es?", MeantTime(date(2025, 1, 1), date(2025, 12, 31))) == "2025"
    assert (
        time_in("wann war das?", MeantTime(date(2026, 11, 7), date(2026, 11, 8)))
        == "7. November 2026 bis 8. November 2026"
    )
    sunday = MeantTime(*[date(2026, 11, 8)] * 2)
    assert day_meant("when is it?", sunday, True) == "From your memory; that is Sunday, 8 November 2026:"
    assert day_meant("wann ist es?", sunday, False) == "Das könnte dazu gehören (das erste: Sonntag, 8. November 2026):"


def test_asked_when_the_answer_gives_the_day(engine: Engine) -> None:
    engine.ingest(
        [told_to_assistant("s", TUESDAY, "My dentist appointment is on Thursday.", "I went to the zoo yesterday.")]
    )
    engine.extract()
    assert "Thursday, 5 November 2026" in ask(engine, "When is my dentist appointment?").lead
    assert "2026" not in ask(engine, "What appointment do I have with the dentist?").lead
    *_, last = converse(
        engine, Extractive(engine), ChatTarget("default", kept=False), "When is my dentist appointment?"
    )
    assert "Thursday, 5 November 2026" in last.answer.text


def test_a_timetable_is_read_once_and_not_once_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(meant_days, "in_past", lambda text: bool(read.append(text)))
    assert len(meant_days.near_times("on Monday, on Tuesday, on Friday " * 50, date(2026, 11, 18))) == 3
    assert len(read) == 1
