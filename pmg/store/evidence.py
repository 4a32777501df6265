"""Signs beside the database that it held more than it does: loss that would otherwise go unsaid.

Knows: which files a memory leaves (plain text, indexes, backups) and what to tell when they know more. Does not know: how
anything is brought back: the messages name the commands that do.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from pmg.base.errors import StoreBehind
from pmg.store.keys import MEMORY


def refuse_missing(home: Path) -> None:
    """A directory with memories in it and no database: an empty one is not put in its place."""
    if (home / MEMORY).exists():
        return
    sessions, backups = plain_sessions(home), backups_of(home)
    indexed = any((home / "index").rglob("*.json")) if (home / "index").is_dir() else False
    if not sessions and not backups and not indexed:
        return
    there = [f"{len(sessions)} sessions as plain text"] if sessions else []
    there += [f"{len(backups)} backups"] if backups else []
    there += ["indexes"] if indexed else []
    raise StoreBehind(
        f"{home / MEMORY} is missing, and {', '.join(there)} of a memory are there. Nothing was changed. Put the file back; or "
        f"{_how_to_restore(backups)}. For a new, empty memory choose another directory with --home, or move these away."
    )


def behind(home: Path, lines: int) -> StoreBehind:
    """The index has seen lines that the database never heard of."""
    return StoreBehind(
        f"{home / MEMORY} has lost memories: the index knows {lines} lines of them that it does not hold, as after an older copy "
        f"of the file was put in its place. Nothing was changed. Put the newer file back; or {_how_to_restore(backups_of(home))}; "
        f"or go on without them with `pmg recover --accept-loss`. What is in sessions/ stays there as plain text."
    )


def _how_to_restore(backups: Collection[Path]) -> str:
    newest = max(backups, key=lambda file: file.stat().st_mtime, default=None)
    return (
        f"restore the newest backup with `pmg restore {newest}`"
        if newest
        else "restore a backup with `pmg restore FILE`"
    )


def plain_sessions(home: Path) -> dict[str, Path]:
    """The plain-text files by the id of their session."""
    return {file.stem: file for file in sorted((home / "sessions").glob("*/*/*.md"))}


def backups_of(home: Path) -> list[Path]:
    return sorted((home / "backups").glob("*.duckdb"))
