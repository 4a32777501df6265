"""Linear-time patterns: the one module that imports re2.

Knows: how to compile a pattern so that matching time grows with the text and never explodes.
Does not know: what any pattern is for. Patterns run on UTF-8 bytes, so offsets are bytes.
"""

from __future__ import annotations

from typing import Protocol, cast

import re2

from pmg.errors import ConfigError

# RE2 falls back to a slower (still linear) engine when its automaton outgrows this; the big gate pattern needs room.
_MAX_MEM = 64 << 20


class Match(Protocol):
    def start(self, group: int = 0) -> int: ...
    def end(self, group: int = 0) -> int: ...
    def span(self, group: int = 0) -> tuple[int, int]: ...


class Pattern(Protocol):
    @property
    def groups(self) -> int: ...
    def search(self, text: bytes, pos: int = 0, endpos: int | None = None) -> Match | None: ...
    def match(self, text: bytes, pos: int = 0, endpos: int | None = None) -> Match | None: ...
    def fullmatch(self, text: bytes, pos: int = 0, endpos: int | None = None) -> Match | None: ...


def compile_linear(pattern: str, origin: str, captures: bool = True) -> Pattern:
    """Compile, or say which pattern is wrong; `origin` names where it was written. Without captures is faster."""
    options = re2.Options()
    options.max_mem = _MAX_MEM
    options.log_errors = False
    options.never_capture = not captures
    try:
        return cast(Pattern, re2.compile(pattern, options))
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
