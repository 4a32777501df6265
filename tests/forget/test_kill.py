"""A kill −9 while something is forgotten: the next open finishes it, and nothing is left of it anywhere."""

from __future__ import annotations

import pytest

from tests.kills import run_rounds


@pytest.mark.crash
@pytest.mark.timeout(900)
def test_twenty_four_kills_are_finished_at_the_next_open() -> None:
    run_rounds("tests.forget.crash_worker", 24)
