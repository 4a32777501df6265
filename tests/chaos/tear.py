"""The library that tears a write (tear.c): made with the C compiler that is here, and called from the process it is loaded into."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).with_name("tear.c")
TORN = 99  # how a process ends that was torn
NEVER = 1 << 60


def compiler() -> str | None:
    return shutil.which("cc") or shutil.which("gcc")


def build(folder: Path) -> Path:
    """The library, to be named in LD_PRELOAD."""
    target = folder / "tear.so"
    command = [
        compiler() or "cc",
        "-shared",
        "-fPIC",
        "-O1",
        "-D_LARGEFILE64_SOURCE",
        "-o",
        str(target),
        str(SOURCE),
        "-ldl",
    ]
    subprocess.run(command, check=True, capture_output=True)
    return target


@cache
def _loaded() -> ctypes.CDLL:
    library = ctypes.CDLL(None)
    library.tear_arm.argtypes = [ctypes.c_char_p, ctypes.c_long]
    library.tear_seen.restype = ctypes.c_long
    return library


def arm(folder: Path, number: int) -> None:
    """The change of this number below the folder, counted from now, lands half and ends this process."""
    _loaded().tear_arm(str(folder).encode(), number)


def seen() -> int:
    return int(_loaded().tear_seen())
