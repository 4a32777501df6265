"""The manifest: which store, model and state of the store a derived index on disk belongs to.

Knows: its fields, how it is read, written, sealed and compared with what is expected.
It is written last, so an index whose manifest is there is whole; its
`checksum` names the catalog of the index's pieces, and every piece is named by its own hash (see content_files.py).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, fields

from pmg.base.errors import IndexDamaged
from pmg.index.index_folder import REBUILD, Place, folder_of, read, write

FORMAT = 1  # raised when the files of either index change their shape: older ones are then rebuilt
MANIFEST_NAME = "manifest.json"


@dataclass(frozen=True, slots=True)
class Manifest:
    """`generation` counts rebuilds and re-embeddings, `change` is the store's watermark that the index has reached.

    `rows` and `checksum` are filled in by the index when it saves; leave them out when making one.
    """

    store_id: str
    model: str = ""  # the embedder's fingerprint; for the lexical index how its terms were made
    generation: int = 0
    change: int = 0
    rows: int = 0
    checksum: str = ""
    format: int = FORMAT


def write_manifest(place: Place, manifest: Manifest) -> None:
    body = asdict(manifest)
    sealed = {**body, "seal": _seal(body)}
    write(folder_of(place), MANIFEST_NAME, [json.dumps(sealed, indent=1, sort_keys=True).encode()])


def read_manifest(place: Place) -> Manifest:
    """The manifest as it was written, or IndexDamaged with the reason."""
    folder = folder_of(place)
    path = folder.path / MANIFEST_NAME
    try:
        body = json.loads(read(folder, MANIFEST_NAME))
    except FileNotFoundError:
        raise IndexDamaged(f"no index at {folder}: {REBUILD}") from None
    except (OSError, ValueError) as error:
        raise IndexDamaged(f"{path} cannot be read ({error}): {REBUILD}") from error
    if not isinstance(body, dict) or body.pop("seal", None) != _seal(body):
        raise IndexDamaged(f"{path} was changed after it was written (its seal does not match): {REBUILD}")
    if body["format"] != FORMAT or set(body) != {field.name for field in fields(Manifest)}:
        raise IndexDamaged(f"{path} has format {body['format']}, this version reads {FORMAT}: {REBUILD}")
    return Manifest(**body)


def expect_manifest(place: Place, expected: Manifest) -> Manifest:
    """The manifest in a folder if it belongs to the same store, model and generation, else IndexDamaged.

    A different `change` is not damage: the caller brings the index up to date from there.
    """
    found = read_manifest(place)
    for name in ("store_id", "model", "generation"):
        if getattr(found, name) != getattr(expected, name):
            raise IndexDamaged(
                f"the index at {place} has {name} {getattr(found, name)!r}, expected {getattr(expected, name)!r}: {REBUILD}"
            )
    return found


def _seal(body: object) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
