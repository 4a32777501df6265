"""Citations of a model's answer are checked, and what cites nothing is marked."""

from __future__ import annotations

import pytest

from pmg.chat.citations import cited, numbers_in, unsupported
from pmg.chat.responder import Citation

SOURCES = {1: ("seg_a_0",), 2: ("seg_b_3",)}


def test_each_number_is_found_once_and_links_are_no_citations() -> None:
    assert numbers_in("Two [2], both [1, 2], a [3](https://example.org) link.") == [2, 1]


def test_a_number_in_code_cites_nothing() -> None:
    assert numbers_in("Run `rm files[1]` or\n```\ncp ${files[2]} x\n```\nas you did [3].") == [3]


def test_a_program_claims_nothing() -> None:
    text = "Run this:\n\n```\nprint the red car. sell the old house.\n```\nYour car is red."
    (one,) = unsupported(text, ())
    assert text[one.start : one.end].strip("`\n") == "Your car is red."


@pytest.mark.parametrize("text", ["Yes, you are diabetic.", "Only nuts.", "In Graz, I think."])
def test_a_few_words_can_claim_something(text: str) -> None:
    assert [text[one.start : one.end] for one in unsupported(text, ())] == [text]


@pytest.mark.parametrize(
    "text", ["Yes.", "I'm sorry.", "Here is the list:", "Let me know!", "You're welcome.", "Tut mir leid."]
)
def test_what_is_said_of_the_talk_claims_nothing(text: str) -> None:
    assert unsupported(text, ()) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Sorry, I could not find anything about your flight to Rome on Friday.",
        "Unfortunately, I have no information about your dentist.",
        "Your memories do not mention Anna's birthday.",
        "There is no mention of a wedding in your memories.",
        "Based on the memories, I don't know this.",
        "Yes, that's right.",
        "Here's a short summary of your week.",
        "Das weiß ich nicht.",
        "Leider finde ich dazu nichts.",
        "Ich habe dazu leider keine Informationen.",
        "In deinen Erinnerungen steht dazu nichts.",
    ],
)
def test_that_nothing_is_known_claims_nothing(text: str) -> None:
    assert unsupported(text, ()) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Sorry, your flight is at 9 on Friday.",
        "Of course, your dentist is Anna Weber.",
        "I'm not sure, but Anna lives in Leeds.",
        "Here is what I found: Anna lives in Leeds.",
        "Anna was happy to move to Leeds.",
        "You are welcome at Sara's on Saturday.",
        "You said you have no problem with nuts.",
        "Deine Schwester trinkt gerne Tee.",
        "Tut mir leid, dein Flug geht um neun.",
        "Das weiß ich nicht, aber Anna wohnt in Graz.",
    ],
)
def test_a_polite_word_hides_no_claim(text: str) -> None:
    assert [text[one.start : one.end] for one in unsupported(text, ())] == [text]


def test_a_number_without_a_memory_is_marked_as_unknown() -> None:
    found = cited("It was May [2]. Or June [9].", SOURCES)
    assert found == (Citation(2, "seg_b_3"), Citation(9, "")) and [one.known for one in found] == [True, False]


def test_what_cites_no_known_memory_is_marked() -> None:
    text = "The dose is 2.5 mg twice daily [1]. The vet was founded in 1911 by monks [9]. Yes."
    loose = unsupported(text, cited(text, SOURCES))
    assert [text[one.start : one.end] for one in loose] == ["The vet was founded in 1911 by monks [9]."]


def test_a_number_after_the_full_stop_belongs_to_the_sentence_before_it() -> None:
    text = "The dose is 2.5 mg twice daily. [1] The moon consists of green cheese entirely."
    loose = unsupported(text, cited(text, SOURCES))
    assert [text[one.start : one.end].strip() for one in loose] == ["The moon consists of green cheese entirely."]


def test_an_answer_that_claims_nothing_needs_no_memory() -> None:
    assert unsupported("I do not know it. Shall I look again for you somewhere?", ()) == ()


def test_of_several_memories_under_one_number_the_one_that_is_spoken_of_is_meant() -> None:
    memories = {"seg_a_0": {"rent"}, "seg_a_1": {"cat", "vet"}}
    answer = "The cat was at the vet [1]. The rent is due [2]."
    found = cited(
        answer,
        {1: ("seg_a_0", "seg_a_1"), 2: ("seg_a_0", "seg_a_1")},
        lambda said, memory: len(memories[memory] & set(said.lower().split())),
    )
    assert found == (Citation(1, "seg_a_1"), Citation(2, "seg_a_0"))
