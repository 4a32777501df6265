"""The memory of two namespaces, made once a file: the questions only read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pmg import config as configuration
from pmg.engine import Engine
from tests.analytics.memory import two_namespaces
from tests.embedding import WordEmbedder


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    home: Path = tmp_path_factory.mktemp("analytics") / "memory"
    config = configuration.with_values(configuration.load(home, {}), {"steward": {"topic_size": 2}}, "the test")
    with Engine.open(config, embedder=WordEmbedder()) as engine:
        yield two_namespaces(engine)
