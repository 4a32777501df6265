"""Writing a file so that a reader sees the old one or the new one whole, never a part.

Knows: temporary file in the same folder, fsync, rename, fsync of the folder, and that every file is for its owner only.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

from pmg.base.errors import StoreError
from pmg.base.filesystem import make_private, sync_folder

TEMPORARY = ".tmp"  # the ending of a file that is being written: readers never look at these

Content = bytes | Callable[[BinaryIO], object]


def make_private_folder(folder: Path) -> None:
    """The folder and what is missing above it, mode 0700 whatever the umask; one that exists is left as it is."""
    missing: list[Path] = []
    level = folder
    while not level.exists():
        missing.append(level)
        level = level.parent
    if not level.is_dir():
        raise StoreError(f"{level} is a file, and a folder of that name is needed: move the file away and try again.")
    for level in reversed(missing):
        level.mkdir(mode=0o700, exist_ok=True)
        level.chmod(0o700)


def write_atomically(path: Path, content: Content, durable: bool = True) -> None:
    """Put `content` (bytes, or a function that writes to a binary file) at `path`, mode 0600 whatever the umask.

    With `durable=False` the rename may still be lost in a power cut: for a batch of files the caller syncs the
    folder once, before it writes the file that refers to them.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=TEMPORARY, dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            make_private(file.fileno())
            if isinstance(content, bytes):
                file.write(content)
            else:
                content(file)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:  # a full disk or an interrupt must not leave the half-written file behind
        temporary.unlink(missing_ok=True)
        raise
    if durable:
        sync_folder(path.parent)


def keep_only(folder: Path, keep: Sequence[str], endings: tuple[str, ...]) -> None:
    """Delete the files with one of these endings, and abandoned temporary ones, that are not in `keep`."""
    kept = set(keep)
    for path in folder.iterdir():
        if path.name not in kept and path.name.endswith((*endings, TEMPORARY)):
            path.unlink(missing_ok=True)
