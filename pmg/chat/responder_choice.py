"""The responder that the configuration names, made once and kept until the configuration changes.

The three are extractive.py, openai.py and local.py.
"""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

from pmg.chat.extractive import Extractive
from pmg.chat.keys import read_key
from pmg.chat.local import Local
from pmg.chat.openai import OpenAI
from pmg.chat.responder import Responder
from pmg.config import ChatConfig

if TYPE_CHECKING:
    from pmg.engine import Engine


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
    if settings.responder == "openai":
        return OpenAI(settings, partial(read_key, settings))
    return Local(settings) if settings.responder == "local" else Extractive(engine)
