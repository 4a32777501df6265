"""From what was said to what is stored: checks, names, times, and what counts as known."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from pmg.base.errors import InputError
from pmg.base.model import Line, Role, Turn, content_hash
from pmg.ingest import turns
from pmg.ingest.redact import Redactor
from pmg.ingest.turns import CleanedTurn, SessionInput

NOON = datetime(2026, 3, 3, 12, 0, tzinfo=UTC)


def said(text: str, origin: str = "", at: datetime | None = None) -> Turn:
    return Turn((Line("User", Role.USER, text),), at, origin)


def unseen(some: list[Turn], stored: list[tuple[str, str]]) -> list[Turn]:
    found = turns.unseen(some, stored)
    assert all(digest == content_hash(turn.lines) for turn, digest in found)
    return [turn for turn, _ in found]


def known(*rows: Turn) -> list[tuple[str, str]]:
    return [(content_hash(turn.lines), turn.origin_id) for turn in rows]


@pytest.mark.parametrize("lines", [(), (Line("User", Role.USER, ""),), (Line("User", Role.USER, " \n\t\u3000\u2003"),)])
def test_a_turn_without_words_is_refused(lines: tuple[Line, ...]) -> None:
    with pytest.raises(InputError, match=r"no words in it.*at least one line"):
        turns.clean(Turn(lines), Redactor(), 1000)


def test_a_turn_with_one_line_of_text_is_taken_with_its_blank_ones() -> None:
    lines = (Line("User", Role.USER, "  hello "), Line("Assistant", Role.ASSISTANT, ""))
    assert turns.clean(Turn(lines), Redactor(), 1000).turn.lines == lines


def test_a_turn_that_is_too_large_is_refused_with_its_size_and_the_mend() -> None:
    with pytest.raises(InputError, match=r"1,001 characters; at most 1,000.*pmg learn FILE"):
        turns.clean(said("x" * 1001), Redactor(), 1000)


def test_a_speaker_without_a_name_gets_that_of_the_role() -> None:
    cleaned = turns.clean(Turn((Line(" ", Role.ASSISTANT, "hi"), Line(" Ann ", Role.PERSON, "hi"))), Redactor(), 1000)
    assert [line.speaker for line in cleaned.turn.lines] == ["Assistant", "Ann"]


def test_a_secret_is_taken_out_of_text_and_name_and_counted() -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    cleaned = turns.clean(Turn((Line(secret, Role.PERSON, f"use {secret} now"),)), Redactor(), 1000)
    assert secret not in repr(cleaned.turn)
    assert sum(cleaned.redacted.values()) == 2


def test_a_secret_is_taken_out_of_what_a_source_notes_of_a_turn() -> None:
    secret, called = "ghp_" + "a1B2c3D4e5F6" * 3, "Tr0ub4d" + "or-7xQ"
    notes = {"header": f"Bearer {secret}", "password": called, "model": "gpt-4o-2024-08-06", secret: "a name"}
    told = Turn((Line("User", Role.USER, "I ran it."),), meta=notes)
    cleaned = turns.clean(told, Redactor(), 1000)
    assert secret not in repr(cleaned.turn) and called not in repr(cleaned.turn)
    assert cleaned.turn.meta["model"] == notes["model"] and list(cleaned.turn.meta)[:3] == list(notes)[:3]
    assert "[redacted: " in cleaned.turn.meta["header"] and sum(cleaned.redacted.values()) >= 3


def test_what_the_words_name_as_a_secret_goes_from_the_notes_too() -> None:
    secret = "Tr0ub4d" + "or-7xQ"
    said_here = Turn((Line("User", Role.USER, f"my password is {secret}"),), meta={"clip": secret})
    assert turns.clean(said_here, Redactor(), 1000).turn.meta == {"clip": "[redacted: password]"}


def test_an_id_that_is_a_secret_becomes_another_that_still_names_the_same() -> None:
    secret, redactor = "ghp_" + "a1B2c3D4e5F6" * 3, Redactor()
    plain = turns.plain_id(secret, redactor)
    assert plain == turns.plain_id(secret, redactor) == turns.plain_id(plain, redactor)
    assert secret not in plain and plain != turns.plain_id(secret[:-1] + "7", redactor) and turns.is_session_id(plain)


@pytest.mark.parametrize("name", ["", "garden", "20261118-091500-a1b2c3", "8b0e2c1a-5a39-4c3e-9d1f-0a2b3c4d5e6f", "1712345678.123456"])  # fmt: skip
def test_an_id_that_is_none_stays(name: str) -> None:
    assert turns.plain_id(name, Redactor()) == name


def test_either_side_of_an_exchange_may_be_missing() -> None:
    assert turns.exchange("hello", None) == (Line("User", Role.USER, "hello"),)
    assert turns.exchange(None, "hi") == (Line("Assistant", Role.ASSISTANT, "hi"),)


def test_what_was_stored_is_not_fresh_and_what_was_said_again_is() -> None:
    stored = known(said("yes"), said("no"))
    assert unseen([said("yes"), said("no"), said("yes")], stored) == [said("yes")]
    assert unseen([said("no")], stored) == []


def test_a_turn_the_source_names_is_known_by_that_name_even_if_edited() -> None:
    assert unseen([said("yes!", "m1")], known(said("yes", "m1"))) == []


def test_other_words_under_a_known_name_are_counted() -> None:
    stored = known(said("Quito", "c1"), said("Lima", "c2"))
    again = [said("Lima", "c1"), said("Lima", "c2"), said("Cusco", "c3"), said("Lima")]
    assert turns.changed(again, stored) == 1


def test_the_same_words_under_another_name_are_another_turn() -> None:
    """A conversation that grew by a second "yes" must not lose it."""
    stored = known(said("yes", "m1"))
    assert unseen([said("yes", "m1"), said("yes", "m2")], stored) == [said("yes", "m2")]
    assert unseen([said("yes", "m2")], stored) == [said("yes", "m2")]


def test_a_source_that_begins_to_name_its_turns_does_not_double_them() -> None:
    assert unseen([said("yes", "m1")], known(said("yes"))) == []


def test_turns_without_a_time_keep_their_order() -> None:
    found = turns.times([said("a"), said("b"), said("c", at=NOON - timedelta(days=1)), said("d")], NOON)
    tick = timedelta(microseconds=1)
    assert found == [NOON, NOON + tick, NOON - timedelta(days=1), NOON - timedelta(days=1) + tick]


def test_the_last_moment_of_the_calendar_is_taken() -> None:
    end = datetime.max.replace(tzinfo=UTC)
    assert turns.times([said("a", at=end), said("b")], NOON) == [end, end]


def test_a_time_without_a_zone_is_utc() -> None:
    assert turns.placed(CleanedTurn(said("a", at=datetime(2026, 3, 3, 12)), {}), "s", 0, NOON).at == NOON
    assert turns.started(SessionInput([said("a", at=datetime(2026, 3, 3, 12))])) == NOON


def test_the_same_input_always_gets_the_same_session_name() -> None:
    session = SessionInput([said("a")], "Title", started_at=NOON)
    assert turns.session_name(session, "home") == turns.session_name(session, "home")
    assert turns.session_name(session, "home") != turns.session_name(session, "work")
    assert turns.session_name(SessionInput([said("a"), said("b")], "Title", started_at=NOON), "home") == (
        turns.session_name(session, "home")  # a session that grew is the same session
    )
    other = SessionInput([said("a")], "Title", started_at=NOON.astimezone(timezone(timedelta(hours=1))))
    assert turns.session_name(other, "home").startswith("s-")


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "a/b", "", ".", "-a", "a b", "a\x00b", "é", "a" * 81, "a_b", "a\n"]
)
def test_a_hostile_session_id_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="cannot name a session: use 1 to 80 letters"):
        turns.checked_session_id(name)


def test_a_fresh_session_id_is_a_good_one_at_any_time() -> None:
    for at in (NOON, datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)):
        name = turns.fresh_session_id(at)
        assert turns.checked_session_id(name) == name


def test_a_name_in_a_namespace_is_good_and_its_own() -> None:
    long = "x" * 80
    names = {turns.id_in_namespace(name, namespace) for name in (long, "a") for namespace in ("home", "work")}
    assert len(names) == 4
    assert {turns.checked_session_id(name) for name in names} == names


def test_a_session_keeps_the_name_it_has_in_its_namespace() -> None:
    other = turns.id_in_namespace("plan", "work")
    assert turns.name_here("plan", "work", {}) == "plan"
    assert turns.name_here("plan", "work", {"plan": "work"}) == "plan"
    assert turns.name_here("plan", "work", {"plan": "home"}) == other
    assert turns.name_here("plan", "work", {other: "work"}) == other, (
        "its own became free: what was told stays under it"
    )
    assert turns.name_here("plan", "work", {"plan": "work", other: "work"}) == "plan"
