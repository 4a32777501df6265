"""The address of a chat server: what the configuration says, taken apart and checked.

Knows: what such an address has and may not have. What is wrong with one is told before it is kept by pmg/base/pasted_key.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from pmg.base.errors import ConfigError
from pmg.base.loopback import is_loopback
from pmg.base.pasted_key import names_version

ADDRESS = "the address of the server (chat.base_url)"  # as the page has it, and the knob for whoever has no page


@dataclass(frozen=True, slots=True)
class Address:
    scheme: str
    host: str
    port: int
    path: str
    query: str = ""  # the version of its interface, as Azure wants it

    @property
    def place(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}{self.path}"

    def url(self, path: str) -> str:
        return f"{self.place}{path}?{self.query}" if self.query else f"{self.place}{path}"

    @property
    def on_this_machine(self) -> bool:
        return is_loopback(self.host)


def address_of(base_url: str) -> Address:
    try:
        parts = urlsplit(base_url.strip())
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    is_whole = parts.scheme in ("http", "https") and parts.hostname and not parts.username
    if not is_whole or not names_version(parts.query) or parts.fragment:
        raise ConfigError(
            f"{ADDRESS[0].upper()}{ADDRESS[1:]} is {base_url!r}; it must be one like http://127.0.0.1:11434/v1, without a name or key in it."
        )
    port = port or (443 if parts.scheme == "https" else 80)
    return Address(parts.scheme, parts.hostname or "", port, parts.path.rstrip("/"), parts.query)
