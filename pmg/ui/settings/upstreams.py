"""The models' APIs that go through this memory: which there are, what became of the last requests, and a switch to pause remembering.

No word of what was said stands here; that is in the sessions. The proxy itself is pmg/proxy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gradio as gr

from pmg.base.errors import NotFound
from pmg.proxy import upstreams
from pmg.proxy.capture import Captured
from pmg.proxy.upstreams import Upstream
from pmg.ui.clicks import clickable_html, picked
from pmg.ui.error_boundary import inform, shows_errors
from pmg.ui.event_options import QUIET
from pmg.ui.render import moment, safe

if TYPE_CHECKING:
    from pmg.ui.app_context import AppContext

SHOWN = 12  # of the last requests
TITLE = "<h3 class='pmg-h'>Models that go through this memory</h3>"


def upstreams_html(known: tuple[Upstream, ...], last: list[Captured]) -> str:
    if not known:
        return (
            f"{TITLE}<p class='pmg-empty'>None. For a program without hooks, such as Open WebUI or a script, "
            "<code>pmg upstream add NAME URL</code> gives an address to put in the place of its model's.</p>"
        )
    rows = "".join(
        f"<tr><th scope='row'>{safe(one.name)}<div class='pmg-muted'>{safe(one.url)}</div></th>"
        f"<td data-label='In its place'><code>{safe(one.path)}</code></td><td>{_state(one)}</td><td>{_switch(one)}</td></tr>"
        for one in known
    )
    return (
        f"{TITLE}<table class='pmg-data-table pmg-upstreams'><thead><tr><th>Name</th><th>Below this server's address</th><th></th><th></th></tr></thead>"
        f"<tbody>{rows}</tbody></table>{_last_html(last)}"
    )


def _state(one: Upstream) -> str:
    said = (
        "<span class='pmg-badge'>paused</span>" if one.paused else "<span class='pmg-badge pmg-good'>remembers</span>"
    )
    return said + (" <span class='pmg-badge pmg-good'>brings memories</span>" if one.bring else "")


def _switch(one: Upstream) -> str:
    return f'<button type="button" class="pmg-small" data-pick="{safe(one.name)}">{"Resume" if one.paused else "Pause"}</button>'


def _last_html(last: list[Captured]) -> str:
    if not last:
        return "<p class='pmg-muted'>Nothing has gone through since this server was started.</p>"
    rows = "".join(
        f"<tr><td>{moment(one.at)}</td><td>{safe(one.program)}</td><td>{safe(one.upstream)}</td>"
        f"<td>{_outcome(one)}</td></tr>"
        for one in last[:SHOWN]
    )
    return (
        "<table class='pmg-data-table pmg-captures'><thead><tr><th>When</th><th>Program</th><th>Through</th><th>What became of it</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _outcome(one: Captured) -> str:
    said = f"<span class='pmg-badge pmg-look'>{safe(one.outcome)}</span>" if one.failed else safe(one.outcome)
    return said + (f"<div class='pmg-muted'>{safe(one.brought)}</div>" if one.brought else "")


def shown(context: AppContext) -> str:
    if context.proxy is None:
        return ""
    return upstreams_html(context.proxy.upstreams.all(), context.proxy.captures.last())


def switch(context: AppContext, name: str) -> str:
    """Pauses what remembers, and the other way round."""
    if context.proxy is None:
        raise NotFound(f"There is no upstream {name!r}: this page was not opened by a server (`pmg serve`).")
    paused = not context.proxy.upstreams.find(name).paused
    upstreams.pause(context.engine.config.home, name, paused)
    return f"{name} is passed on and not remembered." if paused else f"{name} is remembered again."


def build(context: AppContext) -> gr.HTML:
    listed = clickable_html(label="Upstreams", elem_id="pmg-upstreams")

    def change(event: gr.EventData) -> Any:
        with shows_errors():
            inform(switch(context, picked(event)))
            return shown(context)

    listed.pick(change, None, listed, **QUIET)
    return listed
