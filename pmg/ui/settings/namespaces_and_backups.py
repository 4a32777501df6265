"""Namespaces and backups: the walls inside a memory, and the copies of it.

Knows: how they are listed, made and chosen. A backup is written by the engine and restored by pmg/store/restore.py.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import gradio as gr

from pmg.config import checked_namespace
from pmg.model import State
from pmg.times import now
from pmg.ui.clicks import clickable_html, picked
from pmg.ui.error_boundary import inform, shows_errors
from pmg.ui.event_options import LATEST, QUIET
from pmg.ui.render import moment, safe

if TYPE_CHECKING:
    from pmg.ui.app_context import AppContext, PageContext


@dataclass(frozen=True, slots=True)
class NamespaceInfo:
    name: str
    sessions: int
    segments: int


@dataclass(frozen=True, slots=True)
class BackupFile:
    file: Path
    bytes: int
    at: datetime
    automatic: bool


def walls(context: AppContext, current: str) -> list[NamespaceInfo]:
    """Every namespace that has something in it, the configured one, and the one this page looks behind."""
    sessions = Counter(session.namespace for session in context.engine.sessions())
    names = sorted({*sessions, current, context.engine.config.namespace})
    held = {name: context.engine.counts(name).segments.get(State.ACTIVE, 0) for name in names}  # as the header counts
    return [NamespaceInfo(name, sessions[name], held[name]) for name in names]


def walls_html(found: list[NamespaceInfo], current: str) -> str:
    rows = "".join(
        f"<tr><th scope='row'>{safe(wall.name)}</th><td data-label='Sessions'>{wall.sessions:,}</td>"
        f"<td data-label='Memories'>{wall.segments:,}</td><td>{_choice(wall.name, current)}</td></tr>"
        for wall in found
    )
    return (
        '<p class="pmg-lead">A namespace is a wall: what is behind one is never recalled, shown or linked behind another. '
        '<span class="pmg-muted">One that is chosen here holds for this page only.</span></p>'
        "<table class='pmg-data-table pmg-walls'><thead><tr><th>Namespace</th><th>Sessions</th><th>Memories</th><th></th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _choice(name: str, current: str) -> str:
    if name == current:
        return '<span class="pmg-badge pmg-good">this page</span>'
    return f'<button type="button" class="pmg-small" data-pick="{safe(name)}">Look here</button>'


def copies(context: AppContext) -> list[BackupFile]:
    """Newest first: automatic ones, those made here, and what a restore set aside."""
    folder = context.engine.config.home / "backups"
    files = [file for file in folder.glob("*.duckdb") if file.is_file()] if folder.is_dir() else []
    found = [
        BackupFile(
            file,
            file.stat().st_size,
            datetime.fromtimestamp(file.stat().st_mtime).astimezone(),
            file.name[:5] == "auto-",
        )
        for file in files
    ]
    return sorted(found, key=lambda copy: (copy.at, copy.file.name), reverse=True)


def back_up(context: AppContext) -> BackupFile:
    """A copy made by hand; the steward never removes it."""
    moment_of = now()
    file = context.engine.config.home / "backups" / f"manual-{moment_of:%Y%m%d-%H%M%S}.duckdb"
    file.parent.mkdir(mode=0o700, exist_ok=True)
    context.engine.backup(file)
    return BackupFile(file, file.stat().st_size, moment_of, False)


def copies_html(found: list[BackupFile], home: Path) -> str:
    rows = "".join(
        f"<tr><th scope='row'>{safe(copy.file.name)}</th><td data-label='Made'>{moment(copy.at)}</td>"
        f"<td data-label='Size'>{copy.bytes / 1e6:,.1f} MB</td><td>{'automatic' if copy.automatic else 'stays until you remove it'}</td></tr>"
        for copy in found
    )
    table = (
        "<table class='pmg-data-table'><thead><tr><th>File</th><th>Made</th><th>Size</th><th></th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
        if found
        else '<p class="pmg-empty">There is no backup yet.</p>'
    )
    name = found[0].file.name if found else "FILE"
    return (
        f'<p class="pmg-lead">A backup is one file with the whole memory. They lie in <code>{safe(str(home / "backups"))}</code>.</p>{table}'
        '<p class="pmg-muted">To go back to one, see <b>Steward</b>, <b>Safety</b>; or stop the server and run '
        f"<code>pmg restore {safe(str(home / 'backups' / name))}</code>. The memory that is there now is kept beside the backups.</p>"
    )


# the page


def build_walls(page: PageContext) -> gr.HTML:
    listed = clickable_html(label="Namespaces", elem_id="pmg-walls")
    name = gr.Textbox("", label="New namespace", placeholder="work", info="letters, digits, - and _", max_length=64)
    with gr.Row():
        make = gr.Button("Make and look there", scale=0, min_width=240, elem_id="pmg-new-wall")

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


def build_copies(context: AppContext) -> gr.HTML:
    with gr.Row():
        start = gr.Button("Back up now", variant="primary", elem_id="pmg-backup", scale=0, min_width=220)
    listed = gr.HTML(label="Backups", elem_id="pmg-backups")

    def run() -> str:
        with shows_errors():
            made = back_up(context)
            inform(f"{made.file.name}, {made.bytes / 1e6:,.1f} MB")
            return copies_html(copies(context), context.engine.config.home)

    start.click(run, None, listed, api_visibility="private")
    return listed
