"""CSV files: Microsoft Copilot's two exports (copilot.py) and any table of messages with a header row (generic.py).

Handles reading a table of any dialect as a stream of rows by column name.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator

from pmg.importers.reading.lines import TextLines

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
