"""The model that finds by meaning (the embedding model), with its thresholds. Who answers in the chat stands in chat_model.py above it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import gradio as gr

from pmg import settings
from pmg.base.progress import Progress, silent
from pmg.config import ThresholdConfig as Knobs
from pmg.embed.load import BUNDLED
from pmg.embed.multilingual import MULTILINGUAL
from pmg.ui.error_boundary import inform, on_bar, shows_errors
from pmg.ui.event_options import LATEST
from pmg.ui.render import safe
from pmg.ui.settings import chat_model

if TYPE_CHECKING:
    from pmg.ui.app_context import AppContext

KNOWN = [("English", BUNDLED), ("16 languages, German, Spanish, Chinese and Japanese among them", MULTILINGUAL)]
MEANS = {  # from the least alike to the most
    "floor": "a memory is found by its meaning alone; below, only by its words",
    "edge": "two memories are joined in the graph",
    "link": "two memories are called related",
    "extend": "something you say is counted to a document that you had learnt",
    "context_duplicate": "a memory is left out, because the chat already says it",
    "merge": "the steward compares two memories word by word",
    "ingest_duplicate": "something counts as said before, if nothing in it differs",
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
    state = f"loaded; {ready.dimension} numbers a text" if ready else engine.model.problem
    mine = {f.name for f in fields(Knobs) if getattr(engine.config.thresholds, f.name) > 0}
    rows = tuple((key, getattr(found, key), text, key in mine) for key, text in MEANS.items())
    return EmbeddingState(name, state, found.origin, rows)


def embedding_html(now: EmbeddingState) -> str:
    return (
        '<p class="pmg-lead">A memory is found by its words, and by its meaning: “the cat is ill” also where you ask about a vet. '
        f'<span class="pmg-muted">Meanings are compared by the embedding model <b>{safe(now.name)}</b> ({safe(now.state)}). '
        "Any other one: <code>pmg reembed --model NAME</code>.</span></p>"
    )


def thresholds_html(now: EmbeddingState) -> str:
    rows = "".join(
        f"<tr><td data-label='Alike from'>{value:.2f}{' (set by you)' if mine else ''}</td>"
        f"<td>{text} <small class='pmg-muted'>{name}</small></td></tr>"
        for name, value, text, mine in now.thresholds
    )
    return (
        '<p class="pmg-lead">How alike two texts are is a number from 0 (nothing in common) to 1 (the same); a cosine, for those who know. '
        f'<span class="pmg-muted">Each model has its own. These come from: {safe(now.origin)}.</span></p>'
        "<table class='pmg-data-table pmg-ways'><thead><tr><th>Alike from</th><th>What happens then</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def calibrate(context: AppContext) -> str:
    found = context.engine.calibrate()
    return f"Measured on this memory: found by meaning from {found.floor:.2f} on, compared for duplicates from {found.merge:.2f} on. In force now."


def change_model(context: AppContext, model: str, progress: Progress = silent) -> str:
    """The whole memory embedded by another model; recall works on the old vectors until the new ones are whole."""
    engine = context.engine
    if engine.config.embed.model == model:
        return "This model is in force already."
    return f"In force now: {settings.change_embedding_model(engine, model, progress).name}."


# the page


@dataclass(frozen=True)
class ModelsPage:
    """`told` is what `told_html` gives, in its order."""

    told: list[Any]
    chat: chat_model.ChatForm


def told_html(context: AppContext) -> list[str]:
    now = embedding(context)
    return [embedding_html(now), thresholds_html(now)]


def build(context: AppContext) -> ModelsPage:
    gr.HTML("<h3 class='pmg-h'>Who answers in the chat</h3>")
    form = chat_model.build(context)
    gr.HTML("<h3 class='pmg-h'>Finding by meaning</h3>")
    about = gr.HTML(embedding_html(embedding(context)), label="Embedding model", elem_id="pmg-embedding")
    with gr.Row(equal_height=False):
        wanted = gr.Radio(
            KNOWN, value=_chosen(context), label="Languages that are found by meaning", elem_id="pmg-languages",
            info="Words are found in every language. A change reads the whole memory anew; you can go on meanwhile.",
        )  # fmt: skip
        change = gr.Button("Change the languages", elem_id="pmg-change-model", scale=0, min_width=280)
    with gr.Accordion("How alike is alike enough", open=False, elem_id="pmg-alike"):
        numbers = gr.HTML(label="Thresholds", elem_id="pmg-thresholds")
        with gr.Row():
            measure = gr.Button("Measure it on this memory", elem_id="pmg-calibrate", scale=0, min_width=300)
    told = [about, numbers]

    @shows_errors()
    def measured() -> list[str]:
        inform(calibrate(context))
        return told_html(context)

    @shows_errors()
    def changed(model: str, bar: gr.Progress = gr.Progress()) -> list[str]:  # noqa: B008
        inform(change_model(context, model, on_bar(bar)))
        return told_html(context)

    measure.click(measured, None, told, api_visibility="private")
    change.click(changed, wanted, told, api_visibility="private")
    return ModelsPage(told, form)


def _chosen(context: AppContext) -> str | None:
    model = context.engine.config.embed.model
    return model if model in (BUNDLED, MULTILINGUAL) else None


def wire_select(context: AppContext, tab: gr.Tab, page: ModelsPage) -> None:
    """The form is filled only where the settings are no longer what it shows: an answer that comes later would take away what is typed meanwhile."""
    shown = gr.State(chat_model.snapshot(context))
    form = [*page.chat.given, *page.chat.kept, *page.chat.holders]

    def refresh(held: tuple[Any, ...]) -> list[Any]:
        now = chat_model.snapshot(context)
        acting = chat_model.visible(context.engine.config.chat.responder, page.chat)
        filled = [*chat_model.values(context), *acting] if now != held else [gr.skip()] * len(form)
        return [*told_html(context), *filled, now]

    tab.select(refresh, shown, [*page.told, *form, shown], **LATEST)
