"""The components of the Chat tab that its handlers share, and what shows a chat as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gradio as gr

from pmg.engine import Engine
from pmg.ui.chat.chat_view import EphemeralTurn, chat_or_fresh, side, view
from pmg.ui.reader.reader_pane import ReaderPane


@dataclass(frozen=True)
class ChatComponents:
    held: gr.Textbox  # the chat's id
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
    pane: ReaderPane

    @property
    def whole(self) -> list[Any]:
        return [self.held, self.unkept, self.log, self.live, self.box, *self.around]

    @property
    def around(self) -> list[Any]:
        """What stands around a conversation and changes with it."""
        return [self.title, self.acts, self.doors, self.listed]


def whole(
    engine: Engine, held: str, unkept: list[EphemeralTurn], space: str, words: str = "", busy: bool = False
) -> list[Any]:
    """Everything that shows a chat, in the order of `ChatComponents.whole`. With `busy` an answer is coming."""
    name = chat_or_fresh(engine, held, space)
    seen = view(engine, name, unkept, space)
    acts, doors = gr.Row(visible=seen.session is not None), gr.Column(visible=seen.empty)
    return [name, unkept, seen.log, "", buttons(busy), seen.title, acts, doors, side(engine, space, name, words)]


def around(engine: Engine, held: str, unkept: list[EphemeralTurn], space: str, words: str) -> list[Any]:
    return whole(engine, held, unkept, space, words)[5:]


def buttons(busy: bool) -> gr.Textbox:
    """The field's buttons; its words are the person's and are not touched."""
    return gr.Textbox(submit_btn=not busy, stop_btn=busy)
