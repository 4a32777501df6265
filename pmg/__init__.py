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

from pmg.no_telemetry import disable_telemetry

disable_telemetry()  # before anything below can import a library that reports home

from pmg.config import Config, load  # noqa: E402
from pmg.errors import PmgError  # noqa: E402
from pmg.model import Kind, Line, Role, Turn  # noqa: E402

if TYPE_CHECKING:
    from pmg.engine import Engine

__all__ = ["Config", "Kind", "Line", "PmgError", "Role", "Turn", "open"]


def open(  # noqa: A001
    home: str | Path | None = None, config: Config | None = None, *, wait: bool = True, passphrase: str | None = None
) -> Engine:
    """Opens the memory in `home` (else PMG_HOME, else ~/.pmg). `wait=False` lets the embedding model load behind.

    The passphrase of an encrypted memory comes from here, from PMG_PASSPHRASE or from a file named in its configuration.
    """
    from pmg.engine import Engine  # the heavy libraries are imported only when a memory is opened
    from pmg.forget import resume

    engine = Engine.open(config or load(home), wait=wait, passphrase=passphrase)
    try:
        resume(engine)  # a forgetting that was killed is finished before anything else
    except BaseException:
        engine.close()
        raise
    return engine
