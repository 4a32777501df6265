"""Files, folders and archives in; conversations and problems out, one at a time.

Knows: the order of things, duplicates, pages that repeat an export, shards that an export's list names.
Does not know: any format (detect.py and the readers), nor what becomes of a conversation (import_run.py).
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from pmg.importers.conversation import Conversation, Level, Problem, Result, Where
from pmg.importers.detect import PAGE_DATA, PAGE_TITLE, conversations, database_conversations
from pmg.importers.platforms import opencode
from pmg.importers.platforms.chatgpt.files import shards
from pmg.importers.platforms.claude import projects as claude_projects
from pmg.importers.platforms.opencode import HeldPieces
from pmg.importers.reading import sqlite_file
from pmg.importers.reading.archive import DAMAGE, Limits, SourceFile, source_files, total_bytes
from pmg.importers.reading.times import noticing

__all__ = ["Limits", "read", "total_bytes"]

CHUNK = 1024 * 1024


@dataclass(slots=True)
class FileGroup:
    """What is known of the files that came together: enough to leave out a page and to miss a shard."""

    conversations: int = 0
    broken: int = 0
    told: bool = False  # something was said of one of its files
    names: list[str] = field(default_factory=list)
    shards: list[str] = field(default_factory=list)
    other: Counter[str] = field(default_factory=Counter)
    pieces: HeldPieces = field(default_factory=HeldPieces)
    # Of Claude: what each project is called, and memories, which are held until all projects are known.
    projects: dict[str, str] = field(default_factory=dict)
    memories: list[tuple[str, Conversation]] = field(default_factory=list)


def read(
    paths: Sequence[Path], *, on_bytes: Callable[[int], None] | None = None, limits: Limits | None = None
) -> Iterator[Result]:
    """Every conversation behind the paths, and every problem. `on_bytes` is told the bytes read since the last time;
    they add up to `total_bytes(paths)`. Nothing raises for what is in the files."""
    bounds = limits or Limits()
    groups: dict[str, FileGroup] = {}
    seen: dict[str, str] = {}  # what came already, and in which file
    for source in source_files(paths, bounds, on_bytes or _nobody):
        if isinstance(source, Problem):
            yield source
            continue
        group = groups.setdefault(source.group, FileGroup())
        group.names.append(source.name)
        with noticing() as unknown:
            for result in _file(source, group, bounds):
                if claude_projects.is_memory(result):
                    group.memories.append((source.name, result))
                    continue
                if claude_projects.is_project(result):
                    group.projects[result.origin_id] = result.title
                yield from _once(result, seen, group, source.name)
        for name, count in unknown.items():
            reason = f"times in a zone {name!r} that is not known: read in this machine's zone"
            yield Where(source.name).problem(reason, level=Level.NOTE, count=count)
    for name, group in groups.items():
        for file, result in group.pieces.conversations():
            yield from _once(result, seen, group, file)
        for file, memory in group.memories:
            yield from _once(claude_projects.with_project_names(memory, group.projects), seen, group, file)
        yield from _left_over(name, group)


def _nobody(_: int) -> None:
    return None


def _file(source: SourceFile, group: FileGroup, limits: Limits) -> Iterator[Result]:
    """One file; a file that breaks while it is read has given what stood before."""
    try:
        chunks = _chunks(source.open())
        first = next(chunks, b"")
        if first.startswith(sqlite_file.MAGIC):
            yield from _database(source, first, chunks)
            return
        if opencode.may_be_piece(first):
            whole = _up_to(limits.element, first, chunks)
            if group.pieces.take(whole, source.name):
                return
            first = whole
        if (PAGE_DATA.search(first) or PAGE_TITLE in first) and group.conversations and not group.broken:
            yield Where(source.name).problem("repeats the conversations beside it", level=Level.SKIPPED)
            return
        group.shards.extend(shards(first))
        yield from conversations(_again(first, chunks), source.name, limits)
    except DAMAGE as error:
        yield Where(source.name).problem(f"damaged: {error}")


def _database(source: SourceFile, first: bytes, rest: Iterator[bytes]) -> Iterator[Result]:
    where = Where(source.name)
    try:
        if source.path is not None:
            if Path(f"{source.path}-wal").exists():
                reason = "its program has it open: close the program and import again for what was said last"
                yield where.problem(reason, level=Level.NOTE)
            with sqlite_file.open_file(source.path) as database:
                yield from database_conversations(database, where)
            return
        data = bytearray(first)
        for chunk in rest:
            data += chunk
            if len(data) > sqlite_file.MAX_ARCHIVED_BYTES:
                yield where.problem(
                    f"a database over {sqlite_file.MAX_ARCHIVED_BYTES} bytes inside an archive: unpack it first"
                )
                return
        with sqlite_file.open_bytes(bytes(data)) as database:
            yield from database_conversations(database, where)
    except sqlite3.Error as error:
        yield where.problem(f"a damaged database: {error}")


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    while chunk := file.read(CHUNK):
        yield chunk


def _up_to(limit: int, first: bytes, rest: Iterator[bytes]) -> bytes:
    """As much of a file as one conversation may have."""
    data = bytearray(first)
    while len(data) <= limit and (chunk := next(rest, b"")):
        data += chunk
    return bytes(data)


def _again(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def _once(result: Result, seen: dict[str, str], group: FileGroup, file: str) -> Iterator[Result]:
    """Leave out a conversation without messages and one that came already, word for word; files that are simply no text are only
    counted."""
    if isinstance(result, Problem):
        group.told = True
        if result.level is Level.SKIPPED and result.reason == "not text":
            group.other[PurePosixPath(result.file).suffix.lower() or "no ending"] += 1
            return
        group.broken += result.level is Level.BROKEN
        yield result
        return
    if not result.messages and not any(branch.messages for branch in result.branches):
        reason = f"conversation {result.title!r} has no messages"
        yield Where(file, result.origin_id).problem(reason, level=Level.SKIPPED)
        return
    group.conversations += 1
    result = replace(result, file=file)
    name = result.fingerprint
    # Without an id, two of one file may say the same and still be two conversations.
    if name in seen and not (result.made_id and seen[name] == file):
        reason = f"conversation {result.title!r} came twice, word for word"
        yield Where(file, result.origin_id).problem(reason, level=Level.NOTE)
        return
    seen.setdefault(name, file)
    yield result


def _left_over(name: str, group: FileGroup) -> Iterator[Problem]:
    """A file that came alone is named itself, not by the folder it lies in."""
    name = group.names[0] if len(group.names) == 1 else name
    if not group.conversations and not group.told:
        yield Where(name).problem("no conversation is in it", level=Level.SKIPPED)
    if group.other:
        kinds = ", ".join(f"{suffix} ×{count}" for suffix, count in sorted(group.other.items()))
        count = sum(group.other.values())
        yield Where(name).problem(f"files that hold no text: {kinds}", level=Level.SKIPPED, count=count)
    for shard in group.shards:
        if not any(each.endswith(shard) for each in group.names):
            yield Where(name).problem(f"the export's list names {shard}, which is not here", level=Level.NOTE)
