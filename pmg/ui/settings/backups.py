"""Backups on the page: listed, made, and gone back to, all in one place.

Knows: the files and the sentences. A backup is written by the engine; the way back is restore_form.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gradio as gr

from pmg.base.text import counted
from pmg.base.times import now
from pmg.ui.error_boundary import inform, shows_errors
from pmg.ui.render import moment, safe

if TYPE_CHECKING:
    from pmg.ui.app_context import AppContext


@dataclass(frozen=True, slots=True)
class BackupFile:
    file: Path
    bytes: int
    at: datetime
    automatic: bool


# plain functions


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


def copies_html(context: AppContext) -> str:
    """How many there are and how new, and each of them behind a click."""
    found, folder = copies(context), context.engine.config.home / "backups"
    if not found:
        return (
            '<p><span class="pmg-badge pmg-look">none yet</span> The whole memory is in one file on this disk. '
            f"The button below makes a second one.{_by_itself(context)}</p>"
        )
    newest, size = found[0], sum(one.bytes for one in found) / 1e6
    rows = "".join(
        f"<li><b>{safe(copy.file.name)}</b> {moment(copy.at)}, {copy.bytes / 1e6:,.1f} MB"
        f"{', automatic' if copy.automatic else ''}</li>"
        for copy in found
    )
    return (
        f'<p><span class="pmg-badge pmg-good">{counted(len(found), "backup")}</span> The newest is of {moment(newest.at)} '
        f"({newest.bytes / 1e6:,.1f} MB); all together {size:,.1f} MB.</p>"
        f"<details><summary>All of them, in <code>{safe(str(folder))}</code></summary><ul>{rows}</ul></details>"
        '<p class="pmg-muted">They lie on the same disk as the memory. Copy one to another disk now and then: a broken disk takes both.</p>'
    )


def _by_itself(context: AppContext) -> str:
    is_on = context.schedule is not None and context.engine.config.steward.enabled
    return " Upkeep writes one too, at the time that <b>Steward, Schedule</b> says." if is_on else ""


# the page


@dataclass(frozen=True)
class BackupButton:
    """The list above a button that makes one; `made` is the event after which whatever else speaks of backups looks again."""

    listed: gr.HTML
    made: Any


def build(context: AppContext) -> BackupButton:
    listed = gr.HTML(label="Backups", elem_id="pmg-backups")
    with gr.Row():
        start = gr.Button("Back up now", variant="primary", elem_id="pmg-backup", scale=0, min_width=200)

    @shows_errors()
    def run() -> str:
        made = back_up(context)
        inform(f"The backup {made.file.name} is written, {made.bytes / 1e6:,.1f} MB.")
        return copies_html(context)

    return BackupButton(listed, start.click(run, None, listed, api_visibility="private"))
