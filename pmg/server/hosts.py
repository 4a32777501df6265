"""Which Host and which Origin a request may carry.

Knows: that a page elsewhere can send a browser to our port, under a name of its own that leads here (Host) or from its own page (Origin).
"""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass

from pmg.base.loopback import is_loopback

_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::(?P<port>\d{1,5}))?")
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class Hosts:
    """The names this server answers to. On an open bind any literal address does: a foreign page cannot have one as its name."""

    names: frozenset[str]
    any_address: bool = False

    @classmethod
    def of(cls, bind: str, extra: tuple[str, ...] = ()) -> Hosts:
        names = set(LOOPBACK_NAMES) | {name.lower() for name in extra}
        if is_loopback(bind):
            return cls(frozenset(names | {bind.lower()}))
        own = socket.gethostname().lower()
        return cls(frozenset(names | {own, f"{own}.local"}), any_address=True)

    def accept(self, host: str) -> bool:
        name = name_of(host)
        return name is not None and (name in self.names or (self.any_address and _is_address(name)))


def name_of(host: str) -> str | None:
    """The name in a Host header, or None for one that is malformed."""
    found = _HOST.fullmatch(host)
    return found["name"].strip("[]").lower().rstrip(".") if found else None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def own_origin(origin: str, host: str) -> bool:
    """The request comes from a page that this server itself gave out, under the name it was asked by."""
    scheme, mark, rest = origin.partition("://")
    return bool(mark) and scheme.lower() in ("http", "https") and rest.lower() == host.lower()


def from_elsewhere(site: str, mode: str, dest: str, method: str, framed: bool) -> bool:
    """What browsers say of a request (Sec-Fetch-*). Another page on this machine counts as the same site, so only our own origin may
    ask; a link that somebody follows is let through, for the cookie of such a request stays at home."""
    if site in ("", "none", "same-origin"):
        return False
    followed = method == "GET" and mode == "navigate" and (dest == "document" or (framed and dest == "iframe"))
    return not followed
