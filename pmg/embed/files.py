"""Small things about the files of a model: their hash, and writing them so that a crash leaves the old or the new one.

Knows: the file system.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

from pmg.filesystem import sync_folder


def sha256_of(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def write_atomically(file: Path, data: bytes) -> None:
    """Temp file, fsync, rename; readable by its owner only. A failed write leaves nothing behind."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")  # mkstemp gives 0600
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(file.parent)
