"""The namespaces of a memory: how they are listed, made and chosen."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import gradio as gr

from pmg.config import checked_namespace
from pmg.ui.clicks import clickable_html, picked
from pmg.ui.error_boundary import inform, shows_errors
from pmg.ui.event_options import LATEST, QUIET
from pmg.ui.render import safe

if TYPE_CHECKING:
    from pmg.ui.app_context import AppContext, PageContext


@dataclass(frozen=True, slots=True)
class NamespaceInfo:
    name: str
    sessions: int
    memories: int


def listed_namespaces(context: AppContext, current: str) -> list[NamespaceInfo]:
    """Every namespace that has something in it, the configured one, and the one this page looks behind."""
    sessions = Counter(session.namespace for session in context.engine.sessions())
    names = sorted({*sessions, current, context.engine.config.namespace})
    held = {name: context.engine.reads.memories(name) for name in names}  # as the header counts
    return [NamespaceInfo(name, sessions[name], held[name]) for name in names]


def namespaces_html(found: list[NamespaceInfo], current: str) -> str:
    rows = "".join(
        f"<tr><th scope='row'>{safe(one.name)}</th><td data-label='Sessions'>{one.sessions:,}</td>"
        f"<td data-label='Memories'>{one.memories:,}</td><td>{_choice(one.name, current)}</td></tr>"
        for one in found
    )
    return (
        '<p class="pmg-lead">What is in one namespace is never recalled, shown or linked in another. '
        '<span class="pmg-muted">One that is chosen here holds for this page only.</span></p>'
        "<table class='pmg-data-table pmg-namespaces'><thead><tr><th>Namespace</th><th>Sessions</th><th>Memories</th><th></th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _choice(name: str, current: str) -> str:
    if name == current:
        return '<span class="pmg-badge pmg-good">this page</span>'
    return f'<button type="button" class="pmg-small" data-pick="{safe(name)}">Look here</button>'


# the page


def build_namespaces(page: PageContext) -> gr.HTML:
    listed = clickable_html(label="Namespaces", elem_id="pmg-namespaces")
    name = gr.Textbox("", label="New namespace", placeholder="work", info="letters, digits, - and _", max_length=64)
    with gr.Row():
        make = gr.Button("Make it and go there", scale=0, min_width=240, elem_id="pmg-new-namespace")

    def choose(event: gr.EventData) -> str:
        with shows_errors():
            return checked_namespace(picked(event))

    def begin(text: str) -> tuple[str, str]:
        with shows_errors():
            found = checked_namespace(text.strip())
        inform(
            f"This page now looks behind {found!r}. It is there for good as soon as something is said or imported in it."
        )
        return found, ""

    listed.pick(choose, None, page.namespace, **LATEST)
    for listen in (make.click, name.submit):
        listen(begin, name, [page.namespace, name], **QUIET)
    return listed
