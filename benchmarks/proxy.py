"""How much later an answer comes through the proxy than directly, in the same run: the first byte, many streams at once, and memory.

Upstream and server are processes of their own. The two ways take turns, so that a machine that is slower for a while is slower for both.
"""

from __future__ import annotations

import http.client
import itertools
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

from benchmarks.mcp_transports import served
from benchmarks.speed import RowEmbedder, make_sessions, make_vectors
from pmg.config import Config
from pmg.engine import Engine
from pmg.proxy import upstreams

SEGMENTS = 100
ROUNDS, TIMES = 8, 50  # and requests of each way in a round
STREAMS = 100  # at once
PIECES, PAUSE = 50, 0.02  # of each stream, and seconds between two
ADDED_P50, ADDED_P99 = 3.0, 15.0  # milliseconds that the proxy may add
PIECE = 60_000  # bytes of each piece of the large stream
GROWTH = 100  # MiB that the server may grow by over it


@dataclass(frozen=True, slots=True)
class ProxyTiming:
    """Milliseconds to the first byte; seconds for all streams; MiB."""

    direct_p50: float
    direct_p99: float
    proxy_p50: float
    proxy_p99: float
    streams: int
    streams_direct: float
    streams_proxy: float
    streamed: int
    grown: float | None

    @property
    def reached(self) -> bool:
        fast = self.proxy_p50 - self.direct_p50 <= ADDED_P50 and self.proxy_p99 - self.direct_p99 <= ADDED_P99
        return fast and (self.grown is None or self.grown <= GROWTH)


@dataclass(frozen=True, slots=True)
class Way:
    """One of the two addresses."""

    base: str

    def connect(self) -> http.client.HTTPConnection:
        parts = urlsplit(self.base)
        return http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=300)

    def ask(
        self, link: http.client.HTTPConnection, words: str, pieces: int, size: int, pause: float
    ) -> http.client.HTTPResponse:
        body = {"messages": [{"role": "user", "content": words}], "pieces": pieces, "size": size, "pause": pause}
        path = f"{urlsplit(self.base).path}/chat/completions"
        link.request("POST", path, json.dumps(body).encode(), {"content-type": "application/json"})
        return link.getresponse()


def measure(megabytes: int) -> ProxyTiming:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        vectors = make_vectors(SEGMENTS)
        vectors.tofile(folder / "vectors")
        with Engine.open(Config(home=folder / "memory"), embedder=RowEmbedder(vectors)) as engine:
            engine.ingest(make_sessions(SEGMENTS))
        with _upstream() as address, served(folder) as server:
            upstreams.add(folder / "memory", upstreams.checked("bench", "openai", address))
            ways = (Way(address), Way(f"{server.address}/u/bench"))
            direct, proxied = _first_bytes(ways)
            together = [_streams(way) for way in ways]
            grown = _large(ways[1], megabytes, server.process.pid)
    p50, p99 = ([float(np.percentile(times, at)) for times in (direct, proxied)] for at in (50, 99))
    return ProxyTiming(p50[0], p99[0], p50[1], p99[1], STREAMS, together[0], together[1], megabytes, grown)


@contextmanager
def _upstream() -> Iterator[str]:
    words = [sys.executable, "-m", "benchmarks.proxy_upstream"]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.communicate(timeout=30)


def _first_bytes(ways: tuple[Way, Way]) -> tuple[list[float], list[float]]:
    """The first round warms what is warm later."""
    found: tuple[list[float], list[float]] = ([], [])
    numbers = itertools.count()
    for turn in range(ROUNDS + 1):
        for at in (0, 1) if turn % 2 else (1, 0):
            link = ways[at].connect()
            for _ in range(TIMES):
                begun = time.perf_counter()
                answer = ways[at].ask(link, f"question {next(numbers)}", 3, 100, 0)
                answer.read(1)
                if turn:
                    found[at].append(1_000 * (time.perf_counter() - begun))
                answer.read()
            link.close()
    return found


def _streams(way: Way) -> float:
    """Seconds for all of them; raises where one does not come to its end."""
    ended = []

    def one(number: int) -> None:
        link = way.connect()
        answer = way.ask(link, f"stream {number}", PIECES, 100, PAUSE)
        if answer.read().count(b"data: ") == PIECES:
            ended.append(number)
        link.close()

    threads = [threading.Thread(target=one, args=(number,)) for number in range(STREAMS)]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(ended) < STREAMS:
        raise RuntimeError(f"only {len(ended)} of {STREAMS} streams at once came to their end through {way.base}")
    return time.perf_counter() - begun


def _large(way: Way, megabytes: int, process: int) -> float | None:
    before = _peak(process)
    link = way.connect()
    answer = way.ask(link, "a large one", megabytes * 1_000_000 // PIECE, PIECE, 0)
    while answer.read(1 << 20):
        pass
    link.close()
    after = _peak(process)
    return None if before is None or after is None else after - before


def _peak(process: int) -> float | None:
    """The most memory that it ever had, in MiB, where the system tells."""
    file = Path(f"/proc/{process}/status")
    rows = file.read_text().splitlines() if file.exists() else []
    return next((int(row.split()[1]) / 1_024 for row in rows if row.startswith("VmHWM")), None)
