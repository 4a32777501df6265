"""Runs what starts an event loop in a thread of its own: the browser's driver keeps one in the thread of the tests, and a thread has only one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def call_apart(work: Callable[[], Result]) -> Result:
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(work).result()


def run_apart(work: Coroutine[Any, Any, Result]) -> Result:
    return call_apart(lambda: asyncio.run(work))
