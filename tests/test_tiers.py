"""`make test` stays short enough to be run, and holds what guards words and secrets and what tells of loss."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.scheduling import fast_seconds
from tests.tiers import one_fast

ROOT = Path(__file__).resolve().parent.parent
MINUTES = 12
WORKERS = 4  # of `make test` on two cores, where tests/durations.json was measured
# Workers wait at the start, while they collect, and at the end, for the last of them: 5,140 s by durations.json took 24 minutes.
BUSY = 0.85
MARK = "pytest.mark.slow"

# Security and loss. Of each a part may be slow (`one_fast`), never the whole file.
GUARDS = (
    *(file.relative_to(ROOT).as_posix() for file in sorted((ROOT / "tests" / "safety").glob("test_*.py"))),
    "tests/flows/test_bad_input.py",
    "tests/flows/test_crash.py",
    "tests/flows/test_degraded.py",
    "tests/flows/test_disk_full.py",
    "tests/flows/test_namespaces.py",
    "tests/flows/test_sealed.py",
    "tests/forget/test_forget.py",
    "tests/forget/test_our_copies.py",
    "tests/forget/test_rescan.py",
    "tests/forget/test_return.py",
    "tests/pmg/test_backup.py",
    "tests/pmg/test_checkpoint.py",
    "tests/pmg/test_migrations.py",
    "tests/pmg/test_redact.py",
    "tests/pmg/test_redact_secrets.py",
    "tests/pmg/test_restore.py",
    "tests/server/test_access.py",
    "tests/server/test_guard.py",
    "tests/server/test_hosts.py",
    "tests/server/test_nothing_leaves.py",
    "tests/server/test_rest_tokens.py",
)


def marks(node: ast.FunctionDef) -> set[str]:
    return {ast.unparse(decorator) for decorator in node.decorator_list}


def fast_tests(file: str) -> list[str]:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    for node in tree.body:
        if (
            isinstance(node, ast.Assign)
            and "pytestmark" in map(ast.unparse, node.targets)
            and MARK in ast.unparse(node.value)
        ):
            return []
    tests = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    return [test.name for test in tests if MARK not in marks(test)]


def test_the_fast_tier_fits_its_minutes() -> None:
    files = [file.relative_to(ROOT).as_posix() for file in (ROOT / "tests").rglob("test_*.py")]
    assert sum(fast_seconds(files).values()) < MINUTES * 60 * WORKERS * BUSY, (
        "mark what is slow, then measure anew: make durations"
    )


@pytest.mark.parametrize("file", GUARDS)
def test_security_and_loss_are_in_the_fast_tier(file: str) -> None:
    assert fast_tests(file)


def test_a_wholly_slow_file_has_no_fast_test() -> None:
    """What the check above would find: it cannot pass by not seeing marks."""
    assert fast_tests("tests/forget/test_kill.py") == []
    assert "test_a_decision_stays_in_exports_where_the_name_is_left_in_small_letters" not in fast_tests(
        "tests/forget/test_forget.py"
    )


def test_of_a_matrix_one_case_is_fast() -> None:
    first, second, third = one_fast([("a", 1), ("b", 2), ("c", 3)])
    assert first == ("a", 1)
    assert [case.values for case in (second, third)] == [("b", 2), ("c", 3)]
    assert [[mark.name for mark in case.marks] for case in (second, third)] == [["slow"], ["slow"]]
