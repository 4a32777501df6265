"""Who answers in the chat: the choice, the server, its models, its key, and a test before anything is kept.

Knows: that text leaves the machine only after an explicit yes, and that a key goes into its file and nowhere else. Responders are opened in
pmg/chat; whether a text may be a key is told by pmg/base/pasted_key.py.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import gradio as gr

from pmg import config as configuration
from pmg import settings
from pmg.base.errors import ChatUnavailable, ConfigError, InputError
from pmg.chat.keys import KEY_FILE, forget_key, is_own_file, keep_key, read_key
from pmg.chat.openai import LOCAL_PORTS, LocalServer, OpenAI, local_servers
from pmg.chat.responder import ChatRequest
from pmg.chat.responder_choice import installed, open_responder
from pmg.chat.server_address import address_of
from pmg.config import ChatConfig
from pmg.ui.error_boundary import inform, shows_errors
from pmg.ui.event_options import LATEST
from pmg.ui.render import counted, safe, shortened

if TYPE_CHECKING:
    from pmg.ui.app_context import AppContext

RESPONDERS = {
    "extractive": "Quotes from your memory (no language model)",
    "openai": "A language model on a server (such as Ollama or LM Studio on this machine, or a service elsewhere)",
    "local": "A very small model inside PMG (slow, and it makes things up)",
}
# The settings that a responder reads; one that a package brings may read any of them.
READS: dict[str, tuple[str, ...]] = {"extractive": (), "local": ("model",)}
CHAT = ("responder", "base_url", "model", "key_env", "key_file")
TEST = "Reply with the one word: ready"
TEST_SECONDS = 20.0  # a model that is not loaded yet takes some seconds; longer and the person thinks nothing happens


# plain functions


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


def reads(responder: str | None) -> tuple[str, ...]:
    """The settings that act with this responder: only their fields are shown."""
    return READS.get(responder or "", CHAT[1:])


def wanted_chat(context: AppContext, given: dict[str, str | None]) -> ChatConfig:
    """What the form says; settings that do not act with its responder, whose fields are not shown, stay as they are."""
    acts = ("responder", *reads(given.get("responder")))
    cleaned = {name: (value or "").strip() for name, value in given.items() if name in acts}
    return configuration.with_values(context.engine.config, {"chat": cleaned}, "The form").chat


def save_chat(context: AppContext, given: dict[str, str | None], agreed: bool, key: str = "") -> str:
    """Keeps the settings; where text would leave the machine only with the person's word. A key goes into its own file."""
    engine = context.engine
    wanted = wanted_chat(context, given)
    where, leaves = destination(context, wanted)
    if leaves and not agreed:
        raise InputError(f"Tick the box first: {where}")
    if key.strip():
        wanted = replace(wanted, key_env="", key_file=keep_key(engine.config.home, key, wanted.base_url))
    elif key_is_for_another(context, wanted):
        raise InputError(
            "The key that is kept belongs to the server that was set before. Give the new server's key, or press Forget the key."
        )
    settings.change(engine, {"chat": {name: getattr(wanted, name) for name in CHAT}})
    return f"Kept, and in force from the next message on. {where}"


def key_is_for_another(context: AppContext, wanted: ChatConfig) -> bool:
    """A kept key is sent to the server that it was given for, never to the next one that somebody types."""
    held, home = context.engine.config.chat, context.engine.config.home
    if wanted.responder != "openai" or not has_key(context) or not is_own_file(wanted.key_file, home):
        return False
    return address_of(wanted.base_url).place != address_of(held.base_url).place


def has_key(context: AppContext) -> bool:
    held, home = context.engine.config.chat.key_file, context.engine.config.home
    return is_own_file(held, home) and (home / KEY_FILE).exists()


def drop_key(context: AppContext) -> str:
    held, home = context.engine.config.chat.key_file, context.engine.config.home
    is_own = is_own_file(held, home)  # before it is gone
    there = forget_key(home)
    if is_own:
        settings.change(context.engine, {"chat": {"key_file": ""}})
    return "The key is gone from this machine." if there else "There was no key."


def model_names(context: AppContext, given: dict[str, str | None], key: str = "") -> list[str]:
    return _server(context, given, key).models()


def test(context: AppContext, given: dict[str, str | None], key: str = "") -> str:
    """One short message that holds nothing of the memory; what came back, in a sentence."""
    wanted = wanted_chat(context, given)
    if wanted.responder != "openai":
        return f"This needs no server. {destination(context, wanted)[0]}"
    server = _server(context, given, key)
    said = ""
    for answer in server.answer(ChatRequest(TEST, None, (), context.engine.config.namespace)):
        said = answer.text
    return f"It works: {server.model()} at {address_of(wanted.base_url).place} answers “{shortened(said, 60)}”."


