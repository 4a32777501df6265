"""The order to forget: written before anything is removed, taken away when everything is. Names and hashes only.

Knows: the file, and that it is there exactly while a forgetting is under way. carry_out.py writes it, follows it and takes it
away.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pmg.base.errors import IndexDamaged, StoreError
from pmg.base.filesystem import sync_folder
from pmg.forget.shingles import Shingles
from pmg.index import index_folder
from pmg.index.index_folder import IndexFolder
from pmg.store.forget import ForgetOrder
from pmg.store.keys import MEMORY, seal_for

NAME = "forget.order"
RESCAN = "redact.order"


@dataclass(frozen=True, slots=True)
class PendingForget:
    gone: ForgetOrder
    sessions: tuple[str, ...]  # that lose turns
    files: tuple[str, ...]  # their plain texts, as paths inside the memory's directory
    pieces: Shingles


def write(home: Path, order: PendingForget) -> None:
    note = {
        "gone": asdict(order.gone),
        "sessions": order.sessions,
        "files": order.files,
        "pieces": order.pieces.to_json(),
    }
    index_folder.write(_place(home), NAME, [json.dumps(note).encode()])


def read(home: Path) -> PendingForget | None:
    """The order that an interrupted forgetting left, if there is one."""
    file = home / NAME
    if not file.exists():
        return None
    try:
        note: dict[str, Any] = json.loads(index_folder.read(_place(home), NAME))
        gone: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in note["gone"].items()
        }
        wanted: ForgetOrder = ForgetOrder(**gone)
        return PendingForget(wanted, tuple(note["sessions"]), tuple(note["files"]), Shingles.from_json(note["pieces"]))
    except (ValueError, KeyError, TypeError, IndexDamaged) as error:
        raise StoreError(
            f"{file} cannot be read ({error}): delete it and forget again what you wanted forgotten."
        ) from None


def write_rescan(home: Path, pieces: Shingles) -> None:
    """That secrets are being taken out: which ones, the rules say again."""
    index_folder.write(_place(home), RESCAN, [pieces.to_json().encode()])


def read_rescan(home: Path) -> Shingles | None:
    file = home / RESCAN
    if not file.exists():
        return None
    try:
        return Shingles.from_json(index_folder.read(_place(home), RESCAN).decode())
    except (ValueError, KeyError, TypeError, IndexDamaged) as error:
        raise StoreError(f"{file} cannot be read ({error}): delete it and run `pmg redact --rescan` again.") from None


def _place(home: Path) -> IndexFolder:
    """Beside an encrypted memory the order is encrypted too: a hash of a short text tells too much of it."""
    return IndexFolder(home, seal_for(home / MEMORY))


def take_away(home: Path, name: str = NAME) -> None:
    (home / name).unlink(missing_ok=True)
    sync_folder(home)
