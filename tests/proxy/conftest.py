"""One running server a test file, without its page, and upstreams that are added to it while it runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count

import pytest

from pmg.base.model import Session
from pmg.proxy import upstreams
from tests.browser.conftest import Served, serving
from tests.proxy.upstream_server import Script, UpstreamServer, upstream_serving

_NUMBERS = count()


@dataclass
class Proxied:
    """An upstream and the address that stands in its place."""

    served: Served
    upstream: UpstreamServer
    name: str

    @property
    def url(self) -> str:
        return f"{self.served.address}/u/{self.name}"

    def settle(self) -> None:
        """An answer is through before its copy is read; what is not read yet is held."""
        end = time.monotonic() + 60
        while self.served.server.proxy.captures.held.held:
            assert time.monotonic() < end
            time.sleep(0.005)

    @property
    def sessions(self) -> list[Session]:
        self.settle()
        return [one for one in self.served.engine.reads.sessions() if one.source.endswith(f"through {self.name}")]

    def lines(self) -> list[str]:
        sessions = sorted(self.sessions, key=lambda one: one.started_at)
        turns = [turn for one in sessions for turn in self.served.engine.reads.segments_of(one.id)]
        return [f"{line.role.value}: {line.text}" for turn in turns for line in turn.lines]

    def marks(self) -> list[str]:
        return [
            turn.meta.get("partial", "")
            for one in self.sessions
            for turn in self.served.engine.reads.segments_of(one.id)
        ]

    @property
    def said(self) -> list[str]:
        """What became of the exchanges, the oldest first."""
        self.settle()
        return [one.outcome for one in reversed(self.served.server.proxy.captures.last()) if one.upstream == self.name]


Through = Callable[..., Proxied]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    yield from serving(tmp_path_factory.mktemp("proxy") / "memory", {"steward": {"enabled": False}}, page=False)


@pytest.fixture
def through(served: Served) -> Iterator[Through]:
    """through(script, kind="openai", base="/v1") adds an upstream that says what the script says."""
    with ExitStack() as stack:

        def put(script: Script, kind: str = "openai", base: str = "/v1") -> Proxied:
            upstream = stack.enter_context(upstream_serving(script))
            name = f"{kind}-{next(_NUMBERS)}"
            upstreams.add(served.home, upstreams.checked(name, kind, upstream.url + base))
            return Proxied(served, upstream, name)

        yield put
