"""Bytes in chunks into lines, lines into text, and tables (CSV of any dialect) into rows by column name, in memory bounded by the longest line.

Handles line ends of every kind, and lines too long to hold.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pmg.importers.reading.encoding import decode, read_as

MAX_LINE = 128 * 1024 * 1024
JUDGED = 64_000  # bytes


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


@dataclass(slots=True)
class TextLines:
    """Each line as text with its end, as csv wants it; after the last, a remark where some were not UTF-8."""

    chunks: Iterable[bytes]
    first_bad: int = 0
    bad: bytearray = field(default_factory=bytearray)  # of the lines that were not UTF-8: enough to tell what they are

    def __iter__(self) -> Iterator[str]:
        for number, line in enumerate(byte_lines(self.chunks), 1):
            written, remark = decode(line)
            if remark:
                self.first_bad = self.first_bad or number
                self.bad += line[: max(0, JUDGED - len(self.bad))]
            yield written + "\n"

    @property
    def remark(self) -> str:
        return f"not UTF-8 at line {self.first_bad}: {read_as(bytes(self.bad))}" if self.first_bad else ""


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


SEPARATORS = ",;\t|"


def header_of(head: str) -> list[str]:
    """The column names of the first line, in lower case; empty where the line is no header."""
    first = next(iter(head.lstrip("\ufeff \t\r\n").splitlines()), "")
    separator = max(SEPARATORS, key=first.count)
    if not first.count(separator) or len(first) > 2000:
        return []
    return [name.strip().lower() for name in next(csv.reader([first], delimiter=separator), [])]


def records(source: TextLines) -> Iterator[tuple[int, dict[str, str]]]:
    """Each row with its line number, by column name in lower case; cells beyond the header keep their number."""
    csv.field_size_limit(2**31 - 1)  # the default refuses messages over 128 kB
    lines = iter(source)
    first = next((line for line in lines if line.strip()), "")
    names = header_of(first)
    separator = max(SEPARATORS, key=first.count)
    reader = csv.reader(lines, delimiter=separator)
    for cells in reader:
        if cells:
            extra = {f"column {n + 1}": cell for n, cell in enumerate(cells) if n >= len(names)}
            yield reader.line_num + 1, {**dict(zip(names, cells, strict=False)), **extra}
