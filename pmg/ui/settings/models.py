"""The embedding model that is in force, with its thresholds. Who answers in the chat stands in chat_model.py below it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import gradio as gr

from pmg import settings
from pmg.config import ThresholdConfig as Knobs
from pmg.embed.load import BUNDLED
from pmg.embed.multilingual import MULTILINGUAL
from pmg.progress import Progress, silent
from pmg.ui.error_boundary import inform, on_bar, shows_errors
from pmg.ui.event_options import LATEST
from pmg.ui.render import safe
from pmg.ui.settings import chat_model

if TYPE_CHECKING:
    from pmg.ui.app_context import AppContext

KNOWN = [("English", BUNDLED), ("16 languages, German, Spanish, Chinese and Japanese among them", MULTILINGUAL)]
MEANS = {
    "edge": "a semantic edge is made",
    "floor": "below this, a memory found by meaning alone is left out",
    "link": "a related-to link is made",
    "extend": "a turn extends a learnt document",
    "context_duplicate": "a memory repeats what the chat already says",
    "merge": "the steward looks at the pair",
    "ingest_duplicate": "the turn was said before, if nothing in it differs",
}


@dataclass(frozen=True, slots=True)
class EmbeddingState:
    name: str
    state: str
    origin: str
    thresholds: tuple[tuple[str, float, str, bool], ...]  # name, value, meaning, set by the person


def embedding(context: AppContext) -> EmbeddingState:
    engine = context.engine
    ready, held, found = engine.model.ready(), engine.reads.model, engine.thresholds
    name = ready.name if ready else held.name if held else engine.config.embed.model
    state = f"loaded, {ready.dimension} dimensions" if ready else engine.model.problem
    mine = {f.name for f in fields(Knobs) if getattr(engine.config.thresholds, f.name) > 0}
    rows = tuple((key, getattr(found, key), text, key in mine) for key, text in MEANS.items())
    return EmbeddingState(name, state, found.origin, rows)


def embedding_html(now: EmbeddingState) -> str:
    rows = "".join(
        f"<tr><th scope='row'>{name.replace('_', ' ')}</th><td data-label='Cosine'>{value:.3f}{' (set by you)' if mine else ''}</td>"
        f"<td data-label='What it decides'>{text}</td></tr>"
        for name, value, text, mine in now.thresholds
    )
    return (
        f'<p class="pmg-lead"><b>{safe(now.name)}</b> <span class="pmg-muted">{safe(now.state)}</span><br>'
        f"The thresholds belong to the model. They come from: {safe(now.origin)}.</p>"
        "<table class='pmg-data-table'><thead><tr><th>Threshold</th><th>Cosine</th><th>What it decides</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
        '<p class="pmg-muted">Any other embedding model: <code>pmg reembed --model NAME</code>.</p>'
    )


def calibrate(context: AppContext) -> str:
    found = context.engine.calibrate()
    return f"Measured on this memory: merge at {found.merge:.2f}, floor {found.floor:.2f}. In force now."


def change_model(context: AppContext, model: str, progress: Progress = silent) -> str:
    """The whole memory embedded by another model; recall works on the old vectors until the new ones are whole."""
    engine = context.engine
    if engine.config.embed.model == model:
        return "This model is in force already."
    return f"In force now: {settings.change_embedding_model(engine, model, progress).name}."


# the page


def build(context: AppContext) -> list[Any]:
    """Both boxes; gives back what `wire_select` brings up to date: what the embedding model is, and the form."""
    gr.HTML("<h3 class='pmg-h'>Who answers in the chat</h3>")
    form = chat_model.build(context)
    gr.HTML("<h3 class='pmg-h'>Embedding model</h3>")
    shown = gr.HTML(embedding_html(embedding(context)), label="Embedding model", elem_id="pmg-embedding")
    with gr.Row():
        measure = gr.Button("Calibrate on this memory", elem_id="pmg-calibrate", scale=0, min_width=300)
    with gr.Row(equal_height=False):
        wanted = gr.Radio(
            KNOWN, value=_chosen(context), label="Languages that are found by meaning", elem_id="pmg-languages",
            info="Words are found in every language. A change embeds the whole memory anew; recall goes on meanwhile.",
        )  # fmt: skip
        change = gr.Button("Change the model", elem_id="pmg-change-model", scale=0, min_width=200)

    def measured() -> str:
        with shows_errors():
            inform(calibrate(context))
            return embedding_html(embedding(context))

    @shows_errors()
    def changed(model: str, bar: gr.Progress = gr.Progress()) -> str:  # noqa: B008
        inform(change_model(context, model, on_bar(bar)))
        return embedding_html(embedding(context))

    measure.click(measured, None, shown, api_visibility="private")
    change.click(changed, wanted, shown, api_visibility="private")
    return [shown, *form]


def _chosen(context: AppContext) -> str | None:
    model = context.engine.config.embed.model
    return model if model in (BUNDLED, MULTILINGUAL) else None


def wire_select(context: AppContext, tab: gr.Tab, parts: list[Any]) -> None:
    """The form is filled only where the settings are no longer what it shows: an answer that comes later would take away what is typed meanwhile."""
    shown = gr.State(chat_model.snapshot(context))

    def refresh(held: tuple[Any, ...]) -> list[Any]:
        now = chat_model.snapshot(context)
        form = chat_model.values(context) if now != held else [gr.skip()] * (len(parts) - 1)
        return [embedding_html(embedding(context)), *form, now]

    tab.select(refresh, shown, [*parts, shown], **LATEST)
