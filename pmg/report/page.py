"""A report as HTML: pure text from facts and figures.

Knows: the page, its style and that everything stored is escaped. facts.py gathers what stands in it. A policy inside the page
forbids it to ask any other machine for anything.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from pmg.base.text import printable
from pmg.figures import embed_html, style
from pmg.report.facts import ReportFacts

POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
_STYLE = """
:root { color-scheme: light dark; --ink: #1a201f; --muted: #525d5a; --line: #e2e6e4; --ground: #f8f9f8; --card: #fff; --accent: #1d716a;
  --body-text-color: var(--ink); --body-text-color-subdued: var(--muted); }
@media (prefers-color-scheme: dark) { :root { --ink: #f0f2f1; --muted: #98a3a0; --line: #2c3433; --ground: #121716; --card: #1a201f; --accent: #7cc4bb; } }
body { margin: 0 auto; max-width: 1080px; padding: 24px 20px 60px; background: var(--ground); color: var(--ink);
  font: 15px/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
h1 { font-size: 24px; margin: 0; } h2 { font-size: 18px; margin: 36px 0 10px; } h3 { font-size: 15px; margin: 0 0 2px; }
p { margin: 4px 0; } .muted { color: var(--muted); font-size: 13.5px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); gap: 10px; margin: 18px 0; }
.tile, .card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 12px 16px; }
.tile b { display: block; font-size: 20px; } .tile span { color: var(--muted); font-size: 13px; }
.card { margin: 12px 0; overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: 14px; }
th { text-align: left; font-weight: 600; color: var(--muted); } th, td { padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.ok::before { content: "✓ "; color: var(--accent); } .choice::before { content: "· "; } .look::before { content: "! "; color: #b7791f; } .bad::before { content: "✗ "; color: #c5473d; }
li { margin: 4px 0; } .figure { width: 100%; }
""" + style.CSS.replace(".pmg-figure", ".figure").replace(".js-plotly-plot ", "")
_CODE = re.compile("`([^`]*)`")
_ABOUT = "One page, no network: everything is inside this file. It holds names and numbers, no words of your memories."


def page(facts: ReportFacts, charts: Sequence[tuple[str, str, Any]]) -> str:
    """`charts` are title, sentence and figure, in the order in which they stand."""
    drawn = [f'<div class="card"><h3>{_safe(title)}</h3><p class="muted">{_safe(about)}</p>{embed_html.element(figure, f"chart-{i}")}</div>'
             for i, (title, about, figure) in enumerate(charts)]  # fmt: skip
    body = "".join(
        [
            f"<h1>The state of your memory</h1><p class=muted>{_safe(facts.namespace)} · {_day(facts.at)}. {_ABOUT}</p>",
            _tiles(facts),
            _section("What you might do", _list(facts.suggestions)),
            _section("Growth and use", "".join(drawn)),
            _section("Topics", _table(facts.topics, {"name": "topic", "segments": "memories", "last": "last in"})),
            _section("People", _table(facts.people, {"speaker": "who", "role": "as", "lines": "lines", "words": "words", "last_said": "last"})),
            _section("Where it comes from", _table(facts.sources, {"source": "source", "sessions": "sessions", "segments": "memories", "last_said": "last"})),
            _section("Tags", _table(facts.tags, {"tag": "tag", "segments": "memories"})) if facts.tags else "",
            _section("What was done to memories", _done(facts)),
            _section("Health of the whole store", _health(facts)),
        ]
    )  # fmt: skip
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"><meta name="referrer" content="no-referrer">'
        f"<title>The state of your memory, {_day(facts.at)}</title><style>{_STYLE}</style>{embed_html.script()}</head><body>{body}</body></html>\n"
    )


def _safe(text: object) -> str:
    return html.escape(printable(str(text)), quote=True)


def _day(at: datetime | date | None) -> str:
    return "–" if at is None else f"{at.day} {at:%b} {at.year:04d}"


def _tiles(facts: ReportFacts) -> str:
    memories = "memory" if facts.segments == 1 else "memories"
    shown = (
        (f"{facts.segments:,}", f"{memories}, {facts.put_away:,} more put away" if facts.put_away else memories),
        (f"{facts.sessions:,}", "sessions"),
        (f"{facts.links:,}", "links"),
        (f"{facts.recalls:,}", "recalls"),
        (_day(facts.first), "the first"),
        (_day(facts.last), "the last"),
    )
    return f'<div class="tiles">{"".join(f"<div class=tile><b>{value}</b><span>{name}</span></div>" for value, name in shown)}</div>'


def _section(title: str, inside: str) -> str:
    return f"<h2>{_safe(title)}</h2>{inside}"


def _list(sentences: Sequence[str]) -> str:
    rows = "".join(f"<li>{_coded(_safe(one))}</li>" for one in sentences)
    return f'<div class="card"><ul>{rows}</ul></div>'


def _coded(text: str) -> str:
    """Commands stand between backticks in our own sentences."""
    return _CODE.sub(r"<code>\1</code>", text)


def _table(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str]) -> str:
    if not rows:
        return '<p class="muted">Nothing yet.</p>'
    numbers = {name for name in columns if isinstance(rows[0][name], int | float)}
    head = "".join(f"<th{' class=n' if name in numbers else ''}>{label}</th>" for name, label in columns.items())
    body = "".join(f"<tr>{''.join(_cell(row[name]) for name in columns)}</tr>" for row in rows)
    return f'<div class="card"><table><tr>{head}</tr>{body}</table></div>'


def _cell(value: Any) -> str:
    if isinstance(value, datetime | date):
        return f"<td>{_day(value)}</td>"
    if isinstance(value, int | float):
        return f'<td class="n">{value:,}</td>'
    return f"<td>{_safe(value) or '–'}</td>"


def _done(facts: ReportFacts) -> str:
    left = {state: count for state, count in facts.states.items() if count and state != "active"}
    told = ", ".join(f"{count:,} {state}" for state, count in left.items())
    sentence = f"Out of recall now, with every word kept: {told}." if told else "Every memory is in recall."
    columns = {"action": "what", "changes": "changes", "segments": "memories", "undone": "undone"}
    return f'<p class="muted">{_safe(sentence)}</p>{_table(facts.done, columns)}'


def _health(facts: ReportFacts) -> str:
    rows = [
        f'<li class="{finding.level}">{_safe(finding.what)}{f" → {_safe(finding.mend)}" if finding.mend else ""}</li>'
        for finding in facts.health
    ]
    return f'<div class="card"><ul style="list-style:none;padding-left:0">{"".join(rows)}</ul></div>'
