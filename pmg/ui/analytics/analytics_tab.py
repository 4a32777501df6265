"""The Analytics tab: a memory in charts, in five groups, each chart with its data and its SQL; and a box for questions of one's own.

Knows: which chart stands where, and that only the group that is open is reckoned. How a chart is asked for and drawn stands in
pmg/figures/gallery.py. Every question goes through a macro that looks into the page's own namespace.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import gradio as gr
import plotly.graph_objects as go

from pmg.analytics import date_range, questions, vectors
from pmg.analytics.date_range import DateRange
from pmg.analytics.forecast import forecast
from pmg.analytics.questions import Data
from pmg.base.text import counted
from pmg.base.times import now
from pmg.engine import Engine
from pmg.exporters.answers import csv_text
from pmg.figures import gallery, links, style
from pmg.figures.gallery import Chart
from pmg.ui import render
from pmg.ui.analytics import drill_down, sql_box
from pmg.ui.app_context import AppContext, PageContext
from pmg.ui.clicks import clickable_html, picked
from pmg.ui.error_boundary import shows_errors
from pmg.ui.event_options import LATEST

# Charts whose points lead to memories, and what such a point is.
CLICKED = {
    "volume": "bar",
    "usefulness": "bar",
    "hit_counts": "bar",
    "topic_months": "colour",
    "activity": "field",
    "people": "bar",
    "people_months": "bar",
    "embedding_map": "dot",
    "states": "bar",
}
OLD_BACKUP = 7  # days
WIDE = frozenset(("growth", "recalls", "topic_months", "embedding_map", "similarity", "states", "half_lives"))
_LATEST: dict[str, Any] = {**LATEST, "show_progress": "minimal"}


def _panel_id(group: str) -> str:
    return f"pmg-analytics-{group.lower()}"


# Which group is open stands in the page alone: what the server held of it would be older than a click.
_OPEN_GROUP_JS = """(_, ...asked) => {
  const shown = (id) => { const panel = document.getElementById(id); return panel && panel.style.display !== 'none'; };
  return [__PANELS__.find(([, id]) => shown(id))?.[0] ?? __PANELS__[0][0], ...asked];
}""".replace("__PANELS__", json.dumps([[group, _panel_id(group)] for group in gallery.GROUPS]))

CSS = (
    style.CSS
    + """
.pmg-range { max-width: 640px; }
.pmg-tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); gap: 10px; margin: 4px 0 8px; }
.pmg-tile { border: 1px solid var(--border-color-primary); border-radius: 10px; padding: 10px 14px; background: var(--block-background-fill); }
.pmg-tile b { display: block; font-size: 20px; font-weight: 600; font-variant-numeric: tabular-nums; }
/* On a phone a chart begins in view: the tiles are small, and nobody points at the corner of a picture there. */
@media (max-width: 700px) { .pmg-tiles { grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 6px; } .pmg-tile { padding: 6px 7px; } .pmg-tile b { font-size: 14px; white-space: nowrap; }
  .pmg-by-pointer { display: none; } }
.pmg-tile span { color: var(--body-text-color-subdued); font-size: 13px; }
.pmg-chart { border: 1px solid var(--border-color-primary) !important; border-radius: 12px !important; padding: 14px 16px 10px !important;
  background: var(--block-background-fill) !important; gap: 4px !important; }
.pmg-chart .block, .pmg-chart .form { border: 0 !important; background: none !important; padding: 0 !important; box-shadow: none !important; }
.pmg-chart .html-container { padding: 0 !important; }
.pmg-chart-head h3 { margin: 0; font-size: 15px; font-weight: 600; }
.pmg-chart-head p { margin: 2px 0 0; color: var(--body-text-color-subdued); font-size: 13px; }
/* Where nothing is drawn there is nothing to click. */
.pmg-chart:not(:has(.pmg-drawn)) .pmg-hint { display: none; }
.pmg-chart-foot { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: baseline; font-size: 13px; }
.pmg-chart-foot details { flex: 1 1 auto; }
.pmg-chart-foot details[open] { flex-basis: 100%; }
.pmg-chart-foot summary { cursor: pointer; color: var(--link-text-color); }
.pmg-chart-foot pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 6px 0 0; padding: 8px 10px; border-radius: 8px;
  background: var(--code-background-fill); font-size: 12.5px; max-height: 16em; overflow: auto; }
