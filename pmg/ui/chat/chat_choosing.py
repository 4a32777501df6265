"""Which chat is shown, and what is done with it: begun, chosen, searched, pinned, renamed, deleted, not remembered.

Knows: the events. The address that carries the choice is read by pmg/ui/page_address.py, the words come from chat_view.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr
from gradio.context import Context

from pmg.base.errors import NotFound
from pmg.chat import sessions
from pmg.chat.responder_choice import Choice
from pmg.engine import Engine
from pmg.ui import clicks, page_address
from pmg.ui.app_context import AppContext, PageContext
from pmg.ui.chat import chat_view
from pmg.ui.chat.chat_components import ChatComponents, around, chat_updates
from pmg.ui.chat.chat_view import EphemeralTurn, side, where
from pmg.ui.chat.open_chats import OpenChats
from pmg.ui.error_boundary import inform, on_bar, shows_errors
from pmg.ui.event_options import LATEST, QUIET
from pmg.ui.theme import REFRESH_JS

FOCUS = "() => { document.querySelector('.pmg-chats')?.classList.remove('pmg-shown'); document.querySelector('#pmg-box textarea')?.focus({preventScroll: true}); }"
_NEW = "(address, namespace, words) => [window.pmg.go(''), namespace, words]"
_HERE = "(address, unkept, namespace, words) => [window.pmg.here(), unkept, namespace, words]"
# A question or a field above one chat is about that chat: with another it closes.
# So is the tick that it is not to be remembered, which the script keeps with its chat.
_SETTLE = "(chat) => { window.pmg.settle(chat); return [...Array(3).fill({__type__: 'update', visible: false}), window.pmg.isUnkept()]; }"
_TICKED = "() => window.pmg.isUnkept()"
_UNTICK = "(chat) => { window.pmg.tick(false, chat); }"
_INTO_NAME = (
    "() => { window.pmg.whenThere('.pmg-rename :is(input, textarea)', (field) => { field.focus(); field.select(); }); }"
)
_SHUT_NAME = "() => { document.querySelector('#pmg-rename')?.focus(); return {__type__: 'update', visible: false}; }"
_DRAFTED = "() => { window.pmg.restore(); }"


@dataclass(frozen=True)
class Confirmation:
    """A row that asks before something is done."""

    row: gr.Column
    text: gr.HTML
    no: gr.Button
    yes: gr.Button


@dataclass(frozen=True)
class NamingRow:
    row: gr.Row
    name: gr.Textbox
    save: gr.Button
    cancel: gr.Button


def build_naming() -> NamingRow:
    with gr.Row(visible=False, elem_classes="pmg-rename") as row:
        name = gr.Textbox(label="New title", show_label=False, container=False, placeholder="New title", scale=1)
        save = gr.Button("Save", size="sm", scale=0, min_width=70)
        cancel = gr.Button("Cancel", size="sm", scale=0, min_width=70, elem_id="pmg-keep-title")  # Esc: shortcuts.py
    return NamingRow(row, name, save, cancel)


def build_deleting() -> Confirmation:
    return confirmation("Keep it", "Delete for good")


def build_dropping() -> Confirmation:
    return confirmation("Keep it unremembered", "Drop it")


def confirmation(no: str, yes: str) -> Confirmation:
    with gr.Column(visible=False, elem_classes="pmg-confirm") as row:
        text = gr.HTML()
        with gr.Row(elem_classes="pmg-steps"):
            return Confirmation(
                row,
                text,
                gr.Button(no, size="sm", scale=0, min_width=140),
                gr.Button(yes, size="sm", scale=0, min_width=120, variant="stop"),
            )


def shown_chat(
    engine: Engine,
    chats: OpenChats,
    window: str,
    chat: str,
    unkept: list[EphemeralTurn],
    namespace: str,
    words: str,
) -> tuple[list[Any], bool]:
    """Everything that shows a chat in a window from now on, and whether an answer to it is still coming."""
    name = chat_view.chat_or_fresh(engine, chat, namespace)
    if chats.show(window, name):
        made = chat_updates(engine, name, unkept, namespace, words, busy=True)
        if chats.coming(window, name):
            return made, True
    return chat_updates(engine, name, unkept, namespace, words), False  # what was read while it ended may lack its end


def wire(
    context: AppContext,
    page: PageContext,
    parts: ChatComponents,
    chats: OpenChats,
    buttons: tuple[gr.Button, gr.Button, gr.Button],
    rows: tuple[NamingRow, Confirmation, Confirmation],
) -> None:
    new, rename, delete = buttons
    naming, deleting, dropping = rows
    _wire_list(context, page, parts, chats, new)
    _wire_naming(context, page, parts, rename, naming)
    _wire_deleting(context, page, parts, chats, delete, deleting)
    _wire_dropping(context, page, parts, dropping)
    shut = [naming.row, deleting.row, dropping.row]
    parts.held.change(None, parts.held, [*shut, parts.private], js=_SETTLE, **LATEST)


def _wire_list(context: AppContext, page: PageContext, parts: ChatComponents, chats: OpenChats, new: gr.Button) -> None:
    engine = context.engine

    def shown(chat: str, namespace: str, words: str, request: gr.Request) -> list[Any]:
        return shown_chat(engine, chats, str(request.session_hash), chat, [], namespace, words)[0]

    @shows_errors()
    def choose(namespace: str, words: str, request: gr.Request, event: gr.EventData) -> list[Any]:
        return [*shown(clicks.picked(event), namespace, words, request), gr.Column(visible=False)]

    @shows_errors()
    def begin(address: str, namespace: str, words: str, request: gr.Request) -> list[Any]:
        return [*shown(page_address.parse(address).chat, namespace, words, request), gr.Column(visible=False)]

    @shows_errors()
    def pin(held: str, unkept: list[EphemeralTurn], namespace: str, words: str) -> list[Any]:
        sessions.pin(engine, held, namespace)
        return around(engine, held, unkept, namespace, words)

    @shows_errors()
    def look(held: str, namespace: str, words: str) -> str:
        return side(engine, namespace, held, words)

    out = [*parts.outputs, parts.reader]
    chosen = parts.listed.pick(choose, [page.namespace, parts.search], out, **LATEST)
    chosen.then(None, None, parts.private, js=_TICKED, **LATEST)  # perhaps the chat that was shown already
    chosen.then(None, js=FOCUS, **LATEST)
    begun = new.click(begin, [page.address, page.namespace, parts.search], out, js=_NEW, **LATEST)
    begun.then(None, js=FOCUS, **LATEST)
    parts.pin.click(pin, [parts.held, parts.unkept, page.namespace, parts.search], parts.around, **QUIET)
    # One event for both: of two the older answer could come last and stay.
    searched = [parts.search.change, parts.search.submit]
    gr.on(searched, look, [parts.held, page.namespace, parts.search], parts.listed, **LATEST)


def _wire_naming(
    context: AppContext, page: PageContext, parts: ChatComponents, rename: gr.Button, naming: NamingRow
) -> None:
    engine, named = context.engine, gr.State("")  # the chat whose title is changed, whichever is shown by then
    state = [named, parts.held, parts.unkept, page.namespace, parts.search]

    @shows_errors()
    def open_name(held: str, namespace: str) -> tuple[str, gr.Row, str]:
        return held, gr.Row(visible=True), sessions.session_in(engine, held, namespace).name

    @shows_errors()
    def keep_name(
        chat: str, held: str, unkept: list[EphemeralTurn], namespace: str, words: str, title: str
    ) -> list[Any]:
        sessions.rename(engine, chat, namespace, title)
        return [gr.Row(visible=False), *around(engine, held, unkept, namespace, words)]

    opened = rename.click(open_name, [parts.held, page.namespace], [named, naming.row, naming.name], **LATEST)
    opened.then(None, js=_INTO_NAME, **LATEST)
    for trigger in (naming.save.click, naming.name.submit):
        trigger(keep_name, [*state, naming.name], [naming.row, *parts.around], **QUIET)
    naming.cancel.click(None, None, naming.row, js=_SHUT_NAME, **LATEST)


def _wire_deleting(
    context: AppContext,
    page: PageContext,
    parts: ChatComponents,
    chats: OpenChats,
    delete: gr.Button,
    asks: Confirmation,
) -> None:
    engine, named = context.engine, gr.State("")  # the chat that the question names, whichever is shown by then

    @shows_errors()
    def plan(held: str, namespace: str) -> tuple[str, gr.Column, str]:
        return held, gr.Column(visible=True), chat_view.what_would_go(engine, held, namespace)

    @shows_errors()
    def gone(
        chat: str,
        address: str,
        namespace: str,
        words: str,
        request: gr.Request,
        bar: gr.Progress = gr.Progress(),  # noqa: B008
    ) -> list[Any]:
        chats.stop(str(request.session_hash), chat)
        chat_view.delete(engine, chat, namespace, on_bar(bar))
        inform("The chat is gone for good.")
        window, next_chat = str(request.session_hash), page_address.parse(address).chat
        made, _ = shown_chat(engine, chats, window, next_chat, [], namespace, words)
        return [gr.Column(visible=False), gr.Column(visible=False), *made]

    delete.click(plan, [parts.held, page.namespace], [named, asks.row, asks.text], **LATEST)
    asks.no.click(lambda: gr.Column(visible=False), None, asks.row, **LATEST)
    asks.yes.click(
        gone,
        [named, page.address, page.namespace, parts.search],
        [asks.row, parts.reader, *parts.outputs],
        js="(named, address, namespace, words) => [named, window.pmg.go(''), namespace, words]",
        api_visibility="private",
        show_progress_on=asks.text,
    ).then(None, js=REFRESH_JS, **LATEST)


def _wire_dropping(context: AppContext, page: PageContext, parts: ChatComponents, asks: Confirmation) -> None:
    engine = context.engine
    state = [parts.held, parts.unkept, page.namespace, parts.search]

    @shows_errors()
    def switched(private: bool, unkept: list[EphemeralTurn]) -> tuple[Any, Any, str]:
        if private or not unkept:
            return gr.skip(), gr.Column(visible=False), ""
        turns = f"{len(unkept)} {'turn' if len(unkept) == 1 else 'turns'}"
        said = f"<p><b>Drop what was not remembered?</b> {turns} of this chat stand nowhere but on this page.</p>"
        return gr.Checkbox(True), gr.Column(visible=True), said

    @shows_errors()
    def drop(held: str, _unkept: list[EphemeralTurn], namespace: str, words: str) -> list[Any]:
        return [gr.Checkbox(False), gr.Column(visible=False), *chat_updates(engine, held, [], namespace, words)]

    parts.private.input(switched, [parts.private, parts.unkept], [parts.private, asks.row, asks.text], **LATEST)
    asks.no.click(lambda: gr.Column(visible=False), None, asks.row, **LATEST)
    dropped = asks.yes.click(drop, state, [parts.private, asks.row, *parts.outputs], **QUIET)
    dropped.success(None, parts.held, None, js=_UNTICK, **LATEST)


def wire_page(
    context: AppContext,
    page: PageContext,
    parts: ChatComponents,
    choice: Choice,
    chats: OpenChats,
    tab: gr.Tab,
    changes: Sequence[Any],
) -> None:
    """The chat that the address names: when the page opens, when the person goes back, when the tab or the namespace changes."""
    engine, pane = context.engine, parts.pane
    state = [page.address, parts.unkept, page.namespace, parts.search]
    everything = [*parts.outputs, parts.where, parts.reader, *pane.outputs]

    @shows_errors()
    def again(address: str, unkept: list[EphemeralTurn], namespace: str, words: str, request: gr.Request) -> list[Any]:
        asked, window = page_address.parse(address), str(request.session_hash)
        namespace, opened = asked.namespace or namespace, chats.memories_opened(window)
        unkept = unkept if chats.shows(window, asked.chat) else []
        made, coming = shown_chat(engine, chats, window, asked.chat, unkept, namespace, words)
        made[3] = gr.skip() if coming else ""
        beside = read(asked.memory, namespace)
        if chats.memories_opened(window) != opened:  # by a click since: it stays
            beside = [gr.skip(), *skips]
        return [*made, where(choice), *beside]

    def read(memory: str, namespace: str) -> list[Any]:
        try:
            return (
                [gr.Column(visible=True), *pane.show(memory, namespace)]
                if memory
                else [gr.Column(visible=False), *skips]
            )
        except NotFound:  # an address from before it was forgotten
            return [gr.Column(visible=False), *pane.empty()]

    skips = [gr.skip()] * len(pane.outputs)
    blocks = Context.root_block
    if blocks is not None:  # always so: a tab is built inside a page
        blocks.load(again, state, everything, js=_HERE, **LATEST).then(None, js=_DRAFTED, **LATEST)
    for trigger in (tab.select, page.namespace.change, page.route.click):
        trigger(again, state, everything, js=_HERE, **LATEST)
    for done in changes:
        done.then(again, state, everything, js=_HERE, **LATEST).then(None, js=REFRESH_JS, **LATEST)
