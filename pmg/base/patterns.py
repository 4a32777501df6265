"""The one door to patterns: what runs over text by others takes a time that grows with the text and never explodes.

`linear`          google-re2 on text. No look-around, no back-references; its `\\b`, `\\w`, `\\d` and `\\s` are ASCII: write `[\\pL\\pN_]`
                  and `[\\s\\pZ]` for those of any script, and flags as `(?i)`.
`compile_linear`  the same on UTF-8 bytes, and faster: offsets are bytes, and Unicode is as above.
`plain`           Python's own, for what has no repeat that must be given back: a test of the slow tier attacks each.
`short`           Python's own, on the first 4,000 characters: where a pattern may look back and forth.
Where none of them fits, write a scanner: `str.find`, `partition` and a loop.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, AnyStr, Protocol, cast

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
MAX_SHORT = 4_000  # characters: what is quadratic in them takes a fraction of a second

Span = tuple[int, int]
TextMatch = re.Match[str]
TextPattern = re.Pattern[str]
IGNORECASE, MULTILINE, DOTALL, ASCII, VERBOSE, NOFLAG = re.I, re.M, re.S, re.A, re.X, re.NOFLAG
_SURROGATES = re.compile("[\ud800-\udfff]")  # have no UTF-8


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

    __slots__ = ("_run", "groups", "pattern")

    def __init__(self, compiled: Any) -> None:
        self._run = compiled._regexp.Match
        self.pattern: str = compiled.pattern
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


def escape(text: str) -> str:
    """The same for `plain` and `short`."""
    return re.escape(text)


class _Linear(re2._Regexp):  # type: ignore[misc]
    """A pattern of RE2 with the methods of Python's: a lone surrogate, which it cannot read, is U+FFFD to it."""

    __slots__ = ()

    def _match(self, anchor: Any, text: str, pos: int | None = None, endpos: int | None = None) -> Iterator[Any]:
        readable = text if text.isascii() else _SURROGATES.sub("\ufffd", text)
        return cast(Iterator[Any], super()._match(anchor, readable, pos, endpos))


def linear(pattern: str) -> TextPattern:
    """For text of any length and from anybody."""
    return cast(TextPattern, _Linear(pattern, _options(captures=True)))


def plain(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Of Python's own: only for what goes forward and never back, such as `\\w+`; a test of the slow tier attacks each."""
    return re.compile(pattern, flags)


class ShortPattern:
    """Sees no more of a text than 4,000 characters from where it begins; the rest is left as it is."""

    __slots__ = ("_pattern",)

    def __init__(self, pattern: TextPattern) -> None:
        self._pattern = pattern

    def search(self, text: str, start: int = 0, end: int | None = None) -> TextMatch | None:
        return self._pattern.search(text, start, _seen(start, end))

    def match(self, text: str, start: int = 0, end: int | None = None) -> TextMatch | None:
        return self._pattern.match(text, start, _seen(start, end))

    def fullmatch(self, text: str, start: int = 0, end: int | None = None) -> TextMatch | None:
        stop = len(text) if end is None else end
        return self._pattern.fullmatch(text, start, stop) if stop - start <= MAX_SHORT else None

    def finditer(self, text: str, start: int = 0, end: int | None = None) -> Iterator[TextMatch]:
        return self._pattern.finditer(text, start, _seen(start, end))

    def findall(self, text: str) -> list[Any]:
        return self._pattern.findall(text, 0, MAX_SHORT)

    def split(self, text: str, maxsplit: int = 0) -> list[Any]:
        *parts, last = self._pattern.split(text[:MAX_SHORT], maxsplit)
        return [*parts, last + text[MAX_SHORT:]]

    def sub(self, replacement: str | Callable[[TextMatch], str], text: str, count: int = 0) -> str:
        return self._pattern.sub(replacement, text[:MAX_SHORT], count) + text[MAX_SHORT:]


def _seen(start: int, end: int | None) -> int:
    return start + MAX_SHORT if end is None else min(end, start + MAX_SHORT)


def short(pattern: str, flags: int = 0) -> ShortPattern:
    """Of Python's own, on the first 4,000 characters: look-around, `\\b` of any script, back-references."""
    return ShortPattern(re.compile(pattern, flags))
