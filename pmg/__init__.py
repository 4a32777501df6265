"""PMG, the Private Memory Graph: a private, persistent memory for a person's AI conversations.

import pmg
engine = pmg.open()
with engine.session(title="Planning") as s:
    s.add(user="…", assistant="…")
print(engine.recall("…").context)
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from pmg.base.no_telemetry import disable_telemetry

disable_telemetry()  # before anything below can import a library that reports home

if TYPE_CHECKING:
    from pmg.answer.answered import Answered, AnswerLine
    from pmg.answer.ask import ask
    from pmg.base.errors import PmgError
    from pmg.base.model import Edge, Kind, Line, Origin, Passage, Role, Segment, Session, State, Turn
    from pmg.client.memory_client import MemoryClient
    from pmg.config import Config
    from pmg.engine import Engine
    from pmg.ingest.open_session import OpenSession
    from pmg.ingest.turns import SessionInput
    from pmg.recall.receipt import Recalled, Receipt

__version__ = "0.2.0"  # the one place: pyproject.toml reads it from here, CHANGELOG.md has a section for it

# The public names (docs/api.md): what is not here or on that page may change without notice.
__all__ = [
    "AnswerLine",
    "Answered",
    "Config",
    "Edge",
    "Engine",
    "Kind",
    "Line",
    "MemoryClient",
    "OpenSession",
    "Origin",
    "Passage",
    "PmgError",
    "Recalled",
    "Receipt",
    "Role",
    "Segment",
    "Session",
    "SessionInput",
    "State",
    "Turn",
    "__version__",
    "ask",
    "connect",
    "open",
]

# Where the names are: imported when they are first asked for. `pmg mcp` starts with every window of somebody's tool and needs none.
_LATER = {
    **dict.fromkeys("Edge Kind Line Origin Passage Role Segment Session State Turn".split(), "pmg.base.model"),
    "AnswerLine": "pmg.answer.answered",
    "Answered": "pmg.answer.answered",
    "ask": "pmg.answer.ask",
    "Config": "pmg.config",
    "MemoryClient": "pmg.client.memory_client",
    "PmgError": "pmg.base.errors",
    "Engine": "pmg.engine",
    "OpenSession": "pmg.ingest.open_session",
    "Recalled": "pmg.recall.receipt",
    "Receipt": "pmg.recall.receipt",
    "SessionInput": "pmg.ingest.turns",
}


def __getattr__(name: str) -> object:
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module 'pmg' has no attribute {name!r}")


def __dir__() -> list[str]:
    """With the names that are imported later, so that completion offers them."""
    return sorted({*globals(), *__all__})


def open(  # noqa: A001
    home: str | Path | None = None, config: Config | None = None, *, wait: bool = True, passphrase: str | None = None
) -> Engine:
    """Opens the memory in `home` (else PMG_HOME, else ~/.pmg), or that of a `config`. `wait=False` lets the embedding model load behind.

    The passphrase of an encrypted memory comes from here, from PMG_PASSPHRASE or from a file named in its configuration.
    """
    from pmg.base import arguments
    from pmg.base.errors import InputError
    from pmg.config import checked_config, load
    from pmg.engine import Engine  # the heavy libraries are imported only when a memory is opened
    from pmg.forget import resume

    place = None if home is None else arguments.path(home, "home")
    passphrase = arguments.optional_text(passphrase, "passphrase")
    settings = load(place) if config is None else checked_config(config)
    if place is not None and place.resolve() != settings.home.resolve():
        raise InputError(
            f"home is {place} and config.home is {settings.home}: leave one of them out, or name one folder."
        )
    engine = Engine.open(settings, wait=wait, passphrase=passphrase)
    try:
        resume(engine)  # a forgetting that was killed is finished before anything else
    except BaseException:
        engine.close()
        raise
    return engine


def connect(url: str | None = None, token: str | None = None, namespace: str | None = None) -> MemoryClient:
    """The memory of a running server, with the engine's verbs: at `url` with a `token`, or that of this machine's memory.

    Without an address the server of the memory in PMG_HOME (else ~/.pmg) is found; none is started.
    """
    from pmg.client.connect import (
        connect as connect_to,
    )  # httpx and the types of results are imported only when asked for

    return connect_to(url, token, namespace)
