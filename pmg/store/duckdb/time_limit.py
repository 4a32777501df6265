"""An answer in time from a library that cannot always be stopped.

DuckDB hears of an interrupt between two pieces of work, and one value of gigabytes is one piece. So a question of a person runs in a thread of
its own. When its time is over it is left behind, to end by itself, and the next one waits for that: of such values there is never more than one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TypeVar

from pmg.base.errors import InputError

Result = TypeVar("Result")
GRACE = 1.0  # seconds to end in after its time: nearly every question needs only some milliseconds
LOOK = 0.1  # seconds: a thread that waits hears of Ctrl-C when it wakes


class TimeLimit:
    def __init__(self) -> None:
        self._left: list[Future[object]] = []  # nobody waits for their answers any more

    def run(self, work: Callable[[], Result], seconds: float, stop: Callable[[], None]) -> Result:
        """What `work` gives, which ends by itself about when its time is over, if it can. `stop` is for one that nobody waits for any more."""
        if not self.is_clear(seconds):
            raise InputError(
                "An earlier question makes one value that is too large, and is ending: ask again in a moment."
            )
        answer: Future[Result] = Future()
        threading.Thread(target=_work, args=(work, answer), name="pmg-question", daemon=True).start()
        try:
            return _within(answer, seconds)
        except BaseException:
            if not answer.done():
                stop()
                self._left = [*filter(_is_running, self._left), answer]  # type: ignore[list-item]
            raise

    def is_clear(self, seconds: float) -> bool:
        """Waits until none is left behind; False where one still is after this time."""
        end = time.monotonic() + seconds
        while any(map(_is_running, self._left)):
            if time.monotonic() > end:
                return False
            wait(self._left, LOOK)
        return True


def _is_running(answer: Future[object]) -> bool:
    return not answer.done()


def _work(work: Callable[[], Result], answer: Future[Result]) -> None:
    try:
        answer.set_result(work())
    except BaseException as error:  # the edge of a thread: whoever waits is told
        answer.set_exception(error)


def _within(answer: Future[Result], seconds: float) -> Result:
    end = time.monotonic() + seconds + GRACE
    while not answer.done():
        if time.monotonic() > end:
            raise out_of_time(seconds)
        wait([answer], LOOK)
    return answer.result()


def out_of_time(seconds: float) -> InputError:
    return InputError(f"This took longer than {seconds:g} s and was stopped: ask for less.")
