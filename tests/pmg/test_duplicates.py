"""A turn said again is kept verbatim in its session, marked, left out of the indexes and counted as a hit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest

from pmg.base.model import Line, Role, State, Turn
from pmg.engine import Engine
from pmg.ingest import duplicates, guard, said_between, told_late
from pmg.ingest.duplicates import repeats
from pmg.ingest.guard.words import Token, read
from pmg.ingest.timed_text import SaidText
from pmg.ingest.turns import SessionInput
from tests.stores import store_of

SAID = "My cat goes to the vet on Monday at nine"


def line(text: str, speaker: str = "User", role: Role = Role.USER) -> tuple[Line, ...]:
    return (Line(speaker, role, text),)


def say(engine: Engine, *texts: str, **options: str) -> list[str]:
    ids = []
    for text in texts:
        with engine.session(**options) as session:  # type: ignore[arg-type]
            ids.append(session.add(user=text))
    return ids


def test_the_second_time_is_a_duplicate_of_the_first(engine: Engine) -> None:
    first, second, third = say(engine, SAID, SAID, SAID)
    for again in (second, third):
        segment = engine.segment(again)
        assert (segment.state, segment.stands_for, segment.lines) == (State.DUPLICATE, first, line(SAID))
    assert engine.segment(first).hits == 2
    assert engine.indexes.sizes()["default"] == (1, 1)
    assert [s.id for s in engine.recall("cat vet monday").segments] == [first]


@pytest.mark.parametrize("answers", [("ok", "ok"), ("Noted.", "Good to know, I will keep that in mind.")])
def test_what_the_assistant_says_to_it_makes_nothing_else_of_what_was_told(
    engine: Engine, answers: tuple[str, str]
) -> None:
    ids = []
    for answer, told in zip(answers, (SAID, f"{SAID}!"), strict=True):
        with engine.session() as session:
            ids.append(session.add(user=told, assistant=answer))
            session.add(user="The red wine of the neighbours was too sweet", assistant=answer)
    assert [engine.segment(name).state for name in ids] == [State.ACTIVE, State.DUPLICATE]


def test_a_question_with_another_answer_is_no_duplicate(engine: Engine) -> None:
    ids = []
    for answer in ("On Monday.", "On Tuesday."):
        with engine.session() as session:
            ids.append(session.add(user="When does my cat go to the vet?", assistant=answer))
    assert [engine.segment(name).state for name in ids] == [State.ACTIVE] * 2


def test_duplicates_inside_one_ingest_all_stand_for_the_first(engine: Engine) -> None:
    done = engine.ingest([SessionInput([Turn(line(SAID))], id=f"s{i}") for i in range(4)])
    assert done.built.duplicates == 3
    assert [engine.segment(f"seg_s{i}_0").stands_for for i in range(4)] == ["", *["seg_s0_0"] * 3]


def test_a_text_that_is_like_many_others_is_read_once(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    times: Counter[str] = Counter()

    def counted(text: str) -> tuple[Token, ...]:
        times[text] += 1
        return read(text)

    monkeypatch.setattr(duplicates, "read", counted)
    said = [SAID.replace("nine", str(hour)) for hour in range(6)]
    engine.ingest([SessionInput([Turn(line(text))], id=f"s{i}") for i, text in enumerate(said)])
    assert times == Counter(said)


@pytest.mark.parametrize(
    "other",
    [
        "My cat goes to the vet on Monday at ten",
        "My cat goes to the vet on Tuesday at nine",
        "My cat does not go to the vet on Monday at nine",
        "My dog goes to the vet on Monday at nine",
    ],
)
def test_a_difference_that_matters_makes_it_a_memory_of_its_own(engine: Engine, other: str) -> None:
    for text in say(engine, SAID, other):
        assert engine.segment(text).state is State.ACTIVE


def at_noon(lines: tuple[Line, ...], day: int = 3) -> SaidText:
    return SaidText(lines, datetime(2026, 3, day, 12, tzinfo=UTC))


def test_the_same_words_of_another_speaker_are_not_a_repeat() -> None:
    said = at_noon(line(SAID))
    assert repeats(said, said)
    assert not repeats(said, at_noon(line(SAID, "Ann", Role.PERSON)))
    assert not repeats(said, at_noon(line(SAID, "User", Role.ASSISTANT)))
    assert not repeats(at_noon((*line(SAID), *line("and more"))), said)


def test_tomorrow_said_on_another_day_is_another_day() -> None:
    words = line("My cat goes to the vet tomorrow at nine")
    assert repeats(at_noon(words), at_noon(words))
    assert not repeats(at_noon(words), at_noon(words, 20))
    german, every = line("Ich habe am Montag einen Zahnarzttermin"), line("Ich gehe jeden Montag schwimmen")
    assert not repeats(at_noon(german), at_noon(german, 20))
    assert repeats(at_noon(every), at_noon(every, 20))


def test_a_few_words_are_never_a_duplicate(engine: Engine) -> None:
    assert [engine.segment(name).state for name in say(engine, "yes please", "yes please")] == [State.ACTIVE] * 2


def test_a_repeat_inside_one_session_stays(engine: Engine) -> None:
    with engine.session() as session:
        ids = [session.add(user=SAID), session.add(user=SAID)]
    assert [engine.segment(name).state for name in ids] == [State.ACTIVE] * 2


def test_a_repeat_in_another_namespace_is_not_a_duplicate(engine: Engine) -> None:
    (mine,), (yours,) = say(engine, SAID, namespace="mine"), say(engine, SAID, namespace="yours")
    assert [engine.segment(name).state for name in (mine, yours)] == [State.ACTIVE] * 2
    assert engine.segment(mine).hits == 0


@pytest.mark.slow
def test_a_duplicate_made_active_again_is_found_again(engine: Engine) -> None:
    from pmg.store.rows import StateChange

    first, second = say(engine, SAID, SAID)
    number = engine.segment(second).number
    store_of(engine).change_states([StateChange(number, State.ACTIVE)])
    engine.indexes.catch_up()
    assert {s.id for s in engine.recall("cat vet monday", mode="fixed").segments} == {first, second}


def told(engine: Engine, *texts: tuple[str, int]) -> list[str]:
    """Each in a session of its own, in that year."""
    ids = []
    for text, year in texts:
        with engine.session() as session:
            ids.append(session.add(user=text, at=datetime(year, 3, 4, 10, tzinfo=UTC)))
    return ids


FIVE, TEN = (f"My medicine is {dose} mg of ramipril in the morning" for dose in (5, 10))


def states(engine: Engine, ids: list[str]) -> list[State]:
    return [engine.segment(name).state for name in ids]


def test_what_goes_back_to_what_it_was_is_no_duplicate(engine: Engine) -> None:
    ids = told(engine, (FIVE, 2021), (TEN, 2023), (FIVE, 2025))
    assert states(engine, ids) == [State.ACTIVE] * 3
    (again,) = told(engine, (FIVE, 2026))
    assert engine.segment(again).stands_for == ids[2]  # nothing was told since


def test_what_came_later_and_was_said_earlier_counts_by_when_it_was_said(engine: Engine) -> None:
    assert states(engine, told(engine, (FIVE, 2025), (TEN, 2023), (FIVE, 2021))) == [State.ACTIVE] * 3
    assert states(engine, told(engine, (FIVE, 2020))) == [State.DUPLICATE]


def test_what_goes_back_within_one_session_is_no_duplicate(engine: Engine) -> None:
    told(engine, (FIVE, 2021))
    with engine.session() as session:
        session.add(user=TEN, at=datetime(2023, 3, 4, tzinfo=UTC))
        back = session.add(user=FIVE, at=datetime(2025, 3, 4, tzinfo=UTC))
    assert states(engine, [back]) == [State.ACTIVE]


def test_what_goes_back_within_one_import_is_no_duplicate(engine: Engine) -> None:
    said = ((FIVE, 2021), (TEN, 2023), (FIVE, 2025))
    turns = [Turn(line(text), datetime(year, 3, 4, tzinfo=UTC)) for text, year in said]
    done = engine.ingest([SessionInput([turn], id=f"s{i}") for i, turn in enumerate(turns)])
    assert done.built.duplicates == 0


@pytest.mark.slow
def test_what_another_said_in_between_changes_nothing(engine: Engine) -> None:
    said = ((FIVE, 2021, "Ana"), (TEN, 2023, "Ben"), (FIVE, 2025, "Ana"))
    turns = [Turn(line(text, who, Role.PERSON), datetime(year, 3, 4, tzinfo=UTC)) for text, year, who in said]
    done = engine.ingest([SessionInput([turn], id=f"s{i}", conversation="talk") for i, turn in enumerate(turns)])
    assert done.built.duplicates == 1


@pytest.mark.slow
def test_the_same_said_ten_times_is_one_memory_whatever_else_is_told(engine: Engine) -> None:
    ids = []
    for year in range(2011, 2021):
        ids += told(engine, (FIVE, year), (f"The bread of {year} took {year - 2000} minutes in the oven", year))[:1]
    assert states(engine, ids) == [State.ACTIVE, *[State.DUPLICATE] * 9]


def by_year(engine: Engine, ids: list[str]) -> dict[int, State]:
    return {segment.at.year: segment.state for segment in map(engine.segment, ids)}


@pytest.mark.slow
def test_a_duplicate_is_news_when_what_was_told_in_between_comes_in_later(engine: Engine) -> None:
    ids = told(engine, (FIVE, 2021), (FIVE, 2025))
    assert states(engine, ids) == [State.ACTIVE, State.DUPLICATE]
    ids += told(engine, (TEN, 2023))
    assert states(engine, ids) == [State.ACTIVE] * 3
    assert [engine.segment(name).hits for name in ids] == [0, 0, 0]
    assert {s.id for s in engine.recall("medicine in the morning", mode="fixed").segments} == {*ids}
    assert {edge.target for edge in engine.edges(ids[1])} >= {ids[2]}  # linked as any other
    assert not len(store_of(engine).unlinked_segments(1))


SAID_IN = ((FIVE, 2021), (TEN, 2023), (FIVE, 2025), (FIVE, 2026))


@pytest.mark.parametrize(
    "order", [pytest.param(order, marks=pytest.mark.slow) for order in list(permutations(range(4)))[::3]]
)
def test_whatever_comes_in_first_the_same_is_in_recall(engine: Engine, order: tuple[int, ...]) -> None:
    ids = told(engine, *(SAID_IN[i] for i in order))
    found = by_year(engine, ids)
    assert (found[2021], found[2023]) == (State.ACTIVE, State.ACTIVE)
    assert {found[2025], found[2026]} == {State.ACTIVE, State.DUPLICATE}
    last = [one for one in map(engine.segment, ids) if one.at.year >= 2025]
    (kept,) = [one for one in last if one.state is State.ACTIVE]
    assert {one.stands_for for one in last} == {"", kept.id}
    assert {one.hits for one in last} == {0, 1}


@pytest.mark.slow
@pytest.mark.parametrize("order", [(0, 2, 3, 1), (3, 0, 1, 2), (2, 3, 0, 1)])
def test_in_one_import_too(engine: Engine, order: tuple[int, ...]) -> None:
    said = [SAID_IN[i] for i in order]
    turns = [Turn(line(text), datetime(year, 3, 4, tzinfo=UTC)) for text, year in said]
    done = engine.ingest([SessionInput([turn], id=f"s{i}") for i, turn in enumerate(turns)])
    assert done.built.duplicates == 1
    found = by_year(engine, [f"seg_s{i}_0" for i in range(4)])
    assert (found[2021], found[2023]) == (State.ACTIVE, State.ACTIVE)


@pytest.mark.slow
def test_what_comes_later_into_the_session_of_the_first_counts_too(engine: Engine) -> None:
    with engine.session(session_id="one") as session:
        first = session.add(user=FIVE, at=datetime(2021, 3, 4, tzinfo=UTC))
    (again,) = told(engine, (FIVE, 2025))
    with engine.session(session_id="one") as session:
        other = session.add(user=TEN, at=datetime(2023, 3, 4, tzinfo=UTC))
    assert states(engine, [first, other, again]) == [State.ACTIVE] * 3


@pytest.mark.slow
def test_what_comes_in_later_and_is_of_no_time_in_between_brings_nothing_back(engine: Engine) -> None:
    ids = told(engine, (FIVE, 2021), (FIVE, 2023), (TEN, 2025), (TEN, 2019))
    assert states(engine, ids) == [State.ACTIVE, State.DUPLICATE, State.ACTIVE, State.ACTIVE]


def in_conversations(engine: Engine, *rows: tuple[str, str, Role]) -> list[State]:
    """Each row: a conversation, who speaks and as what; all say the same."""
    for i, (talk, speaker, role) in enumerate(rows):
        engine.ingest([SessionInput([Turn(line(SAID, speaker, role))], id=f"s{i}", conversation=talk)])
    return states(engine, [f"seg_s{i}_0" for i in range(len(rows))])


@pytest.mark.slow
def test_namesakes_of_two_conversations_do_not_repeat_each_other(engine: Engine) -> None:
    rows = (("standup", "Anna", Role.PERSON), ("choir", "Anna", Role.PERSON), ("standup", "Anna", Role.PERSON))
    assert in_conversations(engine, *rows) == [State.ACTIVE, State.ACTIVE, State.DUPLICATE]
    assert engine.segment("seg_s2_0").stands_for == "seg_s0_0"


def test_the_person_is_the_same_in_every_conversation(engine: Engine) -> None:
    rows = (("one", "User", Role.USER), ("two", "User", Role.USER))
    assert in_conversations(engine, *rows) == [State.ACTIVE, State.DUPLICATE]


@pytest.mark.slow
def test_where_no_conversation_was_given_a_name_is_the_same_person(engine: Engine) -> None:
    rows = (("", "Anna", Role.PERSON), ("", "Anna", Role.PERSON), ("choir", "Anna", Role.PERSON))
    assert in_conversations(engine, *rows) == [State.ACTIVE, State.DUPLICATE, State.ACTIVE]


def test_a_chat_exported_twice_is_said_once(engine: Engine) -> None:
    turn = Turn(line(SAID, "Anna", Role.PERSON), datetime(2021, 3, 4, tzinfo=UTC))
    for name in ("one", "two"):
        engine.ingest([SessionInput([turn], id=name, conversation=f"export {name}")])
    assert states(engine, ["seg_one_0", "seg_two_0"]) == [State.ACTIVE, State.DUPLICATE]


@pytest.mark.slow
def test_of_many_duplicates_only_the_first_comes_back_and_the_others_stand_for_it(engine: Engine) -> None:
    ids = told(engine, *((FIVE, year) for year in (2021, 2022, 2024, 2025, 2026)), (TEN, 2023))
    ends = [engine.segment(name).stands_for for name in ids]
    assert ends == ["", ids[0], "", ids[2], ids[2], ""]
    assert [engine.segment(name).hits for name in ids] == [1, 0, 2, 0, 0, 0]


@pytest.mark.slow
def test_what_was_told_in_between_is_looked_at_once_a_turn_and_not_once_a_pair(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: Counter[str] = Counter()

    def counted(name: str, function: Callable[..., object]) -> Callable[..., object]:
        def call(*given: object) -> object:
            calls[name] += 1
            return function(*given)

        return call

    for module in (duplicates, told_late):
        monkeypatch.setattr(module, "told_otherwise", counted("told_otherwise", said_between.told_otherwise))
    monkeypatch.setattr(said_between, "allows", counted("allows", guard.allows))
    repeated = (FIVE, f"{FIVE}.", f"{FIVE}!")  # of other letters each: nothing tells at a glance that they are the same
    said = [
        (TEN if i == 100 else repeated[i % 3], datetime(2021, 3, 4, tzinfo=UTC) + timedelta(days=i)) for i in range(200)
    ]
    done = engine.ingest([SessionInput([Turn(line(text), at)], id=f"s{i}") for i, (text, at) in enumerate(said)])
    assert done.built.duplicates > 150
    assert 0 < calls["told_otherwise"] <= 2 * len(said)
    assert 0 < calls["allows"] <= 30 * len(said)  # its neighbours, and not those of each pair


@pytest.mark.slow
def test_an_answer_that_is_missing_in_between_hides_no_change(engine: Engine) -> None:
    """Told to a chat, to the command line and to a chat again: only the chats have an answer to it."""
    answer = Line("Assistant", Role.ASSISTANT, "Noted, I will remember it.")
    for year, dose, lines in ((2021, 5, (answer,)), (2023, 10, ()), (2025, 5, (answer,))):
        told = Line("User", Role.USER, f"I take {dose} mg of ramipril every morning")
        turn = Turn((told, *lines), datetime(year, 1, 1, 10, tzinfo=UTC))
        engine.ingest([SessionInput([turn], id=f"in-{year}")])
    assert engine.reads.segments_of("in-2025")[0].state is State.ACTIVE
