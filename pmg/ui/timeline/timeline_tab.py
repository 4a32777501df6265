"""The timeline tab: a memory over the years, down to the minute; whatever is clicked is read beside it.

Knows: the tab's components and their events, and which of its filters stand in the page's address. What is shown is made in timeline_data.py and
drawn in the browser by static/timeline.js.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import gradio as gr

from pmg.base.model import State
from pmg.engine import Engine
from pmg.figures import style
from pmg.figures.memory_words import HOW_MUCH, state_name
from pmg.store.browse import GROUPINGS, SessionSpan
from pmg.ui import clicks, page_address, render, static_files
from pmg.ui.app_context import AppContext, PageContext
from pmg.ui.error_boundary import shows_errors
from pmg.ui.event_options import LATEST
from pmg.ui.reader import reader_view
from pmg.ui.reader.reader_pane import ReaderPane, open_beside, pane
from pmg.ui.tab_route import AddressField, wire_route
from pmg.ui.timeline import ranges, timeline_html
from pmg.ui.timeline.timeline_data import TimelineSelection, view

TAB = "timeline"
MAX_SESSIONS = 60  # sessions listed under the figure
MAX_FILTER = 400  # characters of a filter in an address that are read

CSS = (
    reader_view.CSS
    + style.CSS
    + timeline_html.CSS
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

# gradio looks for the names of events in this text.
_START = """
const tell = {'pick': (told) => trigger('pick', told), 'range': (told) => trigger('range', told), 'close': (told) => trigger('close', told)};
window.pmgTimeline.start({element, props, watch, tell: (name, told) => tell[name](told)});
"""


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

    @property
    def filters(self) -> list[Any]:
        return [self.text, self.person, self.tag, self.state, self.colour]

    @property
    def in_address(self) -> list[AddressField]:
        """The same, as `address_of` writes them."""
        states = ("", *(one.value for one in State))
        return [
            AddressField(self.text, "words", MAX_FILTER),
            AddressField(self.person, "person", MAX_FILTER),
            AddressField(self.tag, "tag", MAX_FILTER),
            AddressField(self.state, "state", MAX_FILTER, states),
            AddressField(self.colour, "colour", MAX_FILTER, tuple(GROUPINGS), "topic"),
        ]


# plain functions


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


def from_address(address: str, namespace: str) -> TimelineSelection:
    """What an address asks for; a part that cannot be right is left out."""
    found = {name: value[:MAX_FILTER] for name, value in page_address.filters(address, TAB).items()}
    state, colour = found.get("state", ""), found.get("colour", "")
    return TimelineSelection(
        namespace,
        ranges.from_text((found.get("from", ""), found.get("to", ""))),
        found.get("words", ""),
        found.get("person", ""),
        found.get("tag", ""),
        state if state in {one.value for one in State} else "",
        colour if colour in GROUPINGS else "topic",
    )


def address_of(asked: TimelineSelection) -> dict[str, str]:
    """The other way round; an empty part leaves the address."""
    span = asked.span
    return {
        "timeline-from": span.since.isoformat(timespec="seconds") if span else "",
        "timeline-to": span.until.isoformat(timespec="seconds") if span else "",
        "timeline-words": asked.text,
        "timeline-person": asked.person,
        "timeline-tag": asked.tag,
        "timeline-state": asked.state,
        "timeline-colour": "" if asked.colour == "topic" else asked.colour,
    }


def shown(context: AppContext, asked: TimelineSelection, cause: str) -> list[Any]:
    """A view as the picture, the list and the range that the page keeps."""
    found = view(context, asked)
    kept = (asked.span.since.isoformat(), asked.span.until.isoformat()) if asked.span else None
    sessions = context.engine.reads.browse.session_spans(asked.browse_filter, MAX_SESSIONS) if found.lanes else []
    return [found.to_json(address_of(asked), cause), listed(sessions), kept]


def listed(sessions: Sequence[SessionSpan]) -> str:
    """The sessions in view: whoever does not use a pointer reaches the same memories."""
    rows = "".join(
        reader_view.row(
            one.first,
            f"{render.moment(one.at)} · {render.counted(one.segments, 'turn', 'turns')} · {one.source}",
            one.title or "Untitled session",
        )
        for one in sessions
    )
    if not rows:
        return ""
    said = (
        f"The newest {MAX_SESSIONS} sessions of this range"
        if len(sessions) == MAX_SESSIONS
        else "Sessions of this range"
    )
    return f'<details><summary class="pmg-quiet">{said}</summary><div class="pmg-sittings">{rows}</div></details>'


def choices(engine: Engine, namespace: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """People and tags to filter by."""
    looking = engine.reads.browse
    people = [("anybody", ""), *((name, name) for name in looking.persons(namespace))]
    return people, [("any", ""), *((tag, tag) for tag in looking.tags(namespace))]


def moved_to(event: gr.EventData, asked: TimelineSelection) -> TimelineSelection:
    """What was asked for, in the range that the script tells; what is no range is everything."""
    told = event._data if isinstance(event._data, dict) else {}
    span = None if told.get("all") else ranges.from_text((str(told.get("from", "")), str(told.get("to", ""))))
    return replace(asked, span=span)


# the tab


def build(context: AppContext, page: PageContext, tab: gr.Tab) -> None:
    fields, since, until = _fields(page)
    with gr.Row(equal_height=False):
        with gr.Column(scale=3, min_width=320):
            picture = gr.HTML(
                None,
                html_template=timeline_html.TEMPLATE,
                js_on_load=_START,
                head=static_files.scripts("timeline.js"),
                apply_default_css=False,
                label="Timeline",
                elem_id="pmg-timeline",
            )
            listing = clicks.clickable_html(label="Sessions in view", elem_id="pmg-timeline-list")
        with gr.Column(scale=2, min_width=320, visible=False) as side:
            read = pane(context, page, TAB)
    seen = [picture, listing, fields.span]
    _wire_route(context, page, tab, fields, seen, read, side)

    @shows_errors()
    def redraw(*values: Any) -> list[Any]:
        return shown(context, asked_for(*values), "filter")

    _wire_filters(context, fields, seen, since, until, redraw)
    _wire_pointing(context, fields, seen, read, side)
    for change in read.changes:
        change.then(redraw, fields.asked, seen, **LATEST)


def _fields(page: PageContext) -> tuple[TimelineFields, gr.Textbox, gr.Textbox]:
    with gr.Row():
        text = gr.Textbox(label="Filter by words", placeholder="words, then Enter", scale=2, min_width=160)
        colour = gr.Dropdown(
            label="Colour by",
            choices=[(HOW_MUCH if one == "quality" else one, one) for one in GROUPINGS],
            value="topic",
            scale=1,
            min_width=120,
        )
    with gr.Accordion("More filters", open=False), gr.Row():
        person = gr.Dropdown(
            label="Person", choices=[("anybody", "")], value="", min_width=120, allow_custom_value=True
        )
        tag = gr.Dropdown(label="Tag", choices=[("any", "")], value="", min_width=120, allow_custom_value=True)
        states = [("any", ""), *((state_name(state.value), state.value) for state in State)]
        state = gr.Dropdown(label="State", choices=states, value="", min_width=120)
        since = gr.Textbox(label="From", placeholder="2025, 2025-03 or 2025-03-14", min_width=140)
        until = gr.Textbox(label="To, included", placeholder="2025-04", min_width=140)
    return TimelineFields(page.namespace, gr.State(None), text, person, tag, state, colour), since, until


def _wire_route(
    context: AppContext,
    page: PageContext,
    tab: gr.Tab,
    fields: TimelineFields,
    seen: list[Any],
    read: ReaderPane,
    side: gr.Column,
) -> None:
    def in_fields(asked: TimelineSelection) -> list[Any]:
        people, tags = choices(context.engine, asked.namespace)
        lists = [gr.Dropdown(choices=people, value=asked.person), gr.Dropdown(choices=tags, value=asked.tag)]
        return [asked.text, *lists, asked.state, asked.colour]

    @shows_errors()
    def load(address: str, namespace: str) -> list[Any]:
        asked = from_address(address, namespace)
        opened = read.again(page_address.parse(address).memory, namespace)
        people, tags = choices(context.engine, namespace)
        lists = [gr.Dropdown(choices=people), gr.Dropdown(choices=tags)]
        return [*shown(context, asked, "open"), *lists, gr.Column(visible=bool(opened[0])), *opened]

    @shows_errors()
    def namespace_changed(namespace: str) -> list[Any]:
        asked = TimelineSelection(namespace)
        return [*shown(context, asked, "namespace"), *in_fields(asked), gr.Column(visible=False), *read.empty()]

    beside = [side, *read.outputs]
    wire_route(page, tab, TAB, load, [*seen, fields.person, fields.tag, *beside], fields.in_address)
    fields.namespace.change(namespace_changed, fields.namespace, [*seen, *fields.filters, *beside], **LATEST)


def _wire_filters(
    context: AppContext,
    fields: TimelineFields,
    seen: list[Any],
    since: gr.Textbox,
    until: gr.Textbox,
    redraw: Callable[..., list[Any]],
) -> None:
    @shows_errors()
    def dated(begin: str, end: str, *values: Any) -> list[Any]:
        return shown(context, replace(asked_for(*values), span=ranges.typed(begin, end)), "filter")

    # One event for all: of two filters that are set quickly the older answer could come last and stay.
    chosen = [field.input for field in (fields.person, fields.tag, fields.state, fields.colour)]
    gr.on([fields.text.submit, *chosen], redraw, fields.asked, seen, **LATEST)
    for end in (since, until):
        end.submit(dated, [since, until, *fields.asked], seen, **LATEST)


def _wire_pointing(
    context: AppContext, fields: TimelineFields, seen: list[Any], read: ReaderPane, side: gr.Column
) -> None:
    picture, listing, _ = seen

    @shows_errors()
    def on_range(
        event: gr.EventData, namespace: str, span: Any, text: str, person: str, tag: str, state: str, colour: str
    ) -> list[Any]:
        asked = asked_for(namespace, span, text, person, tag, state, colour)
        return shown(context, moved_to(event, asked), "range")

    open_beside(read, side, fields.namespace, picture, listing)
    picture.range(on_range, fields.asked, seen, **LATEST)
