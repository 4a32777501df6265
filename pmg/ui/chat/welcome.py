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
from pmg.base.errors import ModelUnavailable
from pmg.base.progress import Progress
from pmg.base.text import counted
from pmg.engine import Engine
from pmg.ui import render, theme
from pmg.ui.app_context import AppContext, PageContext
from pmg.ui.error_boundary import inform, on_bar, shows_errors, uploads
from pmg.ui.event_options import LATEST, QUIET
from pmg.ui.settings import import_progress
from pmg.ui.settings.import_stop import ImportStop

HELLO = """<div class="pmg-hello">{logo}<h1>{empty}</h1>
<p>Everything you put in stays on this machine, word for word. Choose a door; you can take the others later.</p>
<p class="pmg-muted" role="status">{state}</p></div>"""


@dataclass(frozen=True)
class WelcomeButtons:
    column: gr.Column
    talk: gr.Button
    changes: list[Any]  # events after which there is something to show


# plain functions


def greeting(engine: Engine, namespace: str) -> str:
    said = {
        "ready": "The embedding model is ready.",
        "loading": "The embedding model is loading behind this page; you can begin already.",
        "absent": "There is no embedding model yet: memory works on words alone.",
        "failed": "The embedding model is not available: memory works on words alone.",
    }[engine.model.state]
    return HELLO.format(logo=theme.logo(44), empty=_empty(engine, namespace), state=said)


def _empty(engine: Engine, namespace: str) -> str:
    """What is empty: the memory, or only this namespace of it."""
    elsewhere = engine.reads.memories() - engine.reads.memories(namespace)
    if not elsewhere:
        return "Your memory is empty, and it is yours alone."
    return f"The namespace “{render.safe(namespace)}” is empty; {counted(elsewhere, 'memory is', 'memories are')} in others."


def load_sample(context: AppContext, namespace: str, progress: Progress) -> str:
    """The sample memory into this namespace; a sentence says what came in."""
    progress("waiting for the embedding model", 0, 0)
    with suppress(ModelUnavailable):  # without it everything is stored all the same, and linked when it comes
        context.engine.model.wait()
    sessions = [replace(session, namespace=namespace) for session in sample.sessions()]
    done = context.engine.ingest(sessions, progress)
    lost = (
        f" {counted(done.forgotten, 'turn')} of it you have forgotten here, and they do not come back."
        if done.forgotten
        else ""
    )
    return f"A year of Mara's conversations is in: {done.turns:,} turns in {done.sessions:,} sessions.{lost} Ask it something."


# the page


def start_option(title: str, text: str) -> gr.HTML:
    return gr.HTML(f'<h2 class="pmg-option-title">{title}</h2><p class="pmg-muted">{text}</p>')


def build(context: AppContext, page: PageContext) -> WelcomeButtons:
    with gr.Column(visible=False, elem_classes="pmg-welcome") as column:
        hello = gr.HTML(greeting(context.engine, context.engine.config.namespace))
        with gr.Row(elem_classes="pmg-options"):
            with gr.Column(elem_classes="pmg-option", min_width=220):
                start_option("Look around", "A year of one invented person's chats, to see what a memory can do.")
                load = gr.Button("Load the sample memory", variant="primary", elem_id="pmg-load-sample")
            with gr.Column(elem_classes="pmg-option", min_width=220):
                start_option(
                    "Bring your history", "The export of ChatGPT, Claude, Gemini and others: the zip as it came."
                )
                files = gr.File(
                    label="Drop your export here",
                    show_label=False,  # it would lie over the sign that says the same
                    file_count="multiple",
                    height=120,
                    elem_id="pmg-drop",
                )
            with gr.Column(elem_classes="pmg-option", min_width=220):
                start_option("Just start", "Tell it something. It is remembered when you come back.")
                talk = gr.Button("Start talking")
        done = gr.HTML("", elem_classes="pmg-progress")
        stop = ImportStop("pmg-drop-stop")
    events = [_wire_sample(context, page, load, done), _wire_files(context, page, files, done, stop)]
    clock = gr.Timer(2.0, active=context.engine.model.state == "loading")

    def look(namespace: str) -> tuple[str, gr.Timer]:
        return greeting(context.engine, namespace), gr.Timer(active=context.engine.model.state == "loading")

    for trigger in (clock.tick, page.namespace.change):
        trigger(look, page.namespace, [hello, clock], **LATEST)
    return WelcomeButtons(column, talk, events)


def _wire_sample(context: AppContext, page: PageContext, load: gr.Button, done: gr.HTML) -> Any:
    def take(namespace: str, bar: gr.Progress = gr.Progress()) -> str:  # noqa: B008
        with shows_errors():
            inform(load_sample(context, namespace, on_bar(bar)))
            return ""

    return load.click(take, page.namespace, done, api_visibility="private", trigger_mode="once")


def _wire_files(context: AppContext, page: PageContext, files: gr.File, done: gr.HTML, stop: ImportStop) -> Any:
    def take(run: str, names: list[str] | None, namespace: str, bar: gr.Progress = gr.Progress()) -> tuple[None, str]:  # noqa: B008
        with shows_errors():
            paths = [Path(name) for name in names or ()]
            meter = import_progress.Meter(lambda share, text: bar(share, desc=text))
            with import_progress.used_up(names or (), uploads()):
                report = import_progress.run_import(
                    context, paths, namespace, meter, stop_asked=lambda: stop.is_asked(run)
                )
            inform(import_progress.stopped_text(report) if report.stopped else report.text())
            return None, ""

    begun = files.upload(stop.begin, None, stop.outputs, **QUIET)
    event = begun.success(take, [stop.run, files, page.namespace], [files, done], api_visibility="private")
    event.failure(lambda: None, None, files, show_progress="hidden", api_visibility="private")  # the upload is gone
    stop.ends_with(event)
    return event