"""
    + drill_down.CSS
    + sql_box.CSS
)


CAMERA = '<p class="pmg-muted pmg-by-pointer">The camera in the corner of a chart saves it as a picture; its data and its SQL stand under it.</p>'
CALIBRATION = (
    "Which share of each kind of pair reaches a cosine, with the thresholds in force: a good threshold lies where the curves are far "
    "apart. Some seconds, because the pairs that ship with PMG are embedded anew; the command pmg calibrate sets thresholds by the same rule."
)


@dataclass(frozen=True)
class AnalyticsFields:
    """What the person can set; `asked` is what every handler is given, in the order of `AnalyticsSelection`."""

    namespace: gr.State
    choice: gr.Dropdown
    since: gr.Textbox
    until: gr.Textbox

    @property
    def asked(self) -> list[Any]:
        return [self.namespace, self.choice, self.since, self.until]


# plain functions


@dataclass(frozen=True, slots=True)
class AnalyticsSelection:
    """What the person looks at: a namespace, and a range as they chose it."""

    namespace: str
    range_name: str = date_range.ALL
    since: str = ""
    until: str = ""

    @property
    def span(self) -> DateRange:
        return date_range.named(self.range_name, now().date(), self.since or "", self.until or "")


def tiles(engine: Engine, asked: AnalyticsSelection) -> str:
    """The memory in six numbers."""
    sources = questions.ask(engine, "sources", asked.namespace, asked.span).table.to_pylist()
    recalls = questions.ask(engine, "recall_days", asked.namespace, asked.span).table.to_pylist()
    funnel = questions.ask(engine, "recall_funnel", asked.namespace, asked.span).table.to_pylist()
    reached = {row["stage"]: row["segments"] or 0 for row in funnel}
    segments, used = reached.get("in recall", 0), reached.get("recalled once", 0)
    away = reached.get("stored", 0) - segments
    first = min((row["first_said"] for row in sources), default=None)
    one = "memory" if segments == 1 else "memories"
    shown = [
        (
            f"{segments:,}",
            f"{one}, {away:,} more out of recall" if away else one,
        ),  # the number in the header, in this range
        _counted(sum(row["sessions"] for row in sources), "session"),
        _counted(len(sources), "source"),
        (f"{first.day} {first:%b %Y}" if first else "–", "the first"),
        _counted(sum(row["recalls"] for row in recalls), "recall"),
        (f"{used / segments:.0%}" if segments else "–", "ever recalled"),
    ]
    cells = "".join(f'<div class="pmg-tile"><b>{value}</b><span>{name}</span></div>' for value, name in shown)
    told = " ".join(filter(None, (health(engine), forecast_line(engine, asked.namespace))))
    return f'<div class="pmg-tiles">{cells}</div><p class="pmg-muted" role="status">{told}</p>{CAMERA}'


def _counted(count: int, noun: str) -> tuple[str, str]:
    return f"{count:,}", noun if count == 1 else f"{noun}s"


def health(engine: Engine) -> str:
    """One line on whether everything is in order, and if not, what is not."""
    model = engine.reads.model
    waiting = engine.reads.pending(model.generation) if model else 0
    newest = max((file.stat().st_mtime for file in (engine.config.home / "backups").glob("*.duckdb")), default=0.0)
    days = (now().timestamp() - newest) / 86_400
    faults = [f"{counted(waiting, 'memory waits', 'memories wait')} for the embedding model"] if waiting else []
    faults += (
        ["no backup yet"] if not newest else [f"the last backup is {days:.0f} days old"] if days > OLD_BACKUP else []
    )
    faults += ["the embedding model is not there: search by words only"] if engine.model.state == "failed" else []
    if faults:
        return f'<span class="pmg-dot warning">To look at: {render.safe("; ".join(faults))}.</span>'
    return '<span class="pmg-dot ready">Healthy: everything is indexed, and the last backup is fresh.</span>'


def forecast_line(engine: Engine, namespace: str) -> str:
    """How large the memory will be in a year, at the pace of the last months."""
    rows = questions.ask(engine, "growth", namespace).table.to_pylist()
    said: dict[date, int] = {}
    for row in rows:
        said[row["day"]] = said.get(row["day"], 0) + row["segments"]
    size = sum(
        file.stat().st_size for file in engine.config.home.glob("memory.duckdb*")
    )  # with what is not yet written into it
    everything = sum(engine.reads.segments_by_state().values())
    total = sum(said.values())
    held = sum(row["bytes"] for row in questions.ask(engine, "bytes_by_kind", namespace).table.to_pylist())
    found = forecast(said, total, round(size * total / max(1, everything)), held, now().date())
    if found is None:
        return ""
    pace = f"{found.per_day:.1f} memories a day" if found.per_day < 10 else f"{found.per_day:,.0f} memories a day"
    return f"At the pace of the last {found.days} days ({pace}) there will be about {found.segments:,} in a year, in {found.bytes / 1e6:,.0f} MB."


def shown(engine: Engine, chart: Chart, asked: AnalyticsSelection) -> tuple[go.Figure, str]:
    """A chart as it stands on the page: the figure, and what is under it."""
    data = chart.data(engine, asked.namespace, asked.span)
    return chart.draw(data), foot(chart.key, data)


def head(title: str, about: str) -> str:
    return f'<div class="pmg-chart-head"><h3>{render.safe(title)}</h3><p>{render.safe(about)}</p></div>'


def foot(key: str, data: Data) -> str:
    """The data as a file that never touches the server's disk, and the SQL one click away."""
    packed = base64.b64encode(csv_text(data.table).encode("utf-8")).decode()
    rows = f"{data.table.num_rows:,} {'row' if data.table.num_rows == 1 else 'rows'}"
    sql = f"<details><summary>SQL</summary><pre>{render.safe(data.sql)}</pre></details>" if data.sql else ""
    return (
        f'<div class="pmg-chart-foot{" pmg-drawn" if data.table.num_rows else ""}"><a download="pmg-{key}.csv" href="data:text/csv;base64,{packed}">Data (CSV, {rows})</a>'
        f"{sql}</div>"
    )


