"""The recall preview tab: a query, the knobs, and everything that happens between them and the block.

Knows: the tab's components, their events, and that the question stands in the page's address. Which knobs there are stands in knobs.py, how a
recall is laid open in stages.py and path.py. Previews are not counted: looking must not change what is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import gradio as gr

from pmg import settings
from pmg.base.errors import InputError
from pmg.engine import Engine
from pmg.ui import clicks, page_address
from pmg.ui.app_context import AppContext, PageContext
from pmg.ui.error_boundary import inform, shows_errors
from pmg.ui.event_options import LATEST, QUIET
from pmg.ui.preview import compare, path, stages
from pmg.ui.preview.knobs import FLOOR, MAIN, MORE, NAMES, acts, in_force, knob_field
from pmg.ui.preview.stages import Preview, preview
from pmg.ui.reader.reader_pane import ReaderPane, pane
from pmg.ui.tab_route import wire_route

TAB = "preview"
MAX_QUESTION = 2_000  # characters of a question in an address that are read
SETTINGS = "Settings of this recall, and comparing two"
ASK = (
    '<p class="pmg-empty">Type a question as you would ask it, “When did I last see the dentist?”, and press Recall. You see every memory that would be '
    "given to a model, the best first, with a bar for each reason; nothing is sent anywhere, and nothing is counted.</p>"
)

CSS = (
    path.CSS
    + """
.pmg-ask { align-items: end !important; }
.pmg-ask button { max-height: 44px; margin-bottom: 6px; }
.pmg-knobs { gap: 8px !important; } .pmg-knobs .form > * { flex: 1 1 190px !important; min-width: 190px !important; }
.pmg-knob-acts { align-items: center !important; gap: 10px !important; }
@media (max-width: 760px) { .pmg-knobs .form > * { flex: 1 1 44% !important; min-width: 44% !important; } .pmg-knob-acts > :not(button) { flex: 1 1 100% !important; min-width: 100% !important; } .pmg-knob-acts button { flex: 1 1 40% !important; } }
.pmg-head { margin: 14px 0 6px; font-size: .85rem; font-weight: 600; color: var(--body-text-color-subdued); }
.pmg-block { max-height: 420px; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8rem; line-height: 1.45;
  padding: 10px 12px; border: 1px solid var(--border-color-primary); border-radius: 8px; background: var(--background-fill-secondary);
  color: var(--body-text-color); margin: 0; }
.pmg-card { display: flex; flex-wrap: wrap; gap: 2px 12px; justify-content: space-between; align-items: end; width: 100%; text-align: left; padding: 5px 10px; margin: 0 0 3px !important;
  border: 1px solid var(--border-color-primary); border-radius: 8px; background: var(--block-background-fill);
  color: var(--body-text-color); font: inherit; font-size: .86rem; cursor: pointer; overflow-wrap: anywhere; }
