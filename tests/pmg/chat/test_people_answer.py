"""Claims answer in the chat: counted with their source, what holds now with what was before, and whose affair it is instead."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pmg.chat import turn
from pmg.chat.extractive import Extractive
from pmg.chat.people_answer import _bears_on
from pmg.chat.responder import ChatAnswer, Evidence, Quote, QuoteKind, Tone
from pmg.chat.turn import ChatTarget
from pmg.engine import Engine
from tests.pmg.people.talk import session, told_to_assistant

MAY, JUNE = (datetime(2023, month, 8, 12, tzinfo=UTC) for month in (5, 6))


@pytest.fixture
def memory(engine: Engine) -> Engine:
    engine.ingest(
        [
            session("one", MAY, ("Melanie", "I ran a charity race for mental health last Saturday."), ("Caroline", "That charity race sounds great!"), ("Melanie", "I live in Oslo. I bought two books."), ("Caroline", "I live in Graz."), conversation="c"),
            session("two", JUNE, ("Melanie", "I live in Rome now. I bought a book."), ("Caroline", "I live in Linz. I live in Wels."), conversation="c"),
        ]
    )  # fmt: skip
    engine.extract()
    return engine


def asked(engine: Engine, text: str) -> ChatAnswer:
    at = datetime(2023, 7, 1, tzinfo=UTC)
    return list(Extractive(engine).answer(turn.requested(engine, ChatTarget("default"), text, None, at)))[-1]


def test_a_count_names_its_number_and_quotes_each_place(memory: Engine) -> None:
    answer = asked(memory, "How many books did Melanie buy?")
    assert answer.text.startswith("3, in 2 places") and "may not be all" in answer.text
    assert ["books" in q.text or "book" in q.text for q in answer.quotes] == [True, True]
    assert {used.segment for used in answer.used} == {"seg_one_2", "seg_two_0"}


def test_what_holds_now_stands_before_what_was(memory: Engine) -> None:
    answer = asked(memory, "Where does Melanie live?")
    assert (answer.tone, answer.text) == (Tone.SURE, "From your memory, since 2023-06-08:")
    assert [(q.text.rstrip("."), q.kind) for q in answer.quotes] == [
        ("I live in Rome now", QuoteKind.ANSWER),
        ("I live in Oslo", QuoteKind.OLDER),
    ]


def test_two_things_that_were_said_are_both_shown_and_not_called_sure(memory: Engine) -> None:
    answer = asked(memory, "Where does Caroline live?")
    assert answer.tone is Tone.UNSURE and answer.text == "More than one thing was said:"
    assert {q.text.rstrip(".") for q in answer.quotes if q.kind is QuoteKind.ANSWER} == {
        "I live in Linz",
        "I live in Wels",
    }


def test_what_is_somebody_elses_is_said_to_be_and_the_sentence_keeps_nothing_of_it(memory: Engine) -> None:
    answer = asked(memory, "What did Caroline realize after her charity race?")
    assert answer.tone is Tone.UNSURE
    assert answer.text == "Not Caroline, as far as your memory knows. It says:"
    assert answer.quotes[0].speaker == "Melanie" and "charity race" in answer.quotes[0].text


@pytest.mark.parametrize(
    "question", ["Which charity race did I run with Caroline?", "Why couldn't I go to the charity race with Caroline?"]
)
def test_what_is_ones_own_affair_too_is_not_denied_of_the_other(memory: Engine, question: str) -> None:
    assert "as far as your memory knows" not in asked(memory, question).text


@pytest.mark.parametrize(("tone", "bears_on_her"), [(Tone.UNSURE, True), (Tone.SURE, False)])
def test_what_stands_around_a_quote_may_name_whom_it_is_about_where_nothing_is_sure(
    tone: Tone, bears_on_her: bool
) -> None:
    texts = ("Do tell Lena, her fridge still says 5 mg.", "Oh god, the fridge. Writing to her now.")
    kinds = (QuoteKind.AROUND, QuoteKind.ANSWER)
    quotes = tuple(
        Quote(f"seg_a_{place}", 0, 0, len(text), text, "Mara", MAY, "", kind)
        for place, (text, kind) in enumerate(zip(texts, kinds, strict=True))
    )
    question = "Why is Lena's fridge note dangerous?"
    assert _bears_on(("Lena",), question, Evidence(tone, quotes)) is bears_on_her
    assert not _bears_on(("Jonas",), question, Evidence(tone, quotes))


def test_a_question_about_then_or_about_nobody_is_left_to_the_quotes(memory: Engine) -> None:
    assert "since" not in asked(memory, "Where did Melanie live before?").text
    assert asked(memory, "What sounds great?").text in ("From your memory:", "This may be about it:")


@pytest.mark.parametrize("question", ["Who is Lena?", "Why could Lena not come?"])
def test_what_is_told_of_somebody_is_not_denied_because_another_tells_it(engine: Engine, question: str) -> None:
    said = (
        "Lena is my neighbour.",
        "Lena could not come because her train was late.",
        "I could not come because I was ill.",
    )
    engine.ingest([session("three", MAY, *(("Mara", text) for text in said), conversation="d")])
    engine.extract()
    answer = asked(engine, question)
    assert not answer.text.startswith("Not Lena") and "Lena" in answer.quotes[0].text


def test_what_was_never_told_is_said_to_be_so_and_the_sentence_keeps_nothing_of_a_memory(engine: Engine) -> None:
    engine.ingest([told_to_assistant("four", MAY, "The name of my cat is Luna.", "I bought a violin in Graz.")])
    engine.extract()
    answer = asked(engine, "What is the name of my hamster?")
    assert answer.tone is Tone.NOTHING
    assert answer.text == "I find no word of “hamster” in what you told. What comes nearest:"
    assert answer.quotes[0].text == "The name of my cat is Luna."
    german = asked(engine, "Wie heißt mein Hamster?")
    assert german.text.startswith("Von „Hamster“ steht nichts in dem, was du erzählt hast")
    there = asked(engine, "What is the name of my cat?")
    assert there.tone is not Tone.NOTHING and there.quotes[0].text == "The name of my cat is Luna."


def test_what_was_never_told_and_nothing_comes_near_is_only_said(engine: Engine) -> None:
    engine.ingest([told_to_assistant("four", MAY, "I live in Graz.")])
    engine.extract()
    answer = asked(engine, "What is the name of my tortoise?")
    assert (answer.tone, answer.quotes) == (Tone.NOTHING, ())
    assert answer.text == "I find no word of “tortoise” in what you told."


def test_where_my_sister_lives_is_not_where_i_live(engine: Engine) -> None:
    engine.ingest([told_to_assistant("four", MAY, "I live in Graz.", "My sister Anna moved to Linz.")])
    engine.extract()
    assert asked(engine, "Where does my sister live?").quotes[0].text.startswith("My sister Anna moved to Linz")
    assert asked(engine, "Where does my brother live?").text != "From your memory, since 2023-05-08:"


def test_a_claim_is_quoted_with_its_whole_sentence(engine: Engine) -> None:
    engine.ingest(
        [session("one", MAY, ("Melanie", "We live in St. Pauli now, near the harbour, and love it. It rains."))]
    )
    engine.extract()
    quote = asked(engine, "Where does Melanie live?").quotes[0]
    assert quote.text == "We live in St. Pauli now, near the harbour, and love it."


def test_a_number_told_later_is_the_answer_and_not_the_count_before_it(engine: Engine) -> None:
    engine.ingest(
        [
            session("one", MAY, ("Melanie", "I have two cats."), ("Caroline", "How nice!"), conversation="c"),
            session(
                "two", JUNE, ("Melanie", "Our third of the cats came today, so three cats for me."), conversation="c"
            ),
        ]
    )
    engine.extract()
    answer = asked(engine, "How many cats does Melanie have?")
    assert "three cats" in answer.quotes[0].text and not answer.text.startswith("2")


@pytest.mark.parametrize("question", ["What do you know about me?", "Was weißt du über mich?"])
def test_what_is_known_of_oneself_is_a_list_of_what_holds_with_its_sources(engine: Engine, question: str) -> None:
    told = ["I live in Graz.", "I work at Lumio.", "We have two dogs.", "The weather was fine."]
    engine.ingest([told_to_assistant("four", MAY, "I live in Linz."), told_to_assistant("five", JUNE, *told)])
    engine.extract()
    answer = asked(engine, question)
    assert [quote.text for quote in answer.quotes] == ["I live in Graz.", "I work at Lumio.", "We have two dogs."]
    assert answer.tone is Tone.SURE and "People" in answer.text


@pytest.mark.parametrize("question", ["Where does Beth live?", "Does Beth live in Exeter?"])
def test_a_claim_is_not_sure_of_what_a_later_line_says_became_another(engine: Engine, question: str) -> None:
    engine.ingest(
        [
            told_to_assistant("old", MAY, "My cousin Beth lives in Exeter, near the quay."),
            told_to_assistant("new", JUNE, "Guess what, Beth has moved to the seaside."),
        ]
    )
    engine.extract()
    answer = asked(engine, question)
    assert "seaside" in answer.quotes[0].text


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        ("I smoke", "I gave up smoking", "Do I smoke?"),
        ("Ich rauche", "Ich habe mit dem Rauchen aufgehört", "Rauche ich?"),
        ("I take aspirin", "The doctor took me off aspirin", "Do I take aspirin?"),
    ],
)
def test_a_yes_is_not_said_of_what_was_given_up_since(engine: Engine, older: str, newer: str, question: str) -> None:
    for text in (older, newer):
        list(turn.converse(engine, Extractive(engine), ChatTarget("default"), text))
    answer = asked(engine, question)
    assert answer.quotes[0].text == newer


def test_what_a_german_question_asks_in_the_very_words_of_a_line_is_answered_by_it(engine: Engine) -> None:
    for text in ("Anna wohnt in Berlin", "Tom wohnt nicht mehr in Berlin"):
        list(turn.converse(engine, Extractive(engine), ChatTarget("default"), text))
    assert asked(engine, "Wohnt Anna in Berlin?").quotes[0].text == "Anna wohnt in Berlin"


def test_what_such_a_line_says_is_not_shown_where_it_was_denied_since(engine: Engine) -> None:
    for text in ("Mia kommt am Samstag", "Mia kommt am Samstag doch nicht"):
        list(turn.converse(engine, Extractive(engine), ChatTarget("default"), text))
    assert asked(engine, "Kommt Mia am Samstag?").quotes[0].text == "Mia kommt am Samstag doch nicht"
