"""Patterns whose time grows with the text and never explodes: the one module that imports google-re2.

`compile_linear` runs on UTF-8 bytes, so offsets are bytes. RE2 has no look-around and no back-references, and its `\\b`, `\\w`
and `\\s` are ASCII: a letter beyond it is no word to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, cast

import re2

from pmg.base.errors import ConfigError

# RE2 falls back to a slower (still linear) engine when its automaton outgrows this; the big gate pattern needs room.
_MAX_MEM = 64 << 20
_ANYWHERE, _HERE, _WHOLE = (
    re2._re2.RE2.Anchor.UNANCHORED,
    re2._re2.RE2.Anchor.ANCHOR_START,
    re2._re2.RE2.Anchor.ANCHOR_BOTH,
)
_NOWHERE = (-1, -1)

Span = tuple[int, int]


class AnyMatch(Protocol):
    """Where a pattern and its groups were found, by whichever library."""

    def start(self, group: int = 0, /) -> int: ...

    def end(self, group: int = 0, /) -> int: ...

    def span(self, group: int = 0, /) -> Span: ...


class Match:
    """Where a pattern and its groups were found."""

    __slots__ = ("_spans",)

    def __init__(self, spans: list[Span]) -> None:
        self._spans = spans

    def start(self, group: int = 0) -> int:
        return self._spans[group][0]

    def end(self, group: int = 0) -> int:
        return self._spans[group][1]

    def span(self, group: int = 0) -> Span:
        return self._spans[group]


class Pattern:
    """A compiled pattern. It calls the library's own matcher: the friendlier layer above it costs as much as the match."""

    __slots__ = ("_run", "groups")

    def __init__(self, compiled: Any) -> None:
        self._run = compiled._regexp.Match
        self.groups: int = compiled.groups

    def find(self, text: bytes, start: int, end: int) -> Span | None:
        """Only where: for those who ask often and rarely need the groups."""
        span: Span = self._run(_ANYWHERE, text, start, end)[0]
        return None if span == _NOWHERE else span

    def search(self, text: bytes, start: int = 0, end: int | None = None) -> Match | None:
        return self._match(_ANYWHERE, text, start, end)

    def match(self, text: bytes, start: int = 0, end: int | None = None) -> Match | None:
        return self._match(_HERE, text, start, end)

    def fullmatch(self, text: bytes, start: int = 0, end: int | None = None) -> Match | None:
        return self._match(_WHOLE, text, start, end)

    def _match(self, anchor: Any, text: bytes, start: int, end: int | None) -> Match | None:
        spans = self._run(anchor, text, start, len(text) if end is None else end)
        return None if spans[0] == _NOWHERE else Match(spans)


class PatternSet:
    """Patterns that are asked together: one pass tells which of them a text holds."""

    __slots__ = ("_set",)

    def __init__(self, patterns: Sequence[str], origin: str) -> None:
        self._set = re2._re2.Set(_ANYWHERE, _options(captures=False))
        for pattern in patterns:
            compile_linear(pattern, origin, captures=False)  # the set itself does not say what is wrong with one
            self._set.Add(pattern.encode())
        self._set.Compile()

    def found_in(self, text: bytes) -> list[int]:
        """The places of these patterns in the list they were given in."""
        found: list[int] = self._set.Match(text)
        return found


def _options(captures: bool) -> Any:
    options = re2.Options()
    options.max_mem = _MAX_MEM
    options.log_errors = False
    options.never_capture = not captures
    return options


def compile_linear(pattern: str, origin: str, captures: bool = True) -> Pattern:
    """Compile, or say which pattern is wrong; `origin` names where it was written. Without captures is faster."""
    try:
        return Pattern(re2.compile(pattern, _options(captures)))
    except re2.error as reason:
        told = reason.args[0] if reason.args else b""
        detail = told.decode("utf-8", "replace") if isinstance(told, bytes) else str(told)
        raise ConfigError(
            f"{origin}: the pattern {pattern!r} cannot be used ({detail}); write it in RE2 syntax "
            "(no look-around, no back-references) and put a backslash before a character meant literally"
        ) from reason


def literal(text: str) -> str:
    """The pattern that matches exactly this text."""
    return cast(str, re2.escape(text))
