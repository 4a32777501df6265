"""Where a passphrase comes from: the caller, PMG_PASSPHRASE, a file that only its owner can read, or a question.

Knows: the order in which these are tried, and how to ask.
A passphrase is never an argument of a command: other users of the machine can read those.
"""

from __future__ import annotations

import getpass
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path

from pmg.base.errors import StoreLocked
from pmg.base.filesystem import others_can_read
from pmg.config import Config
from pmg.store import switch
from pmg.store.keys import HEADER, MEMORY, header_file, heal_header, hold, is_encrypted, is_held, read_header
from pmg.store.seal import Key

log = logging.getLogger(__name__)
VARIABLE = "PMG_PASSPHRASE"
Ask = Callable[[str], str]
LOST = "A lost passphrase is final: nobody, and no backup, can open the memory without it."


def asker() -> Ask | None:
    """Asks on the terminal, without showing what is typed; None where nobody could answer."""
    return getpass.getpass if sys.stdin is not None and sys.stdin.isatty() else None


def unlock(config: Config, passphrase: str | None = None, ask: Ask | None = None) -> None:
    """Makes the memory's key ready to use, if it is encrypted and the key is not there yet."""
    if heal_header(config.home):
        log.warning("%s was gone or damaged, and was made again from its copy", config.home / HEADER)
    switch.settle(config.home)  # whether it is encrypted may depend on it
    unlock_file(config.home / MEMORY, config, passphrase, ask)


def unlock_file(file: Path, config: Config, passphrase: str | None = None, ask: Ask | None = None) -> None:
    """The same for any encrypted database, such as a backup."""
    place = header_file(file)
    if place is not None and (is_encrypted(file) or not file.exists()):
        unlock_header(place, config, passphrase, ask)


def unlock_header(place: Path, config: Config, passphrase: str | None = None, ask: Ask | None = None) -> None:
    header = read_header(place)
    if not is_held(header):
        phrase = passphrase or found(config, ask, f"Passphrase of the memory in {place.parent}: ")
        hold(Key.unwrap(header.wrapped, phrase))


def found(config: Config, ask: Ask | None, question: str) -> str:
    phrase = given(config)
    if phrase is not None:
        return phrase
    if ask is None:
        raise StoreLocked(
            f"The memory in {config.home} is encrypted: set {VARIABLE}, or name a file with the passphrase (mode 0600) in "
            f"encryption.passphrase_file, or open it where PMG can ask."
        )
    return ask(question)


def given(config: Config) -> str | None:
    """The passphrase that lies ready, if any does."""
    from_environment = os.environ.get(VARIABLE)
    if from_environment:
        return from_environment
    return (
        _from_file(Path(config.encryption.passphrase_file).expanduser()) if config.encryption.passphrase_file else None
    )


def _from_file(file: Path) -> str:
    try:
        text = file.read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise StoreLocked(
            f"The passphrase file {file} cannot be read: {error}. Mend encryption.passphrase_file."
        ) from None
    if others_can_read(file):
        raise StoreLocked(f"Others can read the passphrase file {file}: `chmod 600 {file}`, then try again.")
    if not text:
        raise StoreLocked(
            f"The passphrase file {file} is empty: write the passphrase into it, or mend encryption.passphrase_file."
        )
    return text