def _server(context: AppContext, given: dict[str, str | None], key: str) -> OpenAI:
    wanted = replace(wanted_chat(context, given), responder="openai", timeout_seconds=TEST_SECONDS)
    if not key.strip() and key_is_for_another(context, wanted):
        raise InputError("Give the key of this server first: the kept one belongs to another.")
    return OpenAI(
        wanted, (lambda: key.strip()) if key.strip() else partial(read_key, wanted, context.engine.config.home)
    )


def key_state(context: AppContext) -> str:
    return (
        "kept in a file that only you can read; empty: it stays"
        if has_key(context)
        else "what a service gave you to log in; kept in a file that only you can read. A server on this machine needs none"
    )


def destination_html(where: str, leaves: bool) -> str:
    return f'<p class="{"pmg-stop" if leaves else "pmg-report"}" role="status">{safe(where)}</p>'


def found_html(found: list[LocalServer]) -> str:
    if not found:
        names = " or ".join(f"{name} (port {port})" for name, port in LOCAL_PORTS)
        return f'<p class="pmg-report" role="status">No {names} answers on this machine. Start one, or give an address.</p>'
    rows = "".join(
        f"<li><b>{safe(one.name)}</b> at {safe(one.base_url)}: "
        f"{safe(', '.join(one.models[:8])) or 'no model is loaded there yet'}</li>"
        for one in found
    )
    return f'<div class="pmg-report" role="status"><p>Found on this machine:</p><ul class="pmg-facts">{rows}</ul></div>'


# the page


@dataclass(frozen=True)
class ChatForm:
    """The fields, and what holds them: `server` acts with a model on a server, `naming` with any model."""

    responder: gr.Radio
    url: gr.Textbox
    model: gr.Dropdown
    env: gr.Textbox
    file: gr.Textbox
    key: gr.Textbox
    drop: gr.Button
    server: list[Any]
    naming: list[Any]

    @property
    def given(self) -> list[Any]:
        """In the order of CHAT."""
        return [self.responder, self.url, self.model, self.env, self.file]

    @property
    def kept(self) -> list[Any]:
        return [self.key, self.file, self.drop]

    @property
    def holders(self) -> list[Any]:
        return [*self.server, *self.naming]


def build(context: AppContext) -> ChatForm:
    held = context.engine.config.chat
    acts = reads(held.responder)
    responder = gr.Radio(responders(held.responder), value=held.responder, label="Answers come from")
    with gr.Column(visible="base_url" in acts) as finding:
        with gr.Row():
            seek = gr.Button("Look for Ollama and LM Studio", elem_id="pmg-seek", scale=0, min_width=340)
            use = gr.Dropdown(
                label="Use this one", choices=[], visible=False, scale=0, min_width=280, elem_id="pmg-use"
            )
        said = gr.HTML(elem_id="pmg-model-said")
        with gr.Row(equal_height=False):
            url = gr.Textbox(
                held.base_url, label="Address of the server", min_width=280, elem_id="pmg-base-url",
                info="its base URL, which mostly ends in /v1; 127.0.0.1 is this machine",
            )  # fmt: skip
            key = gr.Textbox(
                "", label="Key", type="password", info=key_state(context), min_width=280, elem_id="pmg-key",
                placeholder="•••••••• (kept)" if has_key(context) else "",
            )  # fmt: skip
        with gr.Accordion("The key comes from somewhere else", open=bool(held.key_env)), gr.Row(equal_height=False):
            env = gr.Textbox(
                held.key_env, label="Name of an environment variable", info="its name, never the key itself",
                min_width=280,
            )  # fmt: skip
            file = gr.Textbox(held.key_file, label="A file", info="that only you can read (mode 0600)", min_width=280)
            drop = gr.Button("Forget the key", size="sm", scale=0, min_width=160, visible=has_key(context))
    with gr.Column(visible="model" in acts) as naming:
        model = gr.Dropdown(
            label="Model", choices=[held.model] if held.model else [], value=held.model, allow_custom_value=True,
            info="empty: the first that the server lists; for the one inside PMG its own, or a GGUF file of yours",
            min_width=280, elem_id="pmg-model",
        )  # fmt: skip
    where = gr.HTML(shown_destination(context, held), label="Where text goes", elem_id="pmg-where")
    agree = gr.Checkbox(label="I want my messages and the memories recalled for them sent there", visible=False)
    with gr.Row():
        save = gr.Button("Keep these settings", variant="primary", elem_id="pmg-chat-save", scale=0, min_width=240)
        asking = [
            gr.Button(label, elem_id=name, scale=0, min_width=width, visible="base_url" in acts)
            for label, name, width in (("List the models", "pmg-models", 180), ("Test", "pmg-test", 120))
        ]
    form = ChatForm(responder, url, model, env, file, key, drop, [finding, *asking], [naming])
    _wire_saving(context, form, (where, agree), save)
    _wire_key(context, form)
    _wire_asking(context, form, said, (asking[0], asking[1]))
    _wire_seeking(context, form, said, seek, use)
    return form


