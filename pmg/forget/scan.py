"""Looking for what should be gone: every byte of every file of the memory, and every text inside its databases.

Knows: which files there are and how each is read (a database hides text in compressed blocks, so it is asked too).
Does not know: the text itself: it is given pieces of it as hashes.
Of the drop folder every file that still holds a piece is named, packed ones too: the person put them there, so PMG does not change them.
"""

from __future__ import annotations

import mmap
import os
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pmg.base.errors import PmgError
from pmg.base.progress import Progress, silent
from pmg.config import Config, drop_folder
from pmg.engine import Engine
from pmg.forget import order
from pmg.forget.copies import texts_of
from pmg.forget.receipt import Residue
from pmg.forget.shingles import Shingles, as_bytes

DATABASE = ".duckdb"
_CLOSED = "cannot be opened"


@dataclass(frozen=True, slots=True)
class Scanned:
    files: int = 0
    size: int = 0
    residue: tuple[Residue, ...] = ()


def scan(engine: Engine, pieces: Shingles, beyond: Sequence[Path] = (), progress: Progress = silent) -> Scanned:
    """The whole directory of the memory, and some files outside it."""
    home = engine.config.home
    files = [*files_of(home), *(file for path in beyond for file in files_of(path))]
    looked, size = 0, 0
    found: list[Residue] = []
    for done, file in enumerate(files, 1):
        name = str(file.relative_to(home)) if file.is_relative_to(home) else str(file)
        with suppress(FileNotFoundError):  # removed since it was listed: nothing is left in it
            length = file.stat().st_size
            found += _residues(engine, file, name, pieces)
            looked, size = looked + 1, size + length
        progress("looking for what is left", done, len(files))
    return Scanned(looked, size, tuple(found))


def _residues(engine: Engine, file: Path, name: str, pieces: Shingles) -> list[Residue]:
    count = pieces.count(_bytes(file))
    found = [Residue(name, count)] if count else []
    if file.suffix == DATABASE:
        return found + residues_in(engine, file, name, pieces)
    if file.suffix == ".parquet":
        try:
            held = int(pieces.held_by(list(texts_of("parquet", file.read_bytes()))).sum())
        except ValueError:  # somebody's edit made it another form, or broke it
            return [*found, Residue(f"{name}: {_CLOSED}", 0)]
        found += [Residue(name, held)] if held else []
    return found


def files_of(path: Path) -> Iterator[Path]:
    """Every file, but for the order itself and what tells who holds the store."""
    if path.is_file():
        yield path
    elif path.is_dir():
        # `os.walk` passes over a folder that is removed meanwhile; `rglob` raises.
        inside = (Path(folder, name) for folder, _, names in os.walk(path) for name in names)
        yield from sorted(f for f in inside if f.name not in (order.NAME, order.RESCAN, "owner.lock") and f.is_file())


def residues_in(engine: Engine, file: Path, name: str, pieces: Shingles) -> list[Residue]:
    """The columns of text of a database; our own is asked through its open connection."""
    mine = file.resolve() == engine.reads.path.resolve()
    counts: dict[str, int] = {}
    try:
        for table, column, texts in engine.reads.forgetting.columns(None if mine else file):
            held = int(pieces.held_by(texts.to_pylist()).sum())
            if held:
                place = f"{name}: {table}.{column}"
                counts[place] = counts.get(place, 0) + held
    except PmgError:
        return [Residue(f"{name}: {_CLOSED}", 0)] if file.exists() else []
    return [Residue(place, count) for place, count in counts.items()]


def _bytes(file: Path) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    if file.stat().st_size == 0:
        return np.empty(0, dtype=np.uint8)
    with file.open("rb") as opened:
        return np.frombuffer(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ), dtype=np.uint8)


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
