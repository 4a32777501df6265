"""Work that steps back: it is done in a thread of low priority, and its result or error comes back."""

from __future__ import annotations

import os
import sys
import threading

import pytest

from pmg.base.low_priority import NICENESS, at_low_priority


def test_the_result_comes_back_from_another_thread() -> None:
    assert at_low_priority(threading.get_ident) != threading.get_ident()


def test_an_error_comes_back_too() -> None:
    with pytest.raises(ZeroDivisionError):
        at_low_priority(lambda: 1 / 0)


@pytest.mark.skipif(sys.platform != "linux", reason="threads have priorities of their own on Linux only")
def test_only_that_thread_steps_back() -> None:
    before = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    inside = at_low_priority(lambda: os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
    assert inside == NICENESS
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == before
