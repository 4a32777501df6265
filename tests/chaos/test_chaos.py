"""A short part of `make chaos`: torn writes, kills, damage and a full disk lose nothing that was acknowledged."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chaos import tear, verbs
from tests.chaos.damaged import CAMPAIGNS
from tests.chaos.run import campaign

pytestmark = [pytest.mark.slow, pytest.mark.crash]


@pytest.fixture
def folder() -> Iterator[Path]:
    place = Path(tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
    yield place
    shutil.rmtree(place, ignore_errors=True)


def test_a_torn_write_at_any_point_of_any_verb_loses_nothing(folder: Path) -> None:
    if tear.compiler() is None:
        pytest.skip("no C compiler is here to build the library that tears writes")
    assert campaign(folder, "tests.chaos.torn", len(verbs.NAMES), 1, tear.build(folder)) == ""


def test_kills_damage_and_full_disks_lose_nothing(folder: Path) -> None:
    assert campaign(folder, "tests.chaos.damaged", 2 * len(CAMPAIGNS), 1) == ""