.pmg-words { flex: 1 0 100%; display: -webkit-box; -webkit-line-clamp: 1; -webkit-box-orient: vertical; overflow: hidden; line-height: 1.4; font-weight: 400; }
.pmg-place { font-size: .76rem; }
.pmg-card:hover { border-color: var(--color-accent); }
.pmg-out { opacity: .92; border-style: dashed; }
.pmg-reason { font-size: .8rem; color: #b3423a; }
.dark .pmg-reason { color: #ef8f86; }
.pmg-signals { display: flex; gap: 2px; align-items: end; height: 16px; }
.pmg-signal { display: inline-flex; align-items: end; gap: 5px; } .pmg-signal > span { display: none; }
.pmg-signal i { width: 9px; height: min(16px, calc(3px + 30px * var(--share))); border-radius: 2px; background: var(--signal); }
.pmg-legend { display: flex; flex-wrap: wrap; gap: 2px 14px; margin: 0 0 8px !important; font-size: .76rem; color: var(--body-text-color-subdued); }
.pmg-legend .pmg-signal { align-items: center; } .pmg-legend i { height: 9px; }
/* What is chosen says more: its whole beginning, and every bar in words. */
.pmg-card:focus .pmg-words { display: block; } .pmg-card:focus .pmg-signals { height: auto; flex-wrap: wrap; gap: 2px 14px; order: 1; }
.pmg-card:focus .pmg-signal > span { display: inline; }
.pmg-scroll { overflow: auto; max-height: 460px; }
.pmg-low { max-height: 300px; }
.pmg-table { border: 0 !important; border-collapse: collapse; font-size: .8rem; width: 100%; color: var(--body-text-color); }
.pmg-table thead, .pmg-table tbody, .pmg-table tr { border: 0 !important; }
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
.pmg-came-line { background: #3a9d6e33; } .pmg-went-line { background: #c9484f2e; }
.pmg-badge { border: 1px solid #d98c2b; color: #a8650f; border-radius: 999px; padding: 0 8px; font-size: .76rem; white-space: nowrap; }
.dark .pmg-badge { color: #f0b869; }
.pmg-dropped { margin-top: 10px; } .pmg-dropped summary { cursor: pointer; font-size: .85rem; color: var(--body-text-color-subdued); padding: 4px 0; }
.pmg-found { margin: 0; font-size: .92rem; line-height: 1.5; }
.pmg-found b { font-weight: 600; text-decoration: underline dotted; text-underline-offset: 3px; cursor: help; }
/* The list is as long as it is; what is read stays beside it in the window. */
@media (min-width: 761px) {
  .pmg-follows { position: sticky !important; top: 8px; align-self: flex-start; max-height: calc(100vh - 16px); overflow-y: auto;
    flex-wrap: nowrap !important; scrollbar-width: thin; }
  .pmg-follows > * { flex-shrink: 0 !important; }
}
@media (max-width: 760px) {
  .pmg-path ul { padding-left: 18px; }
}
.pmg-knob { position: relative; overflow: visible !important; }
.pmg-knob .info-text { position: absolute; z-index: 20; left: 6px; top: calc(100% - 4px); width: max-content; max-width: 280px; padding: 6px 10px;
  border-radius: 8px; background: #242b2a; color: #f3f6f5; font-size: 13px; line-height: 1.4; visibility: hidden; pointer-events: none; }
.pmg-knob .info-text code { color: inherit; background: none; }
.pmg-knob:hover .info-text, .pmg-knob:focus-within .info-text { visibility: visible; }
"""
)

# plain functions


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
        stages.stages(a, compare.badges(a, b) if b else None),
        stages.candidates(a),
    )


# the tab


@dataclass(frozen=True)
class PreviewComponents:
    query: gr.Textbox
    a: list[Any]  # a field for each of NAMES
    compare: gr.Checkbox
    b: list[Any]  # a field for each of MAIN
    outputs: list[
        Any
    ]  # headline with comparison; the way to each memory; block; candidates; the question that all this answers

    @property
    def inputs(self) -> list[Any]:
        return [self.query, self.compare, *self.a, *self.b]


def build(context: AppContext, page: PageContext, tab: gr.Tab) -> None:
    engine = context.engine
    mode = engine.config.recall.mode
    with gr.Row(elem_classes="pmg-ask"):
        query = gr.Textbox(
            label="Your question", placeholder="What would you ask?", scale=5, min_width=220, autofocus=True
        )
        run = gr.Button("Recall", variant="primary", scale=0, min_width=110)
    # Folded: whoever comes to ask sees a question and its memories, and has the window's height for them.
    with gr.Accordion(SETTINGS, open=False):
        with gr.Row(elem_classes="pmg-knobs"):
            main = [knob_field(engine, name, label, mode) for name, label in MAIN.items()]
        with gr.Accordion("Finer settings", open=False), gr.Row(elem_classes="pmg-knobs"):
            more = [knob_field(engine, name, label, mode) for name, label in MORE.items()]
        with gr.Row(elem_classes="pmg-knob-acts"):
            compare = gr.Checkbox(
                label="Compare with a second setting (B)", value=False, scale=0, min_width=300, container=False
            )
            back = gr.Button("Back to the defaults", size="sm", scale=0, min_width=170)
            keep = gr.Button("Save as default", size="sm", scale=0, min_width=150)
        with gr.Row(elem_classes="pmg-knobs", visible=False) as second:
            other = [knob_field(engine, name, f"B: {label}", mode) for name, label in MAIN.items()]
    with gr.Row(equal_height=False):
        with gr.Column(scale=3, min_width=320):
            head = clicks.clickable_html(ASK, label="Result", elem_id="pmg-preview-result")
            ways = clicks.clickable_html(label="From the question to each memory", elem_id="pmg-preview-stages")
            block = gr.HTML(label="Block", elem_id="pmg-preview-block")
            with gr.Accordion("All of them in numbers", open=False):
                table = gr.HTML(label="Candidates", elem_id="pmg-preview-candidates")
        with gr.Column(scale=2, min_width=320, elem_classes="pmg-follows"):
            read = pane(context, page, TAB)
    components = PreviewComponents(query, [*main, *more], compare, other, [head, ways, block, table, gr.State("")])
    _wire_reader(page, tab, components, read)
    _wire_run(context, page, tab, components, run, back, read)
    _wire_knobs(engine, components, second, keep)


_HERE = "(address, namespace, query, ...rest) => [location.hash, namespace, query, ...rest]"
# In the browser and at once: an answer of the server comes later, and would take away what was typed meanwhile.
_FILL_QUERY = f"(query) => (window.pmg.read()['preview-query'] || '').slice(0, {MAX_QUESTION}) || query"
_RETURN_QUERY = (
    "(query) => { const read = window.pmg.read(); return read.tab === 'preview' ? "
    f"(read['preview-query'] || '').slice(0, {MAX_QUESTION}) : query; }}"
)
_KEEP_QUERY = "(query) => { window.pmg.put({'preview-query': query}); }"


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
            return [ASK, "", "", "", ""]
        mine, theirs = values[: len(NAMES)], values[len(NAMES) :]
        a = preview(engine, query, namespace, *chosen(engine, NAMES, mine))
        b = None
        if compare:  # what B does not show is as it is in A
            rest = mine[len(MAIN) :]
            b = preview(engine, query, namespace, *chosen(engine, NAMES, [*theirs, *rest]))
        found = shown(a, b)
        return [found.headline + found.compared, found.stages, found.block, found.candidates, query]

    @shows_errors()
    def load(address: str, namespace: str, query: str, compare: bool, *values: Any) -> list[Any]:
        """With the question of the address, or the one that stands there; without one nothing is touched: somebody may be typing."""
        asked = page_address.filters(address, TAB).get("query", "")[:MAX_QUESTION]
        if not (asked or query).strip():
            return [gr.skip()] * len(components.outputs)
        return show(namespace, asked or query, compare, *values)

    @shows_errors()
    def return_to(address: str, namespace: str, query: str, *values: Any) -> list[Any]:
        """After Back or Forward; another tab's address is none of ours, and what answers the same question stays as it is."""
        *knobs, answered = values
        asked = page_address.filters(address, TAB).get("query", "")[:MAX_QUESTION]
        if page_address.parse(address).tab != TAB or (asked and asked == answered):
            return [gr.skip()] * len(components.outputs)
        return show(namespace, asked, *knobs)

    inputs = [page.namespace, *components.inputs]
    asked, query = [page.address, *inputs], components.query
    tab.select(None, query, query, js=_FILL_QUERY, **LATEST)
    page.route.click(None, query, query, js=_RETURN_QUERY, **LATEST)
    tab.select(load, asked, components.outputs, js=_HERE, **LATEST)
    page.route.click(return_to, [*asked, components.outputs[-1]], components.outputs, js=_HERE, **LATEST)
    reset = back.click(
        lambda: [*in_force(engine, NAMES), *in_force(engine, list(MAIN))],
        None,
        [*components.a, *components.b],
        **LATEST,
    )
    asking = [run.click, components.query.submit]
    turned = [field.input for field in (components.compare, *components.a, *components.b)]
    # One event for all: of two the older answer could come last and stay.
    gr.on([*asking, *turned], show, inputs, components.outputs, **LATEST)
    gr.on(asking, None, components.query, None, js=_KEEP_QUERY, **LATEST)
    reset.then(show, inputs, components.outputs, **LATEST)
    for change in read.changes:
        change.then(show, inputs, components.outputs, **LATEST)
    page.namespace.change(
        lambda: [ASK, "", "", "", "", *read.empty()], None, [*components.outputs, *read.outputs], **LATEST
    )


def _wire_reader(page: PageContext, tab: gr.Tab, components: PreviewComponents, read: ReaderPane) -> None:
    """A card opens its memory and the address names it (page_address.py): Back closes it again, also on a phone, where it lies over the list."""

    @shows_errors()
    def on_pick(event: gr.EventData, namespace: str) -> list[Any]:
        return read.show(clicks.picked(event), namespace)

    @shows_errors()
    def named(address: str, namespace: str) -> list[Any]:
        return read.again(page_address.parse(address).memory, namespace)

    wire_route(page, tab, TAB, named, read.outputs)
    for heard in components.outputs[:2]:
        heard.pick(on_pick, page.namespace, read.outputs, **LATEST)


def _wire_knobs(engine: Engine, components: PreviewComponents, second: gr.Row, keep: gr.Button) -> None:
    @shows_errors()
    def on_keep(*values: Any) -> None:
        inform(save(engine, NAMES, values))

    def in_mode(names: Sequence[str], mode: str) -> list[Any]:
        return [gr.update(visible=acts(name, mode)) for name in names if name != "mode"]

    components.compare.input(lambda on: gr.Row(visible=on), components.compare, second, **LATEST)
    keep.click(on_keep, components.a, None, **QUIET)
    for fields, names in ((components.a, NAMES), (components.b, tuple(MAIN))):
        mode = fields[names.index("mode")]
        others = [field for field in fields if field is not mode]
        mode.change(partial(in_mode, names), mode, others, **LATEST)
