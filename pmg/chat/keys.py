"""The key of a chat server: from an environment variable or from a file that only its owner can read.

Knows: where the configuration says it is, and the one file a key that was given to the page is kept in. openai.py sends it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from pmg.atomic_files import write_atomically
from pmg.config import ChatConfig
from pmg.errors import ConfigError
from pmg.filesystem import others_can_read

KEY_FILE = "chat.key"  # in the memory's directory, 0600; no backup and no export has it


def read_key(settings: ChatConfig, environ: Mapping[str, str] = os.environ) -> str:
    """The key, or nothing where none is configured: many servers on one's own machine want none."""
    if settings.key_env:
        key = environ.get(settings.key_env, "").strip()
        if not key:
            raise ConfigError(
                f"The environment variable {settings.key_env} is empty or not set: set it before starting PMG, or set "
                f"chat.key_file to a file with the key."
            )
        return _checked(key, settings.key_env)
    return _from_file(Path(settings.key_file).expanduser()) if settings.key_file else ""


def keep_key(home: Path, key: str) -> Path:
    """Puts a key that a person gave into its file; what cannot be a key is refused and not repeated."""
    file = home / KEY_FILE
    write_atomically(file, _checked(key.strip(), "the field Key").encode())
    return file


def forget_key(home: Path) -> bool:
    """Whether there was one."""
    there = (home / KEY_FILE).exists()
    (home / KEY_FILE).unlink(missing_ok=True)
    return there


def _from_file(file: Path) -> str:
    try:
        shared = others_can_read(file)
        key = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The key file {file} cannot be read ({type(error).__name__}). Mend chat.key_file.") from None
    if shared:
        raise ConfigError(f"The key file {file} can be read by others: `chmod 600 {file}` first.")
    if not key:
        raise ConfigError(f"The key file {file} is empty: put the key into its first line.")
    return _checked(key, str(file))


def _checked(key: str, place: str) -> str:
    # A line break in a header would let a file forge headers; other control characters are never part of a key.
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ConfigError(
            f"What stands in {place} is not a key: it must be one line of plain characters without spaces."
        )
    return key
