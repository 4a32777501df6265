"""A process that imports and is killed: it says each group it has stored, and goes on until somebody ends it."""

from __future__ import annotations

import sys
from pathlib import Path

from pmg import config as configuration
from pmg.engine import Engine
from pmg.importers import import_run
from tests.embedding import WordEmbedder

if __name__ == "__main__":
    import_run.GROUP_TURNS = 20
    stored = import_run.import_batch

    def telling(*arguments: object) -> bool:
        done = stored(*arguments)  # type: ignore[arg-type]
        print("stored", flush=True)
        return done

    import_run.import_batch = telling  # type: ignore[assignment]
    with Engine.open(configuration.load(Path(sys.argv[1]), {}), embedder=WordEmbedder()) as engine:
        import_run.import_paths(engine, [Path(sys.argv[2])])
        print("done", flush=True)
