"""What a question wants, and whether a text holds it."""

from __future__ import annotations

import pytest

from pmg.answer.answer_type import (
    AnswerType,
    all_expected,
    asks_clock,
    asks_for_several,
    asks_who_it_is,
    expected,
    holds,
    lacks,
    lacks_age,
    lacks_somebody,
    lacks_sum_paid,
    may_hold_clock,
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


@pytest.mark.parametrize(
    ("question", "text", "is_lacking"),
    [
        ("Who tunes the piano?", "The piano was last tuned on 3 March.", True),
        ("Who is Sioned marrying?", "My Sioned is getting married on 3 August", True),
        ("Who is Sioned marrying?", "She and Tom get married on 3 August", False),
        ("Who tunes the piano?", "My neighbour tunes it every March", False),
        ("Who tunes the piano?", "On 3 March it was tuned by Mr Kowalczyk", False),
        ("Who is Rex?", "our dog is called Rex", False),
        ("Wer hat den Schlüssel?", "Sabine hat den Schlüssel", False),
        ("Who works at Bosch?", "Anna works at Bosch", False),
        ("Who broke the vase?", "Last week April broke the vase", False),
        ("WHO IS PICKING UP THE CHILDREN FROM SCHOOL TOMORROW, TOM OR ANNA (2026)?", "on Monday in Hull", False),
    ],
)
def test_who_is_asked_for_is_nobody_whom_the_question_names(question: str, text: str, is_lacking: bool) -> None:
    assert lacks_somebody(question, text) is is_lacking


@pytest.mark.parametrize(
    ("question", "wants_all"),
    [
        ("what's still todo for release 2.4?", True),
        ("What do I want for Christmas?", True),
        ("What do I want to be?", False),
        ("What is still standing?", False),
    ],
)
def test_a_question_for_what_is_left_wants_all_of_it(question: str, wants_all: bool) -> None:
    assert asks_for_several(question) is wants_all


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
    ("question", "wants_hour"),
    [("What time does Kasia get in?", True), ("Um wie viel Uhr probt der Chor?", True), ("What time zone is Lima in?", False), ("When is it?", False)],
)  # fmt: skip
def test_an_hour_is_asked_for(question: str, wants_hour: bool) -> None:
    assert asks_clock(question) is wants_hour


@pytest.mark.parametrize(
    ("text", "may_hold"),
    [
        ("Kasia gets in around 6", True), ("ab acht Uhr", True), ("first thing in the morning", True), ("half-past six", True),
        ("Kasia is paid £14.10 an hour", False), ("Kasia wants the week of 9 September", False), ("It weighs 3 kg", False),
    ],
)  # fmt: skip
def test_a_text_may_hold_an_hour(text: str, may_hold: bool) -> None:
    assert may_hold_clock(text) is may_hold


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


@pytest.mark.parametrize(
    ("question", "text", "is_lacking"),
    [
        ("how old is Olive?", "we've got two cats, Biscuit and Olive", True),
        ("Wie alt ist Olive?", "Wir haben zwei Katzen, Biscuit und Olive", True),
        ("how old is Olive?", "Olive sleeps on the sofa", True),
        ("how old is Olive?", "Olive is two", False),
        ("how old is Olive?", "Olive is 14 and needs kidney food", False),
        ("how old is Olive?", "Olive is 3 months old", False),
        ("how old is Olive?", "Olive was born in spring", False),
        ("wie alt ist Emil?", "Emil wird im Mai sieben", False),
        ("wie alt ist Emil?", "Emil ist 4 Jahre alt, er hat 2 Hamster", False),
        ("how old is chantelle", "my daughter chantelle is 19 shes doing nursing", False),
        ("how many cats do we have?", "we've got two cats", False),
    ],
)
def test_how_many_there_are_is_no_age(question: str, text: str, is_lacking: bool) -> None:
    assert lacks_age(question, text) is is_lacking


@pytest.mark.parametrize(
    ("question", "text", "is_lacking"),
    [
        ("what does Jo pay for Disney?", "my flatmate Jo pays for Disney", True),
        ("Was zahlt Jo für Disney?", "Jo zahlt für Disney", True),
        ("what does Jo pay for Disney?", "Jo pays 9 a month for Disney", False),
        ("what did we pay for the sofa?", "the sofa was a tenner", False),
        ("what did we pay with?", "we paid by card", False),
        ("who pays for Disney?", "my flatmate Jo pays for Disney", False),
    ],
)
def test_what_somebody_pays_wants_a_figure(question: str, text: str, is_lacking: bool) -> None:
    assert lacks_sum_paid(question, text) is is_lacking