def measured(engine: Engine, namespace: str) -> tuple[go.Figure, str]:
    """The calibration curve; some seconds, for the shipped pairs are embedded anew."""
    data = vectors.measured(engine, namespace)
    return links.calibration(data), foot("calibration", data)


def group_values(engine: Engine, open_group: str, asked: AnalyticsSelection) -> list[Any]:
    """Figure and foot of each chart of every group; nothing is reckoned for one that is not open."""
    charts = [(group, chart) for group in gallery.GROUPS for chart in gallery.of_group(group)]
    drawn = (shown(engine, chart, asked) if group == open_group else (gr.skip(), gr.skip()) for group, chart in charts)
    return [value for both in drawn for value in both]


# the page


def build(context: AppContext, page: PageContext, tab: gr.Tab) -> None:
    with gr.Row(equal_height=True, elem_classes="pmg-range"):
        choice = gr.Dropdown(label="Range", choices=list(date_range.NAMES), value=date_range.ALL, min_width=160)
        since = gr.Textbox(label="From", placeholder="2026-01-01", visible=False, min_width=120)
        until = gr.Textbox(label="To, included", placeholder="2026-01-31, then Enter", visible=False, min_width=120)
    summary = gr.HTML(min_height=90)
    fields = AnalyticsFields(page.namespace, choice, since, until)
    parts: list[Any] = []
    changes = [tab.select, page.namespace.change, choice.input, since.submit, until.submit]
    opened = []
    with gr.Tabs():
        for group in gallery.GROUPS:
            with gr.Tab(group, elem_id=_panel_id(group)) as inner:
                parts += _cards(context, gallery.of_group(group), fields)
                if group == "Graph":
                    _calibration(context, page)
            opened.append(inner.select)
        with gr.Tab("Ask in SQL", elem_id="pmg-analytics-sql") as asking:
            sql_box.build(context, asking)
    _wire_summary(context, fields, summary, changes)
    _wire_charts(context, fields, parts, [*changes, *opened])
    choice.input(_days_fields, choice, [since, until], **_LATEST)


def _days_fields(name: str) -> list[Any]:
    return [gr.Textbox(visible=name == date_range.CHOSEN), gr.Textbox(visible=name == date_range.CHOSEN)]


def _cards(context: AppContext, charts: Sequence[Chart], fields: AnalyticsFields) -> list[Any]:
    """Two in a row where there is room, the wide ones by themselves; figure and foot of each, in the order of the charts."""
    parts: dict[str, list[Any]] = {}
    waiting = list(charts)
    while waiting:
        narrow = [one for one in waiting if one.key not in WIDE][:2]
        row = waiting[:1] if waiting[0].key in WIDE else narrow
        waiting = [one for one in waiting if one not in row]
        with gr.Row(equal_height=False):
            for chart in row:
                parts[chart.key] = _card(context, chart, fields)
    return [part for chart in charts for part in parts[chart.key]]


