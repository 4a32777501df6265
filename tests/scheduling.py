"""Which tests run, and in which order: the slowest files first, and for a quick look only what fits a budget.

`tests/durations.json` has the seconds of every file, apart for the fast and the slow tier (marker `slow`), measured on two quiet cores with
`make durations`. Workers share the files, so a slow file that came last would keep the cores waiting; and a budget can be filled without
anybody marking tests by hand.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

FILE = Path(__file__).with_name("durations.json")
FAST, SLOW = "fast", "slow"
UNKNOWN = 5.0  # seconds of a file nobody has measured yet
CORES = 2
CHOSEN = pytest.StashKey[set[str]]()
Seconds = dict[str, dict[str, float]]  # of a tier, of a file


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("pmg")
    group.addoption("--budget", type=float, default=0.0, help="Only the quickest files, as many as fit these seconds.")
    group.addoption(
        "--record-durations", action="store_true", help="Write the seconds of every file to durations.json."
    )


def known() -> Seconds:
    measured = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    return {FAST: {}, SLOW: {}, **measured}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With a budget, what does not fit is not even imported: to import all tests takes as long as the quickest of them run."""
    budget = config.getoption("--budget") * CORES
    if not budget or collection_path.suffix != ".py":
        return None
    return True if _named(collection_path, config) not in _chosen(config, budget) else None


def _chosen(config: pytest.Config, budget: float) -> set[str]:
    if CHOSEN not in config.stash:
        files = [_named(file, config) for file in FILE.parent.rglob("test_*.py")]
        config.stash[CHOSEN] = within(fast_seconds(files), budget)
    return config.stash[CHOSEN]


def fast_seconds(files: list[str]) -> dict[str, float]:
    """What each file takes in the fast tier: those that are slow as a whole are left out."""
    seconds = known()
    return {
        file: seconds[FAST].get(file, UNKNOWN) for file in files if file in seconds[FAST] or file not in seconds[SLOW]
    }


def _named(file: Path, config: pytest.Config) -> str:
    return file.relative_to(config.rootpath).as_posix()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """After `-m` has left out a tier. Stable: the order inside a file stays, and every worker sees the same one."""
    seconds = known()
    cost: Counter[str] = Counter()
    for file, tier in {(file_of(item.nodeid), tier_of(item.keywords)) for item in items}:
        cost[file] += seconds[tier].get(file, UNKNOWN)  # type: ignore[assignment]
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


def tier_of(keywords: Mapping[str, object]) -> str:
    return SLOW if SLOW in keywords else FAST


class Recorder:
    """Adds up what the reports of all workers say."""

    def __init__(self) -> None:
        self.seconds: dict[str, Counter[str]] = {FAST: Counter(), SLOW: Counter()}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[tier_of(report.keywords)][file_of(report.nodeid)] += report.duration  # type: ignore[assignment]

    def pytest_sessionfinish(self) -> None:
        kept = {tier: {file: round(files[file], 1) for file in sorted(files)} for tier, files in self.seconds.items()}
        FILE.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--record-durations") and "PYTEST_XDIST_WORKER" not in os.environ:
        config.pluginmanager.register(Recorder())
