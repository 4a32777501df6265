"""The sample memory that comes with the project.

Knows: where its file is, in a checkout and in an installation. It is read by pmg/ingest/transcript.py.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from pmg.errors import NotFound
from pmg.ingest.transcript import from_json_lines
from pmg.ingest.turns import SessionInput


@dataclass(frozen=True, slots=True)
class SampleQuestion:
    question: str
    expect: tuple[str, ...]  # segment ids
    kind: str


def _file(name: str) -> Path:
    places = (Path(__file__).parent.parent / "data", Path(sys.prefix) / "share" / "pmg")
    found = next((place / name for place in places if (place / name).is_file()), None)
    if found is None:
        raise NotFound(
            f"The sample file {name} is not installed. Run from a checkout of the project, or import your own history."
        )
    return found


def sessions() -> list[SessionInput]:
    return list(from_json_lines(_file("sample.jsonl").read_text(encoding="utf-8").split("\n")))


def questions() -> list[SampleQuestion]:
    rows = [json.loads(row) for row in _file("sample_questions.jsonl").read_text(encoding="utf-8").split("\n") if row]
    return [
        SampleQuestion(row["question"], tuple(f"seg_{session}_{turn}" for session, turn in row["expect"]), row["kind"])
        for row in rows
    ]
