"""Every file behind the paths a person gave: folders walked in order, zips and tars read member by member.

Handles names that reach outside, links, encrypted members, bombs, archives in archives (one level). Nothing is ever
written to disk.
"""

from __future__ import annotations

import gzip
import io
import stat
import tarfile
import zipfile
import zlib
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from pmg.importers.conversation import Level, Problem, Where

MB = 1024 * 1024
# What a broken archive raises while it is read; the members before it have come in.
DAMAGE = (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError)
ARCHIVES = {".zip", ".gz", ".tgz", ".tar"}
IGNORED_FILES = ("__MACOSX/", ".DS_Store", "Thumbs.db", ".git/", "desktop.ini")


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds that real exports stay far below: JSON shrinks about tenfold, a bomb a thousandfold."""

    ratio: int = 200  # a member this many times larger than its packed bytes is a bomb …
    small: int = 16 * MB  # … unless it is small anyway
    member: int = 16 * 1024 * MB
    total: int = 64 * 1024 * MB  # of one archive, unpacked
    members: int = 500_000
    depth: int = 1  # archives inside archives
    element: int = 128 * MB  # one conversation, in bytes of JSON


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read: its name for people, the archive or folder it came in, and how to open it."""

    name: str
    group: str
    size: int
    open: Callable[[], BinaryIO]
    path: Path | None = None  # where it lies on the disk; None inside an archive


class CountedFile(io.RawIOBase):
    """A file whose reads are told to `report`, never more than its size in all: that is what progress is made of."""

    def __init__(self, file: BinaryIO, size: int, report: Callable[[int], None]) -> None:
        super().__init__()
        self._file, self._left, self._report = file, size, report
        self.counting = True

    def readinto(self, buffer: object) -> int:
        got = cast("io.BufferedReader", self._file).readinto(buffer)  # type: ignore[arg-type]
        if got and self.counting and self._left:
            size = min(got, self._left)
            self._left -= size
            self._report(size)
        return got or 0

    def rest(self) -> None:
        """The file is done: what was skipped counts as read."""
        if self._left:
            self._report(self._left)
            self._left = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def close(self) -> None:
        self._file.close()
        super().close()


def plain_files(paths: Sequence[Path]) -> Iterator[tuple[Path, Path] | Problem]:
    """Each file with the folder it was found under, in sorted order; links inside folders are not followed."""
    for path in paths:
        if path.is_dir():
            yield from ((each, path) if isinstance(each, Path) else each for each in _folder(path))
        elif path.is_file():
            yield path, path.parent
        else:
            yield Where(str(path)).problem("no such file or folder")


def _folder(folder: Path) -> Iterator[Path | Problem]:
    todo = [folder]
    while todo:
        here = todo.pop()
        try:
            inside = sorted(here.iterdir(), key=lambda entry: (_is_page(entry.name), entry.name))
        except OSError as error:
            yield Where(str(here)).problem(f"cannot be read: {error.strerror}")
            continue
        for entry in inside:
            if entry.is_symlink():
                yield Where(str(entry)).problem("a link: not followed", level=Level.SKIPPED)
            elif entry.is_file() and not _litter(entry.name):
                yield entry
        todo.extend(reversed([entry for entry in inside if entry.is_dir() and not entry.is_symlink()]))


def total_bytes(paths: Sequence[Path]) -> int:
    """What `on_bytes` will add up to: the sizes of the files as they lie on the disk."""
    total = 0
    for found in plain_files(paths):
        with suppress(OSError):
            total += 0 if isinstance(found, Problem) else found[0].stat().st_size
    return total


def source_files(
    paths: Sequence[Path], limits: Limits, report: Callable[[int], None]
) -> Iterator[SourceFile | Problem]:
    for found in plain_files(paths):
        if isinstance(found, Problem):
            yield found
            continue
        path, folder = found
        try:
            file = CountedFile(path.open("rb"), path.stat().st_size, report)
        except OSError as error:
            yield Where(str(path)).problem(f"cannot be read: {error.strerror}")
            continue
        with file:
            yield from opened(io.BufferedReader(file), str(path), str(folder), limits, limits.depth + 1, path)
            file.rest()


def opened(
    file: BinaryIO, name: str, group: str, limits: Limits, depth: int, path: Path | None = None
) -> Iterator[SourceFile | Problem]:
    """The file itself, or the files inside it where it is an archive."""
    try:
        magic, is_text = _magic(file)
    except DAMAGE as error:
        yield Where(name).problem(f"damaged: {error}")
        return
    if not magic and PurePosixPath(name).suffix.lower() in ARCHIVES and not is_text:
        yield Where(name).problem("a damaged archive: it does not begin as one. Download it again.")
    elif not magic:
        yield SourceFile(name, group, 0, lambda: file, path)
    elif depth == 0:
        yield Where(name).problem("an archive inside an archive inside an archive: not opened", level=Level.SKIPPED)
    elif magic == "zip":
        yield from _zip(file, name, limits, depth - 1)
    else:
        yield from _tar_or_gzip(file, name, group, magic, limits)


def _magic(file: BinaryIO) -> tuple[str, bool]:
    """Which archive it begins as, if any; and whether it begins as a text: a browser may have unpacked what it named `.gz`."""
    head = file.read(265)
    file.seek(0)
    is_text = b"\0" not in head and "\ufffd" not in getincrementaldecoder("utf-8")("replace").decode(head)
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip", is_text
    return "gzip" if head.startswith(b"\x1f\x8b") else "tar" if head[257:262] == b"ustar" else "", is_text


