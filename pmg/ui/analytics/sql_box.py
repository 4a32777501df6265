"""Questions in SQL on the page: a box, examples, what there is to ask, the answer as a table and a chart, and questions that are kept.

Knows: how an answer is shown and where kept questions lie (a note in the store). What may be asked the store decides: it only reads.
Like `pmg sql` it asks the whole memory, in every namespace, and says so.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import gradio as gr
import plotly.graph_objects as go

from pmg.analytics import run_sql
from pmg.base.errors import InputError
from pmg.exporters.answers import csv_text, plain
from pmg.figures import shapes, style
from pmg.store.duckdb.views import VIEWS
from pmg.ui.error_boundary import inform, shows_errors
from pmg.ui.event_options import PRIVATE
from pmg.ui.render import safe, shortened

if TYPE_CHECKING:
    import pyarrow as pa

    from pmg.engine import Engine
    from pmg.ui.app_context import AppContext

SAVED_QUERIES = "analytics.saved"  # the store's note of the questions that a person keeps
MAX_ROWS = 200  # rows of a table on the page; the file has all that were asked for
MAX_BARS = 60  # bars of a chart
SECONDS = 20.0
MAX_NAME = 60
EXAMPLES = {
    "Memories by month": "SELECT date_trunc('month', said_at)::DATE AS month, count(*) AS memories\nFROM v_segments GROUP BY month ORDER BY month",
    "Topics by size": "SELECT name, segments FROM v_topics ORDER BY segments DESC",
    "Most recalled": "SELECT hits, said_at::DATE AS day, left(text, 120) AS text\nFROM v_segments WHERE hits > 0 ORDER BY hits DESC LIMIT 20",
    "Never recalled, by month": "SELECT date_trunc('month', said_at)::DATE AS month, count(*) AS never\nFROM v_segments WHERE hits = 0 AND state = 'active' GROUP BY month ORDER BY month",
    "Who speaks most": "SELECT person, sum(words)::BIGINT AS words FROM v_lines GROUP BY person ORDER BY words DESC LIMIT 20",
    "What was asked lately": "SELECT recalled_at, query, segments FROM v_recalls ORDER BY recalled_at DESC LIMIT 30",
}


# plain functions


@dataclass(frozen=True, slots=True)
class SqlAnswer:
    table: pa.Table
    more: bool

    @property
    def html(self) -> str:
        head = "".join(f"<th>{safe(name)}</th>" for name in self.table.column_names)
        few = self.table.slice(0, MAX_ROWS)
        rows = zip(*(column.to_pylist() for column in few.columns), strict=True) if few.num_columns else ()
        body = "".join("<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row) + "</tr>" for row in rows)
        packed = base64.b64encode(csv_text(self.table).encode("utf-8")).decode()
        count = f"{self.table.num_rows:,} {'row' if self.table.num_rows == 1 else 'rows'}"
        told = count + (", and more than are fetched" if self.more else "")
        told += f"; the first {MAX_ROWS} are shown" if self.table.num_rows > MAX_ROWS else ""
        return (
            f'<p class="pmg-muted">{told} · <a download="pmg-answer.csv" href="data:text/csv;base64,{packed}">CSV</a></p>'
            f'<div class="pmg-answer"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
        )


def _cell(value: Any) -> str:
    return "" if value is None else safe(shortened(str(plain(value)), 300))


def answered(engine: Engine, statement: str) -> SqlAnswer:
    if not statement.strip():
        raise InputError("Write a question first, or choose an example.")
    table = run_sql(engine, statement, seconds=SECONDS)
    return SqlAnswer(table, b"more" in (table.schema.metadata or {}))


def chart(table: pa.Table) -> go.Figure | None:
    """Numbers over the first column that holds none; None where there is nothing to draw."""
    columns = {name: table.column(name).to_pylist() for name in table.column_names}
    numeric = [
        name for name, values in columns.items() if _all(values, (int, float)) and name not in ("topic", "recall")
    ]
    along = next((name for name in columns if name not in numeric), None)
    if along is None or not numeric or not 2 <= table.num_rows <= 5_000:
        return None
    value = next((name for name in numeric if list(columns).index(name) > list(columns).index(along)), numeric[0])
    timed = _all(columns[along], (date, datetime))
    x, y = columns[along][: None if timed else MAX_BARS], columns[value][: None if timed else MAX_BARS]
    labels = x if timed else [style.short_label(str(one)) for one in x]
    figure = go.Figure(
        go.Scatter(x=labels, y=y, mode="lines+markers") if timed and len(x) > MAX_BARS else go.Bar(x=labels, y=y)
    )
    shapes.apply_style(figure, 320, legend=False)
    return figure.update_layout(
        yaxis={"title": {"text": style.short_label(value)}}, xaxis={"type": "date" if timed else "category"}
    )


def _all(values: list[Any], kinds: tuple[type, ...]) -> bool:
    there = [value for value in values if value is not None]
    return bool(there) and all(isinstance(value, kinds) and not isinstance(value, bool) for value in there)


def saved(engine: Engine) -> dict[str, str]:
    return {str(name): str(text) for name, text in json.loads(engine.reads.note(SAVED_QUERIES) or "{}").items()}


def save(engine: Engine, name: str, statement: str) -> dict[str, str]:
    wanted = " ".join(name.split())
    if not wanted or len(wanted) > MAX_NAME or not statement.strip():
        raise InputError(f"A kept question has a name of 1 to {MAX_NAME} characters and a text.")
    return _put(engine, saved(engine) | {wanted: statement})


def remove(engine: Engine, name: str) -> dict[str, str]:
    return _put(engine, {one: text for one, text in saved(engine).items() if one != name})


def _put(engine: Engine, questions: dict[str, str]) -> dict[str, str]:
    engine.put_note(SAVED_QUERIES, json.dumps(dict(sorted(questions.items()))))
    return dict(sorted(questions.items()))


def choices(engine: Engine) -> list[tuple[str, str]]:
    """Kept questions first, then the examples."""
    return [(f"★ {name}", text) for name, text in saved(engine).items()] + list(EXAMPLES.items())


def views_html() -> str:
    """What there is to ask, each view with its columns."""
    listed = "".join(
        f"<details><summary><code>{view.name}</code> <span class='pmg-muted'>{safe(view.about)}</span></summary><ul>"
        + "".join(f"<li><code>{safe(name)}</code> {safe(about)}</li>" for name, about in view.columns.items())
        + "</ul></details>"
        for view in VIEWS
    )
    return f'<details class="pmg-views"><summary>What there is to ask: {len(VIEWS)} views</summary>{listed}</details>'


# the page


def build(context: AppContext, inner: gr.Tab) -> None:
    engine = context.engine
    gr.HTML(
        '<p class="pmg-muted">A question in SQL, answered from the whole memory, all namespaces together. It can only read: nothing is ever changed.</p>'
    )
    with gr.Row(equal_height=False):
        chosen = gr.Dropdown(
            choices(engine), value=None, label="Examples and kept questions", min_width=260, elem_id="pmg-sql-examples"
        )
        name = gr.Textbox("", label="Keep it as", max_lines=1, min_width=180, elem_id="pmg-sql-name")
    box = gr.Textbox(
        "",
        label="SQL",
        placeholder=next(iter(EXAMPLES.values())),
        lines=4,
        max_lines=16,
        elem_id="pmg-sql",
    )
    with gr.Row():
        run = gr.Button("Ask", variant="primary", scale=0, min_width=140, elem_id="pmg-sql-run")
        keep = gr.Button("Keep", scale=0, min_width=140, elem_id="pmg-sql-keep")
        drop = gr.Button("Remove", scale=0, min_width=140)
    gr.HTML(views_html())
    drawn = gr.Plot(show_label=False, label="Chart", visible=False, elem_classes=["pmg-figure", "pmg-bare"])
    table = gr.HTML(elem_id="pmg-sql-answer")

    @shows_errors()
    def ask(statement: str) -> list[Any]:
        found = answered(engine, statement)
        figure = chart(found.table)
        return [gr.Plot(figure, visible=figure is not None), found.html]

    @shows_errors()
    def on_keep(called: str, statement: str) -> Any:
        save(engine, called, statement)
        inform("Kept. It is in the list of questions from now on.")
        return gr.Dropdown(choices=choices(engine))

    @shows_errors()
    def on_drop(called: str) -> Any:
        remove(engine, " ".join(called.split()))
        return gr.Dropdown(choices=choices(engine), value=None)

    chosen.input(lambda text: text or "", chosen, box, show_progress="hidden", **PRIVATE).then(
        ask, box, [drawn, table], **PRIVATE
    )
    run.click(ask, box, [drawn, table], **PRIVATE)
    keep.click(on_keep, [name, box], chosen, **PRIVATE)
    drop.click(on_drop, name, chosen, **PRIVATE)
    inner.select(lambda: gr.Dropdown(choices=choices(engine)), None, chosen, show_progress="hidden", **PRIVATE)


CSS = """
#pmg-sql textarea { font-family: var(--font-mono) !important; font-size: 13.5px !important; }
.pmg-answer { overflow: auto; max-height: 60vh; border: 1px solid var(--border-color-primary); border-radius: 8px; }
.pmg-answer table { border-collapse: collapse; width: 100%; font-size: 13px; margin: 0 !important; border: 0 !important; }
.pmg-answer th { position: sticky; top: 0; background: var(--block-background-fill) !important; text-align: left; }
.pmg-answer th, .pmg-answer td { padding: 5px 10px !important; border: 0 !important; border-bottom: 1px solid var(--border-color-primary) !important;
  vertical-align: top; font-variant-numeric: tabular-nums; color: var(--body-text-color) !important; background: none; }
.pmg-views { margin: 6px 0 12px; } .pmg-views summary { cursor: pointer; } .pmg-views details { margin: 4px 0 4px 14px; }
.pmg-views ul { margin: 2px 0 6px !important; padding-left: 20px !important; font-size: 13px; }
"""
