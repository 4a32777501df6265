"""An index on disk as pieces: immutable files named by the hash of their content, and a catalog that lists them.

Knows: how pieces and catalog are written and read with every byte checked, so that saving costs only what changed.
The order of writing (pieces, catalog, manifest, then deleting what is no longer
named) means that a crash at any point leaves the last saved state whole.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import NDArray

from pmg.base.atomic_files import keep_only, make_private_folder
from pmg.base.errors import IndexDamaged
from pmg.base.filesystem import sync_folder
from pmg.index.index_folder import REBUILD, Place, folder_of, hasher, opened, read, write
from pmg.index.manifest import MANIFEST_NAME, Manifest, expect_manifest, write_manifest

PIECE = ".piece"
CATALOG = ".catalog"

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Piece:
    """One file: `name` is the hash of its bytes, `shape` whatever its owner needs to read it back."""

    name: str
    shape: tuple[int, ...]


def write_piece(place: Place, shape: tuple[int, ...], arrays: Sequence[Array]) -> Piece:
    """The arrays, which must be contiguous, one after another in one file; streamed, never joined in memory."""
    folder = folder_of(place)
    make_private_folder(folder.path)
    views = [array.data.cast("B") for array in arrays if array.size]
    digest = hasher(folder)
    for view in views:
        digest.update(view)
    name = digest.hexdigest()[:40]
    write(folder, name + PIECE, views, durable=False)
    return Piece(name, shape)


def is_there(place: Place, piece: Piece | None) -> bool:
    """Whether a piece written earlier still stands in the folder: somebody may have cleared it."""
    return piece is not None and (folder_of(place).path / (piece.name + PIECE)).is_file()


def read_piece(place: Place, piece: Piece, into: Sequence[Array]) -> None:
    """Fill the given contiguous arrays with the piece's bytes, checking its size and hash."""
    folder = folder_of(place)
    path = folder.path / (piece.name + PIECE)
    digest = hasher(folder)
    try:
        with path.open("rb") as closed:
            file = opened(folder, closed)
            for array in (array for array in into if array.size):
                view = array.data.cast("B")
                if file.readinto(view) != len(view):  # type: ignore[attr-defined]
                    raise IndexDamaged(f"{path} is too short: {REBUILD}")
                digest.update(view)
            if file.read(1):
                raise IndexDamaged(f"{path} is too long: {REBUILD}")
    except OSError as error:
        raise IndexDamaged(f"{path} cannot be read ({error.strerror}): {REBUILD}") from error
    if digest.hexdigest()[:40] != piece.name:
        raise IndexDamaged(f"{path} was changed after it was written (checksum mismatch): {REBUILD}")


def write_catalog(place: Place, pieces: Sequence[Piece], manifest: Manifest, rows: int) -> Manifest:
    """Make the pieces the saved state of the index; returns the manifest with `rows` and `checksum` filled in."""
    folder = folder_of(place)
    make_private_folder(folder.path)
    body = json.dumps([[piece.name, *piece.shape] for piece in pieces]).encode()
    checksum = hashlib.sha256(body).hexdigest()
    catalog = checksum[:40] + CATALOG
    write(folder, catalog, [body], durable=False)
    sync_folder(folder.path)
    saved = replace(manifest, rows=rows, checksum=checksum)
    write_manifest(folder, saved)
    keep_only(folder.path, [catalog, MANIFEST_NAME, *(piece.name + PIECE for piece in pieces)], (PIECE, CATALOG))
    return saved


def read_catalog(place: Place, expected: Manifest) -> tuple[Manifest, list[Piece]]:
    """The saved manifest and its pieces, or IndexDamaged if it is missing, foreign or changed."""
    folder = folder_of(place)
    found = expect_manifest(folder, expected)
    path = folder.path / (found.checksum[:40] + CATALOG)
    try:
        body = read(folder, path.name)
    except OSError as error:
        raise IndexDamaged(f"{path} cannot be read ({error.strerror}): {REBUILD}") from error
    if hashlib.sha256(body).hexdigest() != found.checksum:
        raise IndexDamaged(f"{path} was changed after it was written (checksum mismatch): {REBUILD}")
    return found, [Piece(name, tuple(shape)) for name, *shape in json.loads(body)]
