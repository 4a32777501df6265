"""Bytes in chunks into lines, and lines into text, in memory bounded by the longest line.

Handles line ends of every kind, and lines too long to hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pmg.importers.reading.encoding import decode

MAX_LINE = 128 * 1024 * 1024


def byte_lines(chunks: Iterable[bytes], limit: int = MAX_LINE) -> Iterator[bytes]:
    """Each line without its newline (a carriage return stays). A line over the limit comes cut at the limit; the reader finds it broken."""
    held: list[bytes] = []
    size = 0
    for chunk in chunks:
        first, *rest = chunk.split(b"\n")
        held.append(first[: max(0, limit - size)])
        size += len(first)
        for piece in rest:
            yield b"".join(held)
            held, size = [piece[:limit]], len(piece)
    if size:
        yield b"".join(held)


def text_lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Each line as text with its end, as csv wants it."""
    for line in byte_lines(chunks):
        yield decode(line)[0] + "\n"


def whole_text(chunks: Iterable[bytes], limit: int = MAX_LINE) -> tuple[str, str]:
    """A small file whole, and a remark where it was not UTF-8 or was cut at the limit."""
    held: list[bytes] = []
    size = 0
    for chunk in chunks:
        held.append(chunk)
        size += len(chunk)
        if size > limit:
            return decode(b"".join(held)[:limit])[0], f"longer than {limit} bytes: only the beginning was read"
    return decode(b"".join(held))
