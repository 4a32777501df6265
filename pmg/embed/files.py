"""Small things about the files of a model: their hash, and how they get into the cache."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pmg.base.atomic_files import write_atomically


def sha256_of(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def write_cached(file: Path, data: bytes) -> None:
    """Whole or not at all, in a folder that is made if it is missing. OSError where the cache cannot be written."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_atomically(file, data)
