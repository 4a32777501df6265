"""A file's bytes into conversations: what form they have, then which reader claims what they hold.

Knows: arrays, objects, lines of JSON, chat.html, and the readers' table. The name of a file is never asked.
Does not know: folders and archives (reading/archive.py).
"""

from __future__ import annotations

import csv
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from pmg.importers.conversation import Level, Problem, Result, Where
from pmg.importers.platforms.chatgpt import files as chatgpt_files
from pmg.importers.platforms.gemini import captures
from pmg.importers.platforms.generic import is_spoken
from pmg.importers.platforms.pmg_exports import PARQUET, PARQUET_REFUSED
from pmg.importers.reader import Row, RowReader, ValueReader
from pmg.importers.readers import PLAIN_VALUES, claimed, databases, pages, platform_rows, platform_values, reader_of
from pmg.importers.reading import sqlite_file
from pmg.importers.reading.archive import Limits
from pmg.importers.reading.encoding import Decoded, decode, decode_json, guess, to_utf8
from pmg.importers.reading.fields import raw
from pmg.importers.reading.jsonstream import ARRAY, elements
from pmg.importers.reading.lines import byte_lines
from pmg.importers.reading.wrappers import LIST, unwrapped, wraps

HEAD = 65_536
PAGE_KEPT = 8_000  # characters of a text that is no export: enough to see what it is; a folder may hold thousands
PAGE_DATA = re.compile(rb"\bjsonData\s*=\s*\[")
# ChatGPT's own page: its data may stand megabytes below the title, after a list of files.
PAGE_TITLE = b"<title>ChatGPT Data Export</title>"
ARRAY_HEAD = re.compile(rb"\s*\[\s*(?:[{\[\]\"]|null|\Z)")
# Files of an export that hold no conversation, by what stands in them.
ASIDE = {
    "export_files": "the list of an export's files",
    "logical_files": "the list of an export's files",
    "verified_phone_number": "account data",
    "phone_number": "account data",
    "email": "account data",
    "email_address": "account data",
    "is_anonymous": "a list of shared links",
    "rating": "feedback given",
    "file_id": "the list of an export's files",
    "worktree": "what OpenCode knows of a project",
}
UNKNOWN_KEPT = 50  # unknown rows are kept raw up to here and only counted after


@dataclass(slots=True)
class PendingProblems:
    """Problems met while a reader pulls rows: handed out between its conversations."""

    problems: list[Problem] = field(default_factory=list)
    found: list[Result] = field(default_factory=list)  # conversations of values that are no rows

    def empty(self) -> Iterator[Result]:
        while self.problems:
            yield self.problems.pop(0)
        while self.found:
            yield self.found.pop(0)


def conversations(chunks: Iterable[bytes], name: str, limits: Limits) -> Iterator[Result]:
    """Read one file: its form from its first bytes, its platform from what it holds."""
    stream = iter(chunks)
    head = _head(stream)
    where = Where(name)
    encoding, mark = guess(head)
    utf8 = to_utf8(chain([head], stream), encoding, mark)
    start = next(utf8, b"")
    whole = chain([start], utf8)
    if encoding != "utf-8":
        yield where.problem(f"read as {encoding}", level=Level.NOTE)
    if not start.strip():
        yield where.problem("an empty file", level=Level.SKIPPED)
    elif start.startswith(PARQUET):
        yield where.problem(PARQUET_REFUSED, level=Level.UNSUPPORTED)
    elif _is_binary(start):
        yield where.problem("not text", level=Level.SKIPPED)
    elif ARRAY_HEAD.match(start[:HEAD]) and not captures.is_envelope(start):
        yield from _rows(_elements(whole, where, limits), where)
    elif start.lstrip()[:1] == b"{":
        yield from _rows(_objects(start, whole, where, limits), where)
    elif PAGE_DATA.search(start) or (
        PAGE_TITLE in start and not chatgpt_files.claims_text(decode(start[: 4 * HEAD])[0])
    ):
        yield from _rows(_elements(whole, where, limits, PAGE_DATA), where)
    else:
        yield from _page(start, whole, where)


