"""What a query selects: turns that hold its words, as the index reads words, and nothing else."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from pmg.base.model import Line, Role, Turn
from pmg.base.times import parse_range
from pmg.engine import Engine
from pmg.forget import Selection, forget, plan
from pmg.forget.held_words import has_words, holding_words
from pmg.forget.plan import NO_WORDS, NOTHING
from pmg.ingest.turns import SessionInput
from steward.steward import Steward
from tests.forget.memory import SECRET, fill, tell

LINES = [
    (1, "We had education on cats and a catalogue."),
    (2, "The Café at Larkhill Manor"),
    (3, "Larkhill has a cafe."),
    (3, "The manor is elsewhere."),
    (4, "mail to anna@example.org about 東京の天気"),
]


@pytest.mark.parametrize(
    ("query", "held"),
    [
        ("cat", [1]),  # by its stem, not by its letters
        ("edu", []),
        ("larkhill manor", [2]),  # where they stand together, only there
        ("manor of larkhill", [2, 3]),  # else wherever all of them are, in any order
        ("CAFE", [2, 3]),
        ("Larkhill Manor wedding", []),  # one word is missing
        ("anna@example.org", [4]),
        ("東京", [4]),
    ],
)
def test_a_turn_is_held_by_all_the_words_of_a_query(query: str, held: list[int]) -> None:
    assert holding_words(query, LINES) == held


def test_a_word_of_a_script_without_spaces_is_held_wherever_it_stands() -> None:
    lines = [(1, "東京"), (2, "昨日東京に行った"), (3, "東京都に住んでいる"), (4, "京東")]
    assert holding_words("東京", lines) == [1, 2, 3]
    assert holding_words("昨", lines) == [2]


def test_a_name_counts_as_it_is_written_where_anybody_wrote_it_so() -> None:
    lines = [(1, "Peter came"), (2, "I saw Mr Peters"), (3, "peters's bike"), (4, "Peter's bike")]
    assert holding_words("Peters", lines) == [2, 3]
    assert holding_words("Peter", lines) == [1, 4]
    assert holding_words("peter", lines) == [1, 2, 3, 4]
    assert holding_words("Petering", lines) == [1, 2, 3, 4]  # nobody wrote it so


def test_signs_alone_are_no_words() -> None:
    assert not has_words(" … ?! ") and has_words("a")


def test_words_that_nobody_said_select_nothing_and_name_the_nearest(engine: Engine) -> None:
    fill(engine)
    todo = plan(engine, Selection(query="bread swordfish"))
    assert todo.numbers == () and todo.nothing == NO_WORDS
    assert todo.nearest and all(line.startswith("seg_") for line in todo.nearest)
    assert any("bread" in line for line in todo.nearest)
    assert forget(engine, todo).counts == {} and engine.counts("default").lines == 5


def test_what_a_query_may_mean_keeps_to_the_other_wishes(engine: Engine) -> None:
    fill(engine)
    tell(engine, "zara", ["I bake bread too."], speaker="Zara")
    near = plan(engine, Selection(query="bread swordfish", person="Zara")).nearest
    assert [line.split()[0] for line in near] == ["seg_zara_0"]
    assert plan(engine, Selection(query="flowerpot", person="Nobody")).nothing == NOTHING


def test_longer_words_stay_and_are_counted(engine: Engine) -> None:
    tell(engine, "cats", ["The cat sleeps.", "Education is a long road.", "Cats, all of them."])
    todo = plan(engine, Selection(query="cat"))
    assert (todo.ids, todo.inside) == (("seg_cats_0", "seg_cats_2"), 1)
    assert plan(engine, Selection(query="ducat")).nearest[0].startswith("seg_cats_1")


def test_signs_are_looked_for_as_they_stand(engine: Engine) -> None:
    tell(engine, "signs", ["It was fine :-)", "It was not."])
    assert plan(engine, Selection(query=":-)")).ids == ("seg_signs_0",)


def test_what_gave_way_is_found_by_its_words_too(engine: Engine) -> None:
    tell(engine, "one", [SECRET, SECRET])
    Steward(engine).run(["merge"], full=True, bulk=True)
    assert plan(engine, Selection(query="flowerpots")).ids == ("seg_one_0", "seg_one_1")


def test_a_day_is_that_of_whoever_spoke(engine: Engine) -> None:
    zone = timezone(timedelta(hours=2))
    texts = {datetime(2024, 6, 1, 12, tzinfo=zone): "noon", datetime(2024, 6, 2, 1, 30, tzinfo=zone): "past midnight"}
    turns = [Turn((Line("User", Role.USER, text),), at) for at, text in texts.items()]
    engine.ingest([SessionInput(turns, id="june")])
    since, until = parse_range("2024-06-01", "2024-06-01")
    assert plan(engine, Selection(since=since, until=until)).ids == ("seg_june_0",)
