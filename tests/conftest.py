"""What every test may ask for: a home of its own, a memory on the readable stand-in, the benchmark data if it is there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pmg import config as configuration
from pmg.engine import Engine
from pmg.store.duckdb import database
from tests.chromium import browser, watch
from tests.embedding import WordEmbedder

__all__ = ["browser", "watch"]  # fixtures of the stories in a real browser

pytest_plugins = ["tests.scheduling"]
# The suite has a worker for every core already: a second thread for a handful of rows costs a third more than it brings.
database._SETTINGS["threads"] = "1"
SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "data"


@pytest.fixture(autouse=True)
def no_settings_of_the_person(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("PMG_"):
            monkeypatch.delenv(name)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "memory"


@pytest.fixture
def open_engine(home: Path) -> Iterator[Callable[..., Engine]]:
    """Opens (and closes at the end) engines on one home, with the stand-in model."""
    opened: list[Engine] = []

    def open_one(**options: object) -> Engine:
        values = options.pop("config", {})
        embedder = options.pop("embedder", WordEmbedder())
        config = configuration.with_values(configuration.load(home, {}), values, "the test")  # type: ignore[arg-type]
        engine = Engine.open(config, embedder=embedder, **options)  # type: ignore[arg-type]
        opened.append(engine)
        return engine

    yield open_one
    for engine in opened:
        engine.close()


@pytest.fixture
def engine(open_engine: Callable[..., Engine]) -> Engine:
    return open_engine()


@pytest.fixture
def shared_data() -> Path:
    if not SHARED.is_dir():
        pytest.skip("the benchmark data folder ../shared/data is not beside the checkout")
    return SHARED
