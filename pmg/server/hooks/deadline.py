"""Work that is worth something only if it is done in time.

Knows: a thread for each piece of work, how many there may be, and a limit. What comes late is dropped where it is, and holds up nobody:
neither its own caller, who has been answered, nor the next one, who has a thread of its own.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

log = logging.getLogger(__name__)
DEADLINE_SECONDS = 0.25  # seconds, of the 0.3 in which a hook is answered
MAX_CONCURRENT = (
    16  # pieces of work under way, late ones too: beyond this the machine is overloaded, and the answer is none
)

Result = TypeVar("Result")


class TimedWork(Generic[Result]):
    def __init__(self, limit: float, at_once: int = MAX_CONCURRENT) -> None:
        self._limit = limit
        self._room = threading.BoundedSemaphore(at_once)

    async def within(self, work: Callable[[], Result]) -> Result | None:
        """What the work gives; None when it is late, fails, or finds no room."""
        if not self._room.acquire(blocking=False):
            log.warning("too much is under way: a hook was given nothing")
            return None
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Result | None] = loop.create_future()

        def run() -> None:
            try:
                self._tell(loop, done, self._tried(work))
            finally:
                self._room.release()

        threading.Thread(target=run, name="pmg-hook", daemon=True).start()
        try:
            return await asyncio.wait_for(done, self._limit)
        except TimeoutError:
            log.warning("what a hook asked for took longer than %.2f seconds: it was given nothing", self._limit)
            return None

    @staticmethod
    def _tried(work: Callable[[], Result]) -> Result | None:
        try:
            return work()
        except Exception:  # the edge of a thread: a tool gets nothing rather than an error
            log.exception("what a hook asked for failed")
            return None

    @staticmethod
    def _tell(loop: asyncio.AbstractEventLoop, done: asyncio.Future[Result | None], result: Result | None) -> None:
        def put() -> None:
            if not done.done():
                done.set_result(result)

        try:
            loop.call_soon_threadsafe(put)
        except RuntimeError:  # the server has ended meanwhile
            log.info("a hook's answer came after the end")
