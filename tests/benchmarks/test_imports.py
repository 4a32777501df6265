"""The import benchmark measures what it says it does."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.imports import ImportSpeed, conversations, make_export, timed

MB = 0.2


@pytest.fixture(scope="module")
def speed(tmp_path_factory: pytest.TempPathFactory) -> ImportSpeed:
    folder = tmp_path_factory.mktemp("import")
    make_export(folder / "export.zip", MB)
    return timed(folder / "export.zip", folder / "home", MB)


def test_everything_in_the_export_is_counted(speed: ImportSpeed) -> None:
    made = [json.loads(text) for text in conversations(MB)]
    messages = sum(node["message"] is not None for one in made for node in one["mapping"].values())
    assert (speed.conversations, speed.messages, speed.turns) == (len(made), messages, messages // 2)


def test_the_floor_is_below_the_import(speed: ImportSpeed) -> None:
    assert 0 < speed.floor_decode < speed.seconds
    assert 0 < speed.floor_insert < speed.seconds


def test_both_rates_and_the_floor_are_told_plainly(speed: ImportSpeed) -> None:
    told = replace(speed, seconds=2.0, messages=8_000, turns=4_000, floor_decode=0.3, floor_insert=0.2).text()
    assert "4,000 messages/s, 2,000 exchanges/s (goal 3,000 turns/s)" in told
    assert "json.loads of the file 0.3 s, its rows into empty tables 0.2 s; the import takes 4.0 times that" in told


def test_the_export_is_the_same_every_time(tmp_path: Path) -> None:
    for name in ("one.zip", "two.zip"):
        make_export(tmp_path / name, 0.05)
    first, second = (zipfile.ZipFile(tmp_path / name).read("conversations.json") for name in ("one.zip", "two.zip"))
    assert first == second
    assert len(first) >= 0.05 * 1024 * 1024
