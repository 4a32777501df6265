"""Answers by quoting: the right lines, who and when, and a plain word when there is nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from pmg.chat import extractive, sentence_ranking
from pmg.chat.extractive import EMPTY, FOUND, HELLO, NOT_FOUND, NOTED, OFF, RELATED, Extractive
from pmg.chat.responder import ChatAnswer, ChatRequest
from pmg.engine import Engine
from pmg.model import Line, Passage, Role
from pmg.times import now


def asked(engine: Engine, text: str, before: tuple[Passage, ...] = (), memory: bool = True) -> ChatAnswer:
    recalled = engine.recall(text, count=False) if memory else None
    return list(Extractive(engine).answer(ChatRequest(text, recalled, before, "default")))[-1]


@pytest.fixture
def memory(engine: Engine) -> Engine:
    with engine.session("Cats") as cats:
        cats.add(
            user="The vet says the cat needs 5 mg of medicine a day. Is that much?",
            assistant="It is a usual dose for a cat.",
            at=datetime(2026, 3, 2, 10, tzinfo=UTC),
        )
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
    assert answer.text == FOUND
    assert answer.quotes[0].text == "My sourdough bread needs flour, water and time."
    assert answer.quotes[0].speaker == "User" and answer.quotes[0].title == "Bread"
    assert answer.used[0].segment == answer.quotes[0].segment and answer.used[0].role == "entry"


def test_every_quote_stands_word_for_word_in_its_memory(memory: Engine) -> None:
    for quote in asked(memory, "how much medicine does the cat get?").quotes:
        line = memory.segment(quote.segment).lines[quote.line]
        assert line.text[quote.start : quote.end] == quote.text


def test_a_question_about_now_prefers_what_was_said_later(memory: Engine) -> None:
    assert "2 mg" in asked(memory, "how much medicine does the cat get now?").quotes[0].text


def test_what_memory_does_not_hold_is_said_plainly(memory: Engine) -> None:
    answer = asked(memory, "What is the capital of Mongolia?")
    assert answer == ChatAnswer(NOT_FOUND)


def test_an_empty_memory_says_so(engine: Engine) -> None:
    assert asked(engine, "What is the cat called?") == ChatAnswer(EMPTY)


def test_memory_that_is_off_is_not_quoted(memory: Engine) -> None:
    assert asked(memory, "Which flour does my bread need?", memory=False) == ChatAnswer(OFF)
    assert asked(memory, "I bought flour.", memory=False) == ChatAnswer(NOTED)


def test_something_told_is_acknowledged_with_what_is_related(memory: Engine) -> None:
    answer = asked(memory, "I bought flour for sourdough bread.")
    assert answer.text == RELATED and "sourdough" in answer.quotes[0].text
    assert asked(memory, "Zanzibar xylophone quartz.") == ChatAnswer(NOTED)


def test_a_greeting_is_answered_with_what_it_can_do(memory: Engine) -> None:
    assert asked(memory, "Hello!") == ChatAnswer(HELLO)


def test_a_question_answers_no_question(memory: Engine) -> None:
    with memory.session("Asked before") as session:
        session.add(user="How much medicine does the cat get?", assistant="I do not know.")
    quoted = [quote.text for quote in asked(memory, "How much medicine does the cat get?").quotes]
    assert "How much medicine does the cat get?" not in quoted


def test_its_own_words_around_quotes_are_no_memory(memory: Engine) -> None:
    with memory.session("An earlier chat") as session:
        session.add(user="Tell me of bread", assistant=f"{FOUND}\n– User, 2026-01-01, in 'Sourdough bread flour'")
    assert all(FOUND not in quote.text for quote in asked(memory, "What does my sourdough bread need?").quotes)


def test_what_was_said_earlier_in_this_chat_is_quoted_too(engine: Engine) -> None:
    lines = (
        Line("User", Role.USER, "My puppy is called Rex and likes long walks."),
        Line("Assistant", Role.ASSISTANT, NOTED),
    )
    before = (Passage(0, "", "", 0, "default", now(), lines, "", ""),)
    answer = asked(engine, "What is my puppy called?", before)
    assert answer.quotes[0].text == lines[0].text
    assert answer.used == ()  # it is in no store: there is nothing to open


def test_quotes_are_few_and_say_different_things(open_engine: Callable[..., Engine]) -> None:
    engine = open_engine(config={"chat": {"quotes": 2}})
    for i in range(5):
        with engine.session(f"Cat {i}") as session:
            session.add(user=f"On day {i} the cat went to the vet again.", assistant="Poor cat.")
    quotes = asked(engine, "When did the cat go to the vet?").quotes
    assert len(quotes) == 2 and quotes[0].text != quotes[1].text


def test_the_answer_grows_quote_by_quote(memory: Engine) -> None:
    recalled = memory.recall("how much medicine does the cat get?")
    steps = list(Extractive(memory).answer(ChatRequest("how much medicine does the cat get?", recalled, (), "default")))
    assert [len(step.quotes) for step in steps] == list(range(1, len(steps[-1].quotes) + 1))


def test_a_long_line_is_quoted_from_the_sentence_that_answers() -> None:
    text = (
        "First something else entirely here. " * 12
        + "The boiler pressure should be 1.5 bar. Check it in October. "
        + "And more. " * 60
    )
    passage = Passage(1, "seg_a_0", "a", 0, "default", now(), (Line("Ana", Role.PERSON, text),), "", "")
    start = text.index("The boiler")
    wide = sentence_ranking.widened(sentence_ranking.Sentence(passage, 0, start, start + 38, 1.0))
    assert wide.text.startswith("The boiler pressure should be 1.5 bar. Check it in October.")
    assert len(wide.text) <= sentence_ranking.WIDE


def test_thinking_and_tools_are_never_quoted() -> None:
    lines = (
        Line("A", Role.THINKING, "the cat weighs four kilograms"),
        Line("T", Role.TOOL, "cat weight: 4 kilograms measured"),
    )
    passage = Passage(1, "seg_a_0", "a", 0, "default", now(), lines, "", "")
    assert not sentence_ranking.sentences(passage, 0, 1.0, ()) and not sentence_ranking.sentences(passage, 1, 1.0, ())


def test_without_a_model_words_alone_decide(memory: Engine) -> None:
    weights = sentence_ranking.rarity(["flour", "bread"], [1, 1], 10)
    passage = next(p for p in memory.recall("flour bread").segments)
    ranked = sentence_ranking.rank(
        "flour bread", sentence_ranking.sentences(passage, 0, 1.0, ("flour", "bread")), weights, None
    )
    assert ranked and ranked[0].cosine == 0.0 and extractive.sureness(ranked[0]) == 1.0
