"""The sample memory that comes with the project, as sessions and as questions with their answers. shipped.py knows where its files are."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from pmg.base import shipped
from pmg.ingest.transcript import from_json_lines
from pmg.ingest.turns import SessionInput


@dataclass(frozen=True, slots=True)
class SampleQuestion:
    question: str
    expect: tuple[str, ...]  # segment ids
    kind: str


def _file(name: str) -> Path:
    return shipped.folder("data") / name


def sessions() -> list[SessionInput]:
    return list(from_json_lines(_file("sample.jsonl").read_text(encoding="utf-8").split("\n")))


def questions() -> list[SampleQuestion]:
    rows = [json.loads(row) for row in _file("sample_questions.jsonl").read_text(encoding="utf-8").split("\n") if row]
    return [
        SampleQuestion(row["question"], tuple(f"seg_{session}_{turn}" for session, turn in row["expect"]), row["kind"])
        for row in rows
    ]


def pairs() -> list[tuple[str, ...]]:
    """Turns that are alike on purpose, as segment ids."""
    rows = [json.loads(row) for row in _file("sample_pairs.jsonl").read_text(encoding="utf-8").split("\n") if row]
    return [tuple(f"seg_{session}_{turn}" for session, turn in (row["a"], row["b"])) for row in rows]
