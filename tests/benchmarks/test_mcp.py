"""`python -m benchmarks mcp` measures a real server, a real pump and real connections; how fast they are is not for a test."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks import mcp
from benchmarks.__main__ import load_commands
from benchmarks.commands.recall import bench
from benchmarks.mcp import McpTiming

pytestmark = pytest.mark.slow


def test_questions_are_the_same_on_every_machine_and_differ_from_each_other() -> None:
    asked = mcp.questions(1, 50, 1_000)
    assert asked == mcp.questions(1, 50, 1_000) and len(set(asked)) == 50
    assert asked != mcp.questions(2, 50, 1_000)
    assert all(int(one.rsplit("#", 1)[1]) < 1_000 for one in asked)


@pytest.mark.parametrize(
    ("timing", "reached"),
    [
        (McpTiming(10, 20.0, 29.0, 30.0, 9.0, 9.0, 150.0, 1_500, 20, 1.0), True),
        (McpTiming(10, 20.0, 31.0, 30.0, 9.0, 9.0, 100.0, 900, 20, 1.0), False),
        (McpTiming(10, 20.0, 21.0, 31.0, 9.0, 9.0, 100.0, 900, 20, 1.0), False),
        (McpTiming(10, 20.0, 21.0, 22.0, 9.0, 9.0, 151.0, 900, 20, 1.0), False),
        (McpTiming(10, 20.0, 21.0, 22.0, 9.0, 9.0, 100.0, 1_501, 20, 1.0), False),
    ],
)
def test_a_size_is_within_what_is_allowed_only_if_every_figure_is(timing: McpTiming, reached: bool) -> None:
    assert timing.reached is reached


@pytest.mark.parametrize("sizes", ["", "many", "99", "1000,0"])
def test_sizes_that_make_no_sense_are_refused(sizes: str) -> None:
    load_commands()
    done = CliRunner().invoke(bench, ["mcp", "--segments", sizes])
    assert done.exit_code == 1 and "write it like" in done.output


@pytest.mark.slow
def test_a_small_memory_is_measured_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"ROUNDS": 1, "TIMES": 2, "STARTS": 1, "CLIENTS": 3, "CALLS": 2}.items():
        monkeypatch.setattr(mcp, name, value)
    found = mcp.measure(200, tmp_path)
    assert (found.segments, found.clients) == (200, 3)
    assert min(found.engine_ms, found.http_ms, found.stdio_ms, found.http_cpu_ms, found.start_ms, found.per_second) > 0
    assert 500 < found.list_tokens < mcp.TOKENS
