"""How good claims are: precision and speakers on a labelled draw, coverage of the questions' answers, lines a second.

Knows: LoCoMo's lines and questions, the draw, and the labels that were written by hand after the extractor was frozen (people_labels.json: ids and labels, no text). Does
not know: how claims are made (pmg/people), or how the figures are printed (benchmarks/commands/people.py).
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.cases import Case, Dataset, data_file, read_json
from pmg.base.claim import Claim, SpokenLine
from pmg.base.model import segment_id
from pmg.base.words import STOP_WORDS
from pmg.index.terms import document_terms
from pmg.people.extract import VERSION, extract

SEED, DRAWN = 29, 320
LABELS = Path(__file__).with_name("people_labels.json")
MIN_SHARE = 0.8  # share of the answer's words that a claim must hold


@dataclass(frozen=True, slots=True)
class Extraction:
    """The claims of one memory of a benchmark, each with an id that names its place."""

    name: str
    claims: Mapping[str, Claim]
    lines: int
    seconds: float  # of the processor


@dataclass(frozen=True, slots=True)
class ClaimFigures:
    lines: int
    claims: int
    lines_a_second: float
    modalities: Mapping[str, int]
    labelled: int  # claims of the draw that have a label
    precision: float
    attribution: float
    questions: int
    covered: float  # share of the questions whose answer is held by some claim
    covered_by_lines: float  # the ceiling: held by some line
    label_version: int


def extracted(case: Case) -> Extraction:
    claims: dict[str, Claim] = {}
    lines, begun = 0, time.process_time()
    for session in case.sessions:
        assert session.started_at is not None
        spoken = [
            SpokenLine(segment_id(session.id, place), at, line.speaker, line.role.value, line.text, session.started_at)
            for place, turn in enumerate(session.turns)
            for at, line in enumerate(turn.lines)
        ]
        lines += len(spoken)
        for claim in extract(spoken):
            name = f"{case.name} {claim.segment} {claim.start}-{claim.end}"
            claims[_free(claims, name)] = claim
    return Extraction(case.name, claims, lines, time.process_time() - begun)


def _free(claims: Mapping[str, Claim], name: str) -> str:
    """Several claims of one clause are numbered."""
    number = 0
    while f"{name} {number}" in claims:
        number += 1
    return f"{name} {number}"


def drawn(extractions: Sequence[Extraction], count: int = DRAWN, seed: int = SEED) -> list[str]:
    """The ids of claims drawn at random, the same every time."""
    ids = sorted(name for one in extractions for name in one.claims)
    return random.Random(seed).sample(ids, min(count, len(ids)))


def read_labels(file: Path = LABELS) -> dict[str, Any]:
    """{"version": of the extractor, "labels": {id: [right, speaker and subject right]}}"""
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def figures(dataset: Dataset, path: Path, labels: Mapping[str, Any]) -> ClaimFigures:
    extractions = [extracted(case) for case in dataset.cases]
    there = {name for one in extractions for name in one.claims}
    rows = [mark for name, mark in labels["labels"].items() if name in there]
    covered, by_lines, asked = _coverage(dataset, extractions, path)
    lines, seconds = sum(one.lines for one in extractions), sum(one.seconds for one in extractions)
    return ClaimFigures(
        lines=lines,
        claims=len(there),
        lines_a_second=lines / max(seconds, 1e-9),
        modalities=dict(Counter(claim.modality.value for one in extractions for claim in one.claims.values())),
        labelled=len(rows),
        precision=_share(row[0] for row in rows),
        attribution=_share(row[1] for row in rows),
        questions=asked,
        covered=covered / max(asked, 1),
        covered_by_lines=by_lines / max(asked, 1),
        label_version=int(labels["version"]),
    )


def is_stale(labels: Mapping[str, Any]) -> bool:
    """Whether the labels were written for another version of the extractor."""
    return bool(labels["version"] != VERSION)


def _share(marks: Any) -> float:
    rows = [bool(mark) for mark in marks]
    return sum(rows) / len(rows) if rows else float("nan")


def _coverage(dataset: Dataset, extractions: Sequence[Extraction], path: Path) -> tuple[int, int, int]:
    """How many answerable questions have an answer whose words stand in one claim (or one line) of their memory."""
    file = data_file(path, ("locomo.json", "locomo.json.gz", "locomo[0-9]*.json", "locomo[0-9]*.json.gz"))
    covered = by_lines = asked = 0
    for row, case, one in zip(read_json(file), dataset.cases, extractions, strict=False):
        said = [_words(f"{c.subject} {c.relation} {c.object} {c.said_at:%d %B %Y}") for c in one.claims.values()]
        lines = [_words(line.text) for session in case.sessions for turn in session.turns for line in turn.lines]
        for question in row.get("qa") or ():
            wanted = _words(str(question.get("answer") or ""))
            if question.get("category") == 5 or not wanted:
                continue
            asked += 1
            covered += any(len(wanted & words) >= MIN_SHARE * len(wanted) for words in said)
            by_lines += any(len(wanted & words) >= MIN_SHARE * len(wanted) for words in lines)
    return covered, by_lines, asked


def _words(text: str) -> frozenset[str]:
    return frozenset(document_terms(text)) - STOP_WORDS


def labelling_form(dataset: Dataset) -> str:
    """The drawn claims as rows to label: id, claim, and the line it was read from."""
    texts = {
        (case.name, segment_id(session.id, place)): turn.lines[0].text
        for case in dataset.cases
        for session in case.sessions
        for place, turn in enumerate(session.turns)
    }
    found = {name: claim for case in dataset.cases for name, claim in extracted(case).claims.items()}
    rows = []
    for name in drawn([Extraction("all", found, 0, 0.0)]):
        claim = found[name]
        how = f"{'+' if claim.is_positive else '-'} {claim.modality.value} {claim.certainty}"
        when = f"{claim.valid_from or ''}..{claim.valid_to or ''}" if claim.valid_from or claim.valid_to else ""
        text = texts[(name.split(" ")[0], claim.segment)].replace("\n", " ")
        rows.append(
            f"{name}\t{claim.subject} | {claim.relation} | {claim.object} | {how} | {when} {claim.quoted}\n\t{claim.speaker} {claim.said_at:%Y-%m-%d}: {text}"
        )
    return "\n".join(rows) + "\n"
