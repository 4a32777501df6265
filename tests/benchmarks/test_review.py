"""What the review list finds of known pairs is counted as it is shown, and beside likeness alone."""

from __future__ import annotations

from pathlib import Path

from benchmarks import review
from benchmarks.cases import RAW, BenchQuestion, Case, Gold, LineRef
from pmg.base.model import Turn
from pmg.ingest.turns import SessionInput, exchange
from tests.embedding import WordEmbedder

BEFORE = "The vet gives the cat Naproxen from Marsh, 250 mg twice daily."
AFTER = "The vet gives the cat Naproxen from Marsh, 500 mg twice daily."


def case() -> Case:
    told = [BEFORE, "The guitar song for the band is done.", AFTER]
    sessions = [
        SessionInput([Turn(exchange(text, "Noted."))], "", id=f"s000{place}") for place, text in enumerate(told, 1)
    ]
    gold = Gold(frozenset({LineRef("seg_s0001_0", 0), LineRef("seg_s0003_0", 0)}), frozenset({"s0001", "s0003"}))
    return Case("q", sessions, [BenchQuestion("q", "How much?", review.UPDATES, {RAW: gold})])


def test_an_updated_fact_is_found_in_its_own_memory(tmp_path: Path) -> None:
    found = review.of_updates(WordEmbedder(), tmp_path, [case(), case()])
    assert (found.memories, found.known, found.found, found.floor) == (2, 2, 2, 2)
    assert found.listed == 2  # one a memory: nothing else is alike


def test_what_is_listed_elsewhere_is_not_found(tmp_path: Path) -> None:
    one = case()
    gold = Gold(frozenset({LineRef("seg_s0001_0", 0), LineRef("seg_s0002_0", 0)}), frozenset({"s0001", "s0002"}))
    other = Case("r", one.sessions, [BenchQuestion("r", "How much?", review.UPDATES, {RAW: gold})])
    assert review.of_updates(WordEmbedder(), tmp_path, [other]).found == 0
