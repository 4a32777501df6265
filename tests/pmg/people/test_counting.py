"""Counts: what happened is added up; what was told as a whole is not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pmg.engine import Engine
from pmg.index.terms import document_terms
from pmg.people import counting, sums
from pmg.store.people import StoredClaim
from tests.pmg.people.talk import session
from tests.pmg.people.talk import told as told_claims

pytestmark = pytest.mark.slow

MAY, JUNE, JULY = (datetime(2023, month, 8, 12, tzinfo=UTC) for month in (5, 6, 7))


@pytest.mark.parametrize(
    ("first", "then", "question", "number"),
    [
        ("I have two cats.", "I have three cats now.", "How many cats does Melanie have?", 3),
        ("I have five hens.", "I have three hens.", "How many hens does Melanie have?", 3),
        ("I bought two books.", "I bought a book.", "How many books did Melanie buy?", 3),
        ("I bought two books.", "I bought five books in total.", "How many books did Melanie buy?", 5),
    ],
)
def test_the_latest_whole_number_holds_and_what_happened_is_added(
    engine: Engine, first: str, then: str, question: str, number: int
) -> None:
    engine.ingest(
        [
            session("one", MAY, ("Melanie", first), ("Caroline", "How nice!"), conversation="c"),
            session("two", JUNE, ("Melanie", then), ("Caroline", "Good for you."), conversation="c"),
        ]
    )
    engine.extract()
    counted = engine.ask(question, at=JULY).counted
    assert counted is not None and counted.number == number


TOLD = (
    "We're staying at Casa Lindes in Llanes for nine nights.",
    "I ran 11 km on Sunday in 58 minutes.",
    "I go swimming twice a week.",
    "I've seen The Godfather.",
    "I went to a yoga class last Friday.",
    "I do some yoga on Sundays.",
    "I went to a concert last Friday.",
    "I went to a game convention.",
    "I spent 5 hours on my ocean sculpture.",
    "I spent 12 hours on my ocean sculpture.",
    "I spent a few hours on my folders.",
    "I bought a new adapter at the airport in Dubai.",
    "I bought a new adapter at the airport.",
    "I got a lamp from my aunt.",
    "I bought a lot of candles.",
    "I finished a Revell kit.",
    "We're reading Piranesi this month.",
)


@pytest.fixture
def told(engine: Engine) -> Engine:
    engine.ingest(
        [
            session(f"s{at}", MAY, ("Melanie", line), ("Caroline", "I see."), conversation="c")
            for at, line in enumerate(TOLD)
        ]
    )
    engine.extract()
    return engine


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("How many nights is Melanie staying at Casa Lindes?", 9),
        ("How many kilometres did Melanie run?", 11),
        ("How many minutes did Melanie run?", 58),
        ("How many lamps did Melanie get?", 1),
        ("How many concerts did Melanie go to?", 1),
        ("How many times did Melanie go to a concert?", 1),
        ("How many adapters did Melanie buy?", 1),
    ],
)
def test_a_number_is_given_for_just_what_is_asked(told: Engine, question: str, number: int) -> None:
    counted = told.ask(question, at=JULY).counted
    assert counted is not None and counted.number == number


@pytest.mark.parametrize(
    "question",
    [
        "How often does Melanie go to yoga?",
        "How often does Melanie go swimming?",
        "How often does Melanie see her therapist?",
        "How many times did Melanie go to yoga?",  # told as a habit too
        "How many times did Melanie run?",
        "How many hours has Melanie spent on her ocean sculpture?",  # 5 grew to 12, or 17
        "How many nights is Melanie staying at Casa Verde?",
        "How many lamps did Melanie buy?",  # a present
        "How many candles did Melanie buy?",
        "What are Melanie and Caroline reading in the book club?",
        "What is Melanie having for dinner?",
    ],
)
def test_no_number_is_given_where_the_claims_are_of_something_else_or_leave_it_open(
    told: Engine, question: str
) -> None:
    counted = told.ask(question, at=JULY).counted
    assert counted is None or not counted.rows


def test_a_list_holds_what_its_noun_names(told: Engine) -> None:
    counted = told.ask("Which books did Melanie read?", at=JULY).counted
    assert counted is not None and [one.claim.object for one in counted.rows] == ["Piranesi this month"]


def number_of(question: str, *said: str) -> int | None:
    """The number that is given where Ana says each a month after the one before."""
    days = (datetime(2023, month, 8, 12, tzinfo=UTC) for month in range(3, 12))
    claims = [one for text, day in zip(said, days, strict=False) for one in told_claims(text, at=day)]
    stored = [StoredClaim(at, one, "s", "c") for at, one in enumerate(claims, start=1)]
    found = counting.counted(question, stored, datetime(2023, 12, 1, tzinfo=UTC))
    return found.number if found is not None and found.rows else None


@pytest.mark.parametrize(
    ("question", "said", "number"),
    [
        ("How many euros do I owe?", ("I owe Tom 20 euros.", "I owe Anna 30 euros."), None),
        ("How many euros do I owe?", ("I owe Tom 20 euros.", "I owe Anna 30 euros now."), None),
        ("How many euros do I owe Tom?", ("I owe Tom 20 euros.", "I owe Anna 30 euros."), 20),
        ("How many kids do I have?", ("I have two kids.", "I have one kid in school."), None),
        ("How many kids do I have?", ("I have two kids.", "I have two kids in school."), 2),
        ("How many meetings do I have?", ("I have three meetings on Monday.", "I have two meetings on Tuesday."), None),
        ("How many cats do I have?", ("I have two cats.", "I have three cats in the house now."), 3),
        ("How many cats do I have?", ("I have two old cats.", "I have three cats."), 3),
        ("How many cats do I have?", ("I have three cats.", "I have a cat called Luna."), 3),
        ("How many hens do I have?", ("I have four hens.", "I have one hen less now."), None),
        ("How many cats do I have?", ("I used to have two cats.",), None),
    ],
)
def test_a_later_number_is_the_whole_only_where_it_is_of_the_same(
    question: str, said: tuple[str, ...], number: int | None
) -> None:
    assert number_of(question, *said) == number


@pytest.mark.parametrize(
    ("said", "number"),
    [
        (("I have two rabbits.", "I don't have any rabbits any more."), None),
        (("I have two rabbits.", "I have no rabbits any more."), None),
        (("I have two rabbits.", "I no longer have rabbits."), None),
        (("I have two rabbits.", "I have none."), None),
        (("I have two rabbits.", "I don't own any rabbits."), None),
        (("I have a rabbit called Flo.", "I don't have any rabbits."), None),
        (("I don't have any rabbits.", "I have two rabbits."), 2),
        (("I have two rabbits.", "I don't have a dog."), 2),
        (("I have two rabbits.", "I don't have time for rabbits."), 2),
    ],
)
def test_a_number_does_not_outlive_its_denial(said: tuple[str, ...], number: int | None) -> None:
    assert number_of("How many rabbits do I have?", *said) == number


@pytest.mark.parametrize(
    ("question", "said", "number"),
    [
        ("How many weddings did I attend?", ("I attended three weddings this year.", "I attended Anna's wedding in March."), None),
        ("How many weddings did I attend?", ("I attended three weddings in March.", "I attended Anna's wedding in May."), 4),
        ("How many weddings did I attend?", ("I attended a wedding in March.", "I attended two weddings on 3 March 2023."), 3),
        ("How many euros did I save?", ("I saved 200 euros last month.", "I saved 500 euros this year."), None),
        ("How many hours did I sleep?", ("I slept 8 hours yesterday.", "I slept 6 hours yesterday."), 14),
        ("How many books did I buy?", ("I bought two books about Rome last month.", "I bought a book about Crete on 3 March 2023."), 3),
        ("How many books did I buy?", ("I bought a book about Rome last month.", "I bought a book on 3 March 2023."), None),
    ],
)  # fmt: skip
def test_what_may_hold_the_other_is_not_added_to_it(question: str, said: tuple[str, ...], number: int | None) -> None:
    assert number_of(question, *said) == number


@pytest.mark.parametrize("question", ["How many books did I buy?", "Which books did I buy?"])
@pytest.mark.parametrize("is_one_day", [True, False])
def test_the_words_of_many_claims_are_read_a_few_times_each(
    question: str, is_one_day: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    days = [datetime(2020, 1, 1 if is_one_day else 1 + at % 28, tzinfo=UTC) for at in range(200)]
    claims = [
        StoredClaim(at, told_claims(f"I bought a book about topic{at} and Rome.", at=day)[0], "s", "c")
        for at, day in enumerate(days, start=1)
    ]
    read: list[str] = []
    real = document_terms

    def terms(text: str) -> list[str]:
        read.append(text)
        return real(text)

    for module in (counting, sums):
        monkeypatch.setattr(module, "document_terms", terms)
    found = counting.counted(question, claims, datetime(2026, 1, 1, tzinfo=UTC))
    assert found is not None and found.number == 200
    assert len(read) <= 4 * len(claims)
