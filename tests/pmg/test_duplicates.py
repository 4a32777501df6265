"""A turn said again is kept verbatim in its session, marked, left out of the indexes and counted as a hit."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import pytest

from pmg.engine import Engine
from pmg.ingest import duplicates
from pmg.ingest.duplicates import SaidText, repeats
from pmg.ingest.guard.words import Token, read
from pmg.model import Line, Role, State
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


def test_duplicates_inside_one_ingest_all_stand_for_the_first(engine: Engine) -> None:
    from pmg.ingest.turns import SessionInput
    from pmg.model import Turn

    done = engine.ingest([SessionInput([Turn(line(SAID))], id=f"s{i}") for i in range(4)])
    assert done.built.duplicates == 3
    assert [engine.segment(f"seg_s{i}_0").stands_for for i in range(4)] == ["", *["seg_s0_0"] * 3]


def test_a_text_that_is_like_many_others_is_read_once(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    from pmg.ingest.turns import SessionInput
    from pmg.model import Turn

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


def test_a_few_words_are_never_a_duplicate(engine: Engine) -> None:
    assert [engine.segment(name).state for name in say(engine, "yes please", "yes please")] == [State.ACTIVE] * 2


def test_a_repeat_inside_one_session_stays(engine: Engine) -> None:
    with engine.session() as session:
        ids = [session.add(user=SAID), session.add(user=SAID)]
    assert [engine.segment(name).state for name in ids] == [State.ACTIVE] * 2


def test_a_repeat_behind_another_wall_is_not_a_duplicate(engine: Engine) -> None:
    (mine,), (yours,) = say(engine, SAID, namespace="mine"), say(engine, SAID, namespace="yours")
    assert [engine.segment(name).state for name in (mine, yours)] == [State.ACTIVE] * 2
    assert engine.segment(mine).hits == 0


def test_a_duplicate_made_active_again_is_found_again(engine: Engine) -> None:
    from pmg.store.rows import StateChange

    first, second = say(engine, SAID, SAID)
    number = engine.segment(second).number
    store_of(engine).change_states([StateChange(number, State.ACTIVE)])
    engine.indexes.catch_up()
    assert {s.id for s in engine.recall("cat vet monday", mode="fixed").segments} == {first, second}
