"""What a reader is: four kinds, by what they are given. `readers.py` lists ours, `plugins.py` finds those of other packages.

A reader claims what it knows by its content, never by a file's name, and gives conversations and problems one at a time.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from pmg.importers.conversation import Result, Where
from pmg.importers.reading.fields import Json


@dataclass(frozen=True, slots=True)
class Row:
    """One decoded line of a JSONL file or one element of an array, with its place."""

    value: Json
    where: Where


@dataclass(frozen=True, slots=True)
class ValueReader:
    """Reads one JSON object that holds a whole conversation (or several)."""

    claims: Callable[[Json], bool]
    parse: Callable[[Json, Where], Iterator[Result]]


@dataclass(frozen=True, slots=True)
class RowReader:
    """Reads the JSON rows of a file together, from the first one it claims to the end."""

    claims: Callable[[Json], bool]
    gather: Callable[[Iterator[Row]], Iterator[Result]]


@dataclass(frozen=True, slots=True)
class PageReader:
    """Reads a text file that is no JSON; claims it by its beginning."""

    claims: Callable[[str], bool]
    parse: Callable[[Iterable[bytes], Where], Iterator[Result]]


@dataclass(frozen=True, slots=True)
class DatabaseReader:
    """Reads a SQLite file, opened read-only; claims it by its tables and their columns.

    The connection lets only SELECT on `tables` through (reading/sqlite_file.py).
    """

    tables: frozenset[str]
    claims: Callable[[Mapping[str, frozenset[str]]], bool]
    parse: Callable[[sqlite3.Connection, Where], Iterator[Result]]


Reader = ValueReader | RowReader | PageReader | DatabaseReader
