"""Tokens, cookies, passwords and guesses, with a clock that the test moves."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from pmg.base.errors import ConfigError
from pmg.server.access import Access, Keys, LoginAttempts, login_key, open_keys, password_of, same
from pmg.server.browser_logins import BrowserLogins


class Clock:
    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def access(clock: Clock, password: str = "") -> Access:
    return Access(Keys("the-token", b"k" * 32, password), BrowserLogins(Path(), b""), clock)


def test_only_the_same_text_is_the_same() -> None:
    assert same("a", "a")
    for given in ("", "A", "aa", "\udc80", "ä"):
        assert not same(given, "a")


def test_what_logins_are_bound_to_changes_with_the_key_the_port_and_the_password() -> None:
    one = Keys("a token", b"k" * 32, "first password")
    others = {
        login_key(Keys("a token", b"o" * 32, "first password"), 7640),
        login_key(Keys("a token", b"k" * 32, "second password"), 7640),
        login_key(one, 7641),
    }
    assert login_key(one, 7640) == login_key(Keys("another token", b"k" * 32, "first password"), 7640)
    assert len(others) == 3 and login_key(one, 7640) not in others


def test_without_a_password_none_is_right(clock: Clock) -> None:
    assert not access(clock).is_password("")
    assert access(clock, "long enough").is_password("long enough")
    assert not access(clock, "long enough").is_password("long enough ")


def test_a_ticket_lets_in_once_and_within_a_minute(clock: Clock) -> None:
    one = access(clock)
    ticket, late = one.ticket(), one.ticket()
    assert not one.takes_ticket("another")
    assert one.takes_ticket(ticket)
    assert not one.takes_ticket(ticket)
    clock.now += 61
    assert not one.takes_ticket(late)


def test_guesses_cost_more_and_more_time_and_a_right_one_clears_them(clock: Clock) -> None:
    tries = LoginAttempts(clock)
    for _ in range(4):
        tries.wrong("here")
    assert tries.wait("here") == 0
    waits = []
    for _ in range(12):
        tries.wrong("here")
        waits.append(tries.wait("here"))
    assert waits == [2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60, 60]
    assert tries.wait("elsewhere") == 0
    clock.now += 60
    assert tries.wait("here") == 0
    tries.wrong("here")
    tries.right("here")
    assert tries.wait("here") == 0


def test_a_flood_of_addresses_does_not_fill_memory(clock: Clock) -> None:
    tries = LoginAttempts(clock)
    for number in range(3_000):
        tries.wrong(str(number))
    assert len(tries._wrong) == 1_000


def test_the_token_is_new_at_every_start_and_the_signing_key_stays(tmp_path: Path) -> None:
    first, second = open_keys(tmp_path, {}), open_keys(tmp_path, {})
    assert first.token != second.token
    assert len(first.token) >= 43
    assert first.signing == second.signing
    assert stat.S_IMODE((tmp_path / "server.key").stat().st_mode) == 0o600
    assert first.token not in repr(first)


def test_a_signing_key_that_others_could_read_is_replaced(tmp_path: Path) -> None:
    first = open_keys(tmp_path, {})
    (tmp_path / "server.key").chmod(0o644)
    assert open_keys(tmp_path, {}).signing != first.signing
    assert stat.S_IMODE((tmp_path / "server.key").stat().st_mode) == 0o600


def test_a_password_comes_from_the_environment_or_a_private_file(tmp_path: Path) -> None:
    assert password_of(tmp_path, {}) == ""
    assert password_of(tmp_path, {"PMG_PASSWORD": "from the environment"}) == "from the environment"
    file = tmp_path / "server.password"
    file.write_text("from the file\n")
    file.chmod(0o600)
    assert password_of(tmp_path, {}) == "from the file"
    file.chmod(0o640)
    with pytest.raises(ConfigError, match="chmod 600"):
        password_of(tmp_path, {})
    with pytest.raises(ConfigError, match="at least 8 characters"):
        password_of(tmp_path, {"PMG_PASSWORD": "short"})
