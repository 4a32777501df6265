"""Our own labelled pairs through the guard that merging asks: nothing that differs passes, whatever its cosine."""

from __future__ import annotations

import json
from pathlib import Path

from pmg.base.model import Line, Role, Segment, State
from pmg.ingest.guard import blocks
from tests.steward.memories import NOON

PAIRS = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "data" / "duplicate_pairs.jsonl").read_text("utf-8").splitlines()
    if line.strip()
]


def as_segment(text: str) -> Segment:
    line = Line("User", Role.USER, text)
    return Segment(1, "seg_x_0", "x", 0, "default", NOON, (line,), State.ACTIVE, "", 0, None, False, (), 0.5)


def blocked(pair: dict[str, str]) -> bool:
    return bool(blocks(as_segment(pair["a"]), as_segment(pair["b"])))


def test_there_are_enough_pairs_of_every_kind() -> None:
    assert len(PAIRS) >= 2000
    assert sum(pair["same"] for pair in PAIRS) >= 700
    kinds = {pair["kind"].split()[0].split("-")[0] for pair in PAIRS}
    assert {"paraphrase", "negation", "number", "date", "name", "role", "tense", "question"} <= kinds


def test_no_pair_that_differs_passes_the_guard_whatever_its_cosine() -> None:
    assert [pair for pair in PAIRS if not pair["same"] and not blocked(pair)] == []
