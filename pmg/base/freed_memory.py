"""Gives memory that a bulk ingest has done with back to the system.

Knows: the C library keeps what Python freed, in pieces too small to be used again, until it is asked to let go.
Where the C library has no such call (macOS, Windows), nothing happens.
"""

from __future__ import annotations

import ctypes
import sys


def return_freed_memory() -> None:
    if sys.platform != "linux":
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc's; musl has none
    if trim is not None:
        trim(0)
