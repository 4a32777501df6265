"""Going back to a backup from the page: choose one, see what it holds, confirm; the server starts anew on it and the page comes back by itself.

Knows: the fields and the sentences. The server ends for it (`AppContext.restart`), pmg/cli/serve.py starts it again with the backup in place;
where nobody would start it again (a notebook), the command stands here instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gradio as gr

from pmg.base.errors import InputError, NotFound, PmgError
from pmg.base.text import counted
from pmg.store import restore
from pmg.store.restore import BackupContents
from pmg.ui import render
from pmg.ui.error_boundary import shows_errors
from pmg.ui.event_options import LATEST, QUIET
from pmg.ui.server_absence import RELOAD_IF_IT_LEAVES, RELOAD_WHEN_READY, pending
from pmg.ui.settings.backups import copies

if TYPE_CHECKING:
    from pmg.ui.app_context import AppContext

PENDING = pending("The backup is being put in place.")


@dataclass(frozen=True)
class RestoreForm:
    means: gr.HTML
    choice: gr.Dropdown
    holds: gr.HTML
    sure: gr.Checkbox
    start: gr.Button

    @property
    def shown(self) -> list[Any]:
        return [self.means, self.choice, self.holds, self.sure, self.start]


# plain functions


def means_html(context: AppContext) -> str:
    """What a restore does, and the way to it from where the person stands."""
    found = copies(context)
    file = found[0].file if found else context.engine.config.home / "backups" / "FILE.duckdb"
    command = f"in a terminal, with the server stopped: <code>pmg restore {render.safe(str(file))}</code>"
    if not found:
        return "<p>There is no backup to go back to yet. <b>Back up now</b> makes one; from then on you choose it here.</p>"
    way = f"Also {command}" if context.restart else f"To go back to one, {command}"
    return (
        "<p>A restore puts a backup in place of the memory. What was said since that backup is then not in it; the memory of today is kept beside the "
        f'backups, so you can go forward again.</p><p class="pmg-muted">{way}</p>'
    )


def choices(context: AppContext) -> list[tuple[str, str]]:
    return [(f"{render.moment(one.at)} · {one.file.name}", one.file.name) for one in copies(context)]


def chosen(context: AppContext, name: str | None) -> Path:
    """Only what lies in the folder of backups: a page names no other files of this machine."""
    found = next((one.file for one in copies(context) if one.file.name == name), None)
    if found is None:
        raise NotFound(f"There is no backup {name!r} any more: choose another.")
    return found


def holds_html(context: AppContext, name: str | None) -> str:
    """What a backup holds beside what the memory holds now."""
    if not name:
        return '<p class="pmg-muted">Choose a backup to see what it holds.</p>'
    found = restore.contents(chosen(context, name))
    here = sum(context.engine.reads.segments_by_state().values())
    fewer = here - found.segments
    told = (
        f"{counted(fewer, 'memory', 'memories')} less than now"
        if fewer > 0
        else "as many as now"
        if not fewer
        else "more than now"
    )
    return f'<p role="status">It holds {_told(found)}: {told}. What is there now is kept beside the backups, so you can go forward again.</p>'


def _told(found: BackupContents) -> str:
    held = f"{counted(found.segments, 'memory', 'memories')} in {counted(found.sessions, 'session')}"
    return f"{held}, from {render.day(found.first)} to {render.day(found.last)}" if found.first and found.last else held


def begin(context: AppContext, name: str | None, is_sure: bool) -> str:
    """Ends this server so that the backup can be put in place."""
    if context.restart is None:
        raise InputError("Nobody would start this server again. Stop it, and run `pmg restore FILE`.")
    if not is_sure:
        raise InputError("Say first that you want the memory of that day: tick the box above the button.")
    file = chosen(context, name)
    restore.contents(file)  # refused before anything ends
    context.restart(partial(put_in_place, file))
    return PENDING


def put_in_place(file: Path, home: Path) -> str:
    """What came of it, in a sentence; where it fails the memory is as it was."""
    try:
        done = restore.restore_backup(home, file)
    except PmgError as problem:
        return f"The backup {file.name} was not put in place, and the memory is as it was: {problem}"
    kept = f" The memory of before is kept as {done.kept.name}, beside the backups." if done.kept else ""
    return f"The backup {file.name} is in place, with {counted(done.segments, 'memory', 'memories')}.{kept}"


def values(context: AppContext) -> list[Any]:
    """The fields as they are when the page is opened."""
    there = choices(context) if context.restart else []
    return [
        gr.HTML(means_html(context)),
        gr.Dropdown(choices=there, value=None, visible=bool(there)),
        gr.HTML(holds_html(context, None) if there else "", visible=bool(there)),
        gr.Checkbox(value=False, visible=bool(there)),
        gr.Button(visible=bool(there)),
    ]


# the page


def build(context: AppContext) -> RestoreForm:
    with gr.Column(elem_classes="pmg-restore"):
        means = gr.HTML(label="Going back to a backup", elem_id="pmg-restore-means")
        choice = gr.Dropdown(
            label="Go back to a backup", choices=[], value=None, visible=False, elem_id="pmg-restore-choice"
        )
        holds = gr.HTML(visible=False, elem_id="pmg-restore-holds")
        sure = gr.Checkbox(
            label="Put this backup in place of the memory of today",
            value=False,
            visible=False,
            elem_id="pmg-restore-sure",
        )
        start = gr.Button("Restore", variant="stop", visible=False, scale=0, min_width=200, elem_id="pmg-restore")

    @shows_errors()
    def look(name: str | None) -> str:
        return holds_html(context, name)

    @shows_errors()
    def restored(name: str | None, is_sure: bool) -> str:
        return begin(context, name, is_sure)

    choice.input(look, choice, holds, **{**LATEST, "show_progress": "full"}, show_progress_on=holds)
    start.click(None, js=RELOAD_IF_IT_LEAVES, **QUIET)
    start.click(restored, [choice, sure], holds, **QUIET).success(None, js=RELOAD_WHEN_READY, **QUIET)
    return RestoreForm(means, choice, holds, sure, start)
