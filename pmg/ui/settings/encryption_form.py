"""Encrypting the memory from the page: a passphrase twice, what it means confirmed; the server starts anew on the encrypted memory.

Knows: the fields, the sentences, and that a passphrase is taken only where nobody but this machine can reach the page. The server ends for it
(`AppContext.restart`); pmg/store/encryption.py encrypts. Changing the passphrase and decrypting are commands (safety.py names them).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gradio as gr

from pmg.base.errors import InputError, PmgError
from pmg.base.text import counted
from pmg.store import encryption
from pmg.store.keys import is_encrypted_home
from pmg.store.seal import checked_passphrase
from pmg.ui.error_boundary import shows_errors
from pmg.ui.event_options import QUIET
from pmg.ui.server_absence import RELOAD_IF_IT_LEAVES, RELOAD_WHEN_READY, pending

if TYPE_CHECKING:
    from pmg.ui.app_context import AppContext

PENDING = pending("The memory and its backups are being encrypted.")


@dataclass(frozen=True)
class EncryptionForm:
    first: gr.Textbox
    second: gr.Textbox
    sure: gr.Checkbox
    start: gr.Button
    told: gr.HTML

    @property
    def shown(self) -> list[Any]:
        return [self.first, self.second, self.sure, self.start, self.told]


# plain functions


def is_offered(context: AppContext) -> bool:
    return context.restart is not None and context.is_local and not is_encrypted_home(context.engine.config.home)


def begin(context: AppContext, first: str, second: str, is_sure: bool) -> str:
    """Ends this server so that the memory can be encrypted; whatever is wrong is told before anything ends."""
    if context.restart is None or not is_offered(context):
        raise InputError("The memory cannot be encrypted from here. Stop the server, and use `pmg encrypt`.")
    checked_passphrase(first)
    if first != second:
        raise InputError("The two passphrases are not the same. Nothing was changed; type them again.")
    if not is_sure:
        raise InputError("Write the passphrase down first, then tick the box: nobody can open the memory without it.")
    context.restart(partial(encrypted, first))
    return PENDING


def encrypted(passphrase: str, home: Path) -> str:
    """What came of it, in a sentence; where it fails the memory is as it was, or is finished at the next start."""
    try:
        done = encryption.encrypt(home, passphrase)
    except PmgError as problem:
        return f"The memory was not encrypted: {problem}"
    backups = f" with {counted(done.backups, 'backup')}" if done.backups else ""
    return (
        f"The memory is encrypted{backups}. From the next start on PMG asks for the passphrase in the terminal; what starts it by itself needs "
        "PMG_PASSPHRASE or encryption.passphrase_file. Exports and backups in other places are still in the clear."
    )


def values(context: AppContext) -> list[Any]:
    """The fields as they are when the page is opened: empty, or not there."""
    there = is_offered(context)
    return [
        gr.Textbox(value="", visible=there),
        gr.Textbox(value="", visible=there),
        gr.Checkbox(value=False, visible=there),
        gr.Button(visible=there),
        gr.HTML(""),
    ]


# the page


def build(context: AppContext) -> EncryptionForm:
    with gr.Column(elem_classes="pmg-restore"):
        with gr.Row():
            first = gr.Textbox(label="A new passphrase", type="password", visible=False, elem_id="pmg-passphrase")
            second = gr.Textbox(label="Once more", type="password", visible=False, elem_id="pmg-passphrase-again")
        sure = gr.Checkbox(
            label="I wrote it down: without it nobody can open the memory again",
            value=False,
            visible=False,
            elem_id="pmg-encrypt-sure",
        )
        start = gr.Button("Encrypt", variant="stop", visible=False, scale=0, min_width=200, elem_id="pmg-encrypt")
        told = gr.HTML()

    @shows_errors()
    def on_start(one: str, two: str, is_sure: bool) -> tuple[str, str, str]:
        return "", "", begin(context, one, two, is_sure)

    form = EncryptionForm(first, second, sure, start, told)
    start.click(None, js=RELOAD_IF_IT_LEAVES, **QUIET)
    start.click(on_start, [first, second, sure], [first, second, told], **QUIET).success(
        None, js=RELOAD_WHEN_READY, **QUIET
    )
    return form
