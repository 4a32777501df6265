"""The graph tab: the whole memory from above, opened further in place; what is clicked is read beside it.

Knows: the tab's components and their events. Which nodes make a picture stands in graph_picture.py, its data in graph_data.py; it is drawn in
the browser by static/graph.js.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import gradio as gr

from pmg.store.graph import NodeKey
from pmg.ui import page_address, static_files
from pmg.ui.app_context import AppContext, PageContext
from pmg.ui.error_boundary import shows_errors
from pmg.ui.event_options import LATEST
from pmg.ui.graph import graph_data, graph_html, graph_search
from pmg.ui.reader.reader_pane import ReaderPane, open_beside, pane
from pmg.ui.tab_route import HERE, wire_route

TAB = "graph"
MAX_SHOWN = 400  # ids that a page may send of what it shows
CSS = graph_html.CSS

# gradio looks for the names of events in this text. The styles stand in it too: what is handed over as properties may not be there yet when it runs.
_START = (
    f"""
const sorts = {json.dumps(graph_data.NODE_STYLES)}, kinds = {json.dumps(graph_data.LINK_STYLES)};
"""
    + """
const tell = {'pick': (told) => trigger('pick', told), 'expand': (told) => trigger('expand', told), 'around': (told) => trigger('around', told),
  'find': (told) => trigger('find', told), 'close': (told) => trigger('close', told)};
window.pmgGraph.start({element, props, watch, sorts, kinds, tell: (name, told) => tell[name](told)});
"""
)


def build(context: AppContext, page: PageContext, tab: gr.Tab) -> None:
    with gr.Row(equal_height=False):
        with gr.Column(scale=3, min_width=320):
            canvas = gr.HTML(
                None,
                html_template=graph_html.TEMPLATE,
                js_on_load=_START,
                head=static_files.scripts(static_files.CYTOSCAPE, "graph.js"),
                apply_default_css=False,
                label="Memory graph",
                elem_id="pmg-graph",
            )
        with gr.Column(scale=2, min_width=320, visible=False) as side:
            read = pane(context, page, TAB)
    _wire_route(context, page, tab, canvas, read, side)
    _wire_pointing(context, page, canvas, read, side)


def event_text(event: gr.EventData, name: str) -> str:
    """One word of what the script told; empty for anything else."""
    data = event._data if isinstance(event._data, dict) else {}
    found = data.get(name, "")
    return found if isinstance(found, str) else ""


def shown(event: gr.EventData) -> list[NodeKey]:
    """What the page says it shows; what is no node is passed over."""
    data = event._data if isinstance(event._data, dict) else {}
    listed = data.get("shown", [])
    texts = [one for one in listed[:MAX_SHOWN] if isinstance(one, str)] if isinstance(listed, list) else []
    return [key for text in texts if (key := NodeKey.parse(text))]


def _wire_route(
    context: AppContext, page: PageContext, tab: gr.Tab, canvas: gr.HTML, read: ReaderPane, side: gr.Column
) -> None:
    engine = context.engine

    def picture(address: str, namespace: str) -> dict[str, Any]:
        middle = NodeKey.parse(page_address.filters(address, TAB).get("at", ""))
        found = graph_data.around(engine, namespace, middle) if middle else graph_data.overview(engine, namespace)
        return replace(found, tab_opened=True).to_json()

    @shows_errors()
    def load(address: str, namespace: str) -> list[Any]:
        opened = read.again(page_address.parse(address).memory, namespace)
        return [picture(address, namespace), gr.Column(visible=bool(opened[0])), *opened]

    @shows_errors()
    def namespace_changed(namespace: str) -> list[Any]:
        return [graph_data.overview(engine, namespace).to_json(), gr.Column(visible=False), *read.empty()]

    seen = [canvas, side, *read.outputs]
    wire_route(page, tab, TAB, load, seen)
    page.namespace.change(namespace_changed, page.namespace, seen, **LATEST)
    for change in read.changes:
        change.then(shows_errors()(picture), [page.address, page.namespace], canvas, js=HERE, **LATEST)


def _wire_pointing(context: AppContext, page: PageContext, canvas: gr.HTML, read: ReaderPane, side: gr.Column) -> None:
    engine = context.engine

    @shows_errors()
    def on_expand(event: gr.EventData, namespace: str) -> Any:
        node = NodeKey.parse(event_text(event, "id"))
        return graph_data.opened(engine, namespace, node, shown(event)).to_json() if node else gr.skip()

    @shows_errors()
    def on_around(event: gr.EventData, namespace: str) -> Any:
        node = NodeKey.parse(event_text(event, "id"))
        found = graph_data.around(engine, namespace, node) if node else graph_data.overview(engine, namespace)
        return found.to_json()

    @shows_errors()
    def on_find(event: gr.EventData, namespace: str) -> Any:
        words = event_text(event, "words").strip()
        return graph_search.found(engine, namespace, words, shown(event)).to_json() if words else gr.skip()

    open_beside(read, side, page.namespace, canvas)
    canvas.expand(on_expand, page.namespace, canvas, **LATEST)
    canvas.around(on_around, page.namespace, canvas, **LATEST)
    canvas.find(on_find, page.namespace, canvas, **LATEST)