def visible(responder: str | None, form: ChatForm) -> list[Any]:
    """What is shown with this responder, in the order of `ChatForm.holders`."""
    acts = reads(responder)
    return [
        *(type(one)(visible="base_url" in acts) for one in form.server),
        *(type(one)(visible="model" in acts) for one in form.naming),
    ]


def snapshot(context: AppContext) -> tuple[Any, ...]:
    """What the form shows, to be compared."""
    held = context.engine.config.chat
    return (*(getattr(held, name) for name in CHAT), held.key_file, has_key(context), key_state(context))


def values(context: AppContext) -> list[Any]:
    held = context.engine.config.chat
    return [*(getattr(held, name) for name in CHAT), *key_fields(context)]


def key_fields(context: AppContext) -> list[Any]:
    there = has_key(context)
    field = gr.Textbox("", info=key_state(context), placeholder="•••••••• (kept)" if there else "")
    return [field, context.engine.config.chat.key_file, gr.Button(visible=there)]


def _given(form: tuple[str | None, ...]) -> dict[str, str | None]:
    return dict(zip(CHAT, form, strict=True))


def _wire_saving(context: AppContext, form: ChatForm, place: tuple[gr.HTML, gr.Checkbox], save: gr.Button) -> None:
    where, agree = place

    def look(*given: str | None) -> list[Any]:
        return [*said(given), *visible(given[0], form)]

    def said(given: tuple[str | None, ...]) -> tuple[Any, ...]:
        try:
            sentence, leaves = destination(context, wanted_chat(context, _given(given)))
        except ConfigError as problem:  # half an address while it is typed: said in its place, no need to cry out
            return destination_html(str(problem), True), gr.Checkbox(visible=False)
        return destination_html(sentence, leaves), gr.Checkbox(visible=leaves, value=False)

    def keep(yes: bool, secret: str, *given: str | None) -> list[Any]:
        with shows_errors():
            inform(save_chat(context, _given(given), yes, secret))
            return [context.engine.config.chat.key_env, *key_fields(context)]

    # One event for both: two would run side by side, and the older of two answers could come last and stay.
    changes = [form.responder.change, form.url.change]
    gr.on(changes, look, form.given, [where, agree, *form.holders], **LATEST)
    save.click(keep, [agree, form.key, *form.given], [form.env, *form.kept], api_visibility="private")


def _wire_key(context: AppContext, form: ChatForm) -> None:
    @shows_errors()
    def drop() -> list[Any]:
        inform(drop_key(context))
        return key_fields(context)

    form.drop.click(drop, None, form.kept, api_visibility="private")


def _wire_asking(context: AppContext, form: ChatForm, said: gr.HTML, buttons: tuple[gr.Button, gr.Button]) -> None:
    names, probe = buttons

    def list_them(secret: str, *given: str | None) -> tuple[Any, str]:
        with shows_errors():
            try:
                found = model_names(context, _given(given), secret)
            except (ChatUnavailable, ConfigError, InputError) as problem:
                return gr.skip(), destination_html(str(problem), True)
        held = (_given(given)["model"] or "").strip()
        if not found:
            return gr.skip(), destination_html("The server lists no model: load one there, or type its name.", True)
        told = destination_html(f"{counted(len(found), 'model', 'models')} listed: choose one.", False)
        return gr.Dropdown(choices=found, value=held if held in found else found[0]), told

    def try_it(secret: str, *given: str | None) -> str:
        with shows_errors():
            try:
                return destination_html(test(context, _given(given), secret), False)
            except (ChatUnavailable, ConfigError, InputError) as problem:  # the answer to a test, not an accident
                return destination_html(str(problem), True)

    given = [form.key, *form.given]
    names.click(list_them, given, [form.model, said], api_visibility="private", show_progress_on=said)
    probe.click(try_it, given, said, api_visibility="private", show_progress_on=said)


def _wire_seeking(context: AppContext, form: ChatForm, said: gr.HTML, seek: gr.Button, use: gr.Dropdown) -> None:
    found = gr.State([])

    @shows_errors()
    def seek_them() -> tuple[Any, ...]:
        servers = local_servers(context.engine.config.chat)
        choices = [(f"{one.name} ({one.base_url})", one.base_url) for one in servers]
        return servers, found_html(servers), gr.Dropdown(choices=choices, value=None, visible=bool(servers))

    def take(address: str | None, servers: list[LocalServer]) -> tuple[Any, ...]:
        chosen = next((one for one in servers if one.base_url == address), None)
        if chosen is None:
            return gr.skip(), gr.skip(), gr.skip()
        first = chosen.models[0] if chosen.models else ""
        return "openai", chosen.base_url, gr.Dropdown(choices=list(chosen.models), value=first)

    seek.click(seek_them, None, [found, said, use], api_visibility="private", show_progress_on=said)
    use.input(take, [use, found], form.given[:3], show_progress="hidden", api_visibility="private")
