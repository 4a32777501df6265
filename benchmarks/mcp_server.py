"""The server of `python -m benchmarks mcp`, in a process of its own: `python -m benchmarks.mcp_server FOLDER`.

It says where it is in one line of JSON. Each further line that comes in is a list of questions: the engine is asked them directly, and
the milliseconds of each go back, with the processor time of the whole process so far. It ends when its standard input does.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

from benchmarks.mcp_transports import BUDGET, timed
from benchmarks.speed import FileEmbedder
from pmg.config import Config, StewardConfig
from pmg.server.run import Options, Server

START = 300.0  # seconds to open the memory


def main(folder: Path) -> None:
    config = replace(Config(home=folder / "memory"), steward=StewardConfig(enabled=False))
    server = Server.claim(config, Options(embedder=FileEmbedder(folder / "vectors")))
    thread = threading.Thread(target=server.run, name="bench-server")
    thread.start()
    try:
        if not server.ready.wait(START) or server.context is None:
            raise RuntimeError(f"the memory did not open: {server.problem}")
        engine = server.context.engine
        _tell({"address": server.address, "token": server.token})
        for line in sys.stdin:
            times = timed(lambda question: engine.recall(question, budget_tokens=BUDGET), json.loads(line))
            _tell({"times": times, "processor_ms": 1000 * time.process_time()})
    finally:
        server.stop()
        thread.join()


def _tell(found: object) -> None:
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
