"""Questions about people: who is meant, what is answered with which line, and when it is declined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from pmg.base.claim import Claim, SpokenLine
from pmg.engine import Engine
from pmg.people import read_sessions
from pmg.people.extract import extract
from pmg.people.ownership import owned
from pmg.people.route import AnswerKind, route
from tests.pmg.people.talk import session

MAY, JUNE, SEPTEMBER = (datetime(2023, month, 8, 12, tzinfo=UTC) for month in (5, 6, 9))


@pytest.fixture
def talk(engine: Engine) -> Engine:
    engine.ingest(
        [
            session(
                "one",
                MAY,
                (
                    "Melanie",
                    "I ran a charity race for mental health last Saturday. I realized that self-care is important.",
                ),
                ("Caroline", "That charity race sounds great, Mel! Your running is inspiring."),
                ("Caroline", "I went to an LGBTQ support group yesterday."),
                ("Melanie", "I bought two novels in the old bookshop."),
                ("Caroline", "I live in Seattle."),
                conversation="c",
            ),
            session(
                "two",
                SEPTEMBER,
                ("Caroline", "I moved to Austin."),
                ("Melanie", "I bought a novel by Austen yesterday. The garden needs rain."),
                conversation="c",
            ),
        ]
    )
    engine.extract()
    return engine


def test_an_answer_has_its_line_speaker_and_day(talk: Engine) -> None:
    found = talk.ask("What did Melanie run for mental health?")
    assert not found.abstained and found.route.people == ("Melanie",)
    best = found.lines[0]
    assert (best.segment, best.speaker, best.said_at.date()) == ("seg_one_0", "Melanie", date(2023, 5, 8))


def test_a_premise_of_somebody_else_is_declined_with_whose_it_is(talk: Engine) -> None:
    found = talk.ask("What did Caroline realize after her charity race?")
    assert found.abstained.startswith("Melanie, not Caroline")
    assert found.lines[0].segment == "seg_one_0"


def test_of_somebody_who_is_only_spoken_about_nothing_is_denied(engine: Engine) -> None:
    """Every line about them is somebody else's, which says nothing about whose affair it is."""
    engine.ingest(
        [
            session("x", MAY, ("User", "My colleague Anna Weiss is from Zurich."), ("Assistant", "Noted.")),
            session("y", JUNE, ("User", "Tomas looked after Pepper while we were in Norway."), ("Assistant", "Kind.")),
            session("z", JUNE, ("User", "Anna told me that her favourite band is Gojira."), ("Assistant", "Loud!")),
        ]
    )
    engine.extract()
    for question, line in (
        ("Where is Anna Weiss from?", "Zurich"),
        ("Who looked after Pepper?", "Tomas"),
        ("What is Anna's favourite band?", "Gojira"),
    ):
        found = engine.ask(question)
        assert not found.abstained and line in found.lines[0].text, question
    found = engine.ask("What did Anna see in Norway?")
    assert found.abstained == "Nothing in this memory says that. Of Anna it says:"
    assert all("Anna" in line.text for line in found.lines), "a line that does not name her is not hers"


def test_nothing_is_said_where_nothing_is_known(talk: Engine) -> None:
    found = talk.ask("Which submarine does Melanie pilot?")
    assert found.abstained == "Nothing in this memory says that." and not found.lines


def test_what_changed_is_marked_and_as_of_asks_for_then(talk: Engine) -> None:
    assert [
        line.note for line in talk.ask("Is Seattle where Caroline lives?").lines if line.segment == "seg_one_4"
    ] == ["before: Seattle, until 2023-09"]


def test_a_count_adds_what_was_said_and_never_claims_to_be_whole(talk: Engine) -> None:
    found = talk.ask("How many novels did Melanie buy in 2023?", at=SEPTEMBER)
    assert found.counted is not None and found.counted.number == 3
    assert [line.segment for line in found.lines] == ["seg_one_3", "seg_two_1"]
    assert "may be incomplete" in found.notes[0]
    september = talk.ask("How many novels did Melanie buy in September 2023?", at=SEPTEMBER)
    assert september.counted is not None and september.counted.number == 1


def test_no_answer_comes_from_another_namespace(talk: Engine) -> None:
    found = talk.ask("What did Melanie run for mental health?", namespace="other")
    assert not found.lines and found.route.people == ()


@pytest.mark.parametrize(
    ("question", "people", "partner", "kind"),
    [
        ("What did Caroline tell Melanie about her career?", ("Caroline",), "Melanie", AnswerKind.FACT),
        ("What job does John have?", ("John",), "", AnswerKind.FACT),
        ("How many books did Anna buy?", ("Anna",), "", AnswerKind.COUNT),
        ("Which restaurants did Anna like?", ("Anna",), "", AnswerKind.LIST),
        ("Will it rain?", (), "", AnswerKind.FACT),
        ("What did Will buy?", ("Will",), "", AnswerKind.FACT),
    ],
)
def test_a_question_is_routed_to_a_person_and_a_scope(
    question: str, people: tuple[str, ...], partner: str, kind: AnswerKind
) -> None:
    found = route(question, ["Caroline", "Melanie", "John", "Anna", "Will"])
    assert (found.people, found.partner, found.kind) == (people, partner, kind)


