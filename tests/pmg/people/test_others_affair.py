"""Asked about oneself, what was told of somebody else is no answer; nor is what was only considered, or only asked."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pmg.chat import turn
from pmg.chat.extractive import Extractive
from pmg.chat.responder import ChatAnswer, Tone
from pmg.chat.turn import ChatTarget
from pmg.engine import Engine
from pmg.index.terms import document_terms
from pmg.people.considered import is_only_considered
from pmg.people.others_affair import terms_of_others
from tests.pmg.people.talk import told_to_assistant

MAY = datetime(2023, 5, 8, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "words", "of_others"),
    [
        ("My neighbour Ruprecht, who lives below us, keeps two ferrets.", "ferrets", "ferrets"),
        ("My fencing partner Kunigunde has sold her Vespa.", "Vespa sold", "Vespa sold"),
        ("She has a parrot.", "parrot", "parrot"),
        ("My brother drives a truck.", "drive truck", "drive truck"),
        ("Wendel takes ramipril.", "ramipril", "ramipril"),
        ("Anna gave me a watch.", "watch", ""),
        ("My wife Noemi repairs harpsichords.", "wife", ""),
        ("I drive a Golf. My brother drives a truck.", "drive", ""),
        ("My sister and I keep ferrets.", "ferrets", ""),
        ("The landlord raised the rent.", "rent", ""),
        ("Our dog ate the cake.", "cake", ""),
        ("My family keeps bees.", "bees", ""),
    ],
)
def test_what_a_sentence_tells_of_somebody_else(text: str, words: str, of_others: str) -> None:
    found = terms_of_others(text, "User", document_terms(words), {"Wendel"})
    assert found == frozenset(document_terms(of_others))


@pytest.mark.parametrize(
    ("text", "is_considered"),
    [
        ("If the bonus comes I could get a cargo bike.", True),
        ("I might buy the kiln. Should I?", True),
        ("I bought the kiln. Maybe I sell it again.", False),
        ("Should I buy it?", False),
    ],
)
def test_what_was_only_considered(text: str, is_considered: bool) -> None:
    assert is_only_considered(text) is is_considered


def chat(engine: Engine, text: str) -> ChatAnswer:
    """One message in a chat of its own, as the page does it: kept."""
    *_, last = turn.converse(engine, Extractive(engine), ChatTarget("default"), text)
    return last.answer


def test_somebody_elses_thing_is_not_mine(engine: Engine) -> None:
    chat(engine, "My neighbour Ruprecht keeps two ferrets.")
    found = engine.ask("How many ferrets do I have?")
    assert found.is_anothers and found.abstained.startswith("Nothing you said of that is about yourself")
    answer = chat(engine, "How many ferrets do I have?")
    assert (answer.tone, answer.text) == (Tone.NOTHING, "I know that of somebody else, not of you:")
    assert engine.ask("Who keeps ferrets?").abstained == ""


def test_ones_own_line_comes_before_somebody_elses(engine: Engine) -> None:
    engine.ingest(
        [
            told_to_assistant(
                "one", MAY, "My brother Wendel drives a snowplough to work.", "To work I drive a blue Golf."
            )
        ]
    )
    assert engine.ask("What do I drive to work?").lines[0].text.startswith("To work I drive")


def test_what_was_bought_is_not_what_might_be(engine: Engine) -> None:
    engine.ingest([told_to_assistant("one", MAY, "I might buy the kiln from Lauscha.", "I didn't buy the kiln.")])
    assert engine.ask("Did I buy the kiln?").lines[0].text == "I didn't buy the kiln."
    assert engine.ask("Which kiln might I buy?").lines[0].text.startswith("I might buy the kiln")


def test_what_one_only_asked_is_no_answer_and_makes_no_word_known(engine: Engine) -> None:
    chat(engine, "My dog is called Rex.")
    before = engine.ask("Which scanner do I have?")
    for question in ("Which scanner do I have?", "What does the scanner cost?", "Where is my scanner?"):
        assert chat(engine, question).tone is Tone.NOTHING
    assert engine.ask("Which scanner do I have?") == before
    assert chat(engine, "Which scanner do I have?").tone is Tone.NOTHING


def test_an_answer_may_be_one_word_more_than_the_question(engine: Engine) -> None:
    chat(engine, "My dog is called Rex.")
    answer = chat(engine, "What is my dog called?")
    assert answer.tone is Tone.SURE
    assert answer.quotes[0].text == "My dog is called Rex."


def test_a_question_of_this_chat_is_not_quoted_in_it(engine: Engine) -> None:
    place = ChatTarget("default", session="talk")
    for text in ("We moved to the Lindenallee in June.", "When did we move to another house?"):
        list(turn.converse(engine, Extractive(engine), place, text))
    *_, last = turn.converse(engine, Extractive(engine), place, "Which house did we move to before?")
    assert last.answer.quotes
    assert all("When did we" not in quote.text for quote in last.answer.quotes)


@pytest.mark.parametrize(
    "text", ["List the members of my family.", "Summarise my year.", "Please find the soup recipe."]
)
def test_what_is_to_be_found_is_no_memory(engine: Engine, text: str) -> None:
    chat(engine, "My family: Noemi, Jaro and Wendel. The soup needs leek. A long year.")
    chat(engine, text)
    assert all(text not in line.text for line in engine.ask("Who are the members of my family this year?").lines)
    assert text not in engine.recall(text).context
    chat(engine, "Show me is a song that was great this year.")
    assert "is a song" in engine.recall("which song?").context