def _head(stream: Iterator[bytes]) -> bytes:
    """Enough to see the form: the first bytes, and more while the first line has no end (up to 4 MB)."""
    head = b""
    for chunk in stream:
        head += chunk
        if len(head) >= HEAD and (b"\n" in head.lstrip() or len(head) >= 4 * 1024 * 1024):
            break
    return head


def _is_binary(start: bytes) -> bool:
    return b"\0" in start[:8192] or start.startswith((b"%PDF", b"\x89PNG", b"\xff\xd8\xff"))


def _elements(
    chunks: Iterable[bytes], where: Where, limits: Limits, marker: re.Pattern[bytes] = ARRAY
) -> Iterator[tuple[Decoded, Where, bytes, int]]:
    for element in elements(chunks, marker=marker, limit=limits.element):
        yield element.decoded, Where(where.file, f"element {element.index}"), element.data, element.size


def _objects(
    start: bytes, chunks: Iterable[bytes], where: Where, limits: Limits
) -> Iterator[tuple[Decoded, Where, bytes, int]]:
    """One object, an object that wraps a list, or one object a line."""
    first, _, rest = start.lstrip().partition(b"\n")
    if rest.lstrip()[:1] in (b"{", b"") and _is_json(first):
        yield from _json_lines(chunks, where, limits)
    elif wraps(start):
        yield from _elements(chunks, where, limits, LIST)
    else:
        for element in elements(chain([b"["], chunks, [b"]"]), limit=limits.element):
            yield element.decoded, Where(where.file, "object"), element.data, element.size


