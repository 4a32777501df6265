"""The namespaces of a memory: how they are listed, made and chosen."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import gradio as gr

from pmg.config import checked_namespace
from pmg.ui.error_boundary import inform, shows_errors
from pmg.ui.event_options import LATEST, QUIET
from pmg.ui.render import safe
from pmg.ui.tab_route import ENTER

if TYPE_CHECKING:
    from pmg.ui.app_context import AppContext


_ENTER_NEW = f"(name) => {{ ({ENTER})(name); return ''; }}"


@dataclass(frozen=True, slots=True)
class NamespaceInfo:
    name: str
    sessions: int
    memories: int


def listed_namespaces(context: AppContext, current: str) -> list[NamespaceInfo]:
    """Every namespace that has something in it, the configured one, and the one this page is in."""
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


def build_namespaces() -> gr.HTML:
    """The table, whose buttons page_address.SCRIPT hears."""
    listed = gr.HTML(label="Namespaces", elem_id="pmg-namespaces")
    name = gr.Textbox("", label="New namespace", placeholder="work", info="letters, digits, - and _", max_length=64)
    with gr.Row():
        make = gr.Button("Make it and go there", scale=0, min_width=240, elem_id="pmg-new-namespace")

    def begin(text: str) -> str:
        with shows_errors():
            found = checked_namespace(text.strip())
        inform(f"{found!r} is there for good as soon as something is said or imported in it.")
        return found

    for listen in (make.click, name.submit):
        begun = listen(begin, name, name, **QUIET)
        begun.success(None, name, name, js=_ENTER_NEW, **LATEST)
    return listed
