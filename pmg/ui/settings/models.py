"""Which models are in force: the embedding model with its thresholds, and who answers in the chat.

Knows: where each value comes from, and that text leaves the machine only after an explicit yes. Models are opened in pmg/embed
and pmg/chat.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import gradio as gr

from pmg import config as configuration
from pmg import settings
from pmg.chat.responder_choice import installed, open_responder
from pmg.config import ChatConfig
from pmg.config import ThresholdConfig as Knobs
from pmg.errors import ConfigError, InputError
from pmg.ui.error_boundary import inform, shows_errors
from pmg.ui.render import safe

if TYPE_CHECKING:
    from pmg.ui.app_context import AppContext

MEANS = {
    "edge": "a semantic edge is made",
    "floor": "below this, a memory found by meaning alone is left out",
    "link": "a related-to link is made",
    "extend": "a turn extends a learnt document",
    "context_duplicate": "a memory repeats what the chat already says",
    "merge": "the steward looks at the pair",
    "ingest_duplicate": "the turn was said before, if nothing in it differs",
}
RESPONDERS = {
    "extractive": "Quotes from your memory (no language model)",
    "openai": "A language model on a server (OpenAI-compatible: Ollama, LM Studio, llama.cpp, vLLM, a cloud)",
    "local": "A very small model in this process",
}
CHAT = ("responder", "base_url", "model", "key_env", "key_file")


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
        f"<td data-label='From here on'>{text}</td></tr>"
        for name, value, text, mine in now.thresholds
    )
    return (
        f'<p class="pmg-lead"><b>{safe(now.name)}</b> <span class="pmg-muted">{safe(now.state)}</span><br>'
        f"The thresholds belong to the model. They come from: {safe(now.origin)}.</p>"
        "<table class='pmg-sheet'><thead><tr><th>Threshold</th><th>Cosine</th><th>From here on</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
        '<p class="pmg-muted">Another embedding model: <code>pmg reembed --model NAME</code>; recall works on the old '
        "vectors until the new ones are whole.</p>"
    )


def calibrate(context: AppContext) -> str:
    found = context.engine.calibrate()
    return f"Measured on this memory: merge at {found.merge:.2f}, floor {found.floor:.2f}. In force now."


# the chat's model


def destination(context: AppContext, wanted: ChatConfig) -> tuple[str, bool]:
    """Where text would go with these settings, in a sentence, and whether that is off this machine."""
    responder = open_responder(context.engine, wanted)
    return responder.where, responder.leaves


def shown_destination(context: AppContext, wanted: ChatConfig) -> str:
    try:
        return destination_html(*destination(context, wanted))
    except ConfigError as problem:  # the page opens all the same: it is where the setting is mended
        return destination_html(str(problem), True)


def responders(held: str) -> list[tuple[str, str]]:
    """What can be chosen, as (text, name): PMG's own, what installed packages bring, and the one that is set even if it is gone."""
    others = {
        name: f"{name} (from {entry.dist.name if entry.dist else entry.value})" for name, entry in installed().items()
    }
    gone = {held: f"{held} (not installed)"} if held not in RESPONDERS and held not in others else {}
    return [(text, name) for name, text in (RESPONDERS | dict(sorted(others.items())) | gone).items()]


def wanted_chat(context: AppContext, given: dict[str, str]) -> ChatConfig:
    cleaned = {name: value.strip() for name, value in given.items()}
    return configuration.with_values(context.engine.config, {"chat": cleaned}, "The form").chat


def save_chat(context: AppContext, given: dict[str, str], agreed: bool) -> str:
    """Keeps the settings; where text would leave the machine only with the person's word."""
    wanted = wanted_chat(context, given)
    where, leaves = destination(context, wanted)
    if leaves and not agreed:
        raise InputError(f"Tick the box first: {where}")
    settings.change(context.engine, {"chat": {name: getattr(wanted, name) for name in CHAT}})
    return f"Kept, and in force from the next message on. {where}"


def destination_html(where: str, leaves: bool) -> str:
    return f'<p class="{"pmg-stop" if leaves else "pmg-report"}" role="status">{safe(where)}</p>'


# the page


def build(context: AppContext) -> list[Any]:
    """Both boxes; gives back what the tab brings up to date, in the order of `values`."""
    gr.HTML("<h3 class='pmg-h'>Embedding model</h3>")
    shown = gr.HTML(embedding_html(embedding(context)), label="Embedding model", elem_id="pmg-embedding")
    with gr.Row():
        measure = gr.Button("Calibrate on this memory", elem_id="pmg-calibrate", scale=0, min_width=260)
    gr.HTML("<h3 class='pmg-h'>Who answers in the chat</h3>")
    held = context.engine.config.chat
    responder = gr.Radio(responders(held.responder), value=held.responder, label="Answers come from")
    with gr.Row(equal_height=False):
        url = gr.Textbox(
            held.base_url, label="Base URL", info="of the server; http://127.0.0.1 stays here", min_width=280
        )
        model = gr.Textbox(held.model, label="Model", info="empty: the first the server lists", min_width=280)
        env = gr.Textbox(held.key_env, label="Key from this environment variable", info="its name", min_width=280)
        file = gr.Textbox(
            held.key_file, label="… or from this file", info="readable by you alone (0600)", min_width=280
        )
    where = gr.HTML(shown_destination(context, held), label="Where text goes", elem_id="pmg-where")
    agree = gr.Checkbox(label="I want my messages and the memories recalled for them sent there", visible=False)
    with gr.Row():
        save = gr.Button("Keep these settings", variant="primary", elem_id="pmg-chat-save", scale=0, min_width=240)
    form = [responder, url, model, env, file]

    def look(*given: str) -> tuple[Any, ...]:
        try:
            sentence, leaves = destination(context, wanted_chat(context, dict(zip(CHAT, given, strict=True))))
        except ConfigError as problem:  # half an address while it is typed: said in its place, no need to cry out
            return destination_html(str(problem), True), gr.Checkbox(visible=False)
        return destination_html(sentence, leaves), gr.Checkbox(visible=leaves, value=False)

    def keep(yes: bool, *given: str) -> None:
        with shows_errors():
            inform(save_chat(context, dict(zip(CHAT, given, strict=True)), yes))

    def measured() -> str:
        with shows_errors():
            inform(calibrate(context))
            return embedding_html(embedding(context))

    for listen in (responder.change, url.change):
        listen(look, form, [where, agree], show_progress="hidden", api_visibility="private")
    save.click(keep, [agree, *form], None, api_visibility="private")
    measure.click(measured, None, shown, api_visibility="private")
    return [shown, *form]


def values(context: AppContext) -> list[Any]:
    return [embedding_html(embedding(context)), *(getattr(context.engine.config.chat, name) for name in CHAT)]
