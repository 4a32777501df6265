"""The Chat tab: chats at the side, the conversation, a field to write in, and the memories behind each answer.

Knows: the parts of the page. How they are wired stands in chat_sending.py (messages) and chat_choosing.py (which chat, what is done with it);
who answers and how memory is searched in pmg/chat/turn.py, how a message looks in bubbles.py.

Nothing of a chat lives in the server between two messages, except the turns of one that is not to be remembered: the browser's address
holds the chat's id, its session storage whether that chat is not to be remembered, the text comes from the store. So a reload, a restart or a session that ended meanwhile change nothing.
"""

from __future__ import annotations

from typing import Any

import gradio as gr

from pmg.chat.responder_choice import Choice
from pmg.ui import clicks
from pmg.ui.app_context import AppContext, PageContext
from pmg.ui.chat import bubbles, chat_choosing, chat_css, chat_sending, sample_notice, welcome
from pmg.ui.chat.chat_components import SEND, ChatComponents
from pmg.ui.chat.chat_view import title_of, where
from pmg.ui.chat.open_chats import OpenChats
from pmg.ui.error_boundary import shows_errors
from pmg.ui.event_options import LATEST
from pmg.ui.reader import reader_pane

CSS = chat_css.CSS

# Somebody who scrolled up reads: what comes below does not move their view. What is whole is told to screen readers once.
_SCROLL = """
const scroll = () => element.closest('.pmg-scroll');
const down = () => { const box = scroll(); if (box && !box.hasAttribute('data-away')) box.scrollTop = box.scrollHeight; };
const box = scroll();
if (box && !box.pmgEar) {
  box.pmgEar = true;
  box.addEventListener('scroll', () => box.toggleAttribute('data-away', box.scrollHeight - box.scrollTop - box.clientHeight > 60));
}
watch('value', () => {
  requestAnimationFrame(down);
  const coming = element.id === 'pmg-live' || element.closest('#pmg-live');
  if (!coming) return;
  const here = element.querySelector('.pmg-turn.theirs .pmg-bubble');
  if (here && !here.querySelector('.pmg-wait')) window.pmgComing = here.innerText;
  else if (!here && window.pmgComing) { window.pmg.announce(window.pmgComing); window.pmgComing = ''; }
});
element.addEventListener('click', (event) => {
  const button = event.target.closest('[data-pick]');
  if (!button) return;
  const asked = [...document.querySelectorAll('.pmg-turn.mine')].filter((one) => one.compareDocumentPosition(button) & 4).pop();
  trigger('pick', {pick: button.dataset.pick, asked: asked ? asked.querySelector('.pmg-bubble').innerText : ''});
});
"""
# Whoever opens it by a key is in it: the list stands before the button, and Tab would lead away from it.
_DRAWER = "() => { const list = document.querySelector('.pmg-chats'); if (list?.classList.toggle('pmg-shown')) list.querySelector('button')?.focus(); }"
_SHUT = "() => { window.pmg.put({memory: ''}); }"


def build(context: AppContext, page: PageContext, tab: gr.Tab) -> None:
    choice, chats = Choice(context.engine), OpenChats()
    with gr.Row(elem_classes="pmg-chat"):
        with gr.Column(scale=0, min_width=264, elem_classes="pmg-chats"):
            new = gr.Button("New chat", variant="primary", size="md")
            search = gr.Textbox("", label="Search chats", placeholder="Search chats", show_label=False, container=False)
            listed = clicks.clickable_html("", label="Chats", elem_id="pmg-list")
            sampled = sample_notice.build(context, page)
        with gr.Column(scale=1, min_width=300, elem_classes="pmg-main"):
            drawer, title, actions, pin, buttons = _bar()
            naming, deleting = chat_choosing.build_naming(), chat_choosing.build_deleting()
            with gr.Column(elem_classes="pmg-scroll"):
                first_start = welcome.build(context, page)
                log = gr.HTML("", js_on_load=_SCROLL, label="Conversation", elem_id="pmg-log")
                live = gr.HTML("", js_on_load=_SCROLL, label="Answer", elem_id="pmg-live")
            box = gr.Textbox(
                label="Message", placeholder="Ask, or tell it something", lines=1, max_lines=8, autofocus=True,
                show_label=False, container=False, submit_btn=SEND, elem_id="pmg-box",
                interactive=True,  # gradio takes what no handler reads for a sign; message_script.py reads it
            )  # fmt: skip
            with gr.Row(elem_classes="pmg-switches"):
                memory = gr.Checkbox(True, label="Use memory", container=False, min_width=110, scale=0)
                private = gr.Checkbox(
                    False, label="Do not remember this chat", container=False, min_width=190, scale=0,
                    elem_id="pmg-private",  # page_address.py hears it
                )  # fmt: skip
                told_where = gr.HTML(where(choice), min_width=200)
            dropping = chat_choosing.build_dropping()
        with gr.Column(scale=0, min_width=360, visible=False, elem_classes="pmg-source-pane") as reader:
            shut = gr.Button("Hide the source", size="sm", elem_id="pmg-hide-source")  # Esc presses it: shortcuts.py
            pane = reader_pane.pane(context, page, "chat")
    held = gr.Textbox("", visible="hidden", label="Session")  # in the page, so that its change is heard
    parts = ChatComponents(
        held, gr.State([]), log, live, title, actions, first_start.column, box, memory, private, told_where, pin, listed, search,
        reader, pane,
    )  # fmt: skip
    chat_sending.wire(context, page, parts, choice, chats)
    chat_choosing.wire(context, page, parts, chats, (new, *buttons), (naming, deleting, dropping))
    drawer.click(None, js=_DRAWER, **LATEST)
    _wire_reader(page, parts, chats, pane, shut)
    chat_choosing.wire_page(context, page, parts, choice, chats, tab, [*first_start.changes, *sampled.changes])
    sample_notice.wire(
        context, page, sampled, [tab.select, page.namespace.change, page.route.click], first_start.changes
    )
    first_start.talk.click(None, js=chat_choosing.FOCUS, **LATEST)


def _bar() -> tuple[gr.Button, gr.HTML, gr.Row, gr.Button, tuple[gr.Button, gr.Button]]:
    with gr.Row(elem_classes="pmg-bar"):
        drawer = gr.Button("Chats", size="sm", scale=0, min_width=70, elem_classes="pmg-drawer")
        title = gr.HTML(title_of(None, False))
        with gr.Row(visible=False, elem_classes="pmg-acts") as actions:
            pin = gr.Button("Pin", size="sm", scale=0, min_width=64)
            rename = gr.Button("Rename", size="sm", scale=0, min_width=80, elem_id="pmg-rename")
            delete = gr.Button("Delete …", size="sm", scale=0, min_width=80)
    return drawer, title, actions, pin, (rename, delete)


def _wire_reader(
    page: PageContext, parts: ChatComponents, chats: OpenChats, pane: reader_pane.ReaderPane, shut: gr.Button
) -> None:
    @shows_errors()
    def read(namespace: str, request: gr.Request, event: gr.EventData) -> list[Any]:
        wanted = clicks.picked(event)
        if not wanted or wanted.startswith(bubbles.ASK):
            return [gr.skip()] * (1 + len(pane.outputs))
        chats.open_memory(str(request.session_hash))
        return [gr.Column(visible=True), *pane.show(wanted, namespace, clicks.asked(event))]

    for html in (parts.log, parts.live):
        html.pick(read, page.namespace, [parts.reader, *pane.outputs], **LATEST)
    shut.click(lambda: gr.Column(visible=False), None, parts.reader, js=_SHUT, **LATEST)
