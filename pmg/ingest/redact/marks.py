"""Marks: what stands in a text where a secret was, and the arithmetic of spans that become marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pmg.ingest.redact.linear import Pattern, compile_linear
from pmg.ingest.redact.rule import Span

MARK_START = b"[redacted: "
_MARK = compile_linear(r"\[redacted: [^\[\]\r\n]{1,80}\]", "redaction mark")


class Secret(NamedTuple):
    """Where a secret stands, in bytes, and what kind it is."""

    start: int
    end: int
    kind: str


def mark_of(kind: str) -> str:
    return f"[redacted: {kind}]"


def all_spans(pattern: Pattern, data: bytes) -> Iterator[Span]:
    position, stop = 0, len(data)
    while position <= stop and (span := pattern.find(data, position, stop)) is not None:
        yield span
        position = span[1] if span[1] > position else position + 1


def outside(secrets: Iterable[Secret], exempt: Sequence[Span]) -> list[Secret]:
    """Without those that lie wholly inside an exempt span. Both are in order of their starts."""
    out, reach, index = [], -1, 0
    for secret in secrets:
        while index < len(exempt) and exempt[index][0] <= secret.start:
            reach = max(reach, exempt[index][1])
            index += 1
        if secret.end > reach:
            out.append(secret)
    return out


def before_marks(secrets: Sequence[Secret], data: bytes) -> Sequence[Secret]:
    """Cut each off where a mark begins: what is already redacted is never touched again."""
    if MARK_START not in data:
        return secrets
    marks, out, index = list(all_spans(_MARK, data)), [], 0
    for secret in secrets:
        while index < len(marks) and marks[index][1] <= secret.start:
            index += 1
        end = min(secret.end, marks[index][0]) if index < len(marks) else secret.end
        if end > secret.start:
            out.append(secret._replace(end=end))
    return out


def joined(first: Sequence[Secret], second: Sequence[Secret]) -> list[Secret]:
    """Both in order of their starts; of the second only those that overlap none of the first."""
    taken = iter(first)
    reach, other = 0, next(taken, None)
    out = list(first)
    for secret in second:
        while other is not None and other.start <= secret.start:
            reach, other = max(reach, other.end), next(taken, None)
        if secret.start >= reach and (other is None or secret.end <= other.start):
            out.append(secret)
    return sorted(out)


def spliced(data: bytes, secrets: Sequence[Secret]) -> bytes:
    pieces, position = [], 0
    for secret in secrets:
        pieces += [data[position : secret.start], mark_of(secret.kind).encode()]
        position = secret.end
    return b"".join([*pieces, data[position:]])


def moved(secrets: Sequence[Secret]) -> list[Span]:
    """Where the marks stand once they are written."""
    out, shift = [], 0
    for secret in secrets:
        size = len(mark_of(secret.kind).encode())
        out.append((secret.start + shift, secret.start + shift + size))
        shift += size - (secret.end - secret.start)
    return out
