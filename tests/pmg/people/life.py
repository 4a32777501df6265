"""A life told in eleven sessions (tests/data/life), and how its questions are answered: what a newcomer would try.

A question's `first` is what its first line must hold; alternatives stand between strokes, and an empty one is an abstention. `all` is what its lines must hold together.
questions.jsonl was in view while `ask` was mended; of aside.jsonl, put aside before, only the counts were.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path

from pmg.base.model import Line, Role, Turn
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput
from pmg.people.answer import Asked

DATA = Path(__file__).parents[2] / "data" / "life"
ASKED = datetime(2026, 10, 1, 9, tzinfo=UTC)


class Outcome(StrEnum):
    RIGHT = "right"
    AMONG = "among the lines"  # not the first
    WRONG = "wrong"
    ABSTAINED = "rightly abstained"
    SILENT = "wrongly abstained"


@dataclass(frozen=True, slots=True)
class LifeQuestion:
    text: str
    first: tuple[str, ...]
    all: tuple[str, ...]
    as_of: date | None


def sessions() -> list[SessionInput]:
    found = []
    for row in map(json.loads, _rows("sessions.jsonl")):
        at = datetime.fromisoformat(row["at"])
        turns = [Turn((Line("User", Role.USER, text), Line("Assistant", Role.ASSISTANT, "Noted.")), at) for text in row["said"]]  # fmt: skip
        found.append(SessionInput(turns, id=row["id"], started_at=at, conversation=row["id"]))
    return found


def questions(file: str) -> list[LifeQuestion]:
    return [
        LifeQuestion(
            row["question"],
            tuple(row.get("first", "").split("|")),
            tuple(row.get("all", ())),
            date.fromisoformat(row["as_of"]) if "as_of" in row else None,
        )
        for row in map(json.loads, _rows(file))
    ]


def _rows(file: str) -> Iterator[str]:
    yield from (row for row in (DATA / file).read_text(encoding="utf-8").split("\n") if row)


def asked(engine: Engine, question: LifeQuestion) -> Asked:
    return engine.ask(question.text, at=ASKED, as_of=question.as_of)


def outcome(question: LifeQuestion, found: Asked) -> Outcome:
    texts = [line.text for line in found.lines]
    if question.all:
        held = all(any(part in text for text in texts) for part in question.all)
        return Outcome.RIGHT if held else Outcome.SILENT if found.abstained else Outcome.WRONG
    if found.abstained:
        return Outcome.ABSTAINED if "" in question.first else Outcome.SILENT
    wanted = [part for part in question.first if part]
    hits = [any(part in text for part in wanted) for text in texts]
    return Outcome.RIGHT if hits[:1] == [True] else Outcome.AMONG if any(hits) else Outcome.WRONG


def counts(engine: Engine, file: str) -> Counter[Outcome]:
    return Counter(outcome(one, asked(engine, one)) for one in questions(file))
