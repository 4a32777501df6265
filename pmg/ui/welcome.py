"""What an empty memory greets with: three doors.

Knows: the sample, the importers and how they are offered. Does not know: the chat around it, which hides it when there is something to show.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import gradio as gr

from pmg import sample
from pmg.engine import Engine
from pmg.errors import ModelUnavailable
from pmg.ui import imports, theme
from pmg.ui.desk import Desk, Page
from pmg.ui.edge import inform, on_bar, told, uploads

HELLO = """<div class="pmg-hello">{logo}<h1>Your memory is empty, and it is yours alone.</h1>
<p>Everything you put in stays on this machine, word for word. Choose a door; you can take the others later.</p>
<p class="pmg-muted" role="status">{state}</p></div>"""


@dataclass(frozen=True)
class Doors:
    column: gr.Column
    talk: gr.Button
    changes: list[Any]  # events after which there is something to show


# plain functions


def greeting(engine: Engine) -> str:
    said = {
        "ready": "The embedding model is ready.",
        "loading": "The embedding model is loading behind this page; you can begin already.",
        "absent": "There is no embedding model yet: memory works on words alone.",
        "failed": "The embedding model is not available: memory works on words alone.",
    }[engine.model.state]
    return HELLO.format(logo=theme.logo(44), state=said)


def load_sample(desk: Desk, namespace: str, progress: imports.Progress) -> str:
    """The sample memory into this namespace; a sentence says what came in."""
    progress("waiting for the embedding model", 0, 0)
    with suppress(ModelUnavailable):  # without it everything is stored all the same, and linked when it comes
        desk.engine.model.wait()
    sessions = [replace(session, namespace=namespace) for session in sample.sessions()]
    done = desk.engine.ingest(sessions, progress)
    return (
        f"A year of Mara's conversations is in: {done.turns:,} turns in {done.sessions:,} sessions. Ask it something."
    )


# the page


def door(title: str, text: str) -> gr.HTML:
    return gr.HTML(f'<h2 class="pmg-door-title">{title}</h2><p class="pmg-muted">{text}</p>')


def build(desk: Desk, page: Page) -> Doors:
    with gr.Column(visible=False, elem_classes="pmg-welcome") as column:
        hello = gr.HTML(greeting(desk.engine))
        with gr.Row(elem_classes="pmg-doors"):
            with gr.Column(elem_classes="pmg-door", min_width=220):
                door("Look around", "A year of one invented person's chats, to see what a memory can do.")
                load = gr.Button("Load the sample memory", variant="primary", elem_id="pmg-load-sample")
            with gr.Column(elem_classes="pmg-door", min_width=220):
                door("Bring your history", "The export of ChatGPT, Claude, Gemini and others: the zip as it came.")
                files = gr.File(label="Drop your export here", file_count="multiple", height=120, elem_id="pmg-drop")
            with gr.Column(elem_classes="pmg-door", min_width=220):
                door("Just start", "Tell it something. It is remembered when you come back.")
                talk = gr.Button("Start talking")
        done = gr.HTML("", elem_classes="pmg-progress")
    events = [_wire_sample(desk, page, load, done), _wire_files(desk, page, files, done)]
    clock = gr.Timer(2.0, active=desk.engine.model.state == "loading")

    def look() -> tuple[str, gr.Timer]:
        return greeting(desk.engine), gr.Timer(active=desk.engine.model.state == "loading")

    clock.tick(look, None, [hello, clock], show_progress="hidden", api_visibility="private")
    return Doors(column, talk, events)


def _wire_sample(desk: Desk, page: Page, load: gr.Button, done: gr.HTML) -> Any:
    def take(space: str, bar: gr.Progress = gr.Progress()) -> str:  # noqa: B008
        with told():
            inform(load_sample(desk, space, on_bar(bar)))
            return ""

    return load.click(take, page.namespace, done, api_visibility="private", trigger_mode="once")


def _wire_files(desk: Desk, page: Page, files: gr.File, done: gr.HTML) -> Any:
    def take(names: list[str] | None, space: str, bar: gr.Progress = gr.Progress()) -> tuple[None, str]:  # noqa: B008
        with told():
            paths = [Path(name) for name in names or ()]
            with imports.used_up(names or (), uploads()):
                report = imports.take_in(desk, paths, space, imports.Meter(lambda share, text: bar(share, desc=text)))
            inform(report.text())
            return None, ""

    event = files.upload(take, [files, page.namespace], [files, done], api_visibility="private")
    event.failure(lambda: None, None, files, show_progress="hidden", api_visibility="private")  # the upload is gone
    return event
