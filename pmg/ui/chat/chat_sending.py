"""A message on its way: taken from the field in the browser, answered piece by piece, stopped, asked again.

Knows: that what is typed meanwhile is never touched, and that an answer shows only in its own chat. The script that takes a message is
in pmg/ui/message_script.py; turns are made in pmg/chat/turn.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import gradio as gr

from pmg.chat.responder_choice import Choice
from pmg.ui import clicks, render
from pmg.ui.app_context import AppContext, PageContext
from pmg.ui.chat import bubbles
from pmg.ui.chat.chat_components import ChatComponents, around, buttons
from pmg.ui.chat.chat_view import EphemeralTurn, answers, chat_or_fresh, found, replace_turn, target, view, where
from pmg.ui.chat.open_chats import OpenChats
from pmg.ui.error_boundary import shows_errors
from pmg.ui.event_options import LATEST, QUIET
from pmg.ui.theme import REFRESH_JS

CONCURRENT: dict[str, Any] = {**QUIET, "trigger_mode": "multiple"}  # a chat that is answered does not hold up another
_NEXT = "(asked, ...state) => [window.pmg.next(), ...state]"
_ANSWERED = "(answered) => { window.pmg.answered(answered); }"
_GIVE_BACK = "(answered) => { window.pmg.giveBack(answered); }"
_ASKED = "() => { const box = document.querySelector('#pmg-box'); if (box.querySelector('textarea').value) box.querySelector('button')?.click(); }"


@dataclass(frozen=True, slots=True)
class SentMessage:
    """What the script hands over: the chat that was shown when it was sent, and the turn that it takes the place of."""

    chat: str = ""
    text: str = ""
    replaces: str = ""
    id: str = ""

    @classmethod
    def parse(cls, handed: str) -> SentMessage:
        try:
            given = json.loads(handed or "{}")
            return cls(*(str(given.get(name) or "") for name in ("chat", "text", "replaces", "id")))
        except (ValueError, AttributeError):
            return cls()

    def done(self, refused: bool = False) -> str:
        """What tells the script that it is no longer on its way."""
        return json.dumps({"id": self.id, "refused": refused})


def wire(context: AppContext, page: PageContext, parts: ChatComponents, choice: Choice, chats: OpenChats) -> None:
    asked = gr.Textbox("", visible="hidden", label="On its way")
    answered = gr.Textbox("", visible="hidden", label="Answered")
    sends = gr.Button("Send", visible="hidden", elem_id="pmg-send")  # pressed by message_script.SCRIPT, once a message
    send = _sender(context, choice, chats)
    inputs = [asked, parts.unkept, page.namespace, parts.memory, parts.private]
    outputs = [parts.box, parts.held, parts.unkept, parts.log, parts.live, parts.welcome, parts.where, answered]
    state = [parts.held, parts.unkept, page.namespace, parts.search]

    @shows_errors()
    def after(held: str, unkept: list[EphemeralTurn], namespace: str, words: str) -> list[Any]:
        return around(context.engine, held, unkept, namespace, words)

    # One event, and not a field that is filled and then read: of two messages each is handed over as it was.
    sending = sends.click(send, inputs, outputs, js=_NEXT, **CONCURRENT)
    sending.failure(None, answered, None, js=_GIVE_BACK, **CONCURRENT)
    sending.success(None, answered, None, js=_ANSWERED, **CONCURRENT)
    answered.change(None, answered, None, js=_ANSWERED, **CONCURRENT)  # of two that end together `success` may see one
    sending.then(after, state, parts.around, **CONCURRENT).then(None, js=REFRESH_JS, **LATEST)

    def stop(held: str, request: gr.Request) -> None:
        chats.stop(str(request.session_hash), held)

    parts.box.stop(stop, parts.held, None, **QUIET)

    def ask(event: gr.EventData) -> Any:
        wanted = clicks.picked(event)
        return wanted.removeprefix(bubbles.ASK) if wanted.startswith(bubbles.ASK) else gr.skip()

    parts.log.pick(ask, None, parts.box, **QUIET).then(None, js=_ASKED, **LATEST)


def _sender(context: AppContext, choice: Choice, chats: OpenChats) -> Any:
    engine, skip = context.engine, gr.skip()
    nothing = [skip] * 7

    def send(
        handed: str, unkept: list[EphemeralTurn], namespace: str, memory: bool, private: bool, request: gr.Request
    ) -> Iterator[list[Any]]:
        message, window = SentMessage.parse(handed), str(request.session_hash)
        text, chat = message.text.strip(), message.chat
        if not text:
            return
        shut = gr.Column(visible=False)
        try:
            with shows_errors():
                chat = chat_or_fresh(engine, chat, namespace)
                chats.show(window, chat)
                first = found(engine, chat, namespace) is None and not unkept
                place = replace(
                    target(namespace, chat, unkept), kept=not private, memory=memory, replaces=message.replaces
                )
                for said, html in answers(engine, choice, place, text, chats.begin(window, chat)):
                    row = [buttons(True), chat, skip, "" if first else skip, html, shut, where(choice, said.secrets)]
                    yield [*(row if chats.shows(window, chat) else nothing), skip]
                if message.replaces and said.passage is not None and not private:
                    replace_turn(context, message.replaces, chat, namespace)
        except gr.Error:
            here = chats.shows(window, chat)
            row = [buttons(False), skip, skip, skip, "", skip, skip]
            yield [*(row if here else nothing), message.done(refused=True)]
            raise
        finally:
            chats.end(window, chat)
        if said.problem:
            gr.Warning(render.safe(said.problem))
        if not chats.shows(window, chat):
            yield [*nothing, message.done()]
            return
        if private and said.passage is not None:
            unkept = [*unkept, EphemeralTurn(said.passage, said.answer)]
        seen = view(engine, chat, unkept, namespace)
        yield [buttons(False), chat, unkept, seen.log, "", shut, skip, message.done()]

    return send
