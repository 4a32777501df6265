"""Latest wins: a later memory that says anew what an earlier one says is the answer, and one that only mentions it is not."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from pmg.base.model import Line, Role, Turn
from pmg.chat import evidence, turn
from pmg.chat.answer_signals import asked_question
from pmg.chat.newer_value import corrects_the_same
from pmg.chat.responder import QuoteKind
from pmg.chat.turn import ChatTarget
from pmg.engine import Engine
from pmg.index.terms import query_terms
from pmg.ingest.turns import SessionInput
from pmg.people.told_values import (
    gives_up,
    no_longer_so,
    opens_with_correction,
    renames,
    restates,
    says_anew,
    units,
    values,
)

FEBRUARY, OCTOBER = (datetime(2025, month, 10, 9, tzinfo=UTC) for month in (2, 10))


def quotes(engine: Engine, older: str, newer: str, question: str) -> list[tuple[str, QuoteKind]]:
    for name, text, at in (("old", older, FEBRUARY), ("new", newer, OCTOBER)):
        lines = (Line("User", Role.USER, text), Line("Assistant", Role.ASSISTANT, "Noted."))
        engine.ingest([SessionInput([Turn(lines, at)], started_at=at, id=name)])
    ask = turn.requested(engine, ChatTarget("default"), question, None)
    found = evidence.find(engine, ask).quotes
    return [(quote.segment.split("_")[1], quote.kind) for quote in found if quote.kind is not QuoteKind.AROUND]


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        ("My rent for the flat is 940 euros.", "The landlord put the rent up, 1010 euros for the flat.", "What is the rent of my flat?"),
        ("The pytest run is on Monday with the tests.", "The pytest run moved, it is on Friday with the tests.", "When is the pytest run?"),
    ],
)  # fmt: skip
def test_the_later_of_two_values_is_the_answer_and_the_earlier_was_so_before(
    open_engine: Callable[..., Engine], older: str, newer: str, question: str
) -> None:
    assert quotes(open_engine(), older, newer, question)[:2] == [("new", QuoteKind.ANSWER), ("old", QuoteKind.OLDER)]


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        ("My rent for the flat is 940 euros.", "Talked about the rent of the flat again.", "What is the rent of my flat?"),
        ("My rent for the flat is 940 euros.", "The rent of the flat is 1010 euros.", "What was the rent of my flat before?"),
    ],
)  # fmt: skip
def test_a_mention_is_no_new_value_and_a_question_about_then_is_left_alone(
    open_engine: Callable[..., Engine], older: str, newer: str, question: str
) -> None:
    assert QuoteKind.OLDER not in {kind for _, kind in quotes(open_engine(), older, newer, question)}


@pytest.mark.parametrize(
    ("older", "newer", "question", "first"),
    [
        ("My rent for the flat is 940 euros.", "The rent of the flat is 1010 euros.", "What was the rent of my flat before?", "old"),
        ("My rent for the flat is 940 euros.", "The rent of the flat is 1010 euros.", "What was the rent of my flat at first?", "old"),
        ("Die Miete der Wohnung ist 940 Euro.", "Die Miete der Wohnung ist 1010 Euro.", "Wie hoch war die Miete der Wohnung früher?", "old"),
        ("My rent for the flat is 940 euros.", "The rent of the flat is 1010 euros.", "What is the latest rent of my flat?", "new"),
    ],
)  # fmt: skip
def test_a_question_for_what_was_before_gets_the_older_value_first(
    open_engine: Callable[..., Engine], older: str, newer: str, question: str, first: str
) -> None:
    assert quotes(open_engine(), older, newer, question)[0] == (first, QuoteKind.ANSWER)


@pytest.mark.parametrize(
    "newer",
    [
        "My neighbour pays 1010 euros rent for the flat.",
        "Is 1010 euros a normal rent for the flat?",
    ],
)
def test_what_is_asked_or_is_of_another_is_no_new_value(open_engine: Callable[..., Engine], newer: str) -> None:
    found = quotes(open_engine(), "My rent for the flat is 940 euros.", newer, "How high is the rent for my flat?")
    assert QuoteKind.OLDER not in {kind for _, kind in found}


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        ("My sister Kate lives in Sheffield, on Crookes Road", "Kate moved to Manchester, to Chorlton", "Where does Kate live?"),
        ("Gareth works at the brewery as an accountant", "Gareth started at the water board this week", "Where does Gareth work?"),
        ("Meine Tante Gerda wohnt in Kassel am Weinberg", "Gerda ist nach Erfurt gezogen, in die Altstadt", "Wo wohnt Gerda?"),
    ],
)  # fmt: skip
def test_a_change_that_is_told_is_the_answer_and_what_it_ended_was_so_before(
    open_engine: Callable[..., Engine], older: str, newer: str, question: str
) -> None:
    assert quotes(open_engine(), older, newer, question)[:2] == [("new", QuoteKind.ANSWER), ("old", QuoteKind.OLDER)]


@pytest.mark.parametrize(
    "newer",
    [
        "Lena moved to Manchester, to Chorlton",
        "Kate is thinking about moving to Manchester",
        "Kate nearly moved to Manchester",
    ],
)
def test_a_change_of_another_or_one_only_thought_of_takes_no_place(
    open_engine: Callable[..., Engine], newer: str
) -> None:
    found = quotes(open_engine(), "My sister Kate lives in Sheffield", newer, "Where does Kate live?")
    assert found[0] == ("old", QuoteKind.ANSWER) and QuoteKind.OLDER not in {kind for _, kind in found}


def test_values_are_figures_days_and_names_that_the_question_does_not_have() -> None:
    assert values("When is choir?", "Choir is on Thursdays at 19:30 with Frau Lindner.") == {
        "figure": {"19:30"},
        "day": {"thursdays"},
        "name": {"frau", "lindner"},
    }
    assert values("What does Anna pay?", "So Anna pays nothing") == {}


@pytest.mark.parametrize(
    ("older", "newer", "given_up"),
    [
        ("My chiropodist is Mrs Lamb", "Mrs Lamb has retired, so I now go to a Mr Adeyemi", True),
        ("The peonies come from Lohmann", "Lohmann hat zugemacht, sie kommen jetzt vom Hof Ziegler", True),
        ("My chiropodist is Mrs Lamb", "Mrs Lamb has retired, so I baked her a cake", False),
        ("My chiropodist is Mrs Lamb", "Mrs Reid has retired, so I now go to a Mr Adeyemi", False),
        ("My chiropodist is Mrs Lamb", "Mrs Lamb left early, the bus was late", False),
        ("My dentist is Dr Osei", "Dr Osei has left the house, I will be with him at 5", False),
        ("Sam is my boss", "Sam has stopped smoking, he now chews gum", False),
        ("Unser Arzt ist Dr. Weber", "Dr. Weber ist weg bis Montag, jetzt vertritt ihn Frau Lang", False),
    ],
)
def test_who_has_left_is_no_longer_the_one(older: str, newer: str, given_up: bool) -> None:
    assert gives_up("Who is my chiropodist now?", older, newer) is given_up


def test_figures_of_one_unit_are_told_by_what_follows_them() -> None:
    assert units("We have five hens and 2 cats.") & units("Only 3 hens left, 40 % of them brown.") == {"hen"}


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("dissertation deadline is 28 April", "Got an extension, dissertation deadline is 12 May"),
        ("release 4.2 ships on the 14th", "and slipped again, release 4.2 ships on the 28th"),
        ("The project manager at Lektora is Ines", "Ines left Lektora, the project manager there is Gaspard"),
    ],
)
def test_the_same_clause_with_another_value_restates(older: str, newer: str) -> None:
    assert restates("", older, newer)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Tom's birthday is 3 May", "Tom's dad's birthday is 4 June"),
        ("The roofer wants 8400", "The roofer has a van from 2019"),
        ("The meeting is on Monday", "I like the meeting"),
    ],
)
def test_what_says_more_or_gives_no_value_does_not(older: str, newer: str) -> None:
    assert not restates("", older, newer)


@pytest.mark.parametrize(
    ("question", "older", "newer", "is_corrected"),
    [
        ("What date is the school trip?", "the school trip to york is 12 june", "actually the york trip got changed its 19 june", True),
        ("Where is the lab retreat?", "The lab retreat is in Aviemore", "wait no, the retreat is in Pitlochry, Aviemore was last year", True),
        ("Who is Niamh's form tutor?", "niamh's form tutor is Miss Okonjo", "Niamh changed her mind about sixth form, it's Cotham now", False),
        ("Was für ein Auto hat Gisela?", "Giselas Auto ist ein Golf", "Ich habe jetzt ein neues Auto, einen Toyota Yaris", False),
        ("Where is the lab retreat?", "The lab retreat is in Aviemore", "no, the concert is in Pitlochry", False),
    ],
)  # fmt: skip
def test_only_what_corrects_and_names_the_same_is_of_the_same(
    question: str, older: str, newer: str, is_corrected: bool
) -> None:
    asked = asked_question(question, question, dict.fromkeys(query_terms(question), 1), 10, ())
    assert corrects_the_same(asked, older, newer) is is_corrected


@pytest.mark.parametrize(
    ("question", "older", "newer", "given_up"),
    [
        ("Who do I buy my fish from?", "Fish I buy off Denzil on the quay", "Denzil has packed it in, I get the fish from his niece Loveday these days", True),
        ("who is my chem teacher", "my chem teacher is mr bowden", "bowden left lol we got ms farrow for chem now", True),
        ("Who lives upstairs with Meg?", "The flat upstairs is let to Meg and Rosa", "Rosa moved out, there's a lad called Emeka in with Meg now", True),
        ("what instrument is emma learning", "emma does violin on mondays", "she gave up violin!! doing drums now", True),
        ("what instrument is emma learning", "emma does violin on mondays", "nearly gave up violin practice today", False),
        ("Who do I buy my fish from?", "Fish I buy off Denzil on the quay", "Denzil has gone to Truro and is back tomorrow", False),
        ("What does dad drink?", "Dad drinks coffee black", "Mum gave up coffee, she has tea now", False),
        ("What is our dog called?", "Our dog is called Hope", "I never gave up hope, the dog is now fit again", False),
        ("Who is Ella's best friend?", "Ella's best friend is Maya", "Maya has moved away, Ella and her friend now call on Sundays", False),
        ("Who is the boiler engineer?", "The boiler engineer is Gary", "Gary left, and the engineer's new van is huge", False),
        ("Who pays the internet?", "My flatmate Jonas pays the internet", "Jonas moved out and the internet is now slow", False),
    ],
)  # fmt: skip
def test_who_or_what_was_given_up_for_another(question: str, older: str, newer: str, given_up: bool) -> None:
    assert gives_up(question, older, newer) is given_up


def test_what_is_called_otherwise_is_renamed() -> None:
    older = "our clan is called moldy waffles"
    assert renames("whats our clan called", older, "ok clan got renamed, its soggy waffles now")
    assert not renames("whats our clan called", older, "the cat got renamed, its Mog now")


def test_asked_whether_it_is_still_so_another_value_since_tells() -> None:
    question, older = "Is standup still at 9:45?", "Standup is at 9:45 in the Zoom room"
    assert no_longer_so(question, older, "FYI standup moved to 10:15 because of the Lisbon folks")
    assert not no_longer_so(question, older, "Retro moved to 10:15")
    assert not no_longer_so("Is standup at 9:45?", older, "FYI standup moved to 10:15")
    assert no_longer_so("is chem still in s14", "we have chem in room s14", "and they moved chem to s9")
    assert not no_longer_so("Does Anna still live in Leeds?", "Anna lives in Leeds", "Anna now plays tennis with Carl")
    assert not no_longer_so(
        "Is the car still at the garage?", "The car is at the garage in Hove", "The car insurance is now with Aviva"
    )


@pytest.mark.parametrize(
    ("text", "corrects_it"),
    [
        ("my bad, it's Friday", True),
        ("Desculpa, 1,540", True),
        ("My bad knee hurts", False),
        ("Pardon my French", False),
        ("Make that 6:30, the induction", True),
        ("Scratch that, 8:45", True),
        ("I mean the lab in Malton, not Thirsk", True),
        ("Not 6, it's 9 temps", True),
        ("Oh dear, I've muddled it: the 19th", True),
        ("Make that cake again", False),
        ("I mean it", False),
        ("not bad, it's fine", False),
        ("i mixed the dough", False),
        ("I mean to visit Gran in May", False),
        ("oh dear, no bus on Sunday", False),
        ("not today, it's raining", False),
    ],
)
def test_an_apology_corrects_where_it_stands_by_itself(text: str, corrects_it: bool) -> None:
    assert opens_with_correction(text) is corrects_it


@pytest.mark.parametrize(
    "text", ["I moved money to the rent account", "We moved chairs to the piano room", "she moved closer to town"]
)
def test_what_is_carried_elsewhere_says_nothing_anew(text: str) -> None:
    assert not says_anew("Rent is due on the 3rd", text)


def test_what_was_said_of_another_was_not_so_at_first(open_engine: Callable[..., Engine]) -> None:
    older = "Ruth said they offer 50 euros for the bread."
    newer = "The bakery Hofmann did offer me 70 euros a day for the bread."
    assert quotes(open_engine(), older, newer, "What did Hofmann offer me at first?")[0] == ("new", QuoteKind.ANSWER)


def test_what_was_offered_before_is_what_was_so_at_first(open_engine: Callable[..., Engine]) -> None:
    older = "Hofmann did offer me 50 euros a day for the bread."
    newer = "The bakery Hofmann did offer me 70 euros a day for the bread."
    assert quotes(open_engine(), older, newer, "What did Hofmann offer me at first?")[0] == ("old", QuoteKind.ANSWER)
