"""What a report tells, gathered from one namespace of a memory.

Knows: which questions are asked. page.py says how they look. No words of a memory are in it but names of speakers, topics, tags
and sources: a report may be shown to somebody else.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pmg.analytics import questions
from pmg.analytics.date_range import DateRange
from pmg.base.model import State
from pmg.base.text import unescape
from pmg.doctor import Finding, examine
from pmg.report.suggest import HealthSigns, suggestions
from pmg.store.maintenance import OPEN

if TYPE_CHECKING:
    from pmg.engine import Engine

TOP = 12  # topics, people and tags that are listed
Rows = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class ReportFacts:
    namespace: str
    at: datetime
    segments: int  # in recall, as the header of the page counts
    put_away: int  # merged, archived or said twice: kept, and out of recall
    sessions: int
    links: int
    recalls: int
    first: datetime | None
    last: datetime | None
    sources: Rows
    topics: Rows
    people: Rows
    tags: Rows
    done: Rows  # what was done to memories: action, changes, segments, undone
    states: dict[str, int]
    health: list[Finding]
    suggestions: list[str]


def gather(engine: Engine, namespace: str, at: datetime) -> ReportFacts:
    def ask(name: str) -> Rows:
        return [_plain(row) for row in questions.ask(engine, name, namespace, DateRange()).table.to_pylist()]

    counts, sources, health = engine.counts(namespace), ask("sources"), examine(engine)
    topics, done = _topics(ask("topic_months")), _done(ask("upkeep"))
    states = {state.value: count for state, count in counts.segments.items()}
    reviews = _open_reviews(engine, namespace)
    unlinked = sum(row["segments"] for row in ask("degrees") if row["sort"] == "semantic" and row["degree"] == 0)
    used = next((row["segments"] for row in ask("recall_funnel") if row["stage"] == "recalled once"), 0)
    signs = HealthSigns(
        states[State.ACTIVE.value],
        used,
        unlinked,
        counts.recalls,
        counts.pending,
        reviews,
        len(topics),
        _asked_well(ask("recall_days")),
    )
    return ReportFacts(
        namespace=namespace,
        at=at,
        segments=states[State.ACTIVE.value],
        put_away=sum(states.values()) - states[State.ACTIVE.value],
        sessions=counts.sessions,
        links=sum(counts.links.values()),
        recalls=counts.recalls,
        first=min((row["first_said"] for row in sources), default=None),
        last=max((row["last_said"] for row in sources), default=None),
        sources=sources,
        topics=topics[:TOP],
        people=ask("people")[:TOP],
        tags=ask("tag_counts")[:TOP],
        done=done,
        states=states,
        health=health,
        suggestions=suggestions(signs, health),
    )


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {name: unescape(value) if isinstance(value, str) else value for name, value in row.items()}


def _topics(months: Rows) -> Rows:
    """Each topic with its size and when it was last spoken of, the largest first."""
    found: dict[int, dict[str, Any]] = {}
    for row in months:
        topic = found.setdefault(row["topic"], {"name": row["name"], "segments": 0, "last": row["month"]})
        topic["segments"] += row["segments"]
        topic["last"] = max(topic["last"], row["month"])
    return [found[key] for key in sorted(found, key=lambda key: (-found[key]["segments"], key))]


def _done(days: Rows) -> Rows:
    found: dict[str, dict[str, Any]] = {}
    for row in days:
        action = found.setdefault(row["action"], {"action": row["action"], "changes": 0, "segments": 0, "undone": 0})
        for name in ("changes", "segments", "undone"):
            action[name] += row[name]
    return sorted(found.values(), key=lambda row: (-row["changes"], row["action"]))


def _open_reviews(engine: Engine, namespace: str) -> int:
    sql = "SELECT count(*) FROM v_reviews WHERE namespace = ? AND state = ?"
    return int(engine.sql(sql, [namespace, OPEN]).rows[0][0])


def _asked_well(days: Rows) -> float:
    """The share of recalls that had something to show; 1 where nothing was asked."""
    asked = sum(row["recalls"] for row in days)
    return 1.0 if asked == 0 else 1.0 - float(sum(row["empty"] for row in days)) / asked
