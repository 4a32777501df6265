"""The upstreams a person added: name, kind and address, kept as lines of `proxy.upstreams` in config.toml.

The file is read again when it changes, so what `pmg upstream` or the page writes counts at the next request, beside a running server too.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from pmg import config as configuration
from pmg import settings
from pmg.base.errors import ConfigError, InputError, NotFound
from pmg.base.pasted_key import problem_with_address
from pmg.base.patterns import plain

log = logging.getLogger(__name__)
PREFIX = "/u/"
KINDS = ("openai", "anthropic", "ollama", "gemini")
PAUSED, BRING = "paused", "bring"
_NAME = plain(r"[a-z0-9][a-z0-9_-]{0,39}")


@dataclass(frozen=True, slots=True)
class Upstream:
    """`url` is what a program had as its base URL; `/u/NAME` stands in its place."""

    name: str
    kind: str
    url: str
    paused: bool = False  # passed on, not remembered
    bring: bool = False  # memories are brought along

    @property
    def line(self) -> str:
        flags = [word for word, on in ((PAUSED, self.paused), (BRING, self.bring)) if on]
        return " ".join([self.name, self.kind, self.url, *flags])

    @property
    def path(self) -> str:
        return f"{PREFIX}{self.name}"


def checked(name: str, kind: str, url: str, flags: Sequence[str] = ()) -> Upstream:
    if not _NAME.fullmatch(name):
        raise ConfigError(f"{name[:60]!r} cannot name an upstream: use up to 40 small letters, digits, - and _.")
    if kind not in KINDS:
        raise ConfigError(f"{kind[:60]!r} is no kind of upstream: give one of {', '.join(KINDS)}.")
    problem = problem_with_address(url)
    if problem:
        raise ConfigError(f"The address of the upstream {name}: {problem}.")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError(f"{url[:200]!r} is no address of an upstream: give one like https://api.openai.com/v1.")
    unknown = [flag for flag in flags if flag not in (PAUSED, BRING)]
    if unknown:
        raise ConfigError(
            f"The upstream {name} has {unknown[0][:60]!r}; after the address may stand {PAUSED} and {BRING}."
        )
    return Upstream(name, kind, url.rstrip("/"), PAUSED in flags, BRING in flags)


def of_line(line: str) -> Upstream:
    words = line.split()
    if len(words) < 3:
        raise ConfigError(
            f"proxy.upstreams has {line[:120]!r}; a line is `NAME KIND URL`, with {PAUSED} or {BRING} behind."
        )
    return checked(words[0], words[1], words[2], words[3:])


def in_force(home: Path) -> tuple[Upstream, ...]:
    return tuple(map(of_line, configuration.load(home).proxy.upstreams))


def _readable(lines: Sequence[str]) -> Iterator[Upstream]:
    for line in lines:
        try:
            yield of_line(line)
        except ConfigError as error:
            log.warning("an upstream in config.toml is left out: %s", error)


def keep(home: Path, upstreams: Sequence[Upstream]) -> None:
    settings.keep(home, {"proxy": {"upstreams": [one.line for one in upstreams]}})


def add(home: Path, upstream: Upstream) -> None:
    known = in_force(home)
    if any(one.name == upstream.name for one in known):
        raise InputError(f"There is an upstream {upstream.name!r} already: remove it first, or choose another name.")
    keep(home, [*known, upstream])


def remove(home: Path, name: str) -> None:
    named(in_force(home), name)
    keep(home, [one for one in in_force(home) if one.name != name])


def pause(home: Path, name: str, paused: bool) -> None:
    named(in_force(home), name)
    keep(home, [replace(one, paused=paused) if one.name == name else one for one in in_force(home)])


def named(known: Sequence[Upstream], name: str) -> Upstream:
    found = next((one for one in known if one.name == name), None)
    if found is None:
        names = ", ".join(one.name for one in known)
        there = f"There are: {names}." if names else "None was added yet: `pmg upstream add NAME URL --kind openai`."
        raise NotFound(f"There is no upstream {name[:60]!r}. {there}")
    return found


class Upstreams:
    """Those in force now. Thread-safe."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._lock = threading.Lock()
        self._stamp: tuple[int, int] | None = None
        self._known: tuple[Upstream, ...] = ()

    def all(self) -> tuple[Upstream, ...]:
        with self._lock:
            try:
                told = (self._home / "config.toml").stat()
                stamp = (told.st_mtime_ns, told.st_ino)
            except FileNotFoundError:
                stamp = (0, 0)
            if stamp != self._stamp:
                self._read()
                self._stamp = stamp
            return self._known

    def _read(self) -> None:
        """A file that is wrong now does not break what works: the upstreams stay as they were. Of a wrong line the others do not suffer."""
        try:
            lines = configuration.load(self._home).proxy.upstreams
        except ConfigError:
            log.exception("the upstreams in config.toml cannot be read")
            return
        self._known = tuple(_readable(lines))

    def find(self, name: str) -> Upstream:
        """Raises NotFound."""
        return named(self.all(), name)
