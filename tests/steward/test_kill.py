"""A kill −9 during merge, archive or backup: each memory is in exactly one state, and the next run carries on."""

from __future__ import annotations

import pytest

from tests.kills import run_rounds, times

pytestmark = pytest.mark.slow


@pytest.mark.crash
@pytest.mark.timeout(900)
def test_kills_leave_a_whole_memory() -> None:
    run_rounds("tests.steward.crash_worker", times(8))
