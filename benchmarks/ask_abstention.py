"""LongMemEval's questions that cannot be answered: how often `ask` declines them, and how often those that can be.

Every question has a memory of its own, filled from its haystack, without an embedding model. Few of them are in the development file, so the counts are given
beside the shares. abstention.py has LoCoMo's, where the wrong person is asked about.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import longmemeval
from benchmarks.abstention import auc
from benchmarks.cases import data_file, read_json
from pmg.config import Config
from pmg.engine import Engine


@dataclass(frozen=True, slots=True)
class AskAbstention:
    """`auc` is of the confidence of the best line: how often it is higher where there is an answer."""

    answerable: int
    declined: int  # of the answerable
    unanswerable: int
    rightly_declined: int
    auc: float


def run(path: Path) -> AskAbstention:
    rows = read_json(data_file(path, ("longmemeval*.json", "longmemeval*.json.gz")))
    asked = [_asked(row) for row in rows]
    wrong = np.array([str(row.get("question_id") or "").endswith("_abs") for row in rows], dtype=np.bool_)
    declined = np.array([one < 0 for one in asked], dtype=np.bool_)
    return AskAbstention(
        int((~wrong).sum()),
        int((declined & ~wrong).sum()),
        int(wrong.sum()),
        int((declined & wrong).sum()),
        auc(wrong, -np.array(asked)),
    )


def _asked(row: Mapping[str, Any]) -> float:
    """The confidence of the best line; -1 where the question was declined."""
    with tempfile.TemporaryDirectory() as scratch, Engine.open(Config(home=Path(scratch)), load=False) as engine:
        engine.ingest(longmemeval.haystack(row, Counter()))
        engine.extract()
        found = engine.ask(str(row["question"]))
        return -1.0 if found.abstained or not found.lines else max(line.confidence for line in found.lines)
