"""`python -m benchmarks proxy` measures a real server and a real upstream; how fast they are is not for a test."""

from __future__ import annotations

import pytest

from benchmarks import proxy


@pytest.mark.slow
def test_both_ways_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("ROUNDS", 1), ("TIMES", 3), ("STREAMS", 4), ("PIECES", 3)):
        monkeypatch.setattr(proxy, name, value)
    found = proxy.measure(megabytes=3)
    assert min(found.direct_p50, found.proxy_p50, found.streams_direct, found.streams_proxy) > 0
    assert (found.streams, found.streamed) == (4, 3)
