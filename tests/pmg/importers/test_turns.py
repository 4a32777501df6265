"""What makes a turn, what ends a sitting, and that names stay when an export grows."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from pmg.base.model import Role
from pmg.importers.conversation import Branch, Conversation, SourceMessage
from pmg.importers.message_parts import COMMAND
from pmg.importers.read import read
from pmg.importers.turns import SourceSession, sessions_of
from tests.pmg.importers.places import OWN, unhurried

START = datetime(2026, 1, 1, 8, tzinfo=UTC)


def message(name: str, role: Role, minutes: float | None = 0, **fields: object) -> SourceMessage:
    at = None if minutes is None else START + timedelta(minutes=minutes)
    return SourceMessage(name, role, str(role).title(), f"words of {name}", at, **fields)  # type: ignore[arg-type]


def talk(*messages: SourceMessage, branches: tuple[Branch, ...] = ()) -> Conversation:
    return Conversation("chatgpt", "c1", "A talk", START, messages, branches)


def shape(found: list[SourceSession]) -> list[list[str]]:
    return [["".join(str(line.role)[0] for line in turn.lines) for turn in sitting.turns] for sitting in found]


def test_a_user_message_and_all_that_answers_it_is_one_turn() -> None:
    found = list(
        sessions_of(
            talk(
                message("s", Role.SYSTEM),
                message("u1", Role.USER),
                message("t1", Role.THINKING),
                message("k1", Role.TOOL),
                message("a1", Role.ASSISTANT),
                message("u2", Role.USER),
                message("u3", Role.USER),
                message("a3", Role.ASSISTANT),
            )
        )
    )
    assert shape(found) == [["sutta", "u", "ua"]]
    assert [turn.origin_id for turn in found[0].turns] == ["u1", "u2", "u3"]


def test_the_parts_of_one_message_stay_in_one_turn() -> None:
    found = sessions_of(
        talk(
            message("u1", Role.USER, part=0),
            message("u1", Role.USER, part=1),
            message("u1", Role.DOCUMENT, part=2),
            message("a1", Role.ASSISTANT),
        )
    )
    assert shape(list(found)) == [["uuda"]]


def test_a_file_sent_without_a_word_asks_like_a_message() -> None:
    found = sessions_of(
        talk(
            message("u1", Role.USER),
            message("a1", Role.ASSISTANT),
            message("u2", Role.DOCUMENT),
            message("a2", Role.ASSISTANT),
        )
    )
    assert shape(list(found)) == [["ua", "da"]]


def test_people_have_one_turn_each_and_a_greeting_stands_alone() -> None:
    people = sessions_of(talk(message("1", Role.PERSON), message("2", Role.PERSON), message("3", Role.PERSON)))
    assert shape(list(people)) == [["p", "p", "p"]]
    greeted = sessions_of(talk(message("a", Role.ASSISTANT), message("u", Role.USER), message("b", Role.ASSISTANT)))
    assert shape(list(greeted)) == [["a", "ua"]]


def test_a_pause_longer_than_the_gap_starts_a_new_sitting_of_the_same_conversation() -> None:
    whole = talk(
        message("u1", Role.USER, 0),
        message("a1", Role.ASSISTANT, 1),
        message("u2", Role.USER, 6 * 60),
        message("a2", Role.ASSISTANT, 15 * 60),
        message("u3", Role.USER, 21 * 60 + 1),
    )
    found = list(sessions_of(whole))
    assert shape(found) == [["ua", "ua"], ["u"]]
    assert found[0].conversation == found[1].conversation
    assert found[1].started_at == START + timedelta(minutes=21 * 60 + 1)
    assert shape(list(sessions_of(whole, gap_hours=100))) == [["ua", "ua", "u"]]
    assert shape(list(sessions_of(whole, gap_hours=1))) == [["ua"], ["ua"], ["u"]]


def test_messages_without_a_time_end_no_sitting() -> None:
    found = sessions_of(talk(message("u1", Role.USER, 0), message("u2", Role.USER, None), message("u3", Role.USER, 5)))
    assert shape(list(found)) == [["u", "u", "u"]]


def test_a_source_that_names_its_sittings_and_turns_is_believed() -> None:
    first, second = (talk for talk in read([OWN / "generic/sessions.jsonl"]) if isinstance(talk, Conversation))
    assert shape([*sessions_of(first), *sessions_of(second)]) == [["ua", "a"], ["p"]]
    (locomo,) = (talk for talk in read([OWN / "locomo/two-sessions.json"]) if isinstance(talk, Conversation))
    assert shape(list(sessions_of(locomo))) == [["p", "p", "pp"], ["p"]]


def test_a_command_names_and_dates_its_turn_before_and_after_it_is_answered() -> None:
    called = [
        message("c", Role.SYSTEM, 1, kind=COMMAND),
        message("s", Role.SYSTEM, 2),
        message("a", Role.ASSISTANT, 3),
        message("u", Role.USER, 4),
    ]
    for end, turns in ((1, ["s"]), (2, ["ss"]), (3, ["ssa"]), (4, ["ssa", "u"])):
        found = list(sessions_of(talk(*called[:end])))
        assert shape(found) == [turns]
        assert (found[0].turns[0].origin_id, found[0].turns[0].at) == ("c", START + timedelta(minutes=1))


def test_what_is_said_after_a_command_without_an_answer_is_a_turn_of_its_own() -> None:
    (found,) = sessions_of(talk(message("c", Role.SYSTEM, kind=COMMAND), message("u", Role.USER)))
    assert [turn.origin_id for turn in found.turns] == ["c", "u"]


def test_a_command_that_a_model_runs_stays_in_its_answer() -> None:
    (found,) = sessions_of(talk(message("u", Role.USER), message("c", Role.TOOL, kind=COMMAND)))
    assert [turn.origin_id for turn in found.turns] == ["u"]


def test_documents_are_one_turn_each() -> None:
    (notes,) = (talk for talk in read([OWN / "notes/coffee.md"]) if isinstance(talk, Conversation))
    assert shape(list(sessions_of(notes))) == [["d", "d", "d"]]


def test_another_branch_is_a_sitting_of_its_own_that_names_where_it_leaves() -> None:
    branch = Branch("u1", (message("a0", Role.ASSISTANT, 2),))
    found = list(sessions_of(talk(message("u1", Role.USER), message("a1", Role.ASSISTANT), branches=(branch,))))
    assert [sitting.branch_at for sitting in found] == ["", "u1"]
    assert len({sitting.id for sitting in found}) == 2
    assert len(list(sessions_of(talk(message("u1", Role.USER), branches=(branch,)), branches=False))) == 1


ROLES = st.sampled_from(list(Role))
MINUTES = st.none() | st.integers(0, 3000)
MESSAGES = st.lists(st.tuples(ROLES, MINUTES, st.booleans()), max_size=25)


def build(rows: list[tuple[Role, int | None, bool]]) -> list[SourceMessage]:
    found: list[SourceMessage] = []
    for index, (role, minutes, joins) in enumerate(rows):
        last = found[-1] if found and joins else None
        name, part = (last.origin_id, last.part + 1) if last else (f"m{index}", 0)
        found.append(message(name, role, minutes, part=part))
    return found


@unhurried
@given(MESSAGES)
def test_every_message_is_a_line_of_exactly_one_turn_in_order(rows: list[tuple[Role, int | None, bool]]) -> None:
    messages = build(rows)
    found = list(sessions_of(talk(*messages)))
    lines = [line for sitting in found for turn in sitting.turns for line in turn.lines]
    assert [(line.role, line.text) for line in lines] == [(m.role, m.text) for m in messages]
    assert all(sitting.turns and all(turn.lines for turn in sitting.turns) for sitting in found)


@unhurried
@given(MESSAGES)
def test_the_names_of_sittings_are_plain_and_different(rows: list[tuple[Role, int | None, bool]]) -> None:
    found = list(sessions_of(talk(*build(rows))))
    assert len({sitting.id for sitting in found}) == len(found)
    assert all(re.fullmatch(r"[A-Za-z0-9-]+", sitting.id) for sitting in found)


@unhurried
@given(MESSAGES, st.integers(0, 25))
def test_an_export_that_grows_keeps_its_sittings_and_the_beginning_of_the_last(
    rows: list[tuple[Role, int | None, bool]], cut: int
) -> None:
    whole = build(rows)
    while 0 < cut < len(whole) and whole[cut].part:
        cut += 1  # an export never ends inside a message
    before, after = list(sessions_of(talk(*whole[:cut]))), list(sessions_of(talk(*whole)))
    assert [sitting.id for sitting in after[: len(before)]] == [sitting.id for sitting in before]
    for old, new in zip(before[:-1], after, strict=False):
        assert old == new
    if before:
        last = before[-1].turns
        assert after[len(before) - 1].turns[: len(last) - 1] == last[:-1]
