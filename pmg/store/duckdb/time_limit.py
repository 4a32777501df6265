"""An answer in time from a library that cannot always be stopped.

DuckDB hears of an interrupt between two pieces of work, and one value of gigabytes is one piece. So a question of a person runs in a thread of
its own. When its time is over it is left behind, to end by itself, and the next one waits for that: they run one after the other, so of such values
there is never more than one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import partial
from typing import TypeVar

from pmg.base.errors import InputError

Result = TypeVar("Result")
GRACE = 1.0  # seconds to end in after its time: nearly every question needs only some milliseconds
LOOK = 0.1  # seconds: a thread that waits hears of Ctrl-C when it wakes


class TimeLimit:
    def __init__(self) -> None:
        self._lock = threading.Lock()  # held for moments only
        self._ended = threading.Event()  # of the last one
        self._ended.set()

    def run(self, work: Callable[[], Result], seconds: float, stop: Callable[[], None]) -> Result:
        """What `work` gives, which ends by itself about when its time is over, if it can. `stop` is for one that nobody waits for any more."""
        answer: Future[Result] = Future()
        ended = threading.Event()
        try:
            if not self._waited(partial(self._begins, ended), seconds):
                raise InputError("An earlier question is still being answered: ask again in a moment.")
            threading.Thread(target=_work, args=(work, answer, ended), name="pmg-question", daemon=True).start()
            return _within(answer, seconds)
        except BaseException:
            if not answer.done():
                if answer.cancel():  # its thread did not begin
                    ended.set()
                stop()
            raise

    def is_clear(self, seconds: float) -> bool:
        """Waits until none runs, left behind or not; False where one still does after this time."""
        return self._waited(self._is_free, seconds)

    def _begins(self, ended: threading.Event) -> bool:
        with self._lock:  # of two questions at once one is first
            if not self._is_free():
                return False
            self._ended = ended
            return True

    def _is_free(self) -> bool:
        return self._ended.is_set()

    def _waited(self, is_so: Callable[[], bool], seconds: float) -> bool:
        end = time.monotonic() + seconds
        while not is_so():
            if time.monotonic() > end:
                return False
            self._ended.wait(LOOK)
        return True


def _work(work: Callable[[], Result], answer: Future[Result], ended: threading.Event) -> None:
    try:
        if answer.set_running_or_notify_cancel():
            answer.set_result(work())
    except BaseException as error:  # the edge of a thread: whoever waits is told
        answer.set_exception(error)
    finally:
        ended.set()


def _within(answer: Future[Result], seconds: float) -> Result:
    end = time.monotonic() + seconds + GRACE
    while not answer.done():
        if time.monotonic() > end:
            raise out_of_time(seconds)
        wait([answer], LOOK)
    return answer.result()


def out_of_time(seconds: float) -> InputError:
    return InputError(f"This took longer than {seconds:g} s and was stopped: ask for less.")
