"""The timeline tab: a memory over the years, down to the minute; whatever is clicked is read beside it.

Knows: the tab's components and their events. How a view is made stands in timeline_view.py, how it is drawn in pmg/figures. Far
away the store counts and the page draws some hundred bars; near, each memory is a point. So a large memory costs no more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import gradio as gr

from pmg.figures import style
from pmg.model import State
from pmg.ui import clicks
from pmg.ui.app_context import AppContext, PageContext
from pmg.ui.error_boundary import shows_errors
from pmg.ui.reader import reader_view
from pmg.ui.reader.reader_pane import QUIET, ReaderPane, pane
from pmg.ui.timeline import ranges
from pmg.ui.timeline.ranges import TimeRange
from pmg.ui.timeline.timeline_view import TimelineSelection, TimelineView, choices, view

FIGURE = "pmg-timeline-figure"
COLOUR_BY = ("topic", "source", "person", "quality", "state")

CSS = (
    reader_view.CSS
    + style.CSS
    + """
.pmg-bare .modebar-container { display: none; }
.pmg-steps button { min-width: 0 !important; flex: 1 1 auto !important; }
.pmg-caption { margin: 2px 0 6px; font-size: .95rem; }
.pmg-caption b { font-weight: 600; }
.pmg-sittings { max-height: 320px; overflow-y: auto; }
.pmg-forget button.stop { background: #b3423a; border-color: #b3423a; color: #fff; }
.pmg-forget ul { margin: 4px 0 0; padding-left: 20px; font-size: .88rem; }
.pmg-forget { border: 1px solid #c9484f66; border-radius: 8px; padding: 10px !important; }
"""
)


@dataclass(frozen=True)
class TimelineFields:
    """What the person can set; `asked` is what every handler is given, in this order."""

    namespace: gr.State
    span: gr.State  # two ISO times, or nothing for everything
    text: gr.Textbox
    person: gr.Dropdown
    tag: gr.Dropdown
    state: gr.Dropdown
    colour: gr.Dropdown

    @property
    def asked(self) -> list[Any]:
        return [self.namespace, self.span, self.text, self.person, self.tag, self.state, self.colour]


def build(context: AppContext, page: PageContext, tab: gr.Tab) -> None:
    with gr.Row(equal_height=False):
        with gr.Column(scale=3, min_width=320):
            fields, since, until = _fields(page)
            with gr.Row(elem_classes="pmg-steps"):
                steps = [gr.Button(said, size="sm") for said in ("Everything", "Zoom out", "‹ Earlier", "Later ›")]
            figure = gr.Plot(
                show_label=False, label="Timeline", elem_id=FIGURE, elem_classes=["pmg-figure", "pmg-bare"]
            )
            listing = clicks.clickable_html(figure=FIGURE, label="Sessions in view", elem_id="pmg-timeline-list")
        with gr.Column(scale=2, min_width=320):
            read = pane(context, page, "timeline", tab)
    seen = [figure, listing, fields.span]
    _wire_view(context, tab, read, fields, seen)
    _wire_pointing(context, read, fields, seen)
    _wire_steps(context, fields, seen, steps, since, until)


def _fields(page: PageContext) -> tuple[TimelineFields, gr.Textbox, gr.Textbox]:
    with gr.Row():
        text = gr.Textbox(label="Filter by words", placeholder="words, then Enter", scale=2, min_width=160)
        colour = gr.Dropdown(label="Colour by", choices=list(COLOUR_BY), value="topic", scale=1, min_width=120)
    with gr.Accordion("More filters", open=False):
        with gr.Row():
            person = gr.Dropdown(label="Person", choices=[("anybody", "")], value="", min_width=120)
            tag = gr.Dropdown(label="Tag", choices=[("any", "")], value="", min_width=120)
            states = [("any", ""), *((state.value, state.value) for state in State)]
            state = gr.Dropdown(label="State", choices=states, value="", min_width=120)
        with gr.Row():
            since = gr.Textbox(label="From", placeholder="2025, 2025-03 or 2025-03-14", min_width=140)
            until = gr.Textbox(label="To, included", placeholder="2025-04", min_width=140)
    return TimelineFields(page.namespace, gr.State(None), text, person, tag, state, colour), since, until


def asked_for(
    namespace: str,
    span: tuple[str, str] | None,
    text: str = "",
    person: str | None = "",
    tag: str | None = "",
    state: str | None = "",
    colour: str = "topic",
) -> TimelineSelection:
    """The fields as they come from the page."""
    return TimelineSelection(
        namespace, ranges.from_text(span) if span else None, text, person or "", tag or "", state or "", colour
    )


def shown(found: TimelineView) -> list[Any]:
    """A view as the figure, the list and the range that the page keeps."""
    kept = (found.span.since.isoformat(), found.span.until.isoformat()) if found.span else None
    return [found.figure, found.html, kept]


def _wire_view(context: AppContext, tab: gr.Tab, read: ReaderPane, fields: TimelineFields, seen: list[Any]) -> None:
    @shows_errors()
    def redraw(*values: Any) -> list[Any]:
        return shown(view(context, asked_for(*values)))

    @shows_errors()
    def arrive(*values: Any) -> list[Any]:
        people, tags = choices(context.engine, values[0])
        return [*shown(view(context, asked_for(*values))), gr.Dropdown(choices=people), gr.Dropdown(choices=tags)]

    @shows_errors()
    def other_wall(namespace: str, colour: str) -> list[Any]:
        people, tags = choices(context.engine, namespace)
        emptied = [gr.Dropdown(choices=people, value=""), gr.Dropdown(choices=tags, value="")]
        return [*shown(view(context, TimelineSelection(namespace, colour=colour))), *emptied, "", *read.empty()]

    lists = [fields.person, fields.tag]
    tab.select(arrive, fields.asked, [*seen, *lists], **QUIET)
    fields.namespace.change(
        other_wall, [fields.namespace, fields.colour], [*seen, *lists, fields.text, *read.outputs], **QUIET
    )
    fields.text.submit(redraw, fields.asked, seen, **QUIET)
    for field in (fields.person, fields.tag, fields.state, fields.colour):
        field.input(redraw, fields.asked, seen, **QUIET)
    for change in read.changes:
        change.then(arrive, fields.asked, [*seen, *lists], **QUIET)


def _wire_pointing(context: AppContext, read: ReaderPane, fields: TimelineFields, seen: list[Any]) -> None:
    """A bar leads into its range, a point and a session to their memory, a drag to the range that was marked."""
    stay = [gr.skip()] * len(seen)

    @shows_errors()
    def on_pick(
        event: gr.EventData, namespace: str, span: Any, text: str, person: str, tag: str, state: str, colour: str
    ) -> list[Any]:
        picked = clicks.picked(event)
        into = ranges.from_bar(picked)
        if into is None:
            return [*stay, *read.show(picked, namespace)]
        asked = replace(asked_for(namespace, span, text, person, tag, state, colour), span=into)
        return [*shown(view(context, asked)), *[gr.skip()] * len(read.outputs)]

    @shows_errors()
    def on_zoom(
        event: gr.EventData, namespace: str, span: Any, text: str, person: str, tag: str, state: str, colour: str
    ) -> list[Any]:
        chosen = clicks.zoomed(event)
        if chosen is None:
            return stay
        asked = asked_for(namespace, span, text, person, tag, state, colour)
        return shown(view(context, replace(asked, span=TimeRange(*chosen))))

    seen[1].pick(on_pick, fields.asked, [*seen, *read.outputs], **QUIET)
    seen[1].zoom(on_zoom, fields.asked, seen, **QUIET)


def _wire_steps(
    context: AppContext,
    fields: TimelineFields,
    seen: list[Any],
    steps: list[gr.Button],
    since: gr.Textbox,
    until: gr.Textbox,
) -> None:
    def moved(asked: TimelineSelection, span: TimeRange | None) -> list[Any]:
        return shown(view(context, replace(asked, span=span)))

    @shows_errors()
    def everything(*values: Any) -> list[Any]:
        return [*moved(asked_for(*values), None), "", ""]

    @shows_errors()
    def out(*values: Any) -> list[Any]:
        asked = asked_for(*values)
        return moved(asked, ranges.outward(asked.span) if asked.span else None)

    @shows_errors()
    def earlier(*values: Any) -> list[Any]:
        asked = asked_for(*values)
        return moved(asked, ranges.onward(asked.span, forward=False) if asked.span else None)

    @shows_errors()
    def later(*values: Any) -> list[Any]:
        asked = asked_for(*values)
        return moved(asked, ranges.onward(asked.span, forward=True) if asked.span else None)

    @shows_errors()
    def dated(begin: str, end: str, *values: Any) -> list[Any]:
        return moved(asked_for(*values), ranges.typed(begin, end))

    steps[0].click(everything, fields.asked, [*seen, since, until], **QUIET)
    for button, handler in zip(steps[1:], (out, earlier, later), strict=True):
        button.click(handler, fields.asked, seen, **QUIET)
    for field in (since, until):
        field.submit(dated, [since, until, *fields.asked], seen, **QUIET)
