"""A message on its way: taken from the field in the browser, answered piece by piece, stopped, asked again.

Knows: that what is typed meanwhile is never touched, and that an answer shows only in its own chat. The script that takes a message is
in pmg/ui/message_script.py; turns are made in pmg/chat/turn.py.
"""

from __future__ import annotations

import json
import threading
from collections import deque
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
from pmg.ui.chat.open_chats import MAX_PAGES, OpenChats
from pmg.ui.error_boundary import shows_errors
from pmg.ui.event_options import LATEST, QUIET
from pmg.ui.page_address import possible_namespace
from pmg.ui.theme import REFRESH_JS

CONCURRENT: dict[str, Any] = {**QUIET, "trigger_mode": "multiple"}  # a chat that is answered does not hold up another
MAX_FINISHED = 20  # messages that are named to their window: more than end before it has drawn once
_NEXT = "(asked, ...state) => [window.pmg.next(), ...state]"
_ANSWERED = "(answered) => { window.pmg.answered(answered); }"
_GIVE_BACK = "(answered) => { window.pmg.giveBack(answered); }"
_ASKED = "() => { const box = document.querySelector('#pmg-box'); if (box.querySelector('textarea').value) box.querySelector('button')?.click(); }"


@dataclass(frozen=True, slots=True)
class SentMessage:
    """What the script hands over: the chat and the namespace of the address when it was sent, whether that chat is not to be remembered,
    and the turn that it takes the place of."""

    chat: str = ""
    text: str = ""
    replaces: str = ""
    id: str = ""
    namespace: str = ""  # empty: the configured one, as in an address that names none
    private: bool = False

    @classmethod
    def parse(cls, handed: str) -> SentMessage:
        try:
            given = json.loads(handed or "{}")
            told = {name: str(given.get(name) or "") for name in ("chat", "text", "replaces", "id", "namespace")}
            told["namespace"] = possible_namespace(told["namespace"])
            return cls(**told, private=given.get("private") is True)
        except (ValueError, AttributeError):
            return cls()


class FinishedMessages:
    """The last messages of each window that are no longer on their way. Several, as of two that end together the page may see one value.

    Thread-safe: every handler of a page runs in a thread of its own.
    """

    def __init__(self) -> None:
        self._ended: dict[str, deque[tuple[str, bool]]] = {}
        self._lock = threading.Lock()

    def add(self, window: str, message: SentMessage, refused: bool = False) -> str:
        """What tells the script of this message and of those before it."""
        with self._lock:
            ended = self._ended.pop(window, None) or deque(maxlen=MAX_FINISHED)
            ended.append((message.id, refused))
            self._ended[window] = ended
            while len(self._ended) > MAX_PAGES:
                del self._ended[next(iter(self._ended))]
            told = {"done": [name for name, no in ended if not no], "refused": [name for name, no in ended if no]}
        return json.dumps(told)


def wire(context: AppContext, page: PageContext, parts: ChatComponents, choice: Choice, chats: OpenChats) -> None:
    asked = gr.Textbox("", visible="hidden", label="On its way")
    answered = gr.Textbox("", visible="hidden", label="Answered")
    sends = gr.Button("Send", visible="hidden", elem_id="pmg-send")  # pressed by message_script.SCRIPT, once a message
    send = _sender(context, choice, chats)
    inputs = [asked, parts.unkept, parts.memory]
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
    nothing, finished = [skip] * 7, FinishedMessages()

    def send(handed: str, unkept: list[EphemeralTurn], memory: bool, request: gr.Request) -> Iterator[list[Any]]:
        message, window = SentMessage.parse(handed), str(request.session_hash)
        # Never what the page is in: Back leads out of a namespace before the server has heard of it.
        text, chat, namespace = message.text.strip(), message.chat, message.namespace or engine.config.namespace
        if not text:
            yield [*nothing, finished.add(window, message)]
            return
        shut = gr.Column(visible=False)
        try:
            with shows_errors():
                unkept = unkept if chats.shows(window, chat) else []  # else they are of a chat that was just left
                chat = chat_or_fresh(engine, chat, namespace)
                chats.show(window, chat)
                first = found(engine, chat, namespace) is None and not unkept
                place = replace(
                    target(namespace, chat, unkept), kept=not message.private, memory=memory, replaces=message.replaces
                )
                for said, html in answers(engine, choice, place, text, chats.begin(window, chat)):
                    row = [buttons(True), chat, skip, "" if first else skip, html, shut, where(choice, said.secrets)]
                    yield [*(row if chats.shows(window, chat) else nothing), skip]
                if message.replaces and said.passage is not None and not message.private:
                    replace_turn(context, message.replaces, chat, namespace)
        except gr.Error:
            here = chats.end(window, chat)
            row = [buttons(False), skip, skip, skip, "", skip, skip]
            yield [*(row if here else nothing), finished.add(window, message, refused=True)]
            raise
        finally:
            here = chats.end(window, chat)
        if said.problem:
            gr.Warning(render.safe(f"The answer broke off. {said.problem}"))
        if not here:
            yield [*nothing, finished.add(window, message)]
            return
        if message.private and said.passage is not None:
            unkept = [*unkept, EphemeralTurn(said.passage, said.answer)]
        seen = view(engine, chat, unkept, namespace)
        yield [buttons(False), chat, unkept, seen.log, "", shut, skip, finished.add(window, message)]

    return send
