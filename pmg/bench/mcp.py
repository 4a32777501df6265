"""How much MCP adds to a recall: over HTTP and over stdio, against the engine's own in the same run.

Knows: a synthetic memory of any size, a server on it in a process of its own (mcp_server.py), and what to time. The three ways take turns, so
that a machine that is slower for a while is slower for all of them. Processor time where it is the start-up of `pmg mcp`: a client starts it
with every window, on whatever else the machine does. No embedding model is in the figures.
"""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from pmg.bench.speed import RowEmbedder, make_sessions, make_vectors
from pmg.config import Config
from pmg.engine import Engine
from pmg.text import tokens

ROUNDS = 5
TIMES = 40  # recalls of each way in a round
STARTS = 7
CLIENTS = 20
CALLS = 20  # of each client
BUDGET = 1_500  # tokens: what the tool takes unless told
ADDED = 10.0  # milliseconds that MCP may add
START = 150.0  # milliseconds of processor time that `pmg mcp` may take until its first answer
TOKENS = 1_500  # that the tool list may cost
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class McpTiming:
    """Milliseconds at the middle (p50), for one size."""

    segments: int
    engine_ms: float
    http_ms: float
    stdio_ms: float
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


def timed(ask: Callable[[str], object], asked: Sequence[str]) -> list[float]:
    found = []
    for question in asked:
        begun = time.perf_counter()
        ask(question)
        found.append(1000 * (time.perf_counter() - begun))
    return found


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
    del vectors
    with served(folder) as server, HttpWay(server.address, server.token) as web:
        start_ms = float(np.median([start_up(home) for _ in range(STARTS)]))
        listed = web.ask("tools/list", {})["tools"]
        told = web.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}})  # fmt: skip
        with StdioWay(home) as pump:
            ways = {"engine": server.recalls, "http": _over(web), "stdio": _over(pump)}
            p50 = _in_turn(ways, segments)
        per_second = crowd(server, segments)
    size = tokens(json.dumps({"tools": listed}, separators=(",", ":"), ensure_ascii=False) + told["instructions"])
    return McpTiming(segments, p50["engine"], p50["http"], p50["stdio"], start_ms, size, CLIENTS, per_second)


def _in_turn(ways: dict[str, Callable[[Sequence[str]], list[float]]], segments: int) -> dict[str, float]:
    """The first round warms caches. Who comes first changes from round to round."""
    found: dict[str, list[float]] = {name: [] for name in ways}
    names = list(ways)
    for turn in range(ROUNDS + 1):
        for place in range(len(names)):
            name = names[(turn + place) % len(names)]
            times = ways[name](questions(100 * turn + place, TIMES, segments))
            found[name] += times if turn else []
    return {name: float(np.percentile(times, 50)) for name, times in found.items()}


def _over(way: HttpWay | StdioWay) -> Callable[[Sequence[str]], list[float]]:
    return lambda asked: timed(way.recall, asked)


def crowd(server: BenchServer, segments: int) -> float:
    """Recalls a second of all clients at once, each with a connection of its own."""
    ready = threading.Barrier(CLIENTS + 1)
    problems: list[BaseException] = []

    def client(number: int) -> None:
        with HttpWay(server.address, server.token) as way:
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


def request(method: str, params: Json, number: int = 1) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()


def recall_params(question: str) -> Json:
    return {"name": "recall", "arguments": {"question": question, "budget_tokens": BUDGET}}


def _result(told: Json) -> Json:
    found: Json = told.get("result", {})
    if "error" in told or found.get("isError"):
        raise RuntimeError(f"the server refused: {str(told)[:300]}")
    return found


@dataclass
class HttpWay:
    """One client with one connection that stays."""

    address: str
    token: str
    _link: http.client.HTTPConnection = field(init=False)

    def __post_init__(self) -> None:
        parts = urlsplit(self.address)
        self._link = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=120)

    def ask(self, method: str, params: Json) -> Json:
        accept = "application/json, text/event-stream"
        headers = {"authorization": f"Bearer {self.token}", "content-type": "application/json", "accept": accept}
        self._link.request("POST", "/mcp", request(method, params), headers)
        body = self._link.getresponse().read()
        lines = [line[5:] for line in body.splitlines() if line.startswith(b"data:")] or [body]
        return _result(json.loads(lines[-1]))

    def recall(self, question: str) -> Json:
        return self.ask("tools/call", recall_params(question))

    def __enter__(self) -> HttpWay:
        return self

    def __exit__(self, *_: object) -> None:
        self._link.close()


class StdioWay:
    """One `pmg mcp`, as a tool starts it."""

    def __init__(self, home: Path) -> None:
        self._pump = subprocess.Popen(pump_words(home), stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, method: str, params: Json) -> Json:
        assert self._pump.stdin is not None and self._pump.stdout is not None
        self._pump.stdin.write(request(method, params) + b"\n")
        self._pump.stdin.flush()
        return _result(json.loads(self._pump.stdout.readline()))

    def recall(self, question: str) -> Json:
        return self.ask("tools/call", recall_params(question))

    def __enter__(self) -> StdioWay:
        return self

    def __exit__(self, *_: object) -> None:
        self._pump.communicate(timeout=30)


def pump_words(home: Path) -> list[str]:
    return [sys.executable, "-m", "pmg", "--home", str(home), "mcp"]


def start_up(home: Path) -> float:
    """Milliseconds of processor time from start to end of a `pmg mcp` that answers one request."""
    pump = subprocess.Popen(pump_words(home), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert pump.stdin is not None and pump.stdout is not None
    pump.stdin.write(request("tools/list", {}) + b"\n")
    pump.stdin.close()
    told = _result(json.loads(pump.stdout.readline()))
    assert told["tools"]
    pump.stdout.close()
    _, status, used = os.wait4(pump.pid, 0)
    pump.returncode = os.waitstatus_to_exitcode(status)
    return 1000 * (used.ru_utime + used.ru_stime)


@dataclass(frozen=True)
class BenchServer:
    """The other process: a server, which on demand times the engine that it serves."""

    address: str
    token: str
    process: subprocess.Popen[str]

    def recalls(self, asked: Sequence[str]) -> list[float]:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(list(asked)) + "\n")
        self.process.stdin.flush()
        found: list[float] = json.loads(self.process.stdout.readline())
        return found


@contextmanager
def served(folder: Path) -> Iterator[BenchServer]:
    words = [sys.executable, "-m", "pmg.bench.mcp_server", str(folder)]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        if not first:
            raise RuntimeError("the server of the benchmark did not come up; what it said stands above")
        told = json.loads(first)
        yield BenchServer(told["address"], told["token"], process)
    finally:
        process.communicate(timeout=120)
