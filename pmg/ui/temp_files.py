"""Where the page puts what is uploaded and what is made for download: a private folder inside the memory's own.

Knows: the folder, who of this process still uses it, and that it is gone when the last one ends. Whoever opens it holds the store, so what lies there unclaimed was left by a process that was killed.
"""

from __future__ import annotations

import os
import secrets
import shutil
from pathlib import Path

from pmg.base.atomic_files import make_private_folder

TEMP = "temp"
SETTING = "GRADIO_TEMP_DIR"  # without it gradio takes a folder that the whole machine shares
_ME = secrets.token_hex(4)  # this process: a number of the system may come again after a kill


class TempFolder:
    """From the making of a page to its end. `Scratch.open(home)` comes before the page is built; closing twice is harmless."""

    def __init__(self, folder: Path, mark: Path, before: str | None) -> None:
        self.folder = folder
        self._mark = mark
        self._before = before

    @classmethod
    def open(cls, home: Path) -> TempFolder:
        folder = home / TEMP
        clear_unused(home)
        make_private_folder(folder)
        mark = folder / f".used-{_ME}-{secrets.token_hex(4)}"
        mark.touch(mode=0o600)
        before = os.environ.get(SETTING)
        os.environ[SETTING] = str(folder)
        return cls(folder, mark, before)

    def close(self) -> None:
        """The folder goes with the last page that uses it."""
        self._mark.unlink(missing_ok=True)
        if not _marks(self.folder):
            shutil.rmtree(self.folder, ignore_errors=True)
        if os.environ.get(SETTING) == str(self.folder) and not self.folder.exists():
            os.environ.pop(SETTING)
            if self._before not in (None, str(self.folder)):
                os.environ[SETTING] = str(self._before)


def clear_unused(home: Path) -> None:
    """By whoever holds the store: a page that no part of this process uses was left by one that was killed."""
    if not _marks(home / TEMP, _ME):
        shutil.rmtree(home / TEMP, ignore_errors=True)


def _marks(folder: Path, whose: str = "") -> list[Path]:
    return list(folder.glob(f".used-{whose}*"))
