"""An open memory under some settings: its parts, to read from and to work with.

What several views share stands in open_memory.py; what may be written in memory_writes.py.
"""

from __future__ import annotations

from functools import lru_cache
from types import TracebackType
from typing import Self

from pmg.base import arguments
from pmg.base.errors import ConfigError
from pmg.components import Components
from pmg.config import Config, RedactConfig
from pmg.embed.load import ModelHolder
from pmg.embed.thresholds import Thresholds
from pmg.engine.open_memory import OpenMemory
from pmg.index.indexes import Indexes
from pmg.index.read_write_lock import ActiveRequests
from pmg.ingest.model_in_force import thresholds_in_force
from pmg.ingest.redact import ExtraRule, Redactor
from pmg.reader.holder import ReaderHolder
from pmg.store.contract import Store, StoreReads
from pmg.store.keys import MEMORY, key_for, no_key_to_seal_with


class MemoryView:
    """Several views of one memory differ in their settings alone."""

    def __init__(self, memory: OpenMemory, config: Config | None = None) -> None:
        """With a `config` of its own this is a second view of an open memory; without, it follows the memory's settings."""
        self._memory = memory
        self._own_config = config

    def reconfigure(self, config: Config) -> None:
        """Other settings from now on, for everybody who follows the memory's. A mistake in the rules changes nothing."""
        self._store.require_open()
        config = checked_config(config)
        redactor = redactor_for(config)
        self._memory.config, self._memory.redactor = config, redactor

    @property
    def reads(self) -> StoreReads:
        """Whatever may be asked of the store. Nothing can be changed through it."""
        return self._memory.store

    @property
    def _store(self) -> Store:
        return self._memory.store

    @property
    def indexes(self) -> Indexes:
        return self._memory.indexes

    @property
    def model(self) -> ModelHolder:
        return self._memory.model

    @property
    def reader(self) -> ReaderHolder:
        return self._memory.reader

    @property
    def active_requests(self) -> ActiveRequests:
        return self._memory.active_requests

    @property
    def config(self) -> Config:
        return self._own_config or self._memory.config

    @property
    def shared_config(self) -> Config:
        """The settings of the memory itself, also from a view that has its own."""
        return self._memory.config

    @property
    def redactor(self) -> Redactor:
        same = self.config.redact == self._memory.config.redact
        return self._memory.redactor if same else redactor_for(self.config)

    @property
    def components(self) -> Components:
        """The parts as they are now: the model may have come since the last look."""
        return self._memory.components(self.config)

    @property
    def thresholds(self) -> Thresholds:
        return thresholds_in_force(self.config, self._store)

    def close(self) -> None:
        """Writes what is waiting and leaves the store to others. Closing twice is harmless; a second view closes nothing. After it every verb
        says that the memory is closed."""
        if self._own_config is None:
            self._memory.close()

    def __enter__(self) -> Self:
        self._store.require_open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def checked_config(value: object) -> Config:
    return arguments.instance(value, "config", Config, "give a pmg.Config, such as pmg.config.load(home) makes")


def check_rules(config: Config) -> None:
    """Raises for a mistake in the rules; nothing is opened."""
    _redactor(config.redact)


def redactor_for(config: Config) -> Redactor:
    """For an unlocked memory: its key is needed where redactions are kept sealed."""
    plain = _redactor(config.redact)
    if not config.redact.keep_sealed:
        return plain
    key = key_for(config.home / MEMORY)
    if key is None:
        raise ConfigError(no_key_to_seal_with(config.home))
    return plain.sealing(key.box())


@lru_cache(8)
def _redactor(wishes: RedactConfig) -> Redactor:
    """Built once for the same wishes: opening a memory asks for it more than once, and building it takes long."""
    rules = [ExtraRule(*(part.strip() for part in rule.partition("=")[::2])) for rule in wishes.rules]
    return Redactor(off=wishes.off, allow=wishes.allow, extra=rules)