def test_words_are_the_affair_of_the_person_they_speak_of() -> None:
    (mine,) = owned("My race was hard.", "Ana", "Ben", ["race"])
    (yours,) = owned("Your race was hard.", "Ana", "Ben", ["race"])
    (reaction,) = owned("That race sounds great!", "Ana", "Ben", ["race"])
    assert mine.shares == {"Ana": 1.0} and yours.shares == {"Ben": 1.0}
    assert reaction.shares["Ben"] > reaction.shares["Ana"]


def test_what_is_said_later_is_in_the_next_answer(talk: Engine) -> None:
    before = talk.ask("Where does Caroline live?")
    assert talk.ask("Where does Caroline live?") == before
    talk.ingest(
        [session("three", SEPTEMBER.replace(month=11), ("Caroline", "I live in Denver now."), conversation="c")]
    )
    talk.extract()
    later = talk.ask("Where does Caroline live?")
    assert any(line.segment == "seg_three_0" for line in later.lines)
    assert any(line.segment == "seg_one_4" and line.note == "before: Seattle, until 2023-09" for line in later.lines)


def test_an_answer_names_the_conversation_it_comes_from(talk: Engine) -> None:
    assert {line.conversation for line in talk.ask("What did Melanie run for mental health?").lines} == {"c"}


def test_a_number_that_its_line_does_not_say_is_not_counted(talk: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(lines: Sequence[SpokenLine]) -> list[Claim]:
        return [replace(one, object=one.object.replace("two", "five")) for one in extract(lines)]

    monkeypatch.setattr(read_sessions, "extract", wrong)
    later = session("three", SEPTEMBER, ("Melanie", "I bought two novels and a lamp."), conversation="c")
    talk.ingest([later])
    talk.extract()
    found = talk.ask("How many novels did Melanie buy in 2023?", at=SEPTEMBER)
    assert found.counted is not None and found.counted.number == 3
    assert "seg_three_0" not in {line.segment for line in found.lines}
    assert "1 more could not be proven" in found.notes[1]


def test_a_word_whose_stem_is_no_word_is_found(engine: Engine) -> None:
    """ "house" has the stem "hous", which stemmed again is "hou" and stands nowhere."""
    engine.ingest([session("h", MAY, ("Ana", "I painted the house green."), ("Ben", "Nice."))])
    engine.extract()
    assert [line.text for line in engine.ask("Which house did Ana paint?").lines] == ["I painted the house green."]
    assert engine.ask("Whose house is it?").lines


@pytest.fixture
def family(engine: Engine) -> Engine:
    """Somebody talks with their brother, and tells an assistant of him and of others."""
    engine.ingest(
        [
            session("a", MAY, ("Mara", "Who'll let me win at scrabble?"), ("Jonah", "nobody. get used to it")),
            session(
                "b",
                JUNE,
                ("Mara", "I want to get my German to B1. Jonah laughed."),
                ("Assistant", "Good luck to you."),
                ("Mara", "My brother Jonah mends old radios in his shop, and Malte, a colleague, sings."),
                ("Assistant", "A radio from Jonah it is, then."),
            ),
        ]
    )
    engine.extract()
    return engine


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Who is Jonah?", "My brother Jonah"),
        ("And who is jonah again?", "My brother Jonah"),
        ("What do you know about Jonah?", "My brother Jonah"),
        ("Erzähl mir von Jonah", "My brother Jonah"),
        ("Who is Malte?", "Malte, a colleague"),  # nobody of whom anything was claimed
    ],
)
def test_asked_who_somebody_is_the_line_that_introduces_them_answers(family: Engine, question: str, line: str) -> None:
    found = family.ask(question)
    assert not found.abstained
    assert line in found.lines[0].text


def test_of_a_name_that_was_never_said_nothing_is_told(family: Engine) -> None:
    assert family.ask("Who is Zaphod?").abstained == "Nothing in this memory says that."
    assert not family.ask("Who is Zaphod?").lines


@pytest.mark.parametrize("question", ["When does Jonah get his German exam?", "What does Jonah win?"])
def test_what_is_told_where_somebody_does_not_speak_denies_nothing_of_them(family: Engine, question: str) -> None:
    """Nor does a single word: that Mara said it says nothing of Jonah."""
    assert ", not Jonah" not in family.ask(question).abstained


def test_a_long_line_answers_by_a_passage_and_not_by_words_far_apart(engine: Engine) -> None:
    filling = " ".join("We walked along the canal and talked about the weather." for _ in range(15))
    summary = f"In May the lease was signed. {filling} The pool stayed cold. {filling} A deposit was paid for the boat."
    engine.ingest(
        [
            session("long", MAY, ("Assistant", summary)),
            session("short", JUNE, ("Ana", "The deposit for the lease was 900 euros."), ("Ben", "My pool is warm.")),
        ]
    )
    found = engine.ask("What did the pool, the lease and the deposit cost?")
    assert found.lines[0].segment == "seg_short_0"


def test_a_name_inside_a_longer_one_is_nobodys() -> None:
    known = ["Anna Berg", "Anna", "Berg", "Ben"]
    assert route("Where does Anna Berg live?", known).people == ("Anna Berg",)
    assert route("Where does Anna live?", known).people == ("Anna",)
    assert route("Did Anna Berg meet Anna?", known).people == ("Anna Berg", "Anna")
    assert route("Did Ben meet Anna Berg?", known).people == ("Ben", "Anna Berg")
    assert route("Did Anna Weiss call?", known).people == ("Anna",)
