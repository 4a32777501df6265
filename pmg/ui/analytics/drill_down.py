"""The memories behind a point of a chart: what a click asks for, as SQL in the page's namespace, and as a list to read.

Knows: the picks that figures carry in their points (`kind|day|unit|name`). Does not know: how a chart is drawn (pmg/figures).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from urllib.parse import unquote

from pmg.analytics.date_range import DateRange
from pmg.base.errors import InputError
from pmg.base.text import counted, unescape
from pmg.engine import Engine
from pmg.figures.shapes import PICK
from pmg.store.duckdb.relation import SAID
from pmg.store.duckdb.speaking import SPOKEN, by_segment
from pmg.ui.render import day as shown_day
from pmg.ui.render import safe, shortened

MAX_ROWS = 50  # listed; the chart itself says how many there are
_LINE = "g.number IN (SELECT l.segment FROM {} l WHERE l.{} = $2)"
_WHERE = {  # $2 is the point's name
    "topic": "g.number IN (SELECT m.segment FROM topic_members m WHERE m.topic::VARCHAR = $2)",
    "role": _LINE.format("lines", "role"),
    "speaker": _LINE.format(SPOKEN, "person"),
    "used": "g.hits > 0 AND g.state = 'active' AND $2 = ''",
    "unused": "g.hits = 0 AND g.state = 'active' AND $2 = ''",
    "recalled": "g.state = 'active' AND g.hits BETWEEN split_part($2, '-', 1)::BIGINT AND split_part($2, '-', 2)::BIGINT",
    "hour": f"isodow({SAID}) || '-' || hour({SAID}) = $2",
    "state": "g.state = $2",
    "memory": "g.id = $2",
}


def hint(point: str) -> str:
    """What stands under a chart until something is clicked."""
    return f'<p class="pmg-muted pmg-hint">Click a {point} to read the memories behind it.</p>'


@dataclass(frozen=True, slots=True)
class ChartPoint:
    """What was clicked: a kind of point, the time it stands for (none: all of the range), and its name."""

    kind: str
    since: date | None
    until: date | None
    name: str


def point_of(pick: str) -> ChartPoint:
    kind, begin, unit, quoted = (*pick.split(PICK, 3), "", "", "")[:4]
    name = unquote(quoted)
    if kind not in _WHERE:
        raise InputError("There is nothing to read behind this point.")
    if not begin:
        return ChartPoint(kind, None, None, name)
    first = date.fromisoformat(begin)
    ends = {"day": first + timedelta(days=1), "week": first + timedelta(days=7)}
    return ChartPoint(kind, first, ends.get(unit) or (first.replace(day=1) + timedelta(days=32)).replace(day=1), name)


def rows(engine: Engine, namespace: str, point: ChartPoint, span: DateRange) -> list[tuple[Any, ...]]:
    """(id, when, title, text, recalled) of the memories behind a point, newest first; the most recalled first where use is asked for."""
    since, until = point.since or span.since, point.until or span.until
    order = "g.hits DESC, g.said_at DESC" if point.kind in ("used", "recalled") else "g.said_at DESC"
    said = by_segment("string_agg(l.person || ': ' || l.text, chr(10) ORDER BY l.idx)", "chosen")
    sql = f"""WITH chosen AS (SELECT g.number, g.id, {SAID} AS said, s.title, g.hits, g.said_at
                FROM segments g JOIN sessions s ON s.id = g.session_id
                WHERE g.namespace = $1 AND {_WHERE[point.kind]} AND ($3::DATE IS NULL OR {SAID}::DATE >= $3::DATE)
                AND ($4::DATE IS NULL OR {SAID}::DATE < $4::DATE) ORDER BY {order}, g.number LIMIT {MAX_ROWS + 1})
              SELECT g.id, g.said, g.title, spoke.told, g.hits FROM chosen g LEFT JOIN {said} spoke ON spoke.segment = g.number
              ORDER BY {order}, g.number"""
    return engine.sql(sql, [namespace, point.name, since, until]).rows


def drill_down_html(engine: Engine, namespace: str, pick: str, span: DateRange) -> str:
    """The memories as a list that unfolds."""
    found = rows(engine, namespace, point_of(pick), span)
    if not found:
        return '<p class="pmg-empty">No memory lies behind this point any more.</p>'
    more = f" (the first {MAX_ROWS})" if len(found) > MAX_ROWS else ""
    listed = "".join(_entry(*row) for row in found[:MAX_ROWS])
    return f'<p class="pmg-muted">{counted(min(len(found), MAX_ROWS), "memory", "memories")} behind this point{more}</p>{listed}'


def _entry(_id: str, at: Any, title: str, text: str, hits: int) -> str:
    told = f"{shown_day(at)} · {shortened(unescape(title or ''), 60)} · recalled {counted(hits, 'time')}"
    said = unescape(text or "")
    return (
        f'<details class="pmg-behind"><summary><span class="pmg-muted">{safe(told)}</span> {safe(shortened(said, 140))}</summary>'
        f'<div class="pmg-said">{safe(said)}</div></details>'
    )


CSS = """
.pmg-behind { border-bottom: 1px solid var(--border-color-primary); padding: 6px 0; overflow-wrap: anywhere; }
.pmg-behind summary { cursor: pointer; line-height: 1.5; }
.pmg-behind .pmg-said { padding: 8px 0 4px 16px; white-space: normal; line-height: 1.5; max-height: 24em; overflow: auto; }
"""
