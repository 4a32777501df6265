"""The recall preview tab: a query, the knobs, and everything that happens between them and the block.

Knows: which knobs are shown and the tab's components. How a recall is laid open stands in stages.py. Previews are not counted:
looking must not change what is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import gradio as gr

from pmg import config as configuration
from pmg import settings
from pmg.config import RecallConfig
from pmg.engine import Engine
from pmg.errors import InputError
from pmg.ui import clicks
from pmg.ui.app_context import AppContext, PageContext
from pmg.ui.error_boundary import inform, shows_errors
from pmg.ui.preview import compare, stages
from pmg.ui.preview.stages import Preview, preview
from pmg.ui.reader.reader_pane import QUIET, ReaderPane, pane

FIGURE = "pmg-preview-figure"
FLOOR = "floor"
# The knobs people turn, then the others; with the words of the page. The ranges and reasons stand in pmg/config.py.
MAIN = {
    "mode": "Mode",
    "fusion": "Fusion",
    FLOOR: "Floor (cosine)",
    "top_k": "Top-k entries",
    "lateral": "Lateral each",
    "vertical": "Vertical ±",
    "budget_tokens": "Budget (tokens)",
}
_SAID = {
    "limit": "At most",
    "chain": "Chain flow",
    "semantic": "Semantic flow",
    "speaker": "Speaker weight",
    "dates": "Date weight",
    "diversity": "Diversity λ",
    "lexical": "Search by words",
    "flag_instructions": "Mark instructions",
}
NOT_HERE = ("reranker",)  # it names a model to load: a matter of settings, not of one query
MORE = {
    field.name: _SAID.get(field.name, field.name.replace("_", " ").capitalize())
    for field in fields(RecallConfig)
    if field.name not in MAIN and field.name not in NOT_HERE
}
ASK = '<p class="pmg-empty">Ask something: you see what would be recalled, and why, before any model does.</p>'

CSS = """
.pmg-ask { align-items: end !important; }
.pmg-ask button { max-height: 44px; margin-bottom: 6px; }
.pmg-knobs { gap: 8px !important; }
.pmg-head { margin: 14px 0 6px; font-size: .85rem; font-weight: 600; color: var(--body-text-color-subdued); }
.pmg-block { max-height: 420px; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8rem; line-height: 1.45;
  padding: 10px 12px; border: 1px solid var(--border-color-primary); border-radius: 8px; background: var(--background-fill-secondary);
  color: var(--body-text-color); margin: 0; }
.pmg-stages { display: grid; grid-template-columns: repeat(auto-fit, minmax(215px, 1fr)); gap: 12px; align-items: start; }
.pmg-stages section { min-width: 0; max-height: 640px; overflow-y: auto; }
.pmg-card { display: flex; flex-direction: column; gap: 3px; width: 100%; text-align: left; padding: 8px 10px; margin: 0 0 6px;
  border: 1px solid var(--border-color-primary); border-radius: 8px; background: var(--block-background-fill);
  color: var(--body-text-color); font: inherit; font-size: .86rem; cursor: pointer; overflow-wrap: anywhere; }
