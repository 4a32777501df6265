"""A line says yes or no to a question only where it states it plainly; everything else says neither."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pmg.chat.extractive import Extractive
from pmg.chat.responder import QuoteKind, Tone
from pmg.chat.turn import ChatTarget, converse
from pmg.engine import Engine
from pmg.people.plain_yes_no import verdict, yes_no_question
from tests.pmg.people.talk import session, told_to_assistant

MARCH = datetime(2026, 3, 3, 12, tzinfo=UTC)
PAIRS = (
    ("I have a dog called Bruno.", "Do I have a dog?", True),
    ("I don't eat meat.", "Do I eat meat?", False),
    ("I'm allergic to nuts, but not to milk.", "Am I allergic to nuts?", True),
    ("I'm allergic to nuts, but not to milk.", "Am I allergic to milk?", False),
    ("I have a toy dog on my shelf.", "Do I have a dog?", None),
    ("I have a dog sitter for Tuesdays.", "Do I have a dog?", None),
    ("I used to have a dog.", "Do I have a dog?", None),
    ("I might get a dog.", "Do I have a dog?", None),
    ("My brother has a boat.", "Do I have a boat?", None),
    ("I don't eat meat on Fridays.", "Do I eat meat?", None),
    ("I no longer smoke.", "Do I smoke?", False),
    ("I sold the car.", "Did I sell the car?", True),
    ("I didn't sell the car.", "Did I sell the car?", False),
    ("I sell cars.", "Did I sell the car?", None),
    ("My sister is a teacher.", "Is my sister a teacher?", True),
    ("My sister was a teacher.", "Is my sister a teacher?", None),
    ("My sister isn't a teacher, she's a nurse.", "Is my sister a teacher?", False),
    ("Anna lives in Bergen.", "Does Anna live in Bergen?", True),
    ("Anna lives in Bergen.", "Does Anna live in Oslo?", None),
    ("Anna wants to live in Bergen.", "Does Anna live in Bergen?", None),
    ("I can swim.", "Can I swim?", True),
    ("I can't swim.", "Can I swim?", False),
    ("I have never been to Japan.", "Have I been to Japan?", False),
    ("I've been to Japan twice.", "Have I been to Japan?", None),
    ("I have been to Japan with Anna.", "Have I ever been to Japan?", True),
    ("I have no children.", "Do I have children?", False),
    ("I have two children.", "Do I have children?", True),
    ("I like cats and dogs.", "Do I like dogs?", True),
    ("I don't like coffee or tea.", "Do I like tea?", False),
    ("I don't like coffee much.", "Do I like coffee?", None),
    ("I don't really like coffee.", "Do I like coffee?", None),
    ("I wish I had a dog.", "Do I have a dog?", None),
    ("If I have a dog, I will walk more.", "Do I have a dog?", None),
    ("I have a dog. Well, not any more.", "Do I have a dog?", None),
    ("Anna said I have a dog.", "Do I have a dog?", None),
    ("Ich habe eine Katze namens Mimi.", "Habe ich eine Katze?", True),
    ("Ich esse kein Fleisch.", "Esse ich Fleisch?", False),
    ("Ich bin gegen Nüsse allergisch.", "Bin ich allergisch gegen Nüsse?", True),
    ("Ich bin nicht allergisch gegen Nüsse.", "Bin ich allergisch gegen Nüsse?", False),
    ("Meine Schwester ist Lehrerin.", "Ist meine Schwester Lehrerin?", True),
    ("Meine Schwester ist keine Lehrerin.", "Ist meine Schwester Lehrerin?", False),
    ("Ich habe das Auto nicht verkauft.", "Habe ich das Auto verkauft?", False),
    ("Ich habe das Auto verkauft.", "Habe ich das Auto verkauft?", True),
    ("Ich hatte mal einen Hund.", "Habe ich einen Hund?", None),
    ("Vielleicht habe ich bald einen Hund.", "Habe ich einen Hund?", None),
    ("Mein Bruder hat ein Boot.", "Habe ich ein Boot?", None),
    ("Ich rauche nicht mehr.", "Rauche ich?", False),
    ("Ich esse freitags kein Fleisch.", "Esse ich Fleisch?", None),
    ("Anna wohnt in Bergen.", "Wohnt Anna in Bergen?", True),
    ("Anna wohnt nicht mehr in Bergen.", "Wohnt Anna in Bergen?", False),
    ("Ich kann schwimmen.", "Kann ich schwimmen?", True),
    ("Ich kann nicht schwimmen.", "Kann ich schwimmen?", False),
    ("Meine Katze heißt Mimi.", "Heißt meine Katze Mimi?", True),
    ("Ich habe keinen Führerschein.", "Habe ich einen Führerschein?", False),
    ("Ich mag Hunde und Katzen.", "Mag ich Katzen?", True),
    ("Wenn ich einen Hund habe, gehe ich mehr raus.", "Habe ich einen Hund?", None),
    ("Ich habe einen Hundesitter.", "Habe ich einen Hund?", None),
    ("Ich esse kaum Fleisch.", "Esse ich Fleisch?", None),
    ("Ich war noch nie in Japan.", "War ich in Japan?", False),
    ("Ich war letztes Jahr in Japan.", "War ich in Japan?", None),
)


@pytest.mark.parametrize(("line", "question", "says"), PAIRS)
def test_what_a_line_says_to_a_question(line: str, question: str, says: bool | None) -> None:
    asked = yes_no_question(question)
    assert asked is not None and verdict(asked, line) is says


@pytest.mark.parametrize(
    "question",
    [
        "What do I eat?",
        "Do I have a dog or a cat?",
        "Is he my brother?",
        "Wer ist das?",
        "Are you there?",
        "Am I going to Oslo tomorrow?",
        "Habe ich am Freitag einen Termin?",
        "Why do I run?",
    ],
)
def test_what_is_no_such_question(question: str) -> None:
    assert yes_no_question(question) is None


def told(engine: Engine, *said: str) -> Engine:
    engine.ingest([told_to_assistant(f"s{i}", MARCH + timedelta(days=i), text) for i, text in enumerate(said)])
    engine.extract()
    return engine


def test_memory_says_yes_or_no_with_the_line(engine: Engine) -> None:
    told(engine, "I have a dog called Bruno.", "I don't eat meat.")
    yes, no = engine.ask("Do I have a dog?"), engine.ask("Do I eat meat?")
    assert yes.verdict is True and yes.lines[0].text == "I have a dog called Bruno."
    assert no.verdict is False and no.lines[0].text == "I don't eat meat." and not no.abstained


def test_the_newer_of_two_that_contradict_is_the_answer_and_the_older_is_told_as_older(engine: Engine) -> None:
    told(engine, "I eat meat.", "I don't eat meat.")
    found = engine.ask("Do I eat meat?")
    assert found.verdict is False
    assert [(line.text, line.note[:7]) for line in found.lines] == [
        ("I don't eat meat.", ""),
        ("I eat meat.", "before:"),
    ]


@pytest.mark.parametrize(
    "later",
    [
        "I gave the dog away.",
        "We gave the dog to my aunt.",
        "The dog died in May.",
        "I wish the dog was not gone.",
        "We might not keep the dog.",
    ],
)
def test_a_later_line_that_casts_doubt_on_it_leaves_no_verdict(engine: Engine, later: str) -> None:
    told(engine, "I have a dog.", later)
    assert engine.ask("Do I have a dog?").verdict is None


def test_what_others_say_of_themselves_is_not_mine(engine: Engine) -> None:
    engine.ingest([session("talk", MARCH, ("Ana", "I have a dog."), ("Ben", "I don't eat meat."))])
    engine.extract()
    assert engine.ask("Do I have a dog?").verdict is None and engine.ask("Do I eat meat?").verdict is None


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("Do I eat meat?", "No, by what you said on 5 March 2026:"),
        ("Do I have a dog?", "Yes, by what you said on 3 March 2026:"),
        ("Habe ich eine Katze?", "Ja, nach dem, was du am 6. März 2026 gesagt hast:"),
    ],
)
def test_the_chat_says_it_before_the_quote(engine: Engine, question: str, lead: str) -> None:
    told(engine, "I have a dog called Bruno.", "I eat meat.", "I don't eat meat.", "Ich habe eine Katze namens Mimi.")
    *_, last = converse(engine, Extractive(engine), ChatTarget("default", kept=False), question)
    assert (last.answer.text, last.answer.tone) == (lead, Tone.SURE)
    assert [quote.text for quote in last.answer.quotes if quote.kind is QuoteKind.OLDER] == (
        ["I eat meat."] if "meat" in question else []
    )
