"""Whether there is room on the disk for what is about to be written.

Knows: how much a transaction may need, and what to tell a person whose disk is full. A database that meets the end of the disk in the
middle of a transaction can end the whole process: so it is asked before, and reading never needs to.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from pmg.base.errors import DiskFull

MIN_FREE_BYTES = (
    32_000_000  # bytes that must be free before a transaction begins: the largest that ingest makes fits into it
)


def free_bytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free


def require_free(folder: Path, needed: int = 0) -> None:
    """DiskFull unless `needed` and a little more are free."""
    free = free_bytes(folder)
    if free < MIN_FREE_BYTES + needed:
        raise DiskFull(
            f"Only {free / 1e6:.1f} MB are free on the disk of {folder}, and {(MIN_FREE_BYTES + needed) / 1e6:.0f} MB are needed to write. "
            f"Nothing was changed, and reading goes on. Free some space, then try again."
        )
