"""The files in the drop folder: the person put them there, so PMG does not change them, and the receipt names those that still hold
what was forgotten.

Knows: how to look into a plain file and into a zip. What it cannot look into is named too. The scan of the memory's own directory
(scan.py) sees plain files there, but no words that are packed.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from pmg.config import Config, drop_folder
from pmg.forget.shingles import Shingles, as_bytes

PACKED = (".gz", ".bz2", ".xz", ".zst", ".7z", ".rar", ".tgz", ".tar")
MAX_BYTES = 1 << 28  # bytes of one file inside a zip that are looked at: what is larger is named unseen
_MEND = "PMG does not change what you put there. Delete it if it must go"


def files_naming(config: Config, pieces: Shingles) -> list[str]:
    """One sentence for each file that holds a piece, or that cannot be looked into."""
    folder = drop_folder(config)
    files = sorted(file for file in folder.rglob("*") if file.is_file()) if folder.is_dir() else []
    own = folder.is_relative_to(config.home)
    return [f"{file}: {why}. {_MEND}" for file in files if (why := _why(file, pieces, own))]


def _why(file: Path, pieces: Shingles, scanned: bool) -> str:
    try:
        if zipfile.is_zipfile(file) or file.suffix == ".zip":
            return "still holds it, packed" if any(pieces.count(as_bytes(part)) for part in _packed_files(file)) else ""
        if file.name.lower().endswith(PACKED):
            return "is packed, and was not looked into"
        return "" if scanned or not pieces.count(as_bytes(file.read_bytes())) else "still holds it"
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error) as problem:
        return f"could not be looked into ({type(problem).__name__})"


def _packed_files(file: Path) -> Iterator[bytes]:
    with zipfile.ZipFile(file) as packed:
        for entry in packed.infolist():
            if entry.file_size > MAX_BYTES or entry.filename.lower().endswith((".zip", *PACKED)):
                raise NotImplementedError(entry.filename)
            yield packed.read(entry)
