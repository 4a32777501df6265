"""The other programs of this memory: which tools are connected, when each program last asked or told something, and taking a token back.

Knows: how they are listed. Connecting is `pmg connect`, which changes another tool's files and shows them first; tokens are kept by
pmg/connections/client_tokens.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gradio as gr

from pmg.base.errors import InputError, NotFound
from pmg.base.times import parse
from pmg.connections import change
from pmg.connections.client_activity import ClientUse
from pmg.connections.client_tokens import ClientToken
from pmg.connections.known_tools import KNOWN, ConfigPlaces, KnownTool
from pmg.ui.clicks import clickable_html, picked
from pmg.ui.error_boundary import inform, shows_errors
from pmg.ui.event_options import LATEST, QUIET
from pmg.ui.render import day, moment, safe
from pmg.ui.settings import upstreams

if TYPE_CHECKING:
    from datetime import datetime

    from pmg.ui.app_context import AppContext

CONNECTED, FOUND, BROKEN, ABSENT = "connected", "not connected", "not readable", "not on this machine"
TAKEN = "name taken by another program"
TITLE = "<h3 class='pmg-h'>Who asked and told</h3>"


@dataclass(frozen=True, slots=True)
class ToolState:
    name: str
    title: str
    state: str
    hooks: bool
    file: Path


@dataclass(frozen=True, slots=True)
class ClientProgram:
    """One program: what it did, and the token it has of its own."""

    name: str
    use: ClientUse
    token: ClientToken | None


def tools(places: ConfigPlaces) -> list[ToolState]:
    return [_tool(one, places) for one in KNOWN]


def _tool(one: KnownTool, places: ConfigPlaces) -> ToolState:
    try:
        connected, hooks = change.is_connected(one, places), change.is_hooked(one, places)
        free = FOUND if one.sign(places).exists() else ABSENT
        state = CONNECTED if connected else TAKEN if change.is_taken(one, places) else free
    except InputError:
        state, hooks = BROKEN, False
    return ToolState(one.name, one.title, state, hooks, one.file(places))


def programs(context: AppContext) -> list[ClientProgram]:
    """Those that did something, the last one first; then those whose token was never used."""
    tokens = {one.name: one for one in context.clients.all()} if context.clients is not None else {}
    uses = context.activity.all() if context.activity is not None else []
    active = [ClientProgram(one.name, one, tokens.pop(one.name, None)) for one in uses]
    return [*active, *(ClientProgram(name, ClientUse(name), tokens[name]) for name in sorted(tokens))]


def tools_html(found: list[ToolState]) -> str:
    here = [one for one in found if one.state != ABSENT]
    rows = "".join(
        f"<tr><th scope='row'>{safe(one.title)}</th><td>{_badge(one)}</td>"
        f"<td data-label='Settings'><code>{safe(str(one.file))}</code></td></tr>"
        for one in here
    )
    table = (
        "<table class='pmg-data-table pmg-ai-tools'><thead><tr><th>Tool</th><th></th><th>Its settings</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
        if here
        else '<p class="pmg-empty">None of the tools that PMG knows was found on this machine.</p>'
    )
    absent = ", ".join(safe(one.title) for one in found if one.state == ABSENT)
    free = next((one.name for one in here if one.state == FOUND), "NAME")
    return (
        '<p class="pmg-lead">Your other AI tools can ask this memory and tell it things. <span class="pmg-muted">In a terminal, '
        f"<code>pmg connect {safe(free)}</code> shows what it would change in that tool's settings, and asks; "
        f"<code>pmg disconnect</code> undoes it.</span></p>{table}"
        + (f'<p class="pmg-muted">Not on this machine: {absent}.</p>' if absent else "")
    )


def _badge(one: ToolState) -> str:
    look = "pmg-good" if one.state == CONNECTED else "pmg-look" if one.state in (BROKEN, TAKEN) else ""
    hooks = " <span class='pmg-badge pmg-good'>hooks</span>" if one.hooks else ""
    return f"<span class='pmg-badge {look}'>{one.state}</span>{hooks}"


def programs_html(found: list[ClientProgram]) -> str:
    if not found:
        return f'{TITLE}<p class="pmg-empty">No program has asked or told this memory anything yet, and no token was made.</p>'
    rows = "".join(
        f"<tr><th scope='row'>{safe(one.name)}<div class='pmg-muted'>{_access(one.token)}</div></th>"
        f"<td data-label='Asked'>{_times(one.use.last_asked, one.use.asked)}</td>"
        f"<td data-label='Told'>{_times(one.use.last_told, one.use.told)}</td>"
        f"<td data-label='Given'>{one.use.tokens:,} tokens</td><td>{_revoke(one)}</td></tr>"
        for one in found
    )
    return (
        f"{TITLE}<table class='pmg-data-table pmg-programs'><thead><tr><th>Program</th><th>Last asked</th><th>Last told</th><th>Given</th><th></th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _times(last: datetime | None, count: int) -> str:
    if last is None:
        return "<span class='pmg-muted'>never</span>"
    return f"{moment(last)}<div class='pmg-muted'>{count:,} {'time' if count == 1 else 'times'}</div>"


def _access(token: ClientToken | None) -> str:
    if token is None:
        return "on this machine, without a token of its own"
    scope = f"only the namespace {safe(token.namespace)}" if token.namespace else "any namespace"
    since = f", since {day(parse(token.made_at))}" if token.made_at else ""
    return f"own token, {scope}, {'reads only' if token.read_only else 'reads and writes'}{since}"


def _revoke(one: ClientProgram) -> str:
    if one.token is None:
        return ""
    return f'<button type="button" class="pmg-small" data-pick="{safe(one.name)}">Revoke</button>'


def question_html(context: AppContext, name: str) -> str:
    """What taking a token back means, before it is done."""
    held = next((one for one in context.clients.all() if one.name == name), None) if context.clients else None
    if held is None:
        raise NotFound(f"There is no token {name!r} any more.")
    return (
        f"<p>Take the token of <b>{safe(held.name)}</b> back? Its next request is refused. "
        "What it told stays in the memory; the token cannot be given out again.</p>"
    )


def revoke(context: AppContext, name: str) -> str:
    if context.clients is None:
        raise NotFound(
            f"There is no token {name!r}: this page was not opened by a server that gives tokens out (`pmg serve`)."
        )
    context.clients.revoke(name)
    return f"The token of {name} is revoked."


# the page


def values(context: AppContext) -> list[Any]:
    return [tools_html(tools(ConfigPlaces.here())), programs_html(programs(context)), upstreams.shown(context)]


def build(context: AppContext) -> list[Any]:
    """Tools, programs and the question before a token is taken back; gives back what the tab brings up to date."""
    with gr.Row():
        look = gr.Button("Look again", elem_id="pmg-connections-look", scale=0, min_width=160)
    listed = gr.HTML(label="Tools", elem_id="pmg-tools")
    clients = clickable_html(label="Programs", elem_id="pmg-programs")
    chosen = gr.State("")
    with gr.Column(visible=False, elem_classes="pmg-confirm", elem_id="pmg-revoke") as asking:
        question = gr.HTML()
        with gr.Row():
            keep = gr.Button("Keep it", size="sm", scale=0, min_width=120)
            yes = gr.Button("Revoke", size="sm", scale=0, min_width=120, variant="stop")
    parts = [listed, clients, upstreams.build(context)]

    def ask(event: gr.EventData) -> tuple[Any, ...]:
        with shows_errors():
            name = picked(event)
            return name, gr.Column(visible=True), question_html(context, name)

    def take_back(name: str) -> list[Any]:
        with shows_errors():
            inform(revoke(context, name))
        return [gr.Column(visible=False), *values(context)]

    look.click(lambda: values(context), None, parts, **LATEST)
    clients.pick(ask, None, [chosen, asking, question], **LATEST)
    keep.click(lambda: gr.Column(visible=False), None, asking, **LATEST)
    yes.click(take_back, chosen, [asking, *parts], **QUIET)
    return parts
