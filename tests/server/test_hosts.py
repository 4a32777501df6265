"""Names we answer to, and pages that may ask."""

from __future__ import annotations

import pytest

from pmg.base.loopback import is_loopback
from pmg.server.hosts import Hosts, from_elsewhere, own_origin

FOREIGN = ("evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "evil.example:7640", "", "a b", "127.0.0.1:x", "0x7f.1", "[::1", "@localhost", "localhost/evil", "192.168.1.5", "0.0.0.0", "127.0.0.1@evil.example")  # fmt: skip


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:7640", "localhost", "LOCALHOST:80", "[::1]:7640", "localhost."]
)
def test_this_machine_is_known_by_its_loopback_names(host: str) -> None:
    assert Hosts.of("127.0.0.1").accept(host)


@pytest.mark.parametrize("host", FOREIGN)
def test_any_other_name_is_foreign(host: str) -> None:
    assert not Hosts.of("127.0.0.1").accept(host)


def test_a_name_can_be_added() -> None:
    assert Hosts.of("127.0.0.1", ("memory.lan",)).accept("Memory.lan:7640")


def test_an_open_bind_answers_to_addresses_and_never_to_a_foreign_name() -> None:
    hosts = Hosts.of("0.0.0.0")
    assert hosts.accept("192.168.1.5:7640")
    assert hosts.accept("[fe80::1]:7640")
    assert not hosts.accept("evil.example")


@pytest.mark.parametrize(
    ("bind", "loopback"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("127.8.8.8", True), ("0.0.0.0", False), ("::", False), ("192.168.1.5", False), ("memory.lan", False)],
)  # fmt: skip
def test_only_loopback_is_loopback(bind: str, loopback: bool) -> None:
    assert is_loopback(bind) is loopback


@pytest.mark.parametrize(
    ("origin", "own"),
    [("http://127.0.0.1:7640", True), ("https://127.0.0.1:7640", True), ("http://127.0.0.1:7641", False), ("http://127.0.0.1", False), ("http://localhost:7640", False), ("null", False), ("", False), ("file://", False), ("http://evil.example", False), ("chrome-extension://127.0.0.1:7640", False)],
)  # fmt: skip
def test_only_the_page_we_gave_out_is_our_own(origin: str, own: bool) -> None:
    assert own_origin(origin, "127.0.0.1:7640") is own


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_another_page_may_lead_here_and_do_nothing_else(site: str) -> None:
    assert not from_elsewhere(site, "navigate", "document", "GET", False)
    assert from_elsewhere(site, "navigate", "document", "POST", False)
    assert from_elsewhere(site, "navigate", "iframe", "GET", False)
    assert not from_elsewhere(site, "navigate", "iframe", "GET", True)
    assert from_elsewhere(site, "no-cors", "image", "GET", True)
    assert from_elsewhere(site, "cors", "empty", "GET", False)


def test_our_own_page_and_what_a_person_typed_are_let_through() -> None:
    for site in ("", "none", "same-origin"):
        assert not from_elsewhere(site, "cors", "empty", "POST", False)
