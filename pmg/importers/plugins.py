"""Readers that other packages bring, found by the entry point group `pmg.importers`.

An entry point names a reader or a list of readers (reader.py says what each kind is). They are asked before our own.
A package that cannot be loaded is logged and left out. A reader that raises, or gives what no reader may give
(result_check.py), is reported with what it was given: an import never fails because of a plugin.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from itertools import chain, tee
from typing import TypeVar, get_args

from pmg.importers.conversation import KEPT_RAW, Result, Where
from pmg.importers.reader import DatabaseReader, PageReader, Reader, Row, RowReader, ValueReader
from pmg.importers.reading.fields import Json, raw
from pmg.importers.result_check import WrongResult, checked

log = logging.getLogger(__name__)

GROUP = "pmg.importers"
FAILURES = (Exception, SystemExit)  # a reader that was a program of its own may still end like one
Given = TypeVar("Given")


@cache
def plugin_readers() -> tuple[Reader, ...]:
    """Loaded once for each process: packages do not come and go while it runs."""
    entries = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
    return tuple(chain.from_iterable(_loaded(entry) for entry in entries))


def _loaded(entry: EntryPoint) -> list[Reader]:
    try:
        brought = entry.load()
    except FAILURES as error:  # whatever a stranger's module raises while it is imported
        problem = f"{type(error).__name__}: {error}"
        log.error("the importer %s (%s) cannot be loaded and is left out: %s", entry.name, entry.value, problem)
        log.debug("the importer %s", entry.name, exc_info=True)
        return []
    listed = list(brought) if isinstance(brought, list | tuple) else [brought]
    if any(not isinstance(reader, get_args(Reader)) for reader in listed):
        log.error("the importer %s (%s) names something that is no reader of pmg.importers", entry.name, entry.value)
    return [_guarded(entry.name, reader) for reader in listed if isinstance(reader, get_args(Reader))]


def _guarded(name: str, reader: Reader) -> Reader:
    """The same reader, whose failures become problems instead of ending the import."""
    if isinstance(reader, ValueReader):
        return ValueReader(_claims(name, reader.claims), _value_parse(name, reader))
    if isinstance(reader, RowReader):
        return RowReader(_claims(name, reader.claims), _row_gather(name, reader))
    if isinstance(reader, PageReader):
        return PageReader(_claims(name, reader.claims), _page_parse(name, reader))
    return DatabaseReader(
        reader.tables,
        _claims(name, reader.claims),
        lambda database, where: _results(name, lambda: reader.parse(database, where), where, ""),
    )


def _claims(name: str, claims: Callable[[Given], bool]) -> Callable[[Given], bool]:
    def guarded(given: Given) -> bool:
        try:
            return bool(claims(given))
        except FAILURES as error:  # its message may quote a conversation: the log gets only its kind
            log.error("the importer %s failed while it looked at a file: %s", name, type(error).__name__)
            return False

    return guarded


def _value_parse(name: str, reader: ValueReader) -> Callable[[Json, Where], Iterator[Result]]:
    return lambda value, where: _results(name, lambda: reader.parse(value, where), where, raw(value))


def _page_parse(name: str, reader: PageReader) -> Callable[[Iterable[bytes], Where], Iterator[Result]]:
    def parse(chunks: Iterable[bytes], where: Where) -> Iterator[Result]:
        rest = iter(chunks)
        first = next(rest, b"")
        begins = first[:KEPT_RAW].decode("utf-8", "replace")
        yield from _results(name, lambda: reader.parse(chain([first], rest), where), where, begins)

    return parse


def _row_gather(name: str, reader: RowReader) -> Callable[[Iterator[Row]], Iterator[Result]]:
    def gather(rows: Iterator[Row]) -> Iterator[Result]:
        ahead, rows = tee(rows)
        first = next(ahead)
        del ahead
        yield from _results(name, lambda: reader.gather(rows), first.where, raw(first.value))

    return gather


def _results(name: str, read: Callable[[], Iterator[Result]], where: Where, given: str) -> Iterator[Result]:
    try:
        for result in read():
            yield _checked(name, result, where, given)
    except FAILURES as error:
        log.error("the importer %s failed: %s", name, type(error).__name__)
        yield where.problem(f"the importer {name} failed: {type(error).__name__}: {error}", raw=given)


def _checked(name: str, result: object, where: Where, given: str) -> Result:
    try:
        return checked(result)
    except WrongResult as wrong:
        return where.problem(f"the importer {name} gave {wrong}", raw=given)
