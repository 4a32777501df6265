"""The quality of a turn orders what a person would order, and is always a number from 0 to 1."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from pmg.base.model import Line, Role
from pmg.ingest.quality import quality

# From what nobody needs to keep to what everybody would; each group is worth more than all before it.
GROUPS = (
    ("", "...", "👍"),
    (
        "ok",
        "thanks!",
        "Haha nice one",
        "Good morning!",
        "yes please",
        "Hello! How can I help you today?",
        "See you later!",
    ),
    ("What's the weather like?", "Can you explain that again?"),
    (
        "I like strong coffee in the morning.",
        "My sister is called Hannah.",
        "We bought a red tandem bicycle.",
    ),
    (
        "My daughter Lena was born on 4 March 2019 in Leipzig and is allergic to penicillin.",
        "We decided to move the launch of Kestrel from 12 June to 3 July because the certificate audit slipped.",
        "The backup job fails with exit code 137: set memory_limit=2GB in /etc/backup.toml and rerun it with --resume.",
    ),
)


def of(text: str) -> float:
    return quality((Line("Ana", Role.PERSON, text),))


def test_an_obvious_list_is_ordered_as_a_person_would() -> None:
    values = [[of(text) for text in group] for group in GROUPS]
    for lower, higher in pairwise(values):
        assert max(lower) < min(higher), (lower, higher)


def test_saying_it_again_and_again_is_not_saying_more() -> None:
    once = "Call the plumber about the boiler."
    assert of(" ".join([once] * 30)) < of(once) + 0.05


def test_a_letter_salad_is_worth_less_than_a_sentence() -> None:
    assert of("asdfghjkl") < of("My sister is called Hannah.")
    assert of("aaaa aaaa aaaa aaaa aaaa aaaa") < of("My sister is called Hannah.")


def test_a_question_with_its_answer_is_worth_more_than_the_question() -> None:
    question = Line("User", Role.USER, "What does the clinic on Rosenweg charge for a check-up?")
    answer = Line("Assistant", Role.ASSISTANT, "They charge 85 euros, and 40 for children under 12.")
    assert quality((question, answer)) > quality((question,))


def test_scripts_without_spaces_are_read_too() -> None:
    assert of("我妹妹对花生过敏，她住在柏林，三月十二日出生。") > of("谢谢")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=80), max_size=4))
def test_it_is_a_number_from_0_to_1_and_always_the_same(texts: list[str]) -> None:
    lines = tuple(Line("x", Role.USER, text) for text in texts)
    assert 0.0 <= quality(lines) <= 1.0
    assert quality(lines) == quality(lines)
