"""How much MCP adds to a recall: over HTTP and over stdio, against the engine's own in the same run.

Knows: a synthetic memory of any size, a server on it in a process of its own (mcp_server.py), and what to time. The three ways take turns, so
that a machine that is slower for a while is slower for all of them. Processor time where it is the start-up of `pmg mcp`: a client starts it
with every window, on whatever else the machine does. No embedding model is in the figures.
"""

from __future__ import annotations

import http.client
import json
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.mcp_transports import BenchServer, HttpTransport, StdioTransport, served, start_up, timed
from benchmarks.speed import RowEmbedder, make_sessions, make_vectors
from pmg.base.text import tokens
from pmg.config import Config
from pmg.engine import Engine

ROUNDS = 5
TIMES = 40  # recalls of each way in a round
STARTS = 7
CLIENTS = 20
CALLS = 20  # of each client
ADDED = 10.0  # milliseconds that MCP may add
START = 150.0  # milliseconds of processor time that `pmg mcp` may take until its first answer
TOKENS = 1_500  # that the tool list may cost
Way = Callable[[Sequence[str]], list[float]]  # questions to the milliseconds of each


@dataclass(frozen=True, slots=True)
class McpTiming:
    """Milliseconds at the middle (p50), for one size. `…_cpu_ms` is processor time of the server for a recall: it says the same on a busy machine."""

    segments: int
    engine_ms: float
    http_ms: float
    stdio_ms: float
    engine_cpu_ms: float
    http_cpu_ms: float
    start_ms: float  # processor time
    list_tokens: int
    clients: int
    per_second: float  # recalls of all clients together

    @property
    def added_ms(self) -> float:
        return max(self.http_ms, self.stdio_ms) - self.engine_ms

    @property
    def reached(self) -> bool:
        return self.added_ms <= ADDED and self.start_ms <= START and self.list_tokens <= TOKENS


def questions(seed: int, count: int, segments: int) -> list[str]:
    """Ever other words and vectors of the synthetic memory, with word frequencies as in a language."""
    random = np.random.default_rng(seed)
    rows = np.minimum(random.zipf(1.3, (count, 8)), 30_000)
    near = random.integers(0, segments, count)
    return [" ".join(f"w{w}" for w in row) + f" #{int(i)}" for row, i in zip(rows, near, strict=True)]


def run(sizes: Sequence[int], on_result: Callable[[McpTiming], None]) -> list[McpTiming]:
    """Results are told as they come."""
    found = []
    for size in sizes:
        with tempfile.TemporaryDirectory() as scratch:
            found.append(measure(size, Path(scratch)))
        on_result(found[-1])
    return found


def measure(segments: int, folder: Path) -> McpTiming:
    vectors = make_vectors(segments)
    vectors.tofile(folder / "vectors")
    home = folder / "memory"
    with Engine.open(Config(home=home), embedder=RowEmbedder(vectors)) as engine:
        engine.ingest(make_sessions(segments))
        engine.extract()  # else the server would read claims in the background while it is timed
    del vectors
    with served(folder) as server, HttpTransport(server.address, server.token) as web:
        start_ms = float(np.median([start_up(home) for _ in range(STARTS)]))
        listed = web.ask("tools/list", {})["tools"]
        told = web.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}})  # fmt: skip
        with StdioTransport(home) as pump:
            ways = {"engine": server.recalls, "http": _over(web), "stdio": _over(pump)}
            p50, used = _in_turn(server, ways, segments)
        per_second = crowd(server, segments)
    size = tokens(json.dumps({"tools": listed}, separators=(",", ":"), ensure_ascii=False) + told["instructions"])
    times = (p50["engine"], p50["http"], p50["stdio"], used["engine"], used["http"])
    return McpTiming(segments, *times, start_ms, size, CLIENTS, per_second)


def _in_turn(server: BenchServer, ways: dict[str, Way], segments: int) -> tuple[dict[str, float], dict[str, float]]:
    """Milliseconds of each way, and those of the server's processor. The first round warms caches; who comes first changes from round to round."""
    found: dict[str, list[float]] = {name: [] for name in ways}
    used = dict.fromkeys(ways, 0.0)
    names = list(ways)
    for turn in range(ROUNDS + 1):
        for place in range(len(names)):
            name = names[(turn + place) % len(names)]
            before = server.processor_ms()
            times = ways[name](questions(100 * turn + place, TIMES, segments))
            if turn:
                used[name] += (server.processor_ms() - before) / (ROUNDS * TIMES)
                found[name] += times
    return {name: float(np.percentile(times, 50)) for name, times in found.items()}, used


def _over(way: HttpTransport | StdioTransport) -> Way:
    def recalls(asked: Sequence[str]) -> list[float]:
        way.wake()
        return timed(way.recall, asked)

    return recalls


def crowd(server: BenchServer, segments: int) -> float:
    """Recalls a second of all clients at once, each with a connection of its own."""
    ready = threading.Barrier(CLIENTS + 1)
    problems: list[BaseException] = []

    def client(number: int) -> None:
        with HttpTransport(server.address, server.token) as way:
            asked = questions(10_000 + number, CALLS, segments)
            ready.wait()
            try:
                timed(way.recall, asked)
            except (OSError, RuntimeError, http.client.HTTPException) as problem:  # told below: a thread has nobody
                problems.append(problem)

    threads = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    ready.wait()
    begun = time.perf_counter()
    for thread in threads:
        thread.join()
    if problems:
        raise RuntimeError(f"{len(problems)} of {CLIENTS} clients at once failed, the first with {problems[0]!r}")
    return CLIENTS * CALLS / (time.perf_counter() - begun)
