"""Long work of a library, done where it is in nobody's way: a thread that the system serves last.

Knows: thread priorities, where the system has them.

Only work that leaves Python alone while it runs belongs here: a thread of low priority that held Python's lock on a busy machine
would keep everybody waiting for it.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

NICENESS = 15
T = TypeVar("T")


def at_low_priority(work: Callable[[], T]) -> T:
    """Waits for the work and gives its result, or raises what it raised."""
    with ThreadPoolExecutor(1, "pmg-quiet", _step_back) as thread:
        return thread.submit(work).result()


def _step_back() -> None:
    if sys.platform == "linux":  # elsewhere a priority is the whole process's
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