.pmg-card:hover { border-color: var(--color-accent); }
.pmg-out { opacity: .78; border-style: dashed; }
.pmg-reason { font-size: .8rem; color: #b3423a; }
.dark .pmg-reason { color: #ef8f86; }
.pmg-signal { display: grid; grid-template-columns: 1fr 56px 36px; gap: 6px; align-items: center; font-size: .76rem;
  color: var(--body-text-color-subdued); }
.pmg-signal > span:last-child { text-align: right; }
.pmg-share { height: 5px; border-radius: 3px; background: var(--border-color-primary); overflow: hidden; }
.pmg-share i { display: block; height: 100%; background: var(--color-accent); }
.pmg-scroll { overflow: auto; max-height: 460px; }
.pmg-low { max-height: 300px; }
.pmg-table { border: 0 !important; border-collapse: collapse; font-size: .8rem; width: 100%; color: var(--body-text-color); }
.pmg-table th, .pmg-table td { text-align: left !important; padding: 4px 8px !important; border: 0 !important;
  border-bottom: 1px solid var(--border-color-primary) !important; white-space: nowrap; vertical-align: top; background: none; }
.pmg-table th { font-weight: 600; color: var(--body-text-color-subdued); position: sticky; top: 0;
  background: var(--block-background-fill); }
.pmg-table .pmg-wide { white-space: normal; min-width: 220px; overflow-wrap: anywhere; }
.pmg-came td { box-shadow: inset 3px 0 #3a9d6e; } .pmg-went td { box-shadow: inset 3px 0 #c9484f; }
.pmg-came td + td, .pmg-went td + td { box-shadow: none; }
.pmg-plain { border: 0; background: none; padding: 0; font: inherit; color: inherit; text-align: left; cursor: pointer; }
.pmg-plain:hover { text-decoration: underline; }
.pmg-pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(260px, 1fr)); gap: 12px; }
"""

# plain functions


def in_force(engine: Engine, names: Sequence[str]) -> list[Any]:
    """The values that hold now, in this order."""
    return [round(engine.thresholds.floor, 3) if n == FLOOR else getattr(engine.config.recall, n) for n in names]


def chosen(engine: Engine, names: Sequence[str], values: Sequence[Any]) -> tuple[dict[str, object], float]:
    """Knobs and floor from the fields of the page; an emptied field counts as it stands in the configuration."""
    now = dict(zip(names, in_force(engine, names), strict=True))
    held = {name: now[name] if value is None else value for name, value in zip(names, values, strict=True)}
    floor = float(held.pop(FLOOR, engine.thresholds.floor))
    if not 0 <= floor <= 1:
        raise InputError(f"The floor is {floor}; it must be a cosine from 0 to 1.")
    kinds: dict[str, type] = {name: type(getattr(engine.config.recall, name)) for name in held}
    return {name: kinds[name](value) for name, value in held.items()}, floor


def save(engine: Engine, names: Sequence[str], values: Sequence[Any]) -> str:
    """What differs from the configuration in force becomes the default, in config.toml and at once."""
    knobs, floor = chosen(engine, names, values)
    changed = {name: value for name, value in knobs.items() if getattr(engine.config.recall, name) != value}
    new: dict[str, dict[str, object]] = {"recall": changed} if changed else {}
    if round(floor, 3) != round(engine.thresholds.floor, 3):
        new["thresholds"] = {FLOOR: floor}
    if not new:
        return "These are the defaults already."
    settings.change(engine, new)
    told_of = [f"{section}.{name} = {value}" for section, table in new.items() for name, value in table.items()]
    return f"Saved as the default: {', '.join(told_of)}."


@dataclass(frozen=True, slots=True)
class PreviewResult:
    """The result as the page shows it, part by part."""

    headline: str
    compared: str
    block: str
    stages: str
    candidates: str


def shown(a: Preview, b: Preview | None) -> PreviewResult:
    return PreviewResult(
        stages.headline(a),
        compare.compared(a, b) if b else "",
        "" if b else stages.block(a),
        stages.stages(a),
        stages.candidates(a),
    )


# the tab

NAMES = (*MAIN, *MORE)


@dataclass(frozen=True)
class PreviewComponents:
    query: gr.Textbox
    a: list[Any]  # a field for each of NAMES
    compare: gr.Checkbox
    b: list[Any]  # a field for each of MAIN
    html: list[Any]  # headline with comparison and block; stages; candidates
    figure: gr.Plot

    @property
    def inputs(self) -> list[Any]:
        return [self.query, self.compare, *self.a, *self.b]

    @property
    def outputs(self) -> list[Any]:
        return [*self.html, self.figure]


def build(context: AppContext, page: PageContext, tab: gr.Tab) -> None:
    engine = context.engine
    with gr.Row(elem_classes="pmg-ask"):
        query = gr.Textbox(label="Query", placeholder="What would you ask?", scale=5, min_width=220, autofocus=True)
        run = gr.Button("Recall", variant="primary", scale=0, min_width=110)
    with gr.Row(elem_classes="pmg-knobs"):
        main = [_field(engine, name, label) for name, label in MAIN.items()]
    with gr.Accordion("More knobs", open=False), gr.Row(elem_classes="pmg-knobs"):
        more = [_field(engine, name, label) for name, label in MORE.items()]
    with gr.Row(elem_classes="pmg-steps"):
        compare = gr.Checkbox(label="Compare with a second setting (B)", value=False, min_width=220)
        back = gr.Button("Back to the defaults", size="sm")
        keep = gr.Button("Save as default", size="sm")
    with gr.Row(elem_classes="pmg-knobs", visible=False) as second:
        other = [_field(engine, name, f"B: {label}") for name, label in MAIN.items()]
    with gr.Row(equal_height=False):
        with gr.Column(scale=3, min_width=320):
            head = clicks.clickable_html(ASK, figure=FIGURE, label="Result", elem_id="pmg-preview-result")
            figure = gr.Plot(
                show_label=False, label="Recall graph", elem_id=FIGURE, elem_classes=["pmg-figure", "pmg-bare"]
            )
        with gr.Column(scale=2, min_width=320):
            read = pane(context, page, "preview", tab)
    stages = clicks.clickable_html(label="Stages", elem_id="pmg-preview-stages")
    with gr.Accordion("All candidates, signal by signal", open=False):
        table = gr.HTML(label="Candidates", elem_id="pmg-preview-candidates")
    components = PreviewComponents(query, [*main, *more], compare, other, [head, stages, table], figure)
    _wire_run(context, page, tab, components, run, back, read)
    _wire_knobs(engine, components, second, keep)


def _field(engine: Engine, name: str, label: str) -> Any:
    """The input that suits a knob: a choice, a switch or a number, with its range and reason from the configuration."""
    (value,) = in_force(engine, [name])
    section = configuration.ThresholdConfig if name == FLOOR else RecallConfig
    rules = next(field.metadata for field in fields(section) if field.name == name)
    if rules["choices"]:
        return gr.Dropdown(label=label, choices=list(rules["choices"]), value=value, min_width=110)
    if isinstance(value, bool):
        return gr.Checkbox(label=label, value=value, min_width=140)
    step = 1 if isinstance(value, int) else 0.01 if name == FLOOR else 0.1
    return gr.Number(label=label, value=value, minimum=rules["low"], maximum=rules["high"], step=step, min_width=110)


def _wire_run(
    context: AppContext,
    page: PageContext,
    tab: gr.Tab,
    components: PreviewComponents,
    run: gr.Button,
    back: gr.Button,
    read: ReaderPane,
) -> None:
    engine = context.engine

    @shows_errors()
    def show(namespace: str, query: str, compare: bool, *values: Any) -> list[Any]:
        if not query.strip():
            return [ASK, "", "", None]
        mine, theirs = values[: len(NAMES)], values[len(NAMES) :]
        a = preview(engine, query, namespace, *chosen(engine, NAMES, mine))
        b = None
        if compare:  # what B does not show is as it is in A
            rest = mine[len(MAIN) :]
            b = preview(engine, query, namespace, *chosen(engine, NAMES, [*theirs, *rest]))
        found = shown(a, b)
        return [found.headline + found.compared + found.block, found.stages, found.candidates, stages.graph(a)]

    @shows_errors()
    def on_pick(event: gr.EventData, namespace: str) -> list[Any]:
        return read.show(clicks.picked(event), namespace)

    inputs = [page.namespace, *components.inputs]
    reset = back.click(
        lambda: [*in_force(engine, NAMES), *in_force(engine, list(MAIN))], None, [*components.a, *components.b], **QUIET
    )
    for trigger in (run.click, components.query.submit, tab.select, reset.then):
        trigger(show, inputs, components.outputs, **QUIET)
    for field in (components.compare, *components.a, *components.b):
        field.input(show, inputs, components.outputs, trigger_mode="always_last", **QUIET)
    for heard in (components.html[0], components.html[1]):
        heard.pick(on_pick, page.namespace, read.outputs, **QUIET)
    for change in read.changes:
        change.then(show, inputs, components.outputs, **QUIET)
    page.namespace.change(
        lambda: [ASK, "", "", None, *read.empty()], None, [*components.outputs, *read.outputs], **QUIET
    )


def _wire_knobs(engine: Engine, components: PreviewComponents, second: gr.Row, keep: gr.Button) -> None:
    @shows_errors()
    def on_keep(*values: Any) -> None:
        inform(save(engine, NAMES, values))

    components.compare.input(lambda on: gr.Row(visible=on), components.compare, second, **QUIET)
    keep.click(on_keep, components.a, None, **QUIET)
