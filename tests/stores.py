"""The store inside an open engine, for tests that plant something in it or look at its rows."""

from __future__ import annotations

from pmg.engine import Engine
from pmg.store.duckdb.store import DuckStore


def store_of(engine: Engine) -> DuckStore:
    store = engine._memory.store
    assert isinstance(store, DuckStore)
    return store
