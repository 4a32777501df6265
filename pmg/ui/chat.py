"""The Chat tab: sessions at the side, the conversation, a field to write in, and the memories behind each answer.

Knows: the parts of the page and how they are wired. Does not know: who answers, how memory is searched, how a message looks.

Nothing of a chat lives in the server between two messages, except the turns of one that is not to be remembered: the browser holds the
session's id, the text comes from the store. So a reload, a restart or an idle session that was closed meanwhile change nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gradio as gr
from gradio.context import Context

from pmg.chat import sessions
from pmg.chat.choose import Choice
from pmg.chat.stoppable import Stops
from pmg.chat.talk import Place
from pmg.engine import Engine
from pmg.ingest.turns import fresh_session_id
from pmg.times import now
from pmg.ui import bubbles, chat_css, clicks, reader_pane, render, welcome
from pmg.ui.chat_view import Unkept, answers, side, title_of, view, where
from pmg.ui.desk import Desk, Page
from pmg.ui.edge import inform, on_bar, told
from pmg.ui.reader_pane import QUIET
from pmg.ui.theme import REFRESH_JS

CSS = chat_css.CSS


@dataclass(frozen=True)
class Parts:
    """The components that handlers share."""

    held: gr.Textbox  # the session's id, kept by the browser tab
    unkept: gr.State
    log: gr.HTML
    live: gr.HTML
    title: gr.HTML
    acts: gr.Row
    doors: gr.Column
    box: gr.Textbox
    memory: gr.Checkbox
    private: gr.Checkbox
    where: gr.HTML
    listed: gr.HTML
    search: gr.Textbox
    reader: gr.Column

    @property
    def whole(self) -> list[Any]:
        return [self.held, self.unkept, self.log, self.live, self.title, self.acts, self.doors, self.listed]


_SCROLL = """
const down = () => { const box = element.closest('.pmg-scroll'); if (box) box.scrollTop = box.scrollHeight; };
watch('value', () => requestAnimationFrame(down));
element.addEventListener('click', (event) => {
  const button = event.target.closest('[data-pick]');
  if (button) trigger('pick', {pick: button.dataset.pick});
});
"""
# Only ever put: when a page is made, its empty field is a change too, and must not undo what the last page kept.
_KEEP = "(id) => { if (id) sessionStorage.setItem('pmg-chat', id); }"
_LEAVE = "() => { sessionStorage.removeItem('pmg-chat'); }"
_KEPT = "(held, unkept, space, words) => [sessionStorage.getItem('pmg-chat') || '', unkept, space, words]"
_FOCUS = "() => { document.querySelector('.pmg-chats')?.classList.remove('pmg-shown'); document.querySelector('#pmg-box textarea')?.focus({preventScroll: true}); }"
_DRAWER = "() => { document.querySelector('.pmg-chats')?.classList.toggle('pmg-shown'); }"


def build(desk: Desk, page: Page, tab: gr.Tab) -> None:
    choice = Choice(desk.engine)
    with gr.Row(elem_classes="pmg-chat"):
        with gr.Column(scale=0, min_width=264, elem_classes="pmg-chats"):
            new = gr.Button("New chat", variant="primary", size="md")
            search = gr.Textbox("", label="Search chats", placeholder="Search chats", show_label=False, container=False)
            listed = clicks.heard("", label="Chats", elem_id="pmg-list")
        with gr.Column(scale=1, min_width=300, elem_classes="pmg-main"):
            with gr.Row(elem_classes="pmg-bar"):
                drawer = gr.Button("Chats", size="sm", scale=0, min_width=70, elem_classes="pmg-drawer")
                title = gr.HTML(title_of(None, False))
                with gr.Row(visible=False, elem_classes="pmg-acts") as acts:
                    rename = gr.Button("Rename", size="sm", scale=0, min_width=80)
                    close = gr.Button("Close", size="sm", scale=0, min_width=70)
            with gr.Row(visible=False, elem_classes="pmg-rename") as naming:
                name = gr.Textbox(
                    label="New title", show_label=False, container=False, placeholder="New title", scale=1
                )
                save = gr.Button("Save", size="sm", scale=0, min_width=70)
            with gr.Column(elem_classes="pmg-scroll"):
                doors = welcome.build(desk, page)
                log = gr.HTML("", js_on_load=_SCROLL, label="Conversation", elem_id="pmg-log")
                live = gr.HTML("", js_on_load=_SCROLL, label="Answer", elem_id="pmg-live")
            box = gr.Textbox(
                label="Message", placeholder="Ask your memory, or tell it something", lines=1, max_lines=8, autofocus=True,
                show_label=False, container=False, submit_btn=True, elem_id="pmg-box",
            )  # fmt: skip
            with gr.Row(elem_classes="pmg-switches"):
                memory = gr.Checkbox(True, label="Use memory", container=False, min_width=110, scale=0)
                private = gr.Checkbox(False, label="Do not remember this chat", container=False, min_width=190, scale=0)
                told_where = gr.HTML(where(choice), min_width=200)
        with gr.Column(scale=0, min_width=360, visible=False, elem_classes="pmg-source-pane") as reader:
            shut = gr.Button("Close the source", size="sm")
            pane = reader_pane.pane(desk, page, "chat")
    held = gr.Textbox("", visible="hidden", label="Session")  # in the page, so that its change is heard
    parts = Parts(
        held,
        gr.State([]),
        log,
        live,
        title,
        acts,
        doors.column,
        box,
        memory,
        private,
        told_where,
        listed,
        search,
        reader,
    )
    _wire_sending(desk, page, parts, choice)
    _wire_sessions(desk, page, parts, new, drawer)
    _wire_acts(desk, page, parts, (rename, naming, name, save), close)
    _wire_reader(page, parts, pane, shut)
    _wire_page(desk, page, parts, choice, tab, doors)


def _whole(engine: Engine, held: str, unkept: list[Unkept], space: str, words: str = "") -> list[Any]:
    """Everything that shows a chat, in the order of `Parts.whole`."""
    seen = view(engine, held, unkept, space)
    name = held if seen.session else ""
    here = gr.Row(visible=seen.session is not None)
    return [
        name,
        unkept,
        seen.log,
        "",
        seen.title,
        here,
        gr.Column(visible=seen.empty),
        side(engine, space, name, words),
    ]


def _wire_sending(desk: Desk, page: Page, parts: Parts, choice: Choice) -> None:
    engine = desk.engine

    stops = Stops()

    def send(
        text: str, held: str, unkept: list[Unkept], space: str, memory: bool, private: bool, request: gr.Request
    ) -> Iterator[list[Any]]:
        skip = gr.skip()
        asked = text.strip()
        if not asked:
            return
        session = held or fresh_session_id(now())
        place = Place(space, session, not private, memory, tuple(turn.passage for turn in unkept))
        closed = gr.Column(visible=False)
        try:
            with told():
                for said, html in answers(engine, choice, place, asked, stops.begin(str(request.session_hash))):
                    busy = gr.Textbox("", submit_btn=False, stop_btn=True)
                    kept = session if said.answer.text and not private else skip
                    log = skip if held or unkept else ""
                    yield [busy, kept, skip, log, html, closed, where(choice, said.secrets)]
        except gr.Error:
            yield [gr.Textbox(asked, submit_btn=True, stop_btn=False), skip, skip, skip, "", skip, skip]
            raise
        finally:
            stops.end(str(request.session_hash))
        if said.problem:
            gr.Warning(render.safe(said.problem))
        if private and said.passage is not None:
            unkept = [*unkept, Unkept(said.passage, said.answer)]
        seen = view(engine, session, unkept, space)
        done = gr.Textbox(submit_btn=True, stop_btn=False)
        yield [done, session if seen.session else "", unkept, seen.log, "", closed, skip]

    def after(held: str, unkept: list[Unkept], space: str, words: str) -> list[Any]:
        with told():
            return _whole(engine, held, unkept, space, words)

    inputs = [parts.box, parts.held, parts.unkept, page.namespace, parts.memory, parts.private]
    outputs = [parts.box, parts.held, parts.unkept, parts.log, parts.live, parts.doors, parts.where]
    state = [parts.held, parts.unkept, page.namespace, parts.search]
    sending = parts.box.submit(send, inputs, outputs, **QUIET)
    sending.then(after, state, parts.whole, **QUIET).then(None, js=REFRESH_JS, **QUIET)

    def stop(request: gr.Request) -> None:
        stops.stop(str(request.session_hash))

    parts.box.stop(stop, None, None, **QUIET)

    def ask(event: gr.EventData) -> Any:
        wanted = clicks.picked(event)
        return wanted.removeprefix(bubbles.ASK) if wanted.startswith(bubbles.ASK) else gr.skip()

    press = "() => { const box = document.querySelector('#pmg-box'); if (box.querySelector('textarea').value) box.querySelector('button')?.click(); }"
    parts.log.pick(ask, None, parts.box, **QUIET).then(None, js=press, **QUIET)


def _wire_sessions(desk: Desk, page: Page, parts: Parts, new: gr.Button, drawer: gr.Button) -> None:
    engine = desk.engine

    @told()
    def choose(unkept: list[Unkept], space: str, words: str, event: gr.EventData) -> list[Any]:
        return _whole(engine, clicks.picked(event), [], space, words)

    @told()
    def begin(space: str, words: str) -> list[Any]:
        return _whole(engine, "", [], space, words)

    @told()
    def look(held: str, space: str, words: str) -> str:
        return side(engine, space, held, words)

    parts.listed.pick(choose, [parts.unkept, page.namespace, parts.search], parts.whole, **QUIET).then(
        None, js=_FOCUS, **QUIET
    )
    new.click(None, js=_LEAVE, **QUIET).then(begin, [page.namespace, parts.search], parts.whole, **QUIET).then(
        None, js=_FOCUS, **QUIET
    )
    drawer.click(None, js=_DRAWER, **QUIET)
    for trigger in (parts.search.change, parts.search.submit):
        trigger(look, [parts.held, page.namespace, parts.search], parts.listed, trigger_mode="always_last", **QUIET)


def _wire_acts(
    desk: Desk, page: Page, parts: Parts, naming: tuple[gr.Button, gr.Row, gr.Textbox, gr.Button], close: gr.Button
) -> None:
    engine = desk.engine
    rename, row, name, save = naming
    state = [parts.held, parts.unkept, page.namespace, parts.search]

    @told()
    def open_name(held: str, space: str) -> tuple[gr.Row, str]:
        return gr.Row(visible=True), sessions.inside(engine, held, space).title

    @told()
    def keep_name(held: str, unkept: list[Unkept], space: str, words: str, title: str) -> list[Any]:
        sessions.rename(engine, held, space, title)
        return [gr.Row(visible=False), *_whole(engine, held, unkept, space, words)]

    @told()
    def shut(
        held: str,
        unkept: list[Unkept],
        space: str,
        words: str,
        bar: gr.Progress = gr.Progress(),  # noqa: B008
    ) -> list[Any]:
        inform(sessions.close(engine, held, space, on_bar(bar)))
        return _whole(engine, held, unkept, space, words)

    rename.click(open_name, [parts.held, page.namespace], [row, name], **QUIET)
    for trigger in (save.click, name.submit):
        trigger(keep_name, [*state, name], [row, *parts.whole], **QUIET)
    close.click(shut, state, parts.whole, api_visibility="private", show_progress_on=parts.title)


def _wire_reader(page: Page, parts: Parts, pane: reader_pane.Pane, shut: gr.Button) -> None:
    @told()
    def read(space: str, event: gr.EventData) -> list[Any]:
        wanted = clicks.picked(event)
        if not wanted or wanted.startswith(bubbles.ASK):
            return [gr.skip()] * (1 + len(pane.outputs))
        return [gr.Column(visible=True), *pane.show(wanted, space)]

    for html in (parts.log, parts.live):
        html.pick(read, page.namespace, [parts.reader, *pane.outputs], **QUIET)
    shut.click(lambda: gr.Column(visible=False), None, parts.reader, **QUIET)


def _wire_page(desk: Desk, page: Page, parts: Parts, choice: Choice, tab: gr.Tab, doors: welcome.Doors) -> None:
    engine = desk.engine
    state = [parts.held, parts.unkept, page.namespace, parts.search]

    @told()
    def again(held: str, unkept: list[Unkept], space: str, words: str) -> list[Any]:
        return [*_whole(engine, held, unkept, space, words), where(choice)]

    @told()
    def other_wall(space: str, words: str) -> list[Any]:
        return [*_whole(engine, "", [], space, words), where(choice)]

    @told()
    def turn_private(private: bool, held: str, unkept: list[Unkept], space: str, words: str) -> list[Any]:
        if not private and unkept:
            inform("What was said while this chat was not remembered is gone.")
        return _whole(engine, held, unkept if private else [], space, words)

    everything = [*parts.whole, parts.where]
    blocks = Context.root_block
    if blocks is not None:  # always so: a tab is built inside a page
        blocks.load(again, state, everything, js=_KEPT, **QUIET)
    tab.select(again, state, everything, js=_KEPT, **QUIET)
    page.namespace.change(other_wall, [page.namespace, parts.search], everything, **QUIET)
    parts.private.input(turn_private, [parts.private, *state], parts.whole, **QUIET)
    parts.held.change(None, parts.held, None, js=_KEEP, **QUIET)
    for done in doors.changes:
        done.then(again, state, everything, **QUIET).then(None, js=REFRESH_JS, **QUIET)
    doors.talk.click(None, js=_FOCUS, **QUIET)
