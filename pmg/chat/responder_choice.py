"""The responder that the configuration names, made once and kept until the configuration changes.

Three come with PMG. Any installed package can bring another: an entry point of the group `pmg.responders` names a function
`(engine, settings) -> Responder`. It runs inside PMG with all of its rights, so only an installed package can bring one, never a file; what goes wrong in it is told by
guarded_responder.py.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from pmg.base.errors import ConfigError
from pmg.chat.extractive import Extractive
from pmg.chat.guarded_responder import FAILURES, OTHERWISE, GuardedResponder
from pmg.chat.keys import read_key
from pmg.chat.local import Local
from pmg.chat.openai import OpenAI
from pmg.chat.responder import Responder
from pmg.config import ChatConfig

if TYPE_CHECKING:
    from pmg.engine import Engine

GROUP = "pmg.responders"
Make = Callable[["Engine", ChatConfig], Responder]

BUILT_IN: dict[str, Make] = {
    "extractive": lambda engine, _settings: Extractive(engine),
    "openai": lambda engine, settings: OpenAI(settings, partial(read_key, settings, engine.config.home)),
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
    name = settings.responder
    if name in BUILT_IN:
        return BUILT_IN[name](engine, settings)
    entry = _entry(name)
    make = _loaded(entry)
    try:
        made = make(engine, settings)
    except ConfigError:
        raise
    except (
        FAILURES
    ) as error:  # a package that is not ours: whatever is wrong with it is told, and the rest of PMG goes on
        raise _broken(entry, "made", error) from error
    return GuardedResponder(name, made)


def check_name(name: str) -> None:
    """Raises for a responder that nobody brings, or whose package cannot be loaded: for whoever is about to choose it."""
    if name not in BUILT_IN:
        _loaded(_entry(name))


def installed() -> dict[str, EntryPoint]:
    """What other packages bring, by name; a name that PMG uses itself stays PMG's."""
    return {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in BUILT_IN}


def _entry(name: str) -> EntryPoint:
    others = installed()
    if name not in others:
        known = ", ".join([*BUILT_IN, *sorted(others)])
        raise ConfigError(
            f"chat.responder is {name!r}, and no installed package brings it. Known: {known}. "
            f"`pmg config chat.responder extractive` goes back to the default."
        )
    return others[name]


def _loaded(entry: EntryPoint) -> Make:
    try:
        found: Make = entry.load()
    except FAILURES as error:
        raise _broken(entry, "loaded", error) from error
    return found


def _broken(entry: EntryPoint, what: str, error: BaseException) -> ConfigError:
    told = f"{type(error).__name__}: {error}"
    return ConfigError(f"The responder {entry.name!r} cannot be {what} from {entry.value} ({told}). {OTHERWISE}")
