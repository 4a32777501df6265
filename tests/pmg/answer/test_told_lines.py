"""Asked what happened in a time, the lines that tell of it come first, whenever they were said; the sessions of that time after them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from pmg.answer import told_lines
from pmg.answer.ask import ask
from pmg.answer.evidence import QuoteKind, Tone
from pmg.answer.message import MessageKind, kind_of
from pmg.answer.phrases import Phrase, say
from pmg.base.model import Line, Role, Turn
from pmg.chat import turn
from pmg.chat.extractive import Extractive
from pmg.chat.responder import ChatAnswer
from pmg.chat.turn import ChatTarget
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput, exchange
from pmg.people.told_times import times_ahead, times_told
from tests.pmg.people.talk import session, told_to_assistant

MONDAY = datetime(2026, 11, 16, 20, tzinfo=UTC)
TUESDAY = MONDAY + timedelta(days=1)
ENGLISH = (
    "Yesterday I took Pickle to the vet.",
    "On Friday we had curry with Marcus.",
    "Last Monday I had coffee with Lena at Laynes.",
    "We got married in 2014 in Ilkley.",
    "I broke my wrist in 2016.",
    "On 1 February 2025 we founded Cold Sardines.",
    "Last month we had the gutters cleaned.",
    "Two weeks ago we were in York.",
    "This morning I swam forty lengths.",
    "In March we painted the hall.",
    "Every Friday we take the bins out.",
    "On Friday I have the dentist.",
    "Tomorrow I have to call the bank.",
)
GERMAN = (
    "Gestern war ich mit Minka beim Tierarzt.",
    "Am Freitag haben wir mit Markus Linsen gegessen.",
    "Letzten Mittwoch habe ich Lena im Café getroffen.",
    "Wir haben 2013 in Ulm geheiratet.",
    "Am 1. März 2024 haben wir den Verein gegründet.",
    "Vor drei Jahren habe ich das Rauchen aufgegeben.",
    "Heute Morgen bin ich zehn Bahnen geschwommen.",
    "Freitags bringen wir immer die Tonnen raus.",
    "Morgen muss ich die Bank anrufen.",
)


@pytest.fixture(scope="module")
def memory(open_shared_engine: Callable[..., Engine]) -> Engine:
    """Read only. All was told on a Monday, but for one session of the Friday before."""
    engine = open_shared_engine()
    engine.ingest(
        [
            told_to_assistant("en", MONDAY, *ENGLISH),
            told_to_assistant("de", MONDAY, *GERMAN),
            told_to_assistant("then", datetime(2026, 11, 13, 9, tzinfo=UTC), "The curtains need a wash."),
        ]
    )
    return engine


def asked(engine: Engine, text: str, at: datetime = MONDAY) -> ChatAnswer:
    place = ChatTarget("default", kept=False)
    return list(Extractive(engine).answer(turn.requested(engine, place, text, None, at)))[-1]


def told(answer: ChatAnswer) -> list[str]:
    return [quote.text for quote in answer.quotes if quote.kind is QuoteKind.ANSWER]


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("What did I do yesterday?", [ENGLISH[0], GERMAN[0]]),
        ("what did we do on Friday", [ENGLISH[1], GERMAN[1]]),
        ("What did I do last Monday?", [ENGLISH[2]]),
        ("What happened in 2014?", [ENGLISH[3]]),
        ("What did I do in 2016?", [ENGLISH[4]]),
        ("what happened on 1 February 2025?", [ENGLISH[5]]),
        ("What happened in February 2025?", [ENGLISH[5]]),
        ("What did we do two weeks ago?", [ENGLISH[7]]),
        ("what did I do this morning?", [ENGLISH[8], GERMAN[6]]),
        ("what did I do today?", [ENGLISH[8], GERMAN[6]]),
        ("What did we do in March?", [ENGLISH[9]]),
        ("was habe ich gestern gemacht?", [ENGLISH[0], GERMAN[0]]),
        ("Was haben wir am Freitag gemacht?", [ENGLISH[1], GERMAN[1]]),
        ("Was habe ich letzten Mittwoch gemacht?", [GERMAN[2]]),
        ("Was ist 2013 passiert?", [GERMAN[3]]),
        ("Was ist am 1. März 2024 passiert?", [GERMAN[4]]),
        ("Was ist vor drei Jahren passiert?", [GERMAN[5]]),
        ("Was habe ich 2023 gemacht?", [GERMAN[5]]),
        ("Was habe ich heute Morgen gemacht?", [ENGLISH[8], GERMAN[6]]),
    ],
)
def test_what_was_told_afterwards_is_found_by_the_time_it_tells_of(
    memory: Engine, question: str, lines: list[str]
) -> None:
    assert kind_of(question) is MessageKind.SUMMARY
    answer = asked(memory, question)
    assert sorted(told(answer)) == sorted(lines)
    assert all(quote.kind is QuoteKind.ANSWER for quote in answer.quotes[: len(lines)])
    assert answer.text == say(Phrase.TOLD_OF, question)


def test_relative_words_count_from_the_day_they_were_said(memory: Engine) -> None:
    assert set(told(asked(memory, "What happened two days ago?", TUESDAY))) == {ENGLISH[0], GERMAN[0]}
    assert ENGLISH[0] not in told(asked(memory, "What did I do yesterday?", TUESDAY))


def test_a_day_without_a_year_is_the_latest_of_which_something_is_told(memory: Engine) -> None:
    assert told(asked(memory, "What happened on 1 February?")) == [ENGLISH[5]]
    assert told(asked(memory, "Was ist am 1. März passiert?")) == [GERMAN[4]]
    assert told(asked(memory, "What happened on 2 February?")) == []


def test_the_sessions_of_that_time_come_after_and_no_line_twice(memory: Engine) -> None:
    friday = asked(memory, "What did we do on Friday?")
    assert friday.quotes[-1].kind is QuoteKind.SESSION and friday.quotes[-1].text == "The curtains need a wash."
    today = asked(memory, "What did I do today?")
    assert len({(quote.segment, quote.line) for quote in today.quotes}) == len(today.quotes)


def test_what_was_talked_about_then_is_a_list_of_sessions_alone(memory: Engine) -> None:
    assert told(asked(memory, "What did we talk about on Friday?")) == []
    assert [quote.text for quote in asked(memory, "What did we talk about on Friday?").quotes] == [
        "The curtains need a wash."
    ]


def test_a_time_of_which_nothing_is_told_has_no_answer(memory: Engine) -> None:
    for question in ("What happened in 1995?", "Was ist 1995 passiert?"):
        assert asked(memory, question) == ChatAnswer(say(Phrase.NO_SUMMARY, question), tone=Tone.NOTHING)


def test_what_is_to_come_is_still_asked_for_by_its_words(memory: Engine) -> None:
    for question in ("What do I have on Friday?", "What do I have to do tomorrow?", "Was muss ich morgen machen?"):
        assert kind_of(question) is MessageKind.QUESTION
    assert any("dentist" in quote.text for quote in asked(memory, "What do I have on Friday with the dentist?").quotes)


def test_it_is_found_in_the_chat_in_which_it_was_told_kept_or_not(engine: Engine) -> None:
    for kept in (True, False):
        place = ChatTarget("default", kept=kept)
        for message in ("Yesterday I took Pickle to the vet", "Today I cleaned the shed", "What did I do today?"):
            *_, last = turn.converse(engine, Extractive(engine), place, message)
            assert last.passage is not None
            before = () if kept else (*place.before, last.passage)
            place = ChatTarget("default", last.passage.session_id, kept=kept, before=before)
        assert [quote.text for quote in last.answer.quotes][:1] == ["Today I cleaned the shed"]
        assert "Pickle" not in " ".join(quote.text for quote in last.answer.quotes)


def test_a_remark_of_today_without_a_time_stands_for_its_chat(engine: Engine) -> None:
    *_, first = turn.converse(engine, Extractive(engine), ChatTarget("default"), "Picked up the sofa.")
    assert first.passage is not None
    place = ChatTarget("default", first.passage.session_id)
    *_, last = turn.converse(engine, Extractive(engine), place, "What did I do today?")
    assert [(quote.text, quote.kind) for quote in last.answer.quotes] == [("Picked up the sofa.", QuoteKind.SESSION)]


def test_asked_what_i_did_what_others_tell_of_themselves_is_left_out(engine: Engine) -> None:
    said = (("Mara", "Yesterday I sold my boat."), ("User", "Yesterday I bought a kite."))
    lines = [Line(name, Role.USER if name == "User" else Role.PERSON, text) for name, text in said]
    engine.ingest([SessionInput([Turn((line,), MONDAY) for line in lines], "Chat", started_at=MONDAY)])
    assert told(asked(engine, "What did I do yesterday?")) == ["Yesterday I bought a kite."]
    assert len(told(asked(engine, "What happened yesterday?"))) == 2


def test_what_people_told_each_other_is_found_where_nobody_is_me(engine: Engine) -> None:
    engine.ingest([session("one", MONDAY, ("Mara", "Yesterday I sold my boat."), ("Lena", "Really?"))])
    assert told(asked(engine, "What did I do yesterday?")) == ["Yesterday I sold my boat."]


def test_of_a_long_line_the_sentence_that_tells_of_it_is_quoted(engine: Engine) -> None:
    long = "The week was long. " * 20
    engine.ingest([told_to_assistant("s", MONDAY, f"{long}Yesterday the pipe burst. It was a mess.")])
    assert told(asked(engine, "What happened yesterday?")) == ["Yesterday the pipe burst."]


def test_at_most_a_dozen_are_listed_from_all_of_the_time(engine: Engine) -> None:
    start = datetime(2025, 1, 5, 12, tzinfo=UTC)
    days = [start + timedelta(days=12 * n) for n in range(30)]
    engine.ingest(
        [
            SessionInput(
                [Turn(exchange(f"Yesterday I baked loaf {n} of the year.", "Nice."), day)], f"Loaf {n}", started_at=day
            )
            for n, day in enumerate(days)
        ]
    )
    answer = asked(engine, "What did I do in 2025?")
    assert len(told(answer)) == 8 and 8 <= len(answer.quotes) <= 12
    assert "loaf 0 " in answer.quotes[0].text and "loaf 29 " in told(answer)[-1]


def test_only_lines_that_can_tell_of_it_are_read(memory: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counted(sentence: str, said_at: datetime, *, by_someone: bool = True) -> object:
        read.append(sentence)
        return times_told(sentence, said_at, by_someone=by_someone)

    monkeypatch.setattr(told_lines, "times_told", counted)
    asked(memory, "What happened in 2016?")
    assert "I broke my wrist in 2016." in read and "Yesterday I took Pickle to the vet." not in read
    monkeypatch.setattr(told_lines, "MAX_READ", 2)
    read.clear()
    asked(memory, "What did I do yesterday?")
    assert len(read) <= 4


def test_one_question_without_a_chat_is_answered_the_same_way(memory: Engine) -> None:
    found = ask(memory, "What happened in 2014?", at=MONDAY)
    assert [line.text for line in found.lines] == [ENGLISH[3]] and found.tone is None
    assert ask(memory, "What happened in 1995?", at=MONDAY).lead == say(Phrase.NO_SUMMARY, "what")


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What do I have on Friday?", ["Every Friday we take the bins out.", "On Friday I have the dentist.", "Freitags bringen wir immer die Tonnen raus."]),
        ("what's on tomorrow?", ["Tomorrow I have to call the bank.", "Morgen muss ich die Bank anrufen."]),
        ("Was steht morgen an?", ["Tomorrow I have to call the bank.", "Morgen muss ich die Bank anrufen."]),
    ],
)  # fmt: skip
def test_asked_what_is_to_come_the_lines_that_tell_of_it_are_the_answer(
    memory: Engine, question: str, wanted: list[str]
) -> None:
    request = turn.requested(memory, ChatTarget("default", kept=False), question, None, MONDAY)
    assert sorted(quote.text for quote in request.summary or ()) == sorted(wanted)
    assert {line.text for line in ask(memory, question, at=MONDAY).lines} == set(wanted)


@pytest.mark.parametrize("question", ["What do I have on Sunday?", "what do I have for dinner tomorrow?"])
def test_of_a_time_of_which_nothing_is_told_it_is_a_question_as_any(memory: Engine, question: str) -> None:
    request = turn.requested(memory, ChatTarget("default", kept=False), question, None, MONDAY)
    assert request.summary is None and kind_of(question) is MessageKind.QUESTION


@pytest.mark.parametrize(
    ("sentence", "days"),
    [
        ("The skip is coming tomorrow.", [(17, 17)]),
        ("On 24 November is the hearing.", [(24, 24)]),
        ("Nächsten Montag kommt der Klempner.", [(23, 23)]),
        ("My mum visits next week.", [(23, 29)]),
        ("We had curry on Friday.", []),
        ("Choir is on Thursdays.", []),
        ("Is the dentist on Friday?", []),
    ],
)
def test_what_is_ahead_is_counted_from_the_day_it_was_said(sentence: str, days: list[tuple[int, int]]) -> None:
    assert [(time.first.day, time.last.day) for time in times_ahead(sentence, MONDAY)] == days
