"""The Chat tab: sessions at the side, the conversation, a field to write in, and the memories behind each answer.

Knows: the parts of the page and how they are wired. Who answers and how memory is searched stands in pmg/chat/turn.py, how a
message looks in bubbles.py.

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
from pmg.chat.responder_choice import Choice
from pmg.chat.stoppable import StopSignal
from pmg.chat.turn import ChatTarget
from pmg.engine import Engine
from pmg.ingest.turns import fresh_session_id
from pmg.times import now
from pmg.ui import clicks, render
from pmg.ui.app_context import AppContext, PageContext
from pmg.ui.chat import bubbles, chat_css, welcome
from pmg.ui.chat.chat_view import EphemeralTurn, answers, side, title_of, view, where
from pmg.ui.error_boundary import inform, on_bar, shows_errors
from pmg.ui.reader import reader_pane
from pmg.ui.reader.reader_pane import QUIET
from pmg.ui.theme import REFRESH_JS

CSS = chat_css.CSS


@dataclass(frozen=True)
class ChatComponents:
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


def build(context: AppContext, page: PageContext, tab: gr.Tab) -> None:
    choice = Choice(context.engine)
    with gr.Row(elem_classes="pmg-chat"):
        with gr.Column(scale=0, min_width=264, elem_classes="pmg-chats"):
            new = gr.Button("New chat", variant="primary", size="md")
            search = gr.Textbox("", label="Search chats", placeholder="Search chats", show_label=False, container=False)
            listed = clicks.clickable_html("", label="Chats", elem_id="pmg-list")
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
                doors = welcome.build(context, page)
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
            pane = reader_pane.pane(context, page, "chat")
    held = gr.Textbox("", visible="hidden", label="Session")  # in the page, so that its change is heard
    components = ChatComponents(
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
    _wire_sending(context, page, components, choice)
    _wire_sessions(context, page, components, new, drawer)
    _wire_acts(context, page, components, (rename, naming, name, save), close)
    _wire_reader(page, components, pane, shut)
    _wire_page(context, page, components, choice, tab, doors)


def _whole(engine: Engine, held: str, unkept: list[EphemeralTurn], space: str, words: str = "") -> list[Any]:
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


def _wire_sending(context: AppContext, page: PageContext, components: ChatComponents, choice: Choice) -> None:
    engine = context.engine

    stops = StopSignal()

    def send(
        text: str, held: str, unkept: list[EphemeralTurn], space: str, memory: bool, private: bool, request: gr.Request
    ) -> Iterator[list[Any]]:
        skip = gr.skip()
        asked = text.strip()
        if not asked:
            return
        session = held or fresh_session_id(now())
        place = ChatTarget(space, session, not private, memory, tuple(turn.passage for turn in unkept))
        closed = gr.Column(visible=False)
        try:
            with shows_errors():
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
            unkept = [*unkept, EphemeralTurn(said.passage, said.answer)]
        seen = view(engine, session, unkept, space)
        done = gr.Textbox(submit_btn=True, stop_btn=False)
        yield [done, session if seen.session else "", unkept, seen.log, "", closed, skip]

    def after(held: str, unkept: list[EphemeralTurn], space: str, words: str) -> list[Any]:
        with shows_errors():
            return _whole(engine, held, unkept, space, words)

    inputs = [components.box, components.held, components.unkept, page.namespace, components.memory, components.private]
    outputs = [
        components.box,
        components.held,
        components.unkept,
        components.log,
        components.live,
        components.doors,
        components.where,
    ]
    state = [components.held, components.unkept, page.namespace, components.search]
    sending = components.box.submit(send, inputs, outputs, **QUIET)
    sending.then(after, state, components.whole, **QUIET).then(None, js=REFRESH_JS, **QUIET)

    def stop(request: gr.Request) -> None:
        stops.stop(str(request.session_hash))

    components.box.stop(stop, None, None, **QUIET)

    def ask(event: gr.EventData) -> Any:
        wanted = clicks.picked(event)
        return wanted.removeprefix(bubbles.ASK) if wanted.startswith(bubbles.ASK) else gr.skip()

    press = "() => { const box = document.querySelector('#pmg-box'); if (box.querySelector('textarea').value) box.querySelector('button')?.click(); }"
    components.log.pick(ask, None, components.box, **QUIET).then(None, js=press, **QUIET)


def _wire_sessions(
    context: AppContext, page: PageContext, components: ChatComponents, new: gr.Button, drawer: gr.Button
) -> None:
    engine = context.engine

    @shows_errors()
    def choose(unkept: list[EphemeralTurn], space: str, words: str, event: gr.EventData) -> list[Any]:
        return _whole(engine, clicks.picked(event), [], space, words)

    @shows_errors()
    def begin(space: str, words: str) -> list[Any]:
        return _whole(engine, "", [], space, words)

    @shows_errors()
    def look(held: str, space: str, words: str) -> str:
        return side(engine, space, held, words)

    components.listed.pick(
        choose, [components.unkept, page.namespace, components.search], components.whole, **QUIET
    ).then(None, js=_FOCUS, **QUIET)
    new.click(None, js=_LEAVE, **QUIET).then(
        begin, [page.namespace, components.search], components.whole, **QUIET
    ).then(None, js=_FOCUS, **QUIET)
    drawer.click(None, js=_DRAWER, **QUIET)
    for trigger in (components.search.change, components.search.submit):
        trigger(
            look,
            [components.held, page.namespace, components.search],
            components.listed,
            trigger_mode="always_last",
            **QUIET,
        )


def _wire_acts(
    context: AppContext,
    page: PageContext,
    components: ChatComponents,
    naming: tuple[gr.Button, gr.Row, gr.Textbox, gr.Button],
    close: gr.Button,
) -> None:
    engine = context.engine
    rename, row, name, save = naming
    state = [components.held, components.unkept, page.namespace, components.search]

    @shows_errors()
    def open_name(held: str, space: str) -> tuple[gr.Row, str]:
        return gr.Row(visible=True), sessions.inside(engine, held, space).title

    @shows_errors()
    def keep_name(held: str, unkept: list[EphemeralTurn], space: str, words: str, title: str) -> list[Any]:
        sessions.rename(engine, held, space, title)
        return [gr.Row(visible=False), *_whole(engine, held, unkept, space, words)]

    @shows_errors()
    def shut(
        held: str,
        unkept: list[EphemeralTurn],
        space: str,
        words: str,
        bar: gr.Progress = gr.Progress(),  # noqa: B008
    ) -> list[Any]:
        inform(sessions.close(engine, held, space, on_bar(bar)))
        return _whole(engine, held, unkept, space, words)

    rename.click(open_name, [components.held, page.namespace], [row, name], **QUIET)
    for trigger in (save.click, name.submit):
        trigger(keep_name, [*state, name], [row, *components.whole], **QUIET)
    close.click(shut, state, components.whole, api_visibility="private", show_progress_on=components.title)


def _wire_reader(page: PageContext, components: ChatComponents, pane: reader_pane.ReaderPane, shut: gr.Button) -> None:
    @shows_errors()
    def read(space: str, event: gr.EventData) -> list[Any]:
        wanted = clicks.picked(event)
        if not wanted or wanted.startswith(bubbles.ASK):
            return [gr.skip()] * (1 + len(pane.outputs))
        return [gr.Column(visible=True), *pane.show(wanted, space)]

    for html in (components.log, components.live):
        html.pick(read, page.namespace, [components.reader, *pane.outputs], **QUIET)
    shut.click(lambda: gr.Column(visible=False), None, components.reader, **QUIET)


def _wire_page(
    context: AppContext,
    page: PageContext,
    components: ChatComponents,
    choice: Choice,
    tab: gr.Tab,
    doors: welcome.WelcomeButtons,
) -> None:
    engine = context.engine
    state = [components.held, components.unkept, page.namespace, components.search]

    @shows_errors()
    def again(held: str, unkept: list[EphemeralTurn], space: str, words: str) -> list[Any]:
        return [*_whole(engine, held, unkept, space, words), where(choice)]

    @shows_errors()
    def other_wall(space: str, words: str) -> list[Any]:
        return [*_whole(engine, "", [], space, words), where(choice)]

    @shows_errors()
    def turn_private(private: bool, held: str, unkept: list[EphemeralTurn], space: str, words: str) -> list[Any]:
        if not private and unkept:
            inform("What was said while this chat was not remembered is gone.")
        return _whole(engine, held, unkept if private else [], space, words)

    everything = [*components.whole, components.where]
    blocks = Context.root_block
    if blocks is not None:  # always so: a tab is built inside a page
        blocks.load(again, state, everything, js=_KEPT, **QUIET)
    tab.select(again, state, everything, js=_KEPT, **QUIET)
    page.namespace.change(other_wall, [page.namespace, components.search], everything, **QUIET)
    components.private.input(turn_private, [components.private, *state], components.whole, **QUIET)
    components.held.change(None, components.held, None, js=_KEEP, **QUIET)
    for done in doors.changes:
        done.then(again, state, everything, **QUIET).then(None, js=REFRESH_JS, **QUIET)
    doors.talk.click(None, js=_FOCUS, **QUIET)
