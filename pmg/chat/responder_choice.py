"""The responder that the configuration names, made once and kept until the configuration changes.

Three come with PMG. Any installed package can bring another: an entry point of the group `pmg.responders` names a function
`(engine, settings) -> Responder`. It runs inside PMG with all of its rights, so only an installed package can bring one, never a file.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from pmg.chat.extractive import Extractive
from pmg.chat.keys import read_key
from pmg.chat.local import Local
from pmg.chat.openai import OpenAI
from pmg.chat.responder import Responder
from pmg.config import ChatConfig
from pmg.errors import ConfigError

if TYPE_CHECKING:
    from pmg.engine import Engine

GROUP = "pmg.responders"
Make = Callable[["Engine", ChatConfig], Responder]

BUILT_IN: dict[str, Make] = {
    "extractive": lambda engine, _settings: Extractive(engine),
    "openai": lambda _engine, settings: OpenAI(settings, partial(read_key, settings)),
    "local": lambda _engine, settings: Local(settings),
}


class Choice:
    """Asked at every message: a person who changes the settings is answered by the new one at once."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._made: tuple[ChatConfig, Responder] | None = None

    def now(self) -> Responder:
        settings = self._engine.config.chat
        with self._lock:
            if self._made is None or self._made[0] != settings:
                self._made = (settings, open_responder(self._engine, settings))
            return self._made[1]


def open_responder(engine: Engine, settings: ChatConfig) -> Responder:
    return _maker(settings.responder)(engine, settings)


def installed() -> dict[str, EntryPoint]:
    """What other packages bring, by name; a name that PMG uses itself stays PMG's."""
    return {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in BUILT_IN}


def _maker(name: str) -> Make:
    if name in BUILT_IN:
        return BUILT_IN[name]
    others = installed()
    if name not in others:
        known = ", ".join([*BUILT_IN, *sorted(others)])
        raise ConfigError(
            f"chat.responder is {name!r}, and no installed package brings it. Known: {known}. "
            f"`pmg config chat.responder extractive` goes back to the default."
        )
    try:
        found: Make = others[name].load()
    except (
        Exception
    ) as error:  # a package that is not ours: whatever is wrong with it is told, and the rest of PMG goes on
        raise ConfigError(
            f"The responder {name!r} cannot be loaded from {others[name].value} ({type(error).__name__}: {error}). "
            f"Mend or remove the package that brings it, or choose another chat.responder."
        ) from error
    return found
