"""What a killed process left half-written in a memory's directory. It may hold text in the clear, also beside an encrypted memory.

Knows: every temporary name that PMG gives, and that whoever holds the store is the only one who writes them. The next opening clears
them away, and so does forgetting. Not touched: what a person put there (`drop/`), and the few files that others may be writing now.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

# `.x.tmp`, `.x.rewrite`, `.x.incoming`, `.x.turning`, each also with a database's log or folder of spilled rows; `.incoming-x`.
_HALF = re.compile(r"\..+\.(tmp|rewrite|incoming|turning)(\.wal|\.tmp)?|\.incoming-.+")
# Written without the store being held: by a server that claims it, and by `pmg config`.
_OTHERS = re.compile(r"\.(server\.|config\.toml\.)")
ROOMS = ("", "backups", "index", "reports", "sessions", "sessions/*", "sessions/*/*")


def leftovers(home: Path) -> Iterator[Path]:
    """Files and folders."""
    for room in ROOMS:
        for folder in home.glob(room) if room else (home,):
            if folder.is_dir() and not folder.is_symlink():
                yield from (entry for entry in folder.iterdir() if is_leftover(entry.name))


def is_leftover(name: str) -> bool:
    return _HALF.fullmatch(name) is not None and _OTHERS.match(name) is None


def clear(home: Path) -> int:
    """Only by whoever holds the store: then nobody else is writing one of these."""
    found = list(leftovers(home))
    for entry in found:
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry, ignore_errors=True)
        else:
            entry.unlink(missing_ok=True)
    return len(found)
