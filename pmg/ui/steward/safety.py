"""Backups, restore and encryption on the steward's page: how things stand, what each means, and the command that changes it.

Knows: the sentences. A restore and encryption are done from the forms below them (restore_form.py, encryption_form.py). Backups are listed and
made in pmg/ui/settings/namespaces_and_backups.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pmg.store.keys import is_encrypted, is_encrypted_home
from pmg.text import counted
from pmg.ui.render import moment, safe
from pmg.ui.settings.namespaces_and_backups import BackupFile, copies
from pmg.ui.steward.encryption_form import is_offered

if TYPE_CHECKING:
    from pathlib import Path

    from pmg.ui.app_context import AppContext


def safety_html(context: AppContext) -> str:
    home, found = context.engine.config.home, copies(context)
    return (
        f'<div class="pmg-safety"><section><h3>Backups</h3>{_backups(found)}</section>'
        f"<section><h3>Going back to a backup</h3>{_restore(context, found)}</section>"
        f"<section><h3>Encryption</h3>{_encryption(context, home, found)}</section></div>"
    )


def _backups(found: list[BackupFile]) -> str:
    if not found:
        return (
            '<p><span class="pmg-badge pmg-look">none yet</span> The whole memory is in one file on this disk. '
            "Run <b>Back up</b> on the first page; after that one is written every night.</p>"
        )
    newest, size = found[0], sum(one.bytes for one in found) / 1e6
    return (
        f'<p><span class="pmg-badge pmg-good">{counted(len(found), "backup")}</span> The newest is of {moment(newest.at)} '
        f"({newest.bytes / 1e6:,.1f} MB); all together {size:,.1f} MB. <b>Import &amp; settings</b> lists them.</p>"
        '<p class="pmg-muted">They lie on the same disk as the memory. Copy one to another disk now and then: a broken disk takes both.</p>'
    )


def _restore(context: AppContext, found: list[BackupFile]) -> str:
    file = found[0].file if found else context.engine.config.home / "backups" / "FILE.duckdb"
    command = f"<code>pmg restore {safe(str(file))}</code>"
    if context.restart is None:
        way = f"Stop the server, then: {command}"
    elif found:
        way = f"Choose one below; or in a terminal, with the server stopped: {command}"
    else:
        way = "There is none to go back to yet."
    return (
        "<p>A restore puts a backup in place of the memory. What was said since that backup is then not in it; the memory of today is kept beside the "
        f"backups, so you can go forward again.</p><p>{way}</p>"
        '<p class="pmg-muted">One mistake is quicker to undo on the <b>History</b> page: every change there has its own way back.</p>'
    )


def _encryption(context: AppContext, home: Path, found: list[BackupFile]) -> str:
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


CSS = """
.pmg-safety { display: grid; gap: 12px; grid-template-columns: repeat(auto-fit, minmax(290px, 1fr)); }
.pmg-safety section { border: 1px solid var(--border-color-primary); border-radius: 10px; padding: 12px 14px; background: var(--block-background-fill); min-width: 0; }
.pmg-safety h3 { margin: 0 0 6px; font-size: 15px; font-weight: 600; }
.pmg-safety p { margin: 0 0 8px !important; line-height: 1.5; }
.pmg-safety code { overflow-wrap: anywhere; }
"""
