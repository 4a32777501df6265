"""Commands for encryption at rest: encrypt, change of passphrase and of key, decrypt.

Knows: how a passphrase is asked for, and what must be said before. Encryption itself is pmg/store/encryption.py.
"""

from __future__ import annotations

import os
from typing import Annotated

import typer

from pmg.base.errors import InputError
from pmg.base.text import counted
from pmg.cli.console import bar, errors, say
from pmg.cli.root import app, config_of, refuse_while_served
from pmg.config import Config
from pmg.store.keys import HEADER
from pmg.store.unlock import LOST, VARIABLE, asker, given, unlock, unlock_header

NEW_VARIABLE = "PMG_NEW_PASSPHRASE"  # for `--change` without a terminal; PMG_PASSPHRASE is the present one then


@app.command()
def encrypt(
    context: typer.Context,
    change: Annotated[bool, typer.Option("--change", help="Change the passphrase of an encrypted memory.")] = False,
    new_key: Annotated[
        bool,
        typer.Option(
            "--new-key", help="A new key too: everything is written anew, and old copies of the key fit no more."
        ),
    ] = False,
) -> None:
    """Encrypt the memory, its indexes and its backups with a passphrase; or change the passphrase, or the key with it."""
    from pmg.store import encryption

    with errors():
        config = config_of(context)
        refuse_while_served(context, config)
        if new_key:
            unlock(config, ask=asker())
            _renew(config)
            return
        if change:
            unlock(config, ask=asker())
            encryption.change(config.home, _fresh(config, NEW_VARIABLE))
            say(f"The passphrase is changed. {LOST}")
            say("Backups made to other places before this still open with the old one.")
            return
        say(f"{LOST} Write it down and keep it away from this machine.")
        done = encryption.encrypt(config.home, _fresh(config, VARIABLE))
        backups = f" and {counted(done.backups, 'backup')}" if done.backups else ""
        say(
            f"Encrypted: the memory ({done.megabytes:.1f} MB){backups}. Readable files in sessions/ are no longer written."
        )
        say("Exports and backups made to other places before this are still in the clear: delete them if they must go.")


def _renew(config: Config) -> None:
    from pmg.store import encryption

    passphrase = _fresh(config, NEW_VARIABLE)
    with bar() as progress:
        done = encryption.renew(config.home, passphrase, progress)
    backups = f" and {counted(done.backups, 'backup')}" if done.backups else ""
    say(f"Encrypted with a new key: the memory ({done.megabytes:.1f} MB){backups}. {LOST}")
    say("Backups in other places keep the old key and open with the passphrase they were made under.")


@app.command()
def decrypt(
    context: typer.Context,
    drop_sealed: Annotated[
        bool, typer.Option("--drop-sealed", help="Give up redactions that are kept sealed: without a key nothing is.")
    ] = False,
) -> None:
    """Write an encrypted memory and its backups in the clear again."""
    from pmg.engine import Engine
    from pmg.store import encryption

    with errors():
        config = config_of(context)
        refuse_while_served(context, config)
        if config.redact.keep_sealed:
            raise InputError(
                "redact.keep_sealed is on, which needs an encrypted memory: switch it off first (`pmg config redact.keep_sealed false`)."
            )
        if (config.home / HEADER).is_file():
            unlock_header(config.home / HEADER, config, ask=asker())
        done = encryption.decrypt(config.home, drop_sealed=drop_sealed)
        with Engine.open(config, wait=False, load=False) as engine:
            engine.write_plain_text([session.id for session in engine.sessions() if not session.is_open])
        backups = f" and {counted(done.backups, 'backup')}" if done.backups else ""
        say(f"No longer encrypted: the memory ({done.megabytes:.1f} MB){backups}.")


def _fresh(config: Config, variable: str) -> str:
    """A new passphrase: typed twice, or from where it lies ready."""
    ready = os.environ.get(variable) or (given(config) if variable == VARIABLE else None)
    if ready:
        return ready
    ask = asker()
    if ask is None:
        raise InputError(
            f"There is nobody to ask for a passphrase: set {variable}. It is never taken from the command line."
        )
    first = ask("New passphrase: ")
    if ask("Once more: ") != first:
        raise InputError("The two were not the same. Nothing was changed; try again.")
    return first
