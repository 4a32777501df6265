"""The reader as a part of a tab: one memory, and what can be done with it.

Knows: the reader's components and their events. Does not know: how the person came to this memory; a tab hands an id to
`ReaderPane.show` and returns what it gives as its outputs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gradio as gr

from pmg.base.model import TYPED_KINDS, Kind, State
from pmg.ui import clicks
from pmg.ui.app_context import AppContext, PageContext
from pmg.ui.error_boundary import inform, on_bar, shows_errors
from pmg.ui.event_options import LATEST, QUIET
from pmg.ui.reader import actions, reader_view
from pmg.ui.theme import REFRESH_JS

# The address no longer names what was read.
_LEAVE = "() => { if (window.pmg.read().memory) window.pmg.put({memory: ''}); return []; }"
KINDS = [(kind.value.replace("_", " "), kind.value) for kind in TYPED_KINDS]


@dataclass(frozen=True)
class ReaderPane:
    """`outputs` and `show` belong together: a handler whose outputs are these returns what `show` returns."""

    context: AppContext
    opened: gr.State  # the id of the memory that is read, "" for none
    html: gr.HTML
    acts: gr.Column
    edits: gr.Column
    pin: gr.Button
    archive: gr.Button
    tags: gr.Textbox
    ties: gr.Dropdown
    forget_box: gr.Column
    back: gr.Button  # on a phone, where the reader is a sheet over the page: closes it
    changes: list[Any] = field(default_factory=list)  # events after which a tab that lists memories looks again

    @property
    def outputs(self) -> list[Any]:
        return [
            self.opened,
            self.html,
            self.acts,
            self.edits,
            self.pin,
            self.archive,
            self.tags,
            self.ties,
            self.forget_box,
        ]

    def show(self, segment_id: str, namespace: str, asked: str = "") -> list[Any]:
        if not segment_id:
            return self.empty()
        reading = reader_view.read(self.context.engine, segment_id, namespace)
        segment = reading.segment
        state = {State.ACTIVE: "Archive", State.ARCHIVED: "Restore"}.get(segment.state, "Archive")
        return [
            segment.id,
            reader_view.as_html(reading, asked),
            gr.Column(visible=True),
            gr.Column(visible=True),
            gr.Button("Unpin" if segment.pinned else "Pin"),
            gr.Button(state, interactive=segment.state in (State.ACTIVE, State.ARCHIVED)),
            ", ".join(segment.tags),
            gr.Dropdown(choices=actions.removable(reading), value=None),
            gr.Column(visible=False),
        ]

    def again(self, segment_id: str, namespace: str) -> list[Any]:
        """The same memory as it is now; nothing if it was forgotten meanwhile, here or in another tab."""
        there = segment_id and self.context.engine.reads.numbers_of([segment_id])
        return self.show(segment_id, namespace) if there else self.empty()

    def empty(self, said: str = reader_view.NOTHING) -> list[Any]:
        hidden = gr.Column(visible=False)
        return ["", said, hidden, hidden, gr.Button(), gr.Button(), "", gr.Dropdown(choices=[], value=None), hidden]


def pane(context: AppContext, page: PageContext, name: str) -> ReaderPane:
    """Built where it is called; `name` tells the readers of several tabs apart."""
    opened = gr.State("")
    with gr.Column(elem_classes="pmg-sheet"):
        back = gr.Button("‹ Back", size="sm", elem_classes="pmg-back")
        with gr.Column(visible=False) as acts:
            with gr.Row(elem_classes="pmg-steps"):
                pin = gr.Button("Pin", size="sm", min_width=80)
                archive = gr.Button("Archive", size="sm", min_width=80)
                forget = gr.Button("Forget …", size="sm", min_width=80)
            with gr.Column(visible=False, elem_classes="pmg-forget") as forget_box:
                plan = gr.HTML()
                with gr.Row(elem_classes="pmg-steps"):
                    keep = gr.Button("Keep it", size="sm", min_width=80)
                    sure = gr.Button("Forget for good", size="sm", min_width=80, variant="stop")
        html = clicks.clickable_html(reader_view.NOTHING, label="Memory", elem_id=f"pmg-reader-{name}", follow=True)
        with gr.Column(visible=False) as edits:
            with gr.Accordion("Edit tags", open=False):
                tags = gr.Textbox(label="Tags, parted by commas", placeholder="garden, to do", max_lines=2)
                save = gr.Button("Save tags", size="sm")
            with gr.Accordion("Make or remove a link", open=False):
                parts = _link_parts()
                ties = gr.Dropdown(label="Link to remove", choices=[], value=None)
                unlink = gr.Button("Remove this link", size="sm")
    made = ReaderPane(context, opened, html, acts, edits, pin, archive, tags, ties, forget_box, back)
    back.click(made.empty, None, made.outputs, js=_LEAVE, **LATEST)
    _wire_acts(made, page, pin, archive, tags, save)
    _wire_links(made, page, parts, ties, unlink)
    _wire_forget(made, page, forget, plan, keep, sure)
    return made


def open_beside(pane: ReaderPane, side: gr.Column, namespace: Any, picture: Any, *lists: Any) -> None:
    """What is picked in a picture or a list beside it is read in a column that opens for it; the picture can close it."""
    outputs = [side, *pane.outputs]

    @shows_errors()
    def on_pick(event: gr.EventData, namespace: str) -> list[Any]:
        return [gr.Column(visible=True), *pane.show(clicks.picked(event), namespace)]

    @shows_errors()
    def on_close() -> list[Any]:
        return [gr.Column(visible=False), *pane.empty()]

    for pickable in (picture, *lists):
        pickable.pick(on_pick, namespace, outputs, **LATEST)
    picture.close(on_close, None, outputs, **LATEST)
    pane.back.click(lambda: gr.Column(visible=False), None, side, **LATEST)


def _link_parts() -> tuple[gr.Textbox, gr.Dropdown, gr.Dropdown, gr.Button]:
    search = gr.Textbox(label="Find the other memory", placeholder="words of it, then Enter")
    other = gr.Dropdown(label="The other memory", choices=[], value=None)
    kind = gr.Dropdown(label="This memory … that one", choices=KINDS, value=Kind.RELATED_TO.value)
    return search, other, kind, gr.Button("Link them", size="sm")


def _wire_acts(
    pane: ReaderPane, page: PageContext, pin: gr.Button, archive: gr.Button, tags: gr.Textbox, save: gr.Button
) -> None:
    context, inputs = pane.context, [pane.opened, page.namespace]

    @shows_errors()
    def on_pick(namespace: str, event: gr.EventData) -> list[Any]:
        return pane.show(clicks.picked(event), namespace)

    @shows_errors()
    def on_pin(segment: str, namespace: str) -> list[Any]:
        inform(actions.turn_pin(context, segment, namespace))
        return pane.show(segment, namespace)

    @shows_errors()
    def on_archive(segment: str, namespace: str) -> list[Any]:
        inform(actions.turn_archive(context, segment, namespace))
        return pane.show(segment, namespace)

    @shows_errors()
    def on_tags(segment: str, namespace: str, text: str) -> list[Any]:
        inform(actions.put_tags(context, segment, namespace, text))
        return pane.show(segment, namespace)

    pane.html.pick(on_pick, page.namespace, pane.outputs, **LATEST)
    pin.click(on_pin, inputs, pane.outputs, **QUIET)
    pane.changes.append(archive.click(on_archive, inputs, pane.outputs, **QUIET))
    pane.changes.append(save.click(on_tags, [*inputs, tags], pane.outputs, **QUIET))
    tags.submit(on_tags, [*inputs, tags], pane.outputs, **QUIET)


def _wire_links(
    pane: ReaderPane,
    page: PageContext,
    parts: tuple[gr.Textbox, gr.Dropdown, gr.Dropdown, gr.Button],
    ties: gr.Dropdown,
    unlink: gr.Button,
) -> None:
    search, other, kind, link = parts
    context, inputs = pane.context, [pane.opened, page.namespace]

    @shows_errors()
    def on_search(segment: str, namespace: str, words: str) -> gr.Dropdown:
        found = actions.others(context.engine, segment, namespace, words)
        return gr.Dropdown(choices=found, value=found[0][1] if found else None)

    @shows_errors()
    def on_link(segment: str, namespace: str, target: str | None, name: str) -> list[Any]:
        inform(actions.link(context, segment, target, name, namespace))
        return pane.show(segment, namespace)

    @shows_errors()
    def on_unlink(segment: str, namespace: str, tie: str | None) -> list[Any]:
        inform(actions.unlink(context, segment, tie, namespace))
        return pane.show(segment, namespace)

    search.submit(on_search, [*inputs, search], other, **LATEST)
    link.click(on_link, [*inputs, other, kind], pane.outputs, **QUIET)
    unlink.click(on_unlink, [*inputs, ties], pane.outputs, **QUIET)


def _wire_forget(
    pane: ReaderPane, page: PageContext, forget: gr.Button, plan: gr.HTML, keep: gr.Button, sure: gr.Button
) -> None:
    context, inputs = pane.context, [pane.opened, page.namespace]

    @shows_errors()
    def on_plan(segment: str, namespace: str) -> tuple[str, gr.Column]:
        return actions.what_would_go(context.engine, segment, namespace), gr.Column(visible=True)

    @shows_errors()
    def on_forget(segment: str, namespace: str, bar: gr.Progress = gr.Progress()) -> list[Any]:  # noqa: B008
        said = actions.forget(context.engine, segment, namespace, on_bar(bar))
        inform("Forgotten for good.")
        return pane.empty(said)

    forget.click(on_plan, inputs, [plan, pane.forget_box], **LATEST)
    keep.click(lambda: gr.Column(visible=False), None, pane.forget_box, **LATEST)
    pane.changes.append(sure.click(on_forget, inputs, pane.outputs, api_visibility="private"))
    for change in pane.changes:
        change.then(None, js=REFRESH_JS, **LATEST)  # the number in the header is that of now
