"""What was said when, and by whom: the looks through a memory that MCP and REST share.

Knows: one namespace at a time, what is shown where nobody names a time, and that of more than is asked for the newest come. How it
reads for a model stands in answers.py.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from pmg.base.errors import InputError
from pmg.base.model import YOU, Passage, State
from pmg.base.project import ProjectScope
from pmg.base.times import now, parse_range, within
from pmg.client.results import TimelineEntry, TimelinePage
from pmg.engine import Engine
from pmg.recall.assemble import label
from pmg.recall.receipt import RankedLine
from pmg.server.bearing import bearing_memories
from pmg.server.lookup import segment_of
from pmg.store.browse import BrowseFilter, TimelinePoint

MAX_ROWS = 100  # rows of one answer
MAX_RESULTS = 500  # results of one search, all pages together
LAST_DAYS = timedelta(days=7)
AHEAD = timedelta(days=1)  # a date without a zone may be up to a day ahead of this machine's clock
MAX_ENTRY = 400  # characters of one entry


def timeline(
    engine: Engine,
    namespace: str,
    about: str,
    since: str,
    until: str,
    limit: int,
    before: str = "",
    scope: ProjectScope | None = None,
) -> TimelinePage:
    """Oldest first; of more than `limit` the newest. Without a time the last week up to today; with a topic what fits it best."""
    first, last = parse_range(since, until)
    size = between("limit", limit, 1, MAX_ROWS)
    if about.strip():
        _only_by_date(before, "about")
        return TimelinePage(_about(engine, namespace, about, first, last, size, scope))
    if first is None and last is None and not before:
        first, last = last_week()
    sessions = sessions_in(engine, scope)
    return _page(engine, BrowseFilter(namespace, since=first, until=last, before=before, sessions=sessions), size)


def sessions_in(engine: Engine, scope: ProjectScope | None) -> tuple[str, ...] | None:
    """The ids of those that came from there; None: whatever they came from."""
    if scope is None:
        return None
    with engine.indexes.lock.reading():
        catalogue = engine.indexes.catalogue
        return tuple(catalogue.sessions.names[code] for code in catalogue.sessions_in(scope).tolist())


def said_by(engine: Engine, namespace: str, speaker: str, question: str, limit: int, before: str = "") -> TimelinePage:
    """What this person said, by date, the newest `limit`; with a question, their lines that bear on it."""
    size = between("limit", limit, 1, MAX_ROWS)
    if not question.strip():
        return _page(engine, BrowseFilter(namespace, person=speaker, before=before), size)
    _only_by_date(before, "question")
    found = engine.recall(question, namespace=namespace, limit=MAX_RESULTS)
    segments = {one.id: one for one in found.segments}
    own = engine.reads.browse.owner_lines(one.number for one in found.segments) if speaker == YOU else frozenset()

    def is_theirs(row: RankedLine) -> bool:
        one = segments[row.segment]
        return one.lines[row.line].speaker == speaker or (one.number, row.line) in own

    ranked = [row for row in found.lines if is_theirs(row)][:size]
    ranked.sort(key=lambda row: (segments[row.segment].at, segments[row.segment].number, row.line))
    return TimelinePage(
        tuple(
            _recalled(one, f"{one.lines[row.line].speaker}: {one.lines[row.line].text}")
            for row in ranked
            for one in [segments[row.segment]]
        )
    )


def between(name: str, value: int, low: int, high: int) -> int:
    if not low <= value <= high:
        raise InputError(f"{name} is {value}: give {low:,} to {high:,}.")
    return value


def _about(
    engine: Engine,
    namespace: str,
    about: str,
    first: datetime | None,
    last: datetime | None,
    size: int,
    scope: ProjectScope | None,
) -> tuple[TimelineEntry, ...]:
    """Only what is about it. What lies outside the time does not take the place of what lies inside."""
    wide = MAX_RESULTS if first or last else size
    found = engine.recall(about, namespace=namespace, project=scope or "", count=False, limit=wide, pool=max(100, wide))
    about_it = bearing_memories(engine, found)
    inside = [one for one in found.segments if one.number in about_it and within(one.at, first, last)][:size]
    return tuple(_recalled(one, one.text) for one in sorted(inside, key=lambda one: (one.at, one.number)))


def last_week() -> tuple[datetime, datetime]:
    """Up to now: what bears a date to come was not said in it."""
    today = now()
    return today - LAST_DAYS, today + AHEAD


def newest(engine: Engine, namespace: str, scope: ProjectScope | None = None) -> datetime | None:
    """When the last thing was said, dates to come left out; None where nothing was."""
    chosen = BrowseFilter(namespace, until=now() + AHEAD, sessions=sessions_in(engine, scope))
    return engine.reads.browse.extent(chosen).last


def _only_by_date(before: str, other: str) -> None:
    if before:
        raise InputError(f"`before` leads through what is listed by date: leave it out, or `{other}`.")


def _page(engine: Engine, chosen: BrowseFilter, size: int) -> TimelinePage:
    if chosen.before:
        segment_of(engine, chosen.namespace, chosen.before)
    found = engine.reads.browse.points(chosen, "state", size + 1)
    with engine.indexes.lock.reading():
        rows = tuple(_point(one, engine.indexes.catalogue.project_of(one.session)) for one in found[-size:])
    return TimelinePage(rows, rows[0].segment if len(found) > size else "")


def _point(one: TimelinePoint, project: str) -> TimelineEntry:
    return TimelineEntry(one.id, one.session, one.title, one.moment, one.state, label(one.words, MAX_ENTRY), project)


def _recalled(one: Passage, text: str) -> TimelineEntry:
    words = label(text, MAX_ENTRY)
    return TimelineEntry(one.id, one.session_id, one.session_name, one.at, State.ACTIVE, words, one.project)
