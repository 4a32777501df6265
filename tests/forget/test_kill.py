"""A kill −9 while something is forgotten: the next open finishes it, and nothing is left of it anywhere."""

from __future__ import annotations

import pytest

from pmg.forget.carry_out import STEPS
from tests.kills import run_rounds, times

pytestmark = pytest.mark.slow


@pytest.mark.crash
@pytest.mark.timeout(900)
def test_kills_are_finished_at_the_next_open() -> None:
    run_rounds("tests.forget.crash_worker", times(STEPS + 1))
