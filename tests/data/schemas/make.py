"""Writes the small memory of this folder with the code of the checkout it runs in: the fixture for that checkout's schema.

With every new migration, in the root of the checkout (of an older schema, in a checkout of its commit):

    PYTHONPATH=. python tests/data/schemas/make.py tests/data/schemas/v12.duckdb.gz
"""

from __future__ import annotations

import gzip
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from pmg import config as configuration
from pmg.base.model import Kind
from pmg.engine import Engine
from tests.embedding import WordEmbedder

TURNS = (
    ("The cat has to see the vet on Monday.", "Noted: the vet on Monday."),
    ("Mia's sourdough needs 500 g of flour. Did I say that the oven is broken?", "You did not."),
    ("My landlord raised the rent to 950 euros.", "That is 50 more than before."),
)


def main(file: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "memory"
        engine = Engine.open(configuration.load(home, {}), embedder=WordEmbedder())
        for number, turns in enumerate((TURNS, TURNS[:1])):
            at = datetime(2026, 3, 1 + number, 9, 30, tzinfo=UTC)
            with engine.session(f"Older memory {number}", session_id=f"older-{number}", started_at=at) as session:
                for asked, answered in turns:
                    session.add(user=asked, assistant=answered, at=at)
        engine.link("seg_older-1_0", "seg_older-0_2", Kind.RELATED_TO)
        engine.recall("What does the sourdough need?")
        if extract := getattr(engine, "extract", None):  # schemas before 8 have no claims
            extract()
        engine.close()
        file.write_bytes(gzip.compress((home / "memory.duckdb").read_bytes(), mtime=0))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