def _zip(file: BinaryIO, name: str, limits: Limits, depth: int) -> Iterator[SourceFile | Problem]:
    counted = getattr(file, "raw", None)
    if isinstance(counted, CountedFile):
        counted.counting = False  # the directory at the end is not progress
    try:
        packed = file.seek(0, io.SEEK_END)
        archive = zipfile.ZipFile(file)
    except (*DAMAGE, ValueError) as error:
        yield Where(name).problem(_why_damaged(error))
        return
    finally:
        if isinstance(counted, CountedFile):
            counted.counting = True
    members = sorted(archive.infolist(), key=lambda each: (_is_page(each.filename), each.filename))
    # Of many small bombs, or of members that share their packed bytes, no one alone is too large.
    left = min(limits.total, max(limits.small, limits.ratio * packed))
    if len(members) > limits.members:
        yield Where(name).problem(f"{len(members)} members: over the limit of {limits.members}; not read")
        return
    for member in members:
        where = Where(f"{name}!/{member.filename}")
        refusal = _refusal(member, limits, left)
        if refusal is not None:
            if refusal:
                yield where.problem(refusal)
            continue
        left -= member.file_size
        yield from _member(archive, member, where, name, limits, depth)


def _why_damaged(error: Exception) -> str:
    """The list of a zip stands at its end: a download that broke off has none."""
    if isinstance(error, zipfile.BadZipFile) and "not a zip file" in str(error):
        return "an incomplete download: the end of the zip is missing. Download it again."
    return f"a damaged zip: {error}"


def _member(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, where: Where, group: str, limits: Limits, depth: int
) -> Iterator[SourceFile | Problem]:
    try:
        with archive.open(member) as file:
            yield from opened(cast("BinaryIO", file), where.file, group, limits, depth)
    except (*DAMAGE, ValueError) as error:
        yield where.problem(f"damaged: {error}")


def _refusal(member: zipfile.ZipInfo, limits: Limits, left: int) -> str | None:
    """Why a member is not read; "" for what needs no word (folders, litter); None for one that is read."""
    if member.is_dir() or _litter(member.filename):
        return ""
    if stat.S_ISLNK(member.external_attr >> 16):
        return "a link: not followed"
    if _reaches_outside(member.filename):
        return "its name reaches outside the archive: not read"
    if member.flag_bits & 1:
        return "encrypted: unpack it with its password first"
    if member.file_size > max(limits.small, limits.ratio * member.compress_size):
        return f"{member.file_size} bytes packed into {member.compress_size}: refused as a zip bomb"
    if member.file_size > min(limits.member, left):
        return f"{member.file_size} bytes: over the limit for one member or for the whole archive"
    return None


def _reaches_outside(name: str) -> bool:
    plain = name.replace("\\", "/")
    return plain.startswith("/") or ".." in plain.split("/") or plain[1:2] == ":"


def _litter(name: str) -> bool:
    return any(part in name for part in IGNORED_FILES)


def _is_page(name: str) -> bool:
    """Pages last: chat.html repeats conversations.json, and is read only where that was missing or broken."""
    return name.lower().endswith((".html", ".htm"))


class _BoundedStream(io.RawIOBase):
    """An unpacked stream that refuses to give more than a bomb's share."""

    def __init__(self, file: BinaryIO, bound: int) -> None:
        super().__init__()
        self._file, self._left, self._bound = file, bound, bound

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        data = self._file.read(len(memoryview(buffer)))  # type: ignore[arg-type]
        self._left -= len(data)
        if self._left < 0:
            raise OSError(f"more than {self._bound} bytes unpacked: refused as a bomb")
        memoryview(buffer)[: len(data)] = data  # type: ignore[arg-type]
        return len(data)


def _tar_or_gzip(file: BinaryIO, name: str, group: str, magic: str, limits: Limits) -> Iterator[SourceFile | Problem]:
    stream = file
    if magic == "gzip":
        packed = file.seek(0, 2)
        file.seek(0)
        bound = min(limits.member, max(limits.small, limits.ratio * packed))
        unpacked = cast("BinaryIO", gzip.GzipFile(fileobj=file))
        stream = cast("BinaryIO", io.BufferedReader(_BoundedStream(unpacked, bound), 512 * 1024))
        head = cast("io.BufferedReader", stream).peek(512)
        if head[257:262] != b"ustar":
            yield SourceFile(name, group, 0, lambda: stream)
            return
    try:
        with tarfile.open(fileobj=stream, mode="r|") as archive:
            yield from _tar(archive, name, limits)
    except DAMAGE as error:
        yield Where(name).problem(f"a damaged tar: {error}")


def _tar(archive: tarfile.TarFile, name: str, limits: Limits) -> Iterator[SourceFile | Problem]:
    left = limits.total
    for member in archive:
        where = Where(f"{name}!/{member.name}")
        if member.isdir() or _litter(member.name):
            continue
        if not member.isreg() or _reaches_outside(member.name):
            yield where.problem("a link, a device or a name that reaches outside: not read")
            continue
        left -= member.size
        file = archive.extractfile(member)
        if left < 0 or member.size > limits.member or file is None:
            yield where.problem(f"{member.size} bytes: over the limit for one member or for the whole archive")
            continue
        # A tar streams forward only: an archive inside it cannot be opened, and is reported by whoever reads it.
        yield SourceFile(where.file, name, member.size, lambda file=file: file)  # type: ignore[misc]
