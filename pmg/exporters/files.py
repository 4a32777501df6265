"""Files that are written whole or not at all, for their owner alone, each after its place was noted.

Knows: what a person is told where a file cannot be written, and names that are safe on every system. How a file is written whole is known by
pmg/base/half_written.py. The place is noted first: if the writing is killed half-way, `forget` still knows where to look.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pmg.base import half_written
from pmg.base.atomic_files import make_private_folder
from pmg.base.errors import InputError
from pmg.base.half_written import remove_half_written
from pmg.engine import Engine
from pmg.store.forget import EXPORT, VAULT, KnownCopy

# What a file system, a shell, a link of Obsidian or a front matter would take for something else than a letter.
_UNSAFE = re.compile(r"[\x00-\x1f\x7f<>:\"/\\|?*#^\[\]`%&$!'@{}=~;,]+")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\.|$)")
NAME = 80  # characters of a title in a file name: the id that follows tells two apart


def safe_name(title: str) -> str:
    """A readable file name without anything that could lead elsewhere; may be empty."""
    composed = unicodedata.normalize("NFC", "".join(c for c in title if unicodedata.category(c)[0] not in "C"))
    plain = " ".join(_UNSAFE.sub(" ", composed).split()).strip(" .-")[:NAME].strip(" .-")
    plain = plain.encode("utf-8", "ignore")[:150].decode("utf-8", "ignore")
    return f"_{plain}" if _RESERVED.match(plain) else plain


@contextmanager
def written(file: Path) -> Iterator[IO[bytes]]:
    """A stream whose content appears under `file` when the block ends well, and nowhere when it does not."""
    if file.is_dir():
        raise InputError(f"{file} is a directory: name a file.")
    try:
        make_private_folder(file.parent)
        with half_written.written(file) as stream:
            yield stream
    except OSError as error:
        raise InputError(f"{file} cannot be written: {error.strerror or error}. Choose another place.") from None


def write_rows(file: Path, rows: Iterable[str]) -> None:
    with written(file) as stream:
        for row in rows:
            stream.write(row.encode("utf-8", "replace"))


def begin_copy(engine: Engine, target: Path, form: str) -> None:
    """A place that cannot be one is refused before it is noted: what lies there is somebody else's, and `forget` must not touch it."""
    if form == VAULT and target.exists() and not target.is_dir():
        raise InputError(f"{target} is a file: name a folder for the vault.")
    if form != VAULT and target.is_dir():
        raise InputError(f"{target} is a directory: name a file.")
    # A file takes the place of a link of its name; into a folder it is written through one.
    place = target.resolve() if form == VAULT else target.parent.resolve() / target.name
    copy = KnownCopy(place, EXPORT, form)
    engine.record_copy(copy)
    remove_half_written(copy.folders)
