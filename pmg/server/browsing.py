"""What was said when, and by whom: the looks through a memory that MCP and REST share.

Knows: one namespace at a time, and what is shown where nobody names a time. How it reads for a model stands in answers.py.
"""

from __future__ import annotations

from datetime import timedelta

from pmg.client.results import TimelineEntry
from pmg.engine import Engine
from pmg.errors import InputError, NotFound
from pmg.model import Passage, State
from pmg.recall.assemble import label
from pmg.store.browse import BrowseFilter, TimelinePoint
from pmg.times import parse

MAX_ROWS = 100  # rows of one answer
MAX_RESULTS = 500  # results of one search, all pages together
LAST_DAYS = timedelta(days=7)
MAX_ENTRY = 400  # characters of one entry


def timeline(
    engine: Engine, namespace: str, about: str, since: str, until: str, limit: int
) -> tuple[TimelineEntry, ...]:
    """Oldest first. Without a time the last week of the memory; with a topic whatever it finds."""
    first, last = (parse(text) if text else None for text in (since, until))
    size = between("limit", limit, 1, MAX_ROWS)
    if about.strip():
        found = engine.recall(about, namespace=namespace, count=False, limit=size).segments
        inside = [one for one in found if (first is None or one.at >= first) and (last is None or one.at < last)]
        return tuple(_recalled(one, one.text) for one in sorted(inside, key=lambda one: (one.at, one.number)))
    end = engine.reads.browse.extent(BrowseFilter(namespace)).last
    begin = first or (end - LAST_DAYS if end and last is None else None)
    return _marked(engine, BrowseFilter(namespace, since=begin, until=last), size)


def speaker_named(engine: Engine, namespace: str, name: str) -> str:
    """The name as it is written in the memory, however it was typed."""
    wanted = name.strip().casefold()
    found = next((one for one in engine.reads.browse.people(namespace) if one.casefold() == wanted), None)
    if found is None:
        raise NotFound(f"Nobody called {label(name, 60)!r} speaks in this memory: ask for all people without a name.")
    return found


def said_by(engine: Engine, namespace: str, speaker: str, question: str, limit: int) -> tuple[TimelineEntry, ...]:
    """What this person said, by date; with a question, their lines that bear on it."""
    size = between("limit", limit, 1, MAX_ROWS)
    if not question.strip():
        return _marked(engine, BrowseFilter(namespace, person=speaker), size)
    found = engine.recall(question, namespace=namespace, limit=MAX_RESULTS)
    segments = {one.id: one for one in found.segments}
    ranked = [row for row in found.lines if segments[row.segment].lines[row.line].speaker == speaker][:size]
    ranked.sort(key=lambda row: (segments[row.segment].at, segments[row.segment].number, row.line))
    return tuple(
        _recalled(one, f"{speaker}: {one.lines[row.line].text}") for row in ranked for one in [segments[row.segment]]
    )


def between(name: str, value: int, low: int, high: int) -> int:
    if not low <= value <= high:
        raise InputError(f"{name} is {value}: give {low} to {high}.")
    return value


def _marked(engine: Engine, chosen: BrowseFilter, size: int) -> tuple[TimelineEntry, ...]:
    return tuple(_point(one) for one in engine.reads.browse.points(chosen, "state", size))


def _point(one: TimelinePoint) -> TimelineEntry:
    return TimelineEntry(one.id, one.session, one.title, one.at, one.state, label(one.words, MAX_ENTRY))


def _recalled(one: Passage, text: str) -> TimelineEntry:
    return TimelineEntry(one.id, one.session_id, one.title, one.at, State.ACTIVE, label(text, MAX_ENTRY))
