"""The ways to ask a memory over MCP that `python -m benchmarks mcp` times: one connection, one `pmg mcp`, and the server itself in another process.

What is timed, and how often, stands in mcp.py.
"""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

BUDGET = 1_500  # tokens: what the tool takes unless told
Json = dict[str, Any]


def timed(ask: Callable[[str], object], asked: Sequence[str]) -> list[float]:
    found = []
    for question in asked:
        begun = time.perf_counter()
        ask(question)
        found.append(1000 * (time.perf_counter() - begun))
    return found


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
class HttpTransport:
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

    def wake(self) -> None:
        """A connection that was idle while others had their turn may be gone."""
        self._link.close()
        self.ask("tools/list", {})

    def recall(self, question: str) -> Json:
        return self.ask("tools/call", recall_params(question))

    def __enter__(self) -> HttpTransport:
        return self

    def __exit__(self, *_: object) -> None:
        self._link.close()


class StdioTransport:
    """One `pmg mcp`, as a tool starts it."""

    def __init__(self, home: Path) -> None:
        self._pump = subprocess.Popen(pump_words(home), stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, method: str, params: Json) -> Json:
        assert self._pump.stdin is not None and self._pump.stdout is not None
        self._pump.stdin.write(request(method, params) + b"\n")
        self._pump.stdin.flush()
        return _result(json.loads(self._pump.stdout.readline()))

    def wake(self) -> None:
        self.ask("tools/list", {})

    def recall(self, question: str) -> Json:
        return self.ask("tools/call", recall_params(question))

    def __enter__(self) -> StdioTransport:
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
        found: list[float] = self._ask(asked)["times"]
        return found

    def processor_ms(self) -> float:
        """What the whole process has used so far."""
        return float(self._ask(())["processor_ms"])

    def _ask(self, asked: Sequence[str]) -> Json:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(list(asked)) + "\n")
        self.process.stdin.flush()
        found: Json = json.loads(self.process.stdout.readline())
        return found


@contextmanager
def served(folder: Path) -> Iterator[BenchServer]:
    words = [sys.executable, "-m", "benchmarks.mcp_server", str(folder)]
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