def _card(context: AppContext, chart: Chart, fields: AnalyticsFields) -> list[Any]:
    place = f"pmg-chart-{chart.key}"
    with gr.Column(min_width=320, elem_classes="pmg-chart"):
        gr.HTML(head(chart.title, chart.about))
        figure = gr.Plot(show_label=False, label=chart.title, elem_id=place, elem_classes=["pmg-figure", "pmg-bare"])
        if chart.key in CLICKED:
            hint = drill_down.hint(CLICKED[chart.key])
            listed = clickable_html(hint, label="Memories behind it", elem_id=f"{place}-behind", figure=place)
            _behind(context, listed, hint, fields)
        under = gr.HTML()
    return [figure, under]


def _behind(context: AppContext, listed: gr.HTML, hint: str, fields: AnalyticsFields) -> None:
    """A click on a point lists the memories behind it; another range or namespace takes the list away."""

    @shows_errors()
    def read(namespace: str, choice: str, since: str, until: str, event: gr.EventData) -> str:
        chosen = AnalyticsSelection(namespace, choice, since, until)
        return drill_down.drill_down_html(context.engine, chosen.namespace, picked(event), chosen.span)

    listed.pick(read, fields.asked, listed, **_LATEST)
    # In the browser: an answer of the server's could come after that to a click, and take its list away.
    gr.on(
        [fields.namespace.change, fields.choice.input],
        None,
        None,
        listed,
        js=f"() => {json.dumps(hint)}",
        **_LATEST,
    )


def _wire_summary(context: AppContext, fields: AnalyticsFields, summary: gr.HTML, changes: list[Any]) -> None:
    """The numbers on top have an event of their own: as an output of the charts' they would stay grey until the last of those is drawn."""

    @shows_errors()
    def reckon(*asked: str) -> str:
        return tiles(context.engine, AnalyticsSelection(*asked))

    redraw = _pressed_by("pmg-analytics-reckon", changes)
    redraw(reckon, fields.asked, summary, **LATEST)


def _wire_charts(context: AppContext, fields: AnalyticsFields, outputs: list[Any], changes: list[Any]) -> None:
    """One event draws the charts, whatever changed: an answer that comes late is followed by one to what is asked for by then, and is never the last."""

    @shows_errors()
    def draw(open_group: str, *asked: str) -> list[Any]:
        return group_values(context.engine, open_group, AnalyticsSelection(*asked))

    open_group = gr.Textbox(visible="hidden", label="Open group")  # filled by the script below, when it is asked for
    redraw = _pressed_by("pmg-analytics-draw", changes)
    redraw(draw, [open_group, *fields.asked], outputs, js=_OPEN_GROUP_JS, **_LATEST)


def _pressed_by(elem_id: str, changes: list[Any]) -> Any:
    """The click of a button that nobody sees, which the changes press. What always comes last is done by firing the first event
    anew, for everybody who listens to it: to this one nobody else does."""
    button = gr.Button("Look again", visible="hidden", elem_id=elem_id)
    gr.on(changes, None, js=f"() => {{ document.querySelector('#{elem_id}')?.click(); }}", **_LATEST)
    return button.click


def _calibration(context: AppContext, page: PageContext) -> None:
    with gr.Column(elem_classes="pmg-chart"):
        gr.HTML(head("Calibration", CALIBRATION))
        button = gr.Button("Measure now", size="sm", scale=0)
        figure = gr.Plot(show_label=False, label="Calibration", visible=False, elem_classes=["pmg-figure", "pmg-bare"])
        under = gr.HTML()

    @shows_errors()
    def measure(namespace: str, bar: gr.Progress = gr.Progress()) -> list[Any]:  # noqa: B008 (gradio's own way)
        bar(None, desc="Embedding the pairs that ship with PMG")
        drawn, told_under = measured(context.engine, namespace)
        return [gr.Plot(drawn, visible=True), told_under]

    button.click(measure, page.namespace, [figure, under], api_visibility="private")
    page.namespace.change(lambda: [gr.Plot(visible=False), ""], None, [figure, under], **_LATEST)