def _is_json(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _json_lines(chunks: Iterable[bytes], where: Where, limits: Limits) -> Iterator[tuple[Decoded, Where, bytes, int]]:
    for number, line in enumerate(byte_lines(chunks, limits.element), 1):
        plain = line.strip(b" \t\r,\x00")
        if plain:
            yield decode_json(plain), Where(where.file, f"line {number}"), plain, len(plain)


def _rows(source: Iterator[tuple[Decoded, Where, bytes, int]], where: Where) -> Iterator[Result]:
    pending = PendingProblems()
    rows = _values(source, pending)
    unknown: list[Row] = []
    more = 0
    known = False
    for row in rows:
        yield from pending.empty()
        reader = reader_of(row.value)
        wrapped = [] if reader else _unwrapped(row)
        known = known or reader is not None or bool(wrapped)
        if wrapped:
            yield from chain.from_iterable(_read(iter(found)) for found in wrapped)
        elif isinstance(reader, RowReader):  # takes the rest of the file, and what nobody claimed before
            for result in reader.gather(chain(unknown, [row], rows)):
                yield result
                yield from pending.empty()
            unknown, more = [], 0
        elif isinstance(reader, ValueReader):
            yield from reader.parse(row.value, row.where)
        elif received := list(captures.answers_in(row.value)):
            known = True
            yield from received
        elif len(unknown) < UNKNOWN_KEPT:
            unknown.append(row)
        else:
            more += 1
    yield from pending.empty()
    # Among conversations an unknown object is a loss; a file of nothing else is simply another kind of file.
    yield from _unknown(unknown, more, where, Level.BROKEN if known else Level.UNSUPPORTED)


def _unwrapped(row: Row) -> list[list[Row]]:
    """What is found inside an object that is no conversation itself: an answer of a web interface, a capture of a page.

    A platform's own form counts before a plain one: a capture may hold both, and the plain one says less.
    """
    for values, rows in ((platform_values(), claimed(platform_rows())), (PLAIN_VALUES, is_spoken)):
        found = list(unwrapped(row.value, claimed(values), rows))
        if found:
            return [
                [Row(each, Where(row.where.file, f"{row.where.position} {path}")) for each in some]
                for path, some in found
            ]
    return []


def _read(rows: Iterator[Row]) -> Iterator[Result]:
    """Rows that were found together: each by its reader, or all that follow by one that takes rows."""
    for row in rows:
        reader = reader_of(row.value)
        if isinstance(reader, RowReader):
            yield from reader.gather(chain([row], rows))
        elif isinstance(reader, ValueReader):
            yield from reader.parse(row.value, row.where)
        else:
            yield from _unknown([row], 0, row.where, Level.BROKEN)


def _values(source: Iterator[tuple[Decoded, Where, bytes, int]], pending: PendingProblems) -> Iterator[Row]:
    """The objects as rows; what is broken or no object is kept aside."""
    for decoded, where, data, size in source:
        if decoded.remark:
            pending.problems.append(where.problem(decoded.remark, level=Level.NOTE))
        if decoded.error:
            broken = where.problem(decoded.error, raw=decode(data[:64_000])[0])
            pending.problems.append(
                Problem(broken.file, broken.position, broken.reason, raw=broken.raw, raw_bytes=size)
            )
        for value in decoded.values:
            if isinstance(value, dict):
                yield Row(value, where)
            elif isinstance(value, list):
                yield from _listed(value, where, pending)
            else:
                pending.problems.append(where.problem("neither an object nor a list", raw=raw(value)))


def _listed(value: list[Any], where: Where, pending: PendingProblems) -> Iterator[Row]:
    """A list in the list: its objects in order; one without objects may be what a page received."""
    rows = [each for each in value if isinstance(each, dict)]
    yield from (Row(each, where) for each in rows)
    rest = [each for each in value if not isinstance(each, dict) and each not in (None, "", [])]
    found = list(captures.conversations(value)) if rest and not rows else []
    pending.found.extend(found)
    if rest and not found:
        pending.problems.append(where.problem("a list that holds no conversation any reader knows", raw=raw(value)))


def _unknown(unknown: list[Row], more: int, where: Where, level: Level) -> Iterator[Problem]:
    for row in unknown:
        aside = next((what for key, what in ASIDE.items() if key in row.value), "")
        keys = ", ".join(list(row.value)[:8]) or "none"
        reason = f"{aside}: no conversation" if aside else f"no conversation that any reader knows (keys: {keys})"
        yield row.where.problem(reason, raw=raw(row.value), level=Level.SKIPPED if aside else level)
    if more:
        yield where.problem(f"{more} more objects that no reader knows", count=more, level=level)


def _page(start: bytes, chunks: Iterable[bytes], where: Where) -> Iterator[Result]:
    head = decode(start[: 4 * HEAD])[0]
    reader = next((reader for reader in pages() if reader.claims(head)), None)
    if reader is None:
        level = _level(head)
        kept = head if level is Level.BROKEN else head[:PAGE_KEPT]
        yield where.problem("no form that any reader knows", raw=kept, level=level)
        return
    try:
        yield from reader.parse(chunks, where)
    except csv.Error as error:
        yield where.problem(f"a damaged table: {error}", raw=head)


def database_conversations(database: sqlite3.Connection, where: Where) -> Iterator[Result]:
    """A SQLite file: who claims its tables reads them, and sees no others."""
    there = sqlite_file.tables(database)
    reader = next((reader for reader in databases() if reader.claims(there)), None)
    if reader is None:
        names = ", ".join(sorted(there)[:8]) or "none"
        yield where.problem(f"a database that no reader knows (tables: {names})", level=Level.UNSUPPORTED)
        return
    with sqlite_file.only(database, reader.tables):
        yield from reader.parse(database, where)


def _level(head: str) -> Level:
    """Broken JSON is a loss; any other text is simply something else."""
    return Level.BROKEN if re.match(r'\s*["\[{]', head) and '":' in head else Level.UNSUPPORTED
