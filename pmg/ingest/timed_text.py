"""Words and when they were said: what the guard compares. A segment is one, and so is a turn that is about to become one."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from pmg.model import Line


class TimedText(Protocol):
    """Line for line what was said, and the moment."""

    @property
    def lines(self) -> tuple[Line, ...]: ...
    @property
    def at(self) -> datetime: ...
