"""The ready parts that ingest and recall work on, put together once by the engine.

The engine (pmg/engine) makes the parts and gives them to nobody above it for writing.
"""

from __future__ import annotations

from dataclasses import dataclass

from pmg.config import Config
from pmg.embed.embedder import Embedder
from pmg.embed.thresholds import Thresholds
from pmg.index.indexes import Indexes
from pmg.store.contract import Store


@dataclass(frozen=True, slots=True)
class Components:
    """`embedder` is None while the model is absent or loading: everything then works on words and the chain."""

    config: Config
    store: Store
    indexes: Indexes
    embedder: Embedder | None
    thresholds: Thresholds
