"""Answers by quoting: the passage that answers, who and when, and a fitting word to every kind of message."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from pmg.answer.evidence import QuoteKind, Tone
from pmg.answer.phrases import OURS, Phrase, say
from pmg.base.model import Line, Passage, Role, Turn
from pmg.base.times import now
from pmg.chat import turn
from pmg.chat.extractive import Extractive
from pmg.chat.responder import ChatAnswer
from pmg.chat.turn import ChatTarget
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput, exchange


def asked(
    engine: Engine, text: str, before: tuple[Passage, ...] = (), memory: bool = True, kept: bool = True
) -> ChatAnswer:
    place = ChatTarget("default", memory=memory, kept=kept, before=before)
    return list(Extractive(engine).answer(turn.requested(engine, place, text, None)))[-1]


def said(*texts: str) -> tuple[Passage, ...]:
    return tuple(
        Passage(
            0,
            "",
            "",
            i,
            "default",
            now(),
            (Line("User", Role.USER, text), Line("Assistant", Role.ASSISTANT, "Noted.")),
            "",
            "",
        )
        for i, text in enumerate(texts)
    )


def shown(answer: ChatAnswer) -> str:
    return "\n".join(quote.text for quote in answer.quotes)


@pytest.fixture(scope="module")
def memory(open_shared_engine: Callable[..., Engine]) -> Engine:
    """Read only."""
    return filled(open_shared_engine())


@pytest.fixture
def own(engine: Engine) -> Engine:
    """For what adds to it."""
    return filled(engine)


def filled(engine: Engine) -> Engine:
    with engine.session("Cats") as cats:
        cats.add(
            user="The vet says the cat needs 5 mg of medicine a day. Is that much?",
            assistant="It is a usual dose for a cat.",
            at=datetime(2026, 3, 2, 10, tzinfo=UTC),
        )
    with engine.session("Cats again") as cats:
        cats.add(
            user="The cat now gets 2 mg of medicine a day.", assistant="Noted.", at=datetime(2026, 9, 2, 10, tzinfo=UTC)
        )
    with engine.session("Bread") as bread:
        bread.add(user="My sourdough bread needs flour, water and time.", assistant="And patience with the oven.")
    with engine.session("Travel") as travel:
        travel.add(user="The train to the hotel leaves at nine.", assistant="Take the ticket with you.")
    return engine


def test_the_answer_quotes_the_line_with_its_speaker_and_date(memory: Engine) -> None:
    answer = asked(memory, "Which flour does my sourdough bread need?")
    best = next(quote for quote in answer.quotes if quote.kind is QuoteKind.ANSWER)
    assert best.text == "My sourdough bread needs flour, water and time."
    assert best.speaker == "User" and best.title == "Bread"
    assert answer.used[0].segment == best.segment and answer.used[0].role == "entry"


def test_every_quote_stands_word_for_word_in_its_memory(memory: Engine) -> None:
    quotes = asked(memory, "how much medicine does the cat get?").quotes
    assert quotes
    for quote in quotes:
        line = memory.segment(quote.segment).lines[quote.line]
        assert line.text[quote.start : quote.end] == quote.text


def test_the_newer_of_two_memories_is_the_answer_and_the_older_is_told_as_older(memory: Engine) -> None:
    answer = asked(memory, "How much medicine does the cat get a day now?")
    kinds = {quote.text[:30]: quote.kind for quote in answer.quotes}
    assert answer.quotes[0].text.startswith("The cat now gets 2 mg")
    assert kinds["The vet says the cat needs 5 m"] is QuoteKind.OLDER


def test_what_memory_does_not_hold_is_said_plainly(memory: Engine) -> None:
    for question in ("What is the capital of Mongolia?", "zebra in mongolia"):
        answer = asked(memory, question)
        assert answer == ChatAnswer(say(Phrase.NOTHING, question), tone=Tone.NOTHING)


def test_an_empty_memory_says_so(engine: Engine) -> None:
    assert asked(engine, "What is the cat called?").text == say(Phrase.EMPTY, "what")


def test_memory_that_is_off_is_not_quoted(memory: Engine) -> None:
    assert asked(memory, "Which flour does my bread need?", memory=False) == ChatAnswer(say(Phrase.OFF, "which"))
    assert asked(memory, "I bought flour.", memory=False) == ChatAnswer(say(Phrase.NOTED, "i"))


def test_something_told_is_noted(memory: Engine) -> None:
    assert asked(memory, "Zanzibar xylophone quartz prefers opera.") == ChatAnswer(say(Phrase.NOTED, "it"))


def test_nothing_is_noted_in_a_chat_that_is_not_remembered(memory: Engine) -> None:
    for message in ("I bought flour.", "remind me to call Anna", "Ich habe Mehl gekauft."):
        text = asked(memory, message, kept=False).text
        assert not text.startswith(("Noted", "Notiert")) and ("not remembered" in text or "nicht behalten" in text)


@pytest.mark.parametrize(
    ("message", "phrase"),
    [
        ("Hello!", Phrase.HELLO),
        ("Thank you so much!", Phrase.WELCOME),
        ("Danke schön!", Phrase.WELCOME),
        ("Tschüss", Phrase.BYE),
        ("remind me to call Anna", Phrase.ACTION),
        ("Erinnere mich an den Termin morgen", Phrase.ACTION),
    ],
)
def test_every_kind_of_message_gets_a_fitting_answer_in_its_language(
    memory: Engine, message: str, phrase: Phrase
) -> None:
    assert asked(memory, message) == ChatAnswer(say(phrase, message))


@pytest.mark.parametrize(
    "message", ["summarise my year", "fasse mein Jahr zusammen", "What happened in the past year?"]
)
def test_a_summary_lists_the_main_sessions_by_date_with_references(engine: Engine, message: str) -> None:
    for days, title in ((300, "Bread"), (200, "Cats"), (800, "Long ago")):
        turns = [Turn(exchange(f"We talked about {title} at length, {part}.", "Yes.")) for part in ("once", "twice")]
        engine.ingest([SessionInput(turns, title, started_at=now() - timedelta(days=days))])
    answer = asked(engine, message)
    titles = [quote.title for quote in answer.quotes]
    assert titles == ["Bread", "Cats"]
    assert all(quote.kind is QuoteKind.SESSION and quote.segment for quote in answer.quotes)


def test_a_summary_of_a_month_has_single_turns_and_what_a_long_chat_said_then(engine: Engine) -> None:
    def told(day: str, *words: str) -> list[Turn]:
        return [Turn(exchange(one, "Noted."), datetime.fromisoformat(f"{day}T12:00:00+00:00")) for one in words]

    engine.ingest(
        [
            SessionInput(told("2025-03-01", "The clinic asked me to come.", "The sea is what I would miss."), "Job"),
            SessionInput(told("2025-03-08", "Project Hummel is acrylic now."), "Hummel"),
            SessionInput([*told("2025-01-05", "We plan Oaxaca."), *told("2025-03-15", "Oaxaca is off.")], "Travel"),
            SessionInput(told("2025-04-02", "April came."), "Later"),
        ]
    )
    list(turn.converse(engine, Extractive(engine), ChatTarget("default"), "Where is Oaxaca?"))
    answer = asked(engine, "What happened in March 2025?")
    assert [quote.text.split(".")[0] for quote in answer.quotes] == [
        "The clinic asked me to come",
        "Project Hummel is acrylic now",
        "Oaxaca is off",
    ]


def test_a_question_answers_no_question_alone(own: Engine) -> None:
    with own.session("Asked before") as session:
        session.add(user="How much medicine does the cat get?", assistant="I do not know.")
    assert "mg" in shown(asked(own, "How much medicine does the cat get?"))


def test_its_own_words_around_quotes_are_no_memory(own: Engine) -> None:
    with own.session("An earlier chat") as session:
        session.add(
            user="Tell me of bread", assistant="From your memory:\n– User, 2026-01-01, in 'Sourdough bread flour'"
        )
    assert not any(quote.text.startswith(OURS) for quote in asked(own, "What does my sourdough bread need?").quotes)


def test_what_was_said_in_this_chat_wins_over_memory(memory: Engine) -> None:
    answer = asked(memory, "How much medicine does the cat get?", said("The cat gets 9 mg of medicine since today."))
    assert answer.quotes[0].text == "The cat gets 9 mg of medicine since today." and not answer.quotes[0].segment


def test_what_was_said_in_this_chat_is_known_though_memory_never_saw_its_words(memory: Engine) -> None:
    answer = asked(memory, "Who is my dentist?", said("My dentist is Dr Kowalski."))
    assert answer.quotes[0].text == "My dentist is Dr Kowalski." and answer.tone is not Tone.NOTHING
    assert all(used.segment for used in answer.used)  # it is in no store: there is nothing to open


def test_a_follow_up_is_answered_from_what_was_shown_before(own: Engine) -> None:
    with own.session("Release", session_id="release") as session:
        session.add(user="The concert of the band was moved to Friday.", assistant="Oh.")
        session.add(user="It was because the guitar had a broken string.", assistant="I see.")
    place = ChatTarget("default", "chat-9")
    responder = Extractive(own)
    list(turn.converse(own, responder, place, "When is the concert of the band?"))
    answer = list(turn.converse(own, responder, place, "Why?"))[-1].answer
    assert "broken string" in shown(answer)


def test_quotes_are_few_and_say_different_things(open_engine: Callable[..., Engine]) -> None:
    engine = open_engine()
    for i in range(5):
        with engine.session(f"Cat {i}") as session:
            session.add(user=f"On day {i} the cat went to the vet again.", assistant="Poor cat.")
    quotes = [q for q in asked(engine, "When did the cat go to the vet?").quotes if q.kind is not QuoteKind.AROUND]
    assert 1 <= len(quotes) <= 2 and len({quote.text for quote in quotes}) == len(quotes)


def test_the_answer_grows_quote_by_quote(memory: Engine) -> None:
    request = turn.requested(memory, ChatTarget("default"), "how much medicine does the cat get?", None)
    steps = list(Extractive(memory).answer(request))
    assert [len(step.quotes) for step in steps] == list(range(1, len(steps[-1].quotes) + 1))
    assert [step.complete for step in steps] == [*(False for _ in steps[1:]), True]


def test_without_a_model_words_alone_find_the_answer(open_engine: Callable[..., Engine]) -> None:
    engine = open_engine()
    with engine.session("Bread") as bread:
        bread.add(user="My sourdough bread needs flour, water and time.", assistant="And patience.")
    request = turn.requested(engine, ChatTarget("default"), "What does sourdough bread need?", None)
    assert request.evidence is not None and "flour" in request.evidence.quotes[0].text
