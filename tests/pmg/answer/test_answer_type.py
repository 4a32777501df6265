"""What a question wants, and whether a text holds it."""

from __future__ import annotations

import pytest

from pmg.answer.answer_type import (
    AnswerType,
    all_expected,
    asks_who_it_is,
    expected,
    holds,
    lacks,
    share_held,
)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When is the exam?", AnswerType.DATE),
        ("On which weekday do we plan?", AnswerType.DATE),
        ("Wann kommt Herr Tesch?", AnswerType.DATE),
        ("Where do I live?", AnswerType.PLACE),
        ("Wo wohnt Lena?", AnswerType.PLACE),
        ("Who is Anna?", AnswerType.PERSON),
        ("How much did the trip cost?", AnswerType.MONEY),
        ("Was kostet die Wohnung?", AnswerType.MONEY),
        ("what do they charge?", AnswerType.MONEY),
        ("What does the new boiler cost?", AnswerType.MONEY),
        ("How long should I ice it?", AnswerType.DURATION),
        ("How many guests came?", AnswerType.NUMBER),
        ("Why is it blocked?", AnswerType.REASON),
        ("Warum ist es blockiert?", AnswerType.REASON),
        ("Which exercises did she give me?", AnswerType.LIST),
        ("Am I still taking it?", AnswerType.YES_NO),
        ("What did the scan show?", AnswerType.ANYTHING),
        ("淀川の単位は何ですか?", AnswerType.ANYTHING),
    ],
)
def test_a_question_says_what_it_wants(question: str, kind: AnswerType) -> None:
    assert expected(question) is kind


@pytest.mark.parametrize(
    ("kind", "holding", "other"),
    [
        (AnswerType.DATE, "He comes at Easter", "Easter eggs are hidden in the shed"),
        (AnswerType.DATE, "next match is sat 4th against smethwick", "we sat 4 to a bench"),
        (AnswerType.DATE, "It came on 17 January.", "It came at last."),
        (AnswerType.NUMBER, "There were 24 of us.", "There were many of us."),
        (AnswerType.MONEY, "The rent is 590 €.", "The rent is 590 of them."),
        (AnswerType.DURATION, "Ten minutes each time.", "Each time."),
        (AnswerType.REASON, "because the pool was small", "the pool was small"),
        (AnswerType.PLACE, "We live in Leipzig now", "We live well now"),
        (AnswerType.PERSON, "She is my landlady.", "it rains."),
        (AnswerType.LIST, "eggs, flour, butter and milk", "eggs"),
    ],
)
def test_a_text_that_holds_what_is_wanted_is_known_by_its_look(kind: AnswerType, holding: str, other: str) -> None:
    assert holds(kind, holding) > holds(kind, other)


def test_what_has_no_look_of_its_own_is_never_held() -> None:
    assert holds(AnswerType.ANYTHING, "17 January because 24") == 0.0


def test_it_is_known_when_somebody_asks_who_it_is() -> None:
    assert asks_who_it_is("Who is Anna Berg?") and not asks_who_it_is("Who baked the cake?")


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("Did it go out in the end, and when?", (AnswerType.DATE,)),
        ("When was the trip, and where did we stay?", (AnswerType.DATE, AnswerType.PLACE)),
        ("What did we give her, and why not the other?", (AnswerType.REASON,)),
        ("Wann war die Reise und wo haben wir gewohnt?", (AnswerType.DATE, AnswerType.PLACE)),
        ("Is it made of birch and pine?", (AnswerType.YES_NO,)),
    ],
)
def test_a_question_of_several_parts_wants_what_each_of_them_wants(
    question: str, kinds: tuple[AnswerType, ...]
) -> None:
    assert all_expected(question) == kinds


def test_half_of_what_is_wanted_counts_half() -> None:
    wanted = (AnswerType.DATE, AnswerType.MONEY)
    assert share_held(wanted, "on 17 January") == 0.5 and share_held(wanted, "590 € on 17 January") == 1.0


@pytest.mark.parametrize(
    ("question", "text", "is_lacking"),
    [
        ("Where did Callum move to?", "Callum moved out of his flat", True),
        ("Where is the key?", "The key is under the blue can", False),
        ("How much was the rope?", "I bought a rope, 70 metres", True),
        ("How much was the rope?", "The rope was 90 euros", False),
        ("What does the plumber charge?", "The plumber charges sixty an hour", False),
        ("How much is a haircut?", "A haircut costs a fiver", False),
        ("Why did they cancel?", "They cancelled the contract", True),
        ("What did they cancel?", "They cancelled the contract", False),
    ],
)
def test_a_text_without_what_is_wanted_lacks_it(question: str, text: str, is_lacking: bool) -> None:
    assert lacks(all_expected(question), text, is_past=True) is is_lacking


@pytest.mark.parametrize(
    "text", ["The party is on Saturday", "das Familientreffen ist am 21. Juni", "It starts in May"]
)
def test_a_day_is_no_place(text: str) -> None:
    assert lacks([AnswerType.PLACE], text, is_past=False)


@pytest.mark.parametrize(
    "text",
    [
        "The party is on Saturday at Jo's",
        "am 21. Juni im Goldenen Hirsch",
        "in May in Rome",
        "flat is in May Road",
        "choir is at March Hall",
    ],
)
def test_a_place_told_with_its_day_is_one(text: str) -> None:
    assert not lacks([AnswerType.PLACE], text, is_past=False)
