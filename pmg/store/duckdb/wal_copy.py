"""A second copy of what the database's log was acknowledged to hold.

Knows: the bytes that each commit added to the log, each piece with its place and checksum, and which database file they belong to.
The library does not notice a log that was cut short or is gone: what was acknowledged would be lost without a word. Does not
know: what the bytes mean; of an encrypted memory they are encrypted.

It is not forced onto the disk: the log itself is. It is there for damage, not for a power cut, after which it may be
shorter than the log, and the log is believed beyond it.
"""

from __future__ import annotations

import hashlib
import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pmg.base.filesystem import make_private

_MAGIC = b"PMGlog01"
_HEADS = 12_288  # the first bytes of a database file: they change with every checkpoint and at no other time
_PIECE = struct.Struct("<QII")  # place in the log, length, checksum
_HEAD_SIZE = len(_MAGIC) + 16


class WalCopy:
    """Made by `WalCopy.begin` after the database is open; `follow` is called when a commit is through."""

    def __init__(self, file: Path, handle: int) -> None:
        self._base = file
        self._handle = handle
        self._covered, self._size = 0, _HEAD_SIZE
        for _, piece in _pieces(copy_of(file), _name_of(file)):
            self._covered += len(piece)
            self._size += _PIECE.size + len(piece)
        if not self._covered:
            self.restart()

    @classmethod
    def begin(cls, file: Path) -> WalCopy:
        """Goes on with the copy that is there, or begins a new one if that belongs to another file."""
        return cls(
            file,
            os.open(
                copy_of(file), os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0), 0o600
            ),
        )

    def restart(self) -> None:
        """After a checkpoint: the log begins anew."""
        os.ftruncate(self._handle, 0)
        with suppress(OSError):  # a full disk: a copy without its head belongs to no file, and the log is there
            self._put(_MAGIC + _name_of(self._base), 0)
        self._covered, self._size = 0, _HEAD_SIZE

    def follow(self) -> None:
        """What the log holds and the copy does not; a piece that could not be written whole is written again over it."""
        try:
            with log_of(self._base).open("rb") as log:
                log.seek(self._covered)
                piece = log.read()
        except FileNotFoundError:
            return
        if piece:
            framed = _PIECE.pack(self._covered, len(piece), zlib.crc32(piece)) + piece
            if self._put(framed, self._size) == len(framed):
                self._covered, self._size = self._covered + len(piece), self._size + len(framed)

    def _put(self, data: bytes, place: int) -> int:
        os.lseek(self._handle, place, os.SEEK_SET)
        return os.write(self._handle, data)

    def close(self) -> None:
        os.close(self._handle)


def mend(file: Path) -> str:
    """Before the database is opened: a log that lost what was acknowledged is made whole. Returns what was done, mostly nothing."""
    known = b"".join(piece for _, piece in _pieces(copy_of(file), _name_of(file)))
    log = log_of(file)
    held = log.read_bytes() if log.exists() else b""
    if held.startswith(known):
        return ""
    kept = ""
    if held:
        aside = log.with_name(f"{log.name}.damaged")
        log.replace(aside)
        kept = f"; the damaged one is kept as {aside.name}"
    temporary = log.with_name(f".{log.name}.tmp")
    with temporary.open("wb") as written:
        make_private(written.fileno())
        written.write(known + (held[len(known) :] if _differs_inside(held, known) else b""))
        written.flush()
        os.fsync(written.fileno())
    temporary.replace(log)
    return f"the log of the memory had lost acknowledged changes and was made whole from its copy ({len(known)} bytes){kept}"


def _differs_inside(held: bytes, known: bytes) -> bool:
    """A changed byte leaves what came later as it is; after a cut there is nothing later."""
    return len(held) > len(known)


def _pieces(place: Path, name: bytes) -> Iterator[tuple[int, bytes]]:
    """The whole pieces in order, up to the first that is not as it was written; none of a copy that belongs to another file."""
    data = place.read_bytes() if place.is_file() else b""
    if data[:_HEAD_SIZE] != _MAGIC + name:
        return
    at, expected = _HEAD_SIZE, 0
    while at + _PIECE.size <= len(data):
        start, length, checksum = _PIECE.unpack_from(data, at)
        piece = data[at + _PIECE.size : at + _PIECE.size + length]
        if start != expected or len(piece) != length or zlib.crc32(piece) != checksum:
            return
        yield start, piece
        at, expected = at + _PIECE.size + length, expected + length


def _name_of(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return hashlib.blake2b(opened.read(_HEADS), digest_size=16).digest()
    except FileNotFoundError:
        return bytes(16)


def log_of(file: Path) -> Path:
    return file.with_name(file.name + ".wal")


def copy_of(file: Path) -> Path:
    return file.with_name(file.name + ".wal.copy")
