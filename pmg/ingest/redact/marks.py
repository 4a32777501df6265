"""Marks: what stands in a text where a secret was, and the arithmetic of spans that become marks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeVar

from pmg.base.patterns import Pattern
from pmg.base.text import redaction_mark
from pmg.ingest.redact.rule import Span

MARK_START = b"[redacted: "
_MAX_MARK_SIZE = 340  # bytes
_MAX_SEPARATE_SECRETS = 100
# Up to eighty characters, which in bytes of UTF-8 may be more.
MARK = re.compile(
    rb"\[redacted: (?:[^\[\]\r\n\x80-\xff]{1,80}+|(?:[^\[\]\r\n\x80-\xff]|[\xc0-\xff][\x80-\xbf]++){1,80}+)\]"
)

T = TypeVar("T")
Secret = tuple[int, int, str]  # where it begins and ends, in bytes, and its kind


@lru_cache(1024)
def _mark_bytes(kind: str) -> bytes:
    return redaction_mark(kind).encode()


def mark_size(kind: str) -> int:
    return len(_mark_bytes(kind))


def all_spans(pattern: Pattern, data: bytes) -> Iterator[Span]:
    position, stop = 0, len(data)
    while position <= stop and (span := pattern.find(data, position, stop)) is not None:
        yield span
        position = span[1] if span[1] > position else position + 1


def outside(secrets: Iterable[Secret], exempt: Sequence[Span]) -> list[Secret]:
    """Without those that lie wholly inside an exempt span. Both are in order of their starts."""
    out, reach, index = [], -1, 0
    for secret in secrets:
        while index < len(exempt) and exempt[index][0] <= secret[0]:
            reach = max(reach, exempt[index][1])
            index += 1
        if secret[1] > reach:
            out.append(secret)
    return out


def before_marks(secrets: Sequence[Secret], data: bytes) -> Sequence[Secret]:
    """Cut each off where a mark begins: what is already redacted is never touched again."""
    if MARK_START not in data:
        return secrets
    marks, out, index = _marks_near(secrets, data), [], 0
    for start, end, kind in secrets:
        while index < len(marks) and marks[index][1] <= start:
            index += 1
        end = min(end, marks[index][0]) if index < len(marks) else end
        if end > start:
            out.append((start, end, kind))
    return out


def _marks_near(secrets: Sequence[Secret], data: bytes) -> list[Span]:
    """The marks of a text; around few secrets only those that may reach them."""
    if len(secrets) > _MAX_SEPARATE_SECRETS:
        return [mark.span() for mark in MARK.finditer(data)]
    near = (MARK.finditer(data, max(0, start - _MAX_MARK_SIZE), end + _MAX_MARK_SIZE) for start, end, _ in secrets)
    return sorted({mark.span() for marks in near for mark in marks})


def spliced(data: bytes, secrets: Sequence[Secret]) -> bytes:
    pieces, position = [], 0
    for start, end, kind in secrets:
        pieces.append(data[position:start])
        pieces.append(_mark_bytes(kind))
        position = end
    pieces.append(data[position:])
    return b"".join(pieces)


def moved(secrets: Sequence[Secret], earlier: Sequence[Span] = ()) -> list[Span]:
    """Where the marks of secrets stand once they are written, and those that were there before, in order."""
    out, shift, index = list[Span](), 0, 0
    for start, end, kind in secrets:
        while index < len(earlier) and earlier[index][0] < start:
            out.append((earlier[index][0] + shift, earlier[index][1] + shift))
            index += 1
        size = len(_mark_bytes(kind))
        out.append((start + shift, start + shift + size))
        shift += size - (end - start)
    return out + [(start + shift, end + shift) for start, end in earlier[index:]]


def kept_places(kept: Sequence[tuple[int, T]], secrets: Sequence[Secret], new: Sequence[T]) -> list[tuple[int, T]]:
    """What was kept of earlier secrets and of these, each with the place of its mark once these marks are written."""
    out: list[tuple[int, T]] = []
    shift, index = 0, 0
    for (start, end, kind), one in zip(secrets, new, strict=True):
        while index < len(kept) and kept[index][0] < start:
            out.append((kept[index][0] + shift, kept[index][1]))
            index += 1
        out.append((start + shift, one))
        shift += len(_mark_bytes(kind)) - (end - start)
    return out + [(place + shift, one) for place, one in kept[index:]]


def is_hidden_in(text: str, redacted: str) -> bool:
    """Whether `redacted` is this text with marks in place of pieces of it."""
    first, *rest = _ANY_MARK.split(redacted)
    if not rest or not text.startswith(first):
        return text == redacted
    position = len(first)
    for piece in rest[:-1]:
        found = text.find(piece, position)
        if found < 0:
            return False
        position = found + len(piece)
    return len(text) - len(rest[-1]) >= position and text.endswith(rest[-1])


_ANY_MARK = re.compile(r"\[redacted: [^\[\]\r\n]{1,80}\]")
_READABLE = re.compile(r"\[redacted: ([^\[\]\r\n]{1,80})\]")


def excerpts(text: str, around: int = 40) -> Iterator[tuple[str, str]]:
    """Each mark of a text: its kind, and the words around it on one line, by which a person sees a false one."""
    for mark in _READABLE.finditer(text):
        shown = text[max(0, mark.start() - around) : mark.end() + around]
        yield mark[1], " ".join(shown.split())
