"""A folder of index files, in the clear or sealed: what is written there and read back passes through here.

Knows: that a sealed file is opened with the seal it was closed with.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from pmg.base.atomic_files import write_atomically
from pmg.base.errors import IndexDamaged, StoreError
from pmg.store.seal import Hash, Seal

REBUILD = "it is rebuilt from the store"


@dataclass(frozen=True, slots=True)
class IndexFolder:
    """Where an index lies; with a seal nothing of it is on disk in the clear, not even the hash of a part."""

    path: Path
    seal: Seal | None = None

    def __str__(self) -> str:
        return str(self.path)


Place = Path | IndexFolder  # a plain path is a folder without a seal


def folder_of(place: Place) -> IndexFolder:
    return place if isinstance(place, IndexFolder) else IndexFolder(place)


def hasher(folder: IndexFolder) -> Hash:
    return hashlib.sha256() if folder.seal is None else folder.seal.hasher()


def write(folder: IndexFolder, name: str, parts: Iterable[bytes | memoryview], durable: bool = True) -> None:
    """The parts one after another in one file; streamed, never joined in memory."""

    def stream(file: BinaryIO) -> None:
        for part in parts if folder.seal is None else folder.seal.closed(parts):
            file.write(part)

    write_atomically(folder.path / name, stream, durable)


def opened(folder: IndexFolder, file: BinaryIO) -> BinaryIO:
    """The file as it was before it was sealed."""
    if folder.seal is None:
        return file
    try:
        return BytesIO(b"".join(folder.seal.opened(file)))
    except StoreError as problem:
        raise IndexDamaged(f"a file at {folder} cannot be opened ({problem}): {REBUILD}") from None


def read(folder: IndexFolder, name: str) -> bytes:
    with (folder.path / name).open("rb") as file:
        return opened(folder, file).read()
