"""Backups, restore and encryption in one place: three boxes, each with what it means and the button that does it.

Knows: the boxes, and the sentences about encryption, whose form is encryption_form.py. Backups are in backups.py, the way back to one in
restore_form.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import gradio as gr

from pmg.base.text import counted
from pmg.store.keys import is_encrypted, is_encrypted_home
from pmg.ui.error_boundary import shows_errors
from pmg.ui.event_options import LATEST
from pmg.ui.render import safe
from pmg.ui.settings import backups, encryption_form, restore_form
from pmg.ui.settings.backups import copies
from pmg.ui.settings.encryption_form import is_offered

if TYPE_CHECKING:
    from pmg.ui.app_context import AppContext


def encryption_html(context: AppContext) -> str:
    home, found = context.engine.config.home, copies(context)
    if not is_encrypted_home(home):
        command = "with the server stopped: <code>pmg encrypt</code>"
        way = (
            f"Give a passphrase below; or in a terminal, {command}"
            if is_offered(context)
            else f"In a terminal, {command}"
        )
        return (
            '<p><span class="pmg-badge">off</span> Whoever can read this disk can read the memory, for instance with the computer\'s password or '
            "on a lost backup disk. With encryption nobody can without your passphrase.</p>"
            f"<p>{way}</p>"
            '<p class="pmg-muted">A lost passphrase is final: nobody can open the memory again, and there is no reset. Write it down first. '
            "Secrets such as keys and passwords are left out of the memory either way.</p>"
        )
    plain = [one for one in found if not is_encrypted(one.file)]
    warning = (
        f'<p class="pmg-stop">{counted(len(plain), "backup is", "backups are")} not encrypted: {safe(plain[0].file.name)}</p>'
        if plain
        else ""
    )
    return (
        '<p><span class="pmg-badge pmg-good">on</span> The memory, its indexes and its backups can be read only with your passphrase. '
        f"A lost passphrase is final.</p>{warning}"
        "<p><code>pmg encrypt --change</code> changes the passphrase, <code>pmg decrypt</code> switches it off; both with the server stopped.</p>"
    )


# the page


def build(context: AppContext, tab: gr.Tab) -> None:
    with gr.Row(equal_height=False, elem_id="pmg-safety"):
        with _box("Backups"):
            made = backups.build(context)
        with _box("Going back to a backup"):
            back = restore_form.build(context)
            gr.HTML(
                '<p class="pmg-muted">One mistake is quicker to undo under <b>Steward, History</b>: every change there has its own way back.</p>'
            )
        with _box("Encryption"):
            told = gr.HTML(label="Encryption", elem_id="pmg-encryption")
            closing = encryption_form.build(context)

    @shows_errors()
    def now() -> list[Any]:
        return [
            backups.copies_html(context),
            *restore_form.values(context),
            encryption_html(context),
            *encryption_form.values(context),
        ]

    @shows_errors()
    def after_backup() -> list[Any]:
        return [*restore_form.values(context), encryption_html(context)]

    tab.select(now, None, [made.listed, *back.shown, told, *closing.shown], **LATEST)
    made.made.success(after_backup, None, [*back.shown, told], **LATEST)


@contextmanager
def _box(title: str) -> Iterator[None]:
    with gr.Column(elem_classes="pmg-safety-box", min_width=300):
        gr.HTML(f"<h3 class='pmg-h'>{title}</h3>")
        yield


CSS = """
.pmg-safety-box { border: 1px solid var(--border-color-primary); border-radius: 10px; padding: 12px 14px; background: var(--block-background-fill); }
.pmg-safety-box .html-container { padding: 0 !important; }
.pmg-safety-box p { margin: 0 0 8px !important; line-height: 1.5; }
.pmg-safety-box code { overflow-wrap: anywhere; }
"""
