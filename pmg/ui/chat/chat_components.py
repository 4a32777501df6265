"""The components of the Chat tab that its handlers share, and what shows a chat as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gradio as gr

from pmg.chat import sessions
from pmg.engine import Engine
from pmg.ui.chat.chat_view import EphemeralTurn, chat_or_fresh, side, view
from pmg.ui.reader.reader_pane import ReaderPane

SEND, STOP = "Send", "Stop"  # words, not gradio's signs, which no screen reader can name


@dataclass(frozen=True)
class ChatComponents:
    held: gr.Textbox  # the chat's id
    unkept: gr.State
    log: gr.HTML
    live: gr.HTML
    title: gr.HTML
    actions: gr.Row
    welcome: gr.Column
    box: gr.Textbox
    memory: gr.Checkbox
    private: gr.Checkbox
    where: gr.HTML
    pin: gr.Button
    listed: gr.HTML
    search: gr.Textbox
    reader: gr.Column
    pane: ReaderPane

    @property
    def outputs(self) -> list[Any]:
        return [self.held, self.unkept, self.log, self.live, self.box, *self.around]

    @property
    def around(self) -> list[Any]:
        """What stands around a conversation and changes with it."""
        return [self.title, self.actions, self.pin, self.welcome, self.listed]


def chat_updates(
    engine: Engine, held: str, unkept: list[EphemeralTurn], namespace: str, words: str = "", busy: bool = False
) -> list[Any]:
    """Everything that shows a chat, in the order of `ChatComponents.outputs`. With `busy` an answer is coming."""
    name = chat_or_fresh(engine, held, namespace)
    seen = view(engine, name, unkept, namespace)
    actions, welcome = gr.Row(visible=seen.session is not None), gr.Column(visible=seen.empty)
    return [
        name,
        unkept,
        seen.log,
        "",
        buttons(busy),
        seen.title,
        actions,
        gr.Button("Unpin" if seen.session and sessions.is_pinned(seen.session) else "Pin"),
        welcome,
        side(engine, namespace, name, words),
    ]


def around(engine: Engine, held: str, unkept: list[EphemeralTurn], namespace: str, words: str) -> list[Any]:
    return chat_updates(engine, held, unkept, namespace, words)[5:]


def buttons(busy: bool) -> gr.Textbox:
    """The field's buttons; its words are the person's and are not touched."""
    return gr.Textbox(submit_btn=False if busy else SEND, stop_btn=STOP if busy else False)
