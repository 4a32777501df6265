"""The reader of this process, opened at the first question that needs it. Where that fails the order of the recall answers, and the reason is told."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from pmg.base.errors import ModelUnavailable
from pmg.embed.load import default_cache_dir, unchecked_runtime

if TYPE_CHECKING:
    from pmg.reader.reader import Reader

log = logging.getLogger(__name__)


class ReaderHolder:
    """One for a process: it holds no text of anybody's."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reader: Reader | None = None
        self.problem = ""  # why there is none, in words for the person

    def ready(self) -> Reader | None:
        """Opens it, in about half a second; tried once."""
        with self._lock:
            if self._reader is None and not self.problem:
                self._open()
            return self._reader

    def _open(self) -> None:
        try:
            problem = unchecked_runtime()
            if problem:
                raise ModelUnavailable(f"The reader needs another runtime: {problem}.")
            from pmg.reader.reader import Reader  # onnxruntime: who only looks starts sooner without it

            self._reader = Reader.open(default_cache_dir())
        except (ModelUnavailable, OSError, ImportError) as error:
            self.problem = str(error) or type(error).__name__
            log.warning("%s", error)


SHARED = ReaderHolder()
