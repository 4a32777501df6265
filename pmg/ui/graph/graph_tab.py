"""The graph tab: topics from above, then from one memory outward, step by step.

Knows: the tab's components and their events. How a neighbourhood is chosen stands in graph_view.py, how it is drawn in
pmg/figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gradio as gr

from pmg.model import Kind
from pmg.ui import clicks
from pmg.ui.app_context import AppContext, PageContext
from pmg.ui.error_boundary import shows_errors
from pmg.ui.graph.graph_view import GraphScene, overview, scene, searched, topics, walked_into
from pmg.ui.reader.reader_pane import QUIET, ReaderPane, pane

FIGURE = "pmg-graph-figure"
KINDS = [(kind.value.replace("_", " "), kind.value) for kind in Kind]
KEPT = 50  # steps back

CSS = """
@media (max-width: 700px) {
  #pmg-graph-figure .textpoint text { font-size: 10px !important; }
}
"""


@dataclass(frozen=True)
class GraphFields:
    namespace: gr.State
    middle: gr.State  # the id in the middle, "" for the map of topics
    trail: gr.State  # the ids that were in the middle before
    hops: gr.Slider
    kinds: gr.CheckboxGroup

    @property
    def asked(self) -> list[Any]:
        return [self.namespace, self.middle, self.trail, self.hops, self.kinds]


def build(context: AppContext, page: PageContext, tab: gr.Tab) -> None:
    with gr.Row(equal_height=False):
        with gr.Column(scale=3, min_width=320):
            with gr.Row():
                search = gr.Textbox(label="Begin at a memory", placeholder="words, then Enter", scale=2, min_width=160)
                topic = gr.Dropdown(label="or at a topic", choices=[], value=None, scale=2, min_width=160)
            with gr.Row(elem_classes="pmg-steps"):
                above = gr.Button("All topics", size="sm")
                back = gr.Button("‹ Back", size="sm")
            figure = gr.Plot(
                show_label=False, label="Memory graph", elem_id=FIGURE, elem_classes=["pmg-figure", "pmg-bare"]
            )
            listing = clicks.clickable_html(figure=FIGURE, label="Memories in view", elem_id="pmg-graph-list")
            with gr.Accordion("Steps and kinds of links", open=False):
                hops = gr.Slider(1, 3, value=2, step=1, label="Steps outward")
                kinds = gr.CheckboxGroup(KINDS, value=[value for _, value in KINDS], label="Links to follow")
        with gr.Column(scale=2, min_width=320):
            read = pane(context, page, "graph", tab)
    fields = GraphFields(page.namespace, gr.State(""), gr.State([]), hops, kinds)
    seen = [figure, listing, fields.middle, fields.trail]
    _wire_arriving(context, tab, read, fields, seen, topic)
    _wire_walking(context, read, fields, seen, search, topic, above, back)


def shown(found: GraphScene, trail: list[str]) -> list[Any]:
    return [found.figure, found.html, found.middle, trail]


def onward(trail: list[str], middle: str, found: GraphScene) -> list[str]:
    """The trail after a step; staying is no step."""
    return trail if found.middle == middle else [*trail, middle][-KEPT:]


def _wire_arriving(
    context: AppContext, tab: gr.Tab, read: ReaderPane, fields: GraphFields, seen: list[Any], topic: gr.Dropdown
) -> None:
    def choices(namespace: str) -> list[tuple[str, str]]:
        return [(f"{one.name} ({len(one.members)})", f"topic:{one.id}") for one in topics(context, namespace)]

    @shows_errors()
    def arrive(namespace: str, middle: str, trail: list[str], hops: float, kinds: list[str]) -> list[Any]:
        there = middle and context.engine.reads.numbers_of([middle])
        found = scene(context.engine, middle, namespace, int(hops), kinds) if there else overview(context, namespace)
        return [*shown(found, trail), gr.Dropdown(choices=choices(namespace), value=None)]

    @shows_errors()
    def other_wall(namespace: str) -> list[Any]:
        names = gr.Dropdown(choices=choices(namespace), value=None)
        return [*shown(overview(context, namespace), []), names, *read.empty()]

    tab.select(arrive, fields.asked, [*seen, topic], **QUIET)
    fields.namespace.change(other_wall, fields.namespace, [*seen, topic, *read.outputs], **QUIET)
    for change in read.changes:
        change.then(arrive, fields.asked, [*seen, topic], **QUIET)


def _wire_walking(
    context: AppContext,
    read: ReaderPane,
    fields: GraphFields,
    seen: list[Any],
    search: gr.Textbox,
    topic: gr.Dropdown,
    above: gr.Button,
    back: gr.Button,
) -> None:
    def stepped(found: GraphScene, namespace: str, middle: str, trail: list[str]) -> list[Any]:
        return [*shown(found, onward(trail, middle, found)), *read.show(found.middle, namespace)]

    @shows_errors()
    def on_pick(
        event: gr.EventData, namespace: str, middle: str, trail: list[str], hops: float, kinds: list[str]
    ) -> list[Any]:
        return stepped(
            walked_into(context, clicks.picked(event), namespace, int(hops), kinds), namespace, middle, trail
        )

    @shows_errors()
    def on_search(
        words: str, namespace: str, middle: str, trail: list[str], hops: float, kinds: list[str]
    ) -> list[Any]:
        found = searched(context, words, namespace, int(hops), kinds) if words.strip() else overview(context, namespace)
        return stepped(found, namespace, middle, trail)

    @shows_errors()
    def on_topic(
        picked: str | None, namespace: str, middle: str, trail: list[str], hops: float, kinds: list[str]
    ) -> list[Any]:
        found = walked_into(context, picked, namespace, int(hops), kinds) if picked else overview(context, namespace)
        return stepped(found, namespace, middle, trail)

    @shows_errors()
    def on_above(namespace: str, middle: str, trail: list[str], hops: float, kinds: list[str]) -> list[Any]:
        return stepped(overview(context, namespace), namespace, middle, trail)

    @shows_errors()
    def on_back(namespace: str, middle: str, trail: list[str], hops: float, kinds: list[str]) -> list[Any]:
        there = [one for one in trail if not one or context.engine.reads.numbers_of([one])]
        last = there[-1] if there else ""
        found = scene(context.engine, last, namespace, int(hops), kinds) if last else overview(context, namespace)
        return [*shown(found, there[:-1]), *read.show(found.middle, namespace)]

    @shows_errors()
    def again(namespace: str, middle: str, trail: list[str], hops: float, kinds: list[str]) -> list[Any]:
        found = scene(context.engine, middle, namespace, int(hops), kinds) if middle else overview(context, namespace)
        return shown(found, trail)

    both = [*seen, *read.outputs]
    seen[1].pick(on_pick, fields.asked, both, **QUIET)
    search.submit(on_search, [search, *fields.asked], both, **QUIET)
    topic.input(on_topic, [topic, *fields.asked], both, **QUIET)
    above.click(on_above, fields.asked, both, **QUIET)
    back.click(on_back, fields.asked, both, **QUIET)
    for field in (fields.hops, fields.kinds):
        field.input(again, fields.asked, seen, **QUIET)
