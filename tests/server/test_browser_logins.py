"""Logins of browsers: two secrets that only work together, a life that use prolongs, an end that is final."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from pmg.server.browser_logins import FILE, HOUR, MAX_LOGINS, BrowserLogins, end_all_of, place_of
from tests.server.test_access import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


def logins(home: Path, clock: Clock, keyed: bytes = b"k" * 32) -> BrowserLogins:
    return BrowserLogins(home / FILE, keyed, 12, clock)


def test_neither_the_place_nor_the_cookie_is_enough_and_two_logins_do_not_mix(tmp_path: Path, clock: Clock) -> None:
    known = logins(tmp_path, clock)
    one, two = known.begin(), known.begin()
    assert known.known(one.place, ["other", one.cookie]) == one
    for place, cookie in ((one.place, two.cookie), ("", one.cookie), (one.place, ""), (one.cookie, one.place)):
        assert known.known(place, [cookie]) is None
    assert known.known(one.place, []) is None


def test_use_prolongs_a_login_and_disuse_ends_it(tmp_path: Path, clock: Clock) -> None:
    known = logins(tmp_path, clock)
    one = known.begin()
    assert not known.renew(one)  # just begun: nothing to note
    for _ in range(5):
        clock.now += 11 * HOUR
        assert known.known(one.place, [one.cookie])
        assert known.renew(one)
    clock.now += 12 * HOUR
    assert known.known(one.place, [one.cookie]) is None


def test_an_ended_login_stays_ended_also_after_a_restart(tmp_path: Path, clock: Clock) -> None:
    known = logins(tmp_path, clock)
    one, two = known.begin(), known.begin()
    known.end(one)
    assert not known.renew(one)
    for again in (known, logins(tmp_path, clock)):
        assert again.known(one.place, [one.cookie]) is None
        assert again.known(two.place, [two.cookie]) == two
    assert known.end_all() == 1
    assert logins(tmp_path, clock).known(two.place, [two.cookie]) is None


def test_a_login_belongs_to_what_it_was_bound_to(tmp_path: Path, clock: Clock) -> None:
    one = logins(tmp_path, clock).begin()
    assert logins(tmp_path, clock, b"o" * 32).known(one.place, [one.cookie]) is None


def test_the_file_is_private_and_holds_neither_secret(tmp_path: Path, clock: Clock) -> None:
    one = logins(tmp_path, clock).begin()
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    text = (tmp_path / FILE).read_text()
    assert one.cookie not in text and one.place.split("/")[-1] not in text
    assert one.cookie not in repr(one)


@pytest.mark.parametrize("damage", [b"", b"[]", b"{", b'{"x": "y"}', b"null", b"\xff"])
def test_a_damaged_file_lets_nobody_in_and_stops_nothing(tmp_path: Path, clock: Clock, damage: bytes) -> None:
    one = logins(tmp_path, clock).begin()
    (tmp_path / FILE).write_bytes(damage)
    again = logins(tmp_path, clock)
    assert again.known(one.place, [one.cookie]) is None
    assert again.begin()


def test_many_logins_do_not_fill_memory_and_the_latest_stay(tmp_path: Path, clock: Clock) -> None:
    known = logins(tmp_path, clock)
    first = known.begin()
    clock.now += 1
    for _ in range(MAX_LOGINS):
        last = known.begin()
    assert known.known(first.place, [first.cookie]) is None
    assert known.known(last.place, [last.cookie])


def test_all_of_a_memory_without_a_server_are_ended(tmp_path: Path, clock: Clock) -> None:
    one = logins(tmp_path, clock).begin()
    assert end_all_of(tmp_path) == 1
    assert logins(tmp_path, clock).known(one.place, [one.cookie]) is None
    assert end_all_of(tmp_path) == 0


def test_a_place_is_known_by_its_form() -> None:
    secret = "/browser/" + "a" * 43
    assert place_of(secret + "/x/y") == (secret, "/x/y")
    for path in (
        secret,
        "/browser/short/",
        "/x" + secret + "/",
        "/browser/" + "a" * 44 + "/",
        "/browser/" + "ä" * 43 + "/",
    ):
        assert place_of(path) == ("", path)
