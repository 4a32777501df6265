"""Memories for the tabs' tests, taken in at once: many small ingests cost more than all else together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from pmg import config as configuration
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput
from pmg.ui.app_context import AppContext
from steward.steward import Steward
from tests.embedding import WordEmbedder
from tests.steward.memories import NOON, said


@contextmanager
def opened(home: Path) -> Iterator[AppContext]:
    engine = Engine.open(configuration.load(home, {}), embedder=WordEmbedder())
    try:
        yield AppContext(engine, Steward(engine))
    finally:
        engine.close()


def talks(engine: Engine, sessions: Mapping[str, Sequence[str]], at: Mapping[str, datetime] | None = None) -> None:
    """Sessions by name, each a list of one-line turns a minute apart."""
    times = at or {}
    engine.ingest(
        SessionInput(
            [said(text, times.get(name, NOON) + timedelta(minutes=i)) for i, text in enumerate(texts)], name, id=name
        )
        for name, texts in sessions.items()
    )
