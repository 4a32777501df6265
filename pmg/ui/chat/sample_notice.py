"""Below the list of chats: that this memory holds the sample, how to be rid of it, and the upkeep after something came in.

Knows: which memories are the sample's. Does not know: how the sample came in (welcome.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import gradio as gr
from gradio.context import Context

from pmg import forget as forgetting
from pmg import sample
from pmg.base.errors import NotFound
from pmg.base.model import content_hash
from pmg.base.progress import Progress
from pmg.base.text import counted
from pmg.engine import Engine
from pmg.forget import Selection
from pmg.ui.app_context import AppContext, PageContext
from pmg.ui.chat.chat_choosing import confirmation
from pmg.ui.error_boundary import inform, on_bar, shows_errors
from pmg.ui.event_options import LATEST, QUIET
from pmg.ui.settings import import_progress

HERE = '<p class="pmg-muted">This memory holds the sample: a year of Mara, who is invented.</p>'
WORKING = '<p class="pmg-muted" role="status">Finding topics and links in what came in …</p>'


@dataclass(frozen=True)
class SampleNotice:
    text: gr.HTML
    remove: gr.Button
    asking: gr.Column
    changes: list[Any]  # events after which there is less to show


# plain functions


@cache
def sample_turns() -> dict[str, set[str]]:
    """The sample's sessions and the hashes of their turns; none in an installation without its files."""
    try:
        return {session.id: {content_hash(turn.lines) for turn in session.turns} for session in sample.sessions()}
    except NotFound:
        return {}


def holds_sample(engine: Engine, namespace: str) -> bool:
    return bool(_sample_here(engine, namespace))


def what_would_go(engine: Engine, namespace: str) -> str:
    turns = len(_sample_here(engine, namespace))
    return (
        f"<p><b>Remove the sample?</b> {counted(turns, 'turn')} and all that hangs on them go. What you said yourself stays. "
        "<code>pmg demo</code> loads it again, and so does this page where nothing else is remembered.</p>"
    )


def _sample_here(engine: Engine, namespace: str) -> list[str]:
    """Its turns that are there: what the person went on to say in one of its chats is none of them."""
    here = [session.id for session in engine.sessions(namespace) if session.segments and session.id in sample_turns()]
    return [
        segment.id
        for session, segments in engine.reads.sessions_with_segments(here)
        for segment in segments
        if content_hash(segment.lines) in sample_turns()[session.id]
    ]


def remove_sample(engine: Engine, namespace: str, progress: Progress) -> str:
    """Its turns and nothing else. Nobody's secret is in it, so it may come back."""
    there = _sample_here(engine, namespace)
    if not there:
        return "The sample is not in this memory."
    plan = forgetting.plan(engine, Selection(segments=tuple(there), namespace=namespace))
    forgetting.forget(engine, plan, progress, allow_return=True)
    return f"The sample is gone: {counted(len(there), 'turn')}. What you said yourself is still here."


def notice(engine: Engine, namespace: str) -> list[Any]:
    there = holds_sample(engine, namespace)
    return [HERE if there else "", gr.Button(visible=there)]


# the page


def build(context: AppContext, page: PageContext) -> SampleNotice:
    with gr.Column(elem_classes="pmg-sample"):
        text = gr.HTML("", elem_id="pmg-sample")
        remove = gr.Button("Remove the sample", size="sm", visible=False, elem_id="pmg-remove-sample")
        asks = confirmation("Keep it", "Remove it")

    @shows_errors()
    def ask(namespace: str) -> tuple[gr.Column, str]:
        return gr.Column(visible=True), what_would_go(context.engine, namespace)

    def gone(namespace: str, bar: gr.Progress = gr.Progress()) -> list[Any]:  # noqa: B008
        with shows_errors():
            inform(remove_sample(context.engine, namespace, on_bar(bar)))
            return [gr.Column(visible=False), *notice(context.engine, namespace)]

    remove.click(ask, page.namespace, [asks.row, asks.text], **LATEST)
    asks.no.click(lambda: gr.Column(visible=False), None, asks.row, **LATEST)
    done = asks.yes.click(
        gone,
        page.namespace,
        [asks.row, text, remove],
        api_visibility="private",
        show_progress_on=text,
        trigger_mode="once",
    )
    return SampleNotice(text, remove, asks.row, [done])


def wire(
    context: AppContext, page: PageContext, made: SampleNotice, looks: Sequence[Any], intakes: Sequence[Any]
) -> None:
    @shows_errors()
    def look(namespace: str) -> list[Any]:
        return [
            gr.Column(visible=False),
            *notice(context.engine, namespace),
        ]  # what was asked was about what is not shown any more

    def tidy(namespace: str) -> Iterator[list[Any]]:
        with shows_errors():
            yield [WORKING, gr.Button(visible=False)]
            inform(import_progress.find_topics(context))
            yield notice(context.engine, namespace)

    blocks = Context.root_block
    for trigger in [*looks, *([blocks.load] if blocks is not None else [])]:
        trigger(look, page.namespace, [made.asking, made.text, made.remove], **LATEST)
    for event in intakes:
        event.success(tidy, page.namespace, [made.text, made.remove], **QUIET)
