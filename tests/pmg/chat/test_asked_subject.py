"""Of whom a question asks, told by its place alone."""

from __future__ import annotations

import pytest

from pmg.chat.asked_subject import asked_owner, english_subject, german_last_word, german_subject


@pytest.mark.parametrize(
    ("question", "word", "follows_be"),
    [
        ("what does wren get paid?", "wren", False),
        ("When did Jo move?", "Jo", False),
        ("how old is micah?", "micah", True),
        ("was lena late?", "lena", True),
    ],
)
def test_the_word_after_the_verb_is_whom_it_asks_about(question: str, word: str, follows_be: bool) -> None:
    found = english_subject(question)
    assert found is not None and german_subject(question) is None
    assert (found.word, found.follows_be) == (word, follows_be)
    assert question[found.start : found.end] == word
    assert question[found.verb_start :].lower().startswith(f"{found.verb} {word.lower()}")


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("wann fliegt die Moni?", "Moni"),
        ("Welche Farbe hat der Golf?", "Golf"),
        ("wie lange spielt Robert schon Schach?", "Robert"),
        ("wie heißt die Moni?", "Moni"),
        ("Wie viel Geld bekommt Anna?", "Anna"),
        ("wie viel bekommt die Anna?", "Anna"),
        ("Was für ein Auto fährt Anna?", "Anna"),
        ("was für Sport macht Anna?", "Anna"),
    ],
)
def test_in_german_it_stands_after_any_verb(question: str, word: str) -> None:
    found = german_subject(question)
    assert found is not None and found.word == word and question[found.start : found.end] == word


@pytest.mark.parametrize(("question", "word"), [("wo wohnt birgit", "birgit"), ("wann kommt jens?", "jens")])
def test_in_small_letters_only_the_last_word_may_be_it(question: str, word: str) -> None:
    found = german_last_word(question)
    assert found is not None and found.word == word and german_subject(question) is None
    assert german_last_word("wann kommt heute") is None


@pytest.mark.parametrize(
    "question",
    [
        "what did my sister buy",
        "did it rain",
        "what does it cost",
        "has anna's dog eaten",
        "where is there a leak?",
        "",
    ],
)
def test_a_word_that_names_nobody_is_no_subject(question: str) -> None:
    assert english_subject(question) is None and german_subject(question) is None


def test_only_the_beginning_of_what_is_long_is_read() -> None:
    assert english_subject("so " * 200 + "what does wren get paid?") is None


@pytest.mark.parametrize(
    ("question", "owner"),
    [
        ("when is the skoda's mot due?", "skoda"),
        ("what's kev's golf worth?", "kev"),
        ("what's the dog's name", "dog"),
        ("what's wrong with it?", ""),
        ("who's coming to today's meeting", ""),
        ("let's see", ""),
        ("When is Anna's birthday?", ""),
    ],
)
def test_whose_something_is_asked_for_is_read_in_small_letters_too(question: str, owner: str) -> None:
    assert asked_owner(question) == owner
