"""The key of a chat server: from an environment variable or from a file that only its owner can read.

Knows: where the configuration says it is, the one file a key that was given to the page is kept in, and for which server that was. openai.py sends it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from pmg.base.atomic_files import write_atomically
from pmg.base.errors import ConfigError
from pmg.base.filesystem import others_can_read
from pmg.chat.server_address import address_of
from pmg.config import ChatConfig

GIVEN_FOR = "for "  # before the server's address, in the second line of a file that the page wrote
KEY_FILE = "chat.key"  # in the memory's directory, 0600; no backup and no export has it


def read_key(settings: ChatConfig, home: Path, environ: Mapping[str, str] = os.environ) -> str:
    """The key, or nothing where none is configured: many servers on one's own machine want none."""
    if settings.key_env:
        key = environ.get(settings.key_env, "").strip()
        if not key:
            raise ConfigError(
                f"The environment variable {settings.key_env} is empty or not set: set it before starting PMG, or set "
                f"chat.key_file to a file with the key."
            )
        return _checked(key, settings.key_env)
    return _from_file(key_path(settings.key_file, home), settings.base_url) if settings.key_file else ""


def key_path(key_file: str, home: Path) -> Path:
    """Where the configured file is. The one that the page wrote is in the memory's own directory, wherever that was moved to: it used to be named by its whole path."""
    file = Path(key_file).expanduser()
    is_moved = file.name == KEY_FILE and not file.exists()
    return home / file.name if is_moved else home / file


def is_own_file(key_file: str, home: Path) -> bool:
    """Whether the configured file is the one that the page writes."""
    return bool(key_file) and key_path(key_file, home) == home / KEY_FILE


def keep_key(home: Path, key: str, base_url: str) -> str:
    """Puts a key that a person gave for a server into its file, and says what chat.key_file is then; what cannot be a key is refused and not repeated."""
    file = home / KEY_FILE
    kept = _checked(key.strip(), "the field Key")
    write_atomically(file, f"{kept}\n{GIVEN_FOR}{address_of(base_url).place}\n".encode())
    return KEY_FILE


def forget_key(home: Path) -> bool:
    """Whether there was one."""
    there = (home / KEY_FILE).exists()
    (home / KEY_FILE).unlink(missing_ok=True)
    return there


def _from_file(file: Path, base_url: str) -> str:
    """A second line may say for which server it was given: then no other gets it."""
    try:
        shared = others_can_read(file)
        text = file.read_text(encoding="utf-8-sig").strip()  # Windows puts a mark before it
    except (OSError, ValueError) as error:
        raise ConfigError(f"The key file {file} cannot be read ({type(error).__name__}). Mend chat.key_file.") from None
    if shared:
        raise ConfigError(f"The key file {file} can be read by others: `chmod 600 {file}` first.")
    if not text:
        raise ConfigError(f"The key file {file} is empty: put the key into its first line.")
    key, given_for, owner = text.partition(f"\n{GIVEN_FOR}")
    if given_for and owner != (place := address_of(base_url).place):
        raise ConfigError(
            f"The key in {file} was given for {owner}, and is not sent to {place}. Give the key of that server on the page, under "
            "Import & settings, Models, or `pmg config chat.key_file ''` to use none."
        )
    return _checked(key.strip(), str(file))


def _checked(key: str, place: str) -> str:
    # A line break in a header would let a file forge headers; other control characters are never part of a key.
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ConfigError(
            f"What stands in {place} is not a key: it must be one line of plain characters without spaces."
        )
    return key
