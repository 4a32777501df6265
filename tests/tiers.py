"""For the two tiers of tests: `make test` and `make test-slow` (marker `slow`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def one_fast(cases: Iterable[Any]) -> list[Any]:
    """The cases of a matrix for `parametrize`: the first in the fast tier, the others in the slow one."""
    first, *others = cases
    return [first, *(_slow(case) for case in others)]


def _slow(case: Any) -> Any:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.slow)
