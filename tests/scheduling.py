"""Which tests run, and in which order: the slowest files first, and for a quick look only what fits a budget.

`tests/durations.json` has the seconds of every file, measured on two quiet cores with `make durations`. Two workers share the files,
so a slow file that came last would keep one core waiting; and a budget can be filled without anybody marking tests by hand.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest

FILE = Path(__file__).with_name("durations.json")
UNKNOWN = 5.0  # seconds of a file nobody has measured yet
WORKERS = 2


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("pmg")
    group.addoption("--budget", type=float, default=0.0, help="Only the quickest files, as many as fit these seconds.")
    group.addoption(
        "--record-durations", action="store_true", help="Write the seconds of every file to durations.json."
    )


def known() -> dict[str, float]:
    return dict(json.loads(FILE.read_text(encoding="utf-8"))) if FILE.exists() else {}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    seconds = known()
    cost = {file: seconds.get(file, UNKNOWN) for file in {file_of(item.nodeid) for item in items}}
    budget = config.getoption("--budget") * WORKERS
    if budget:
        chosen = within(cost, budget)
        left_out = [item for item in items if file_of(item.nodeid) not in chosen]
        items[:] = [item for item in items if file_of(item.nodeid) in chosen]
        config.hook.pytest_deselected(items=left_out)
    # Stable: the order inside a file stays, and every worker sees the same one.
    items.sort(key=lambda item: (-cost[file_of(item.nodeid)], file_of(item.nodeid)))


def within(cost: dict[str, float], budget: float) -> set[str]:
    chosen, spent = set(), 0.0
    for file in sorted(cost, key=lambda name: (cost[name], name)):
        spent += cost[file]
        if spent > budget:
            break
        chosen.add(file)
    return chosen


def file_of(nodeid: str) -> str:
    return nodeid.partition("::")[0]


class Recorder:
    """Adds up what the reports of all workers say."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[file_of(report.nodeid)] += report.duration  # type: ignore[assignment]

    def pytest_sessionfinish(self) -> None:
        kept = {file: round(self.seconds[file], 1) for file in sorted(self.seconds)}
        FILE.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--record-durations") and "PYTEST_XDIST_WORKER" not in os.environ:
        config.pluginmanager.register(Recorder())
