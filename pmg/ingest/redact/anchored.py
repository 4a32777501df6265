"""Finders for patterns that begin at a literal: read there with Python's own `re`, one cheap call a literal.

A text may be full of what such a rule looks for, and each call to the other library costs as much as all of that. The
patterns are anchored, and what they repeat without end they repeat without going back, so their time grows with what
they match. They work on bytes: `in_bytes` makes one of a pattern with letters of other alphabets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from pmg.ingest.redact.rule import Finder, Judge, RuleHit, Span

_ALPHANUMERIC = frozenset(b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_WORD = _ALPHANUMERIC | {ord("_")}
_ESCAPED = re.compile(rb"(?:\\[nrt]|%[0-9A-Fa-f]{2}|\x1b\[[0-9;]{0,8}m)\Z")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")

# Behind a word in a sentence: a gap, an ending, or a letter beyond ASCII.
SPOKEN = b" \t'" + bytes(range(0x80, 0x100))

LeftCheck = Callable[[bytes, int], bool]  # whether what stands before a place lets a match begin there


def anywhere(data: bytes, begin: int) -> bool:
    return True


def at_word(data: bytes, begin: int) -> bool:
    """At the beginning of a word; an underscore belongs to it."""
    return not begin or data[begin - 1] not in _WORD


def at_part(data: bytes, begin: int) -> bool:
    """At the beginning of a word or of a part of a name."""
    return not begin or data[begin - 1] not in _ALPHANUMERIC


def at_token(data: bytes, begin: int) -> bool:
    """As `at_part`, or behind what stands for a gap in escaped, URL-encoded and coloured text."""
    return at_part(data, begin) or _ESCAPED.search(data, max(0, begin - 12), begin) is not None


def at_literals(kind: str, pattern: bytes, judge: Judge, run: bytes = b"", left: LeftCheck = at_word) -> Finder:
    """What `pattern` matches where a literal begins, if `left` allows it.

    Where it does not match, literals within the same `run` of characters cannot either: they are passed over, so that
    a run full of literals is read once.
    """

    def find(data: bytes, start: int, end: int, places: Sequence[Span]) -> Iterator[RuleHit]:
        match, position = _compiled(pattern).match, start
        for begin, _ in places:
            if begin < position or not (left is anywhere or left(data, begin)):
                continue
            found = match(data, begin)
            if found is not None:
                position = found.end()
                spans = judge(data, found)
                for _, last in spans:
                    if last > position:
                        position = last
                if spans or position > end:
                    yield begin, position, spans, kind
            elif run and (passed := _compiled(run).match(data, begin)) is not None:
                position = passed.end()
                yield begin, position, (), kind

    return find


def judged_together(
    kind: str, pattern: bytes, are_harmless: Callable[[Sequence[bytes]], Sequence[bool]], left: LeftCheck
) -> Finder:
    """As `at_literals`, for patterns whose first group is the secret: it is judged by itself, and all at once."""

    def find(data: bytes, start: int, end: int, places: Sequence[Span]) -> Iterator[RuleHit]:
        match, position = _compiled(pattern).match, start
        matches = list[re.Match[bytes]]()
        for begin, _ in places:
            if begin < position or not (left is anywhere or left(data, begin)):
                continue
            if (found := match(data, begin)) is not None:
                position = found.end()
                matches.append(found)
        if not matches:
            return
        for found, is_harmless in zip(matches, are_harmless([found[1] for found in matches]), strict=True):
            begin, position = found.span()
            if not is_harmless:
                yield begin, position, (found.span(1),), kind
            elif position > end:
                yield begin, position, (), kind

    return find


class Anchored(NamedTuple):
    """A pattern that is read where a literal begins, or behind it, and its judge."""

    pattern: bytes
    judge: Judge
    is_behind: bool = False


def at_either(kind: str, literal: bytes, outer: Anchored, inner: Anchored) -> Finder:
    """Two patterns of one kind: the outer begins at `literal`, the inner at others, and may find what the outer found.

    `Authorization: Bearer …` is a secret behind both words; the second time it is not judged again. No other literal may
    be as long as that of the outer pattern, and its judge looks at its group alone: text that comes again is judged
    once. What stands between a literal of the inner pattern and its group holds no
    letter or digit, and the group may begin with any.
    """

    def find(data: bytes, start: int, end: int, places: Sequence[Span]) -> Iterator[RuleHit]:
        at_outer, at_inner = _compiled(outer.pattern).match, _compiled(inner.pattern).match
        read, read_inside, taken, size = start, start, -1, len(literal)
        harmless: set[bytes] = set()
        spans: Sequence[Span]
        for begin, stop in places:
            is_outer = stop - begin == size
            if begin < (read if is_outer else read_inside) or (begin and data[begin - 1] in _WORD):
                continue
            if is_outer:
                found = at_outer(data, stop if outer.is_behind else begin)
            elif stop + 1 == taken and data[taken] in _ALPHANUMERIC:
                continue  # were it read, it would be what was taken
            else:
                found = at_inner(data, stop if inner.is_behind else begin)
            if found is None or (not is_outer and found.start(1) == taken):
                continue
            position = found.end()
            if is_outer:
                spans = () if (group := found[1]) in harmless else outer.judge(data, found)
                if not spans:
                    harmless.add(group)
                read, taken = position, spans[0][0] if spans else -1
            else:
                spans, read_inside = inner.judge(data, found), position
            if spans or position > end:
                yield begin, max(position, spans[-1][1]) if spans else position, spans, kind

    return find


@cache
def _compiled(pattern: bytes) -> re.Pattern[bytes]:
    """When it is first needed: most patterns never are."""
    return re.compile(pattern)


def in_bytes(pattern: str) -> bytes:
    """A pattern for bytes of UTF-8; letters beyond ASCII, which must stand in no set, match in both cases."""

    def both(found: re.Match[str]) -> str:
        small, large = found[0].lower(), found[0].upper()
        return found[0] if small == large else f"(?:{small}|{large})"

    return _BEYOND_ASCII.sub(both, pattern).encode()
