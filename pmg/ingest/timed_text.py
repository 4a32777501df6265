"""Words and when they were said: what the guard compares. A segment is one, and so is a turn that is about to become one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pmg.base.model import Line


class TimedText(Protocol):
    """Line for line what was said, and the moment."""

    @property
    def lines(self) -> tuple[Line, ...]: ...
    @property
    def at(self) -> datetime: ...


@dataclass(frozen=True, slots=True)
class SaidText:
    """Such words that are no segment: of a turn that is about to become one, or some of its lines."""

    lines: tuple[Line, ...]
    at: datetime
