"""Ctrl-C in the process of the tests.

Python looks at a signal between two instructions of the main thread, whatever runs there. In a callback of the garbage
collector (hypothesis keeps one) the interrupt is printed and gone, and who waits for it waits for ever. So there is none meanwhile.
"""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ctrl_c_arrives() -> Iterator[None]:
    """Even where this process was started in the background of a shell, which makes it deaf to it."""
    before, callbacks, collects = (
        signal.signal(signal.SIGINT, signal.default_int_handler),
        gc.callbacks[:],
        gc.isenabled(),
    )
    gc.disable()
    gc.callbacks.clear()
    try:
        yield
    finally:
        gc.callbacks[:] = callbacks
        if collects:
            gc.enable()
        signal.signal(signal.SIGINT, before)
