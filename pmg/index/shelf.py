"""A folder of index files, in the clear or sealed: what is written there and read back passes through here.

Knows: that a sealed file is opened with the seal it was closed with. Does not know: what is in any file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from pmg.errors import IndexDamaged, StoreError
from pmg.index.atomic import write_atomically
from pmg.store.seal import Hash, Seal

REBUILD = "it is rebuilt from the store"


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where an index lies; with a seal nothing of it is on disk in the clear, not even the hash of a part."""

    path: Path
    seal: Seal | None = None

    def __str__(self) -> str:
        return str(self.path)


Place = Path | Shelf  # a plain path is a shelf without a seal


def shelf_of(place: Place) -> Shelf:
    return place if isinstance(place, Shelf) else Shelf(place)


def hasher(shelf: Shelf) -> Hash:
    return hashlib.sha256() if shelf.seal is None else shelf.seal.hasher()


def write(shelf: Shelf, name: str, parts: Iterable[bytes | memoryview], sync_folder: bool = True) -> None:
    """The parts one after another in one file; streamed, never joined in memory."""

    def stream(file: BinaryIO) -> None:
        for part in parts if shelf.seal is None else shelf.seal.closed(parts):
            file.write(part)

    write_atomically(shelf.path / name, stream, sync_folder)


def opened(shelf: Shelf, file: BinaryIO) -> BinaryIO:
    """The file as it was before it was sealed."""
    if shelf.seal is None:
        return file
    try:
        return BytesIO(b"".join(shelf.seal.opened(file)))
    except StoreError as problem:
        raise IndexDamaged(f"a file at {shelf} cannot be opened ({problem}): {REBUILD}") from None


def read(shelf: Shelf, name: str) -> bytes:
    with (shelf.path / name).open("rb") as file:
        return opened(shelf, file).read()
