"""PMG, the Private Memory Graph: a private, persistent memory for a person's AI conversations.

import pmg
engine = pmg.open()
with engine.session(title="Planning") as s:
    s.add(user="…", assistant="…")
print(engine.recall("…").context)
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pmg.config import Config, load
from pmg.errors import PmgError
from pmg.model import Kind, Line, Role, Turn

if TYPE_CHECKING:
    from pmg.engine import Engine

__all__ = ["Config", "Kind", "Line", "PmgError", "Role", "Turn", "open"]


def open(home: str | Path | None = None, config: Config | None = None, *, wait: bool = True) -> Engine:  # noqa: A001
    """Opens the memory in `home` (else PMG_HOME, else ~/.pmg). `wait=False` lets the embedding model load behind."""
    from pmg.engine import Engine  # the heavy libraries are imported only when a memory is opened

    return Engine.open(config or load(home), wait=wait)
