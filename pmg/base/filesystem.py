"""What operating systems do differently with files: durable names, and files that are their owner's alone.

On Windows modes mean nothing and folders cannot be synced; there a memory is as private as the person's own folder is (docs/platforms.md).
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

HAS_MODES = os.name == "posix"


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder durable: without it a rename can be undone by a power cut."""
    if not HAS_MODES:  # Windows cannot open a folder, and writes a rename through by itself
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_private(handle: int) -> None:
    """0600 for an open file, whatever the umask was."""
    if HAS_MODES:
        os.fchmod(handle, 0o600)


def is_mine(path: Path) -> bool:
    return not HAS_MODES or path.stat().st_uid == os.getuid()


def others_can_read(path: Path) -> bool:
    """Whether the mode lets anybody but the owner in; False where modes mean nothing."""
    return HAS_MODES and bool(stat.S_IMODE(path.stat().st_mode) & 0o077)


def sync_file(file: Path) -> None:
    """Makes a finished file durable. Opened for writing: Windows refuses to sync what was opened to be read."""
    with file.open("r+b") as written:
        os.fsync(written.fileno())


def default_home() -> Path:
    """The memory's directory where nobody names one."""
    return Path(os.environ.get("PMG_HOME") or Path.home() / ".pmg").expanduser()


def write_in_place(file: Path, content: bytes) -> None:
    """A file of somebody else's: whole or not at all, with its mode, and through a link to where it really is."""
    target = file.resolve()
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o600
    temporary = target.with_name(f".{target.name}.pmg-tmp")
    try:
        temporary.write_bytes(content)
        sync_file(temporary)
        temporary.chmod(mode)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
