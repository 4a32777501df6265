"""What a benchmark is made of: memories to build, questions to ask of them, and where the answers stand.

Knows: cases, questions and gold, in the names that the engine gives to segments.

Whatever the benchmark calls its sessions never leaves the loaders: the engine sees s0001, s0002 … because an id like
`answer_4be1b6b4` would tell any lexical search where to look.
"""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from pmg.base.errors import InputError, NotFound
from pmg.ingest.turns import SessionInput

RAW, AUDITED = "raw", "audited"


class LineRef(NamedTuple):
    """One line of one segment: the smallest thing that can be found."""

    segment: str
    line: int


@dataclass(frozen=True, slots=True)
class Gold:
    """Where the evidence stands. `lines` may be empty where only the sessions are known."""

    lines: frozenset[LineRef]
    sessions: frozenset[str]

    @property
    def segments(self) -> frozenset[str]:
        return frozenset(ref.segment for ref in self.lines)


@dataclass(frozen=True, slots=True)
class BenchQuestion:
    """`labels` holds the gold of each label set that counts this question; `at` is the moment it is asked, if it has one."""

    id: str
    text: str
    category: str
    labels: Mapping[str, Gold]
    at: datetime | None = None
    answer: str = ""  # in words, where the benchmark gives one: whether a block shows it is measured by these


@dataclass(frozen=True, slots=True)
class Case:
    """One memory, built from nothing, and the questions asked of it."""

    name: str
    sessions: Sequence[SessionInput]
    questions: Sequence[BenchQuestion]


@dataclass(frozen=True, slots=True)
class Dataset:
    """A benchmark as loaded. Categories outside `headline` are shown by themselves and stay out of the totals."""

    name: str
    cases: Sequence[Case]
    headline: tuple[str, ...]
    headline_name: str
    one_line: bool = False  # every segment is one line, so segment figures repeat turn figures
    skipped: Counter[str] = field(default_factory=Counter)  # what was left out, in words → how often
    notes: Mapping[str, str] = field(default_factory=dict)  # label set → the rule that made it


def session_name(place: int) -> str:
    """The neutral name of the session at this place, counted from 1."""
    return f"s{place:04d}"


def limited(dataset: Dataset, limit: int | None) -> Dataset:
    """The first cases only, for a quick run."""
    if limit is None:
        return dataset
    if limit < 1:
        raise InputError(f"--limit is {limit}; ask for at least 1.")
    return replace(dataset, cases=dataset.cases[:limit])


def sampled(dataset: Dataset, count: int | None, seed: int) -> Dataset:
    """So many questions, drawn by the seed from every category in turn, with the memories they are asked of."""
    if count is None:
        return dataset
    if count < 1:
        raise InputError(f"--questions is {count}; ask for at least 1.")
    waiting: dict[str, list[str]] = {}
    for question in (question for case in dataset.cases for question in case.questions):
        waiting.setdefault(question.category, []).append(question.id)
    chance = random.Random(seed)
    drawn = [chance.sample(waiting[category], len(waiting[category])) for category in sorted(waiting)]
    in_turn = [name for names in zip_longest(*drawn) for name in names if name is not None]
    chosen = set(in_turn[:count])
    cases = [replace(case, questions=[q for q in case.questions if q.id in chosen]) for case in dataset.cases]
    return replace(dataset, cases=[case for case in cases if case.questions])


def sharing_fillers(dataset: Dataset, count: int | None, seed: int) -> Dataset:
    """Every memory with its own evidence, size and dates; what its other sessions say is drawn from so many of all.

    Haystacks of their own hold a million texts to embed, these some ten thousands. Figures of both are near, not the same.
    """
    if count is None:
        return dataset
    others = {
        _text(session): session for case in dataset.cases for session in case.sessions if not _is_gold(case, session)
    }
    pool = random.Random(seed).sample(list(others.values()), min(count, len(others)))
    most = max((sum(not _is_gold(case, session) for session in case.sessions) for case in dataset.cases), default=0)
    if len(pool) < most:
        raise InputError(
            f"--fillers is {count}; the largest memory has {most} sessions without evidence: ask for more."
        )
    return replace(dataset, cases=[_refilled(case, pool, seed) for case in dataset.cases])


def _refilled(case: Case, pool: Sequence[SessionInput], seed: int) -> Case:
    own = {_text(session) for session in case.sessions if _is_gold(case, session)}
    drawn = random.Random(f"{seed} {case.name}").sample(pool, len(pool))
    fillers = (session for session in drawn if _text(session) not in own)  # evidence may be another question's filler
    sessions = [
        session if _is_gold(case, session) else replace(session, turns=next(fillers, session).turns)
        for session in case.sessions
    ]
    return replace(case, sessions=sessions)


def _is_gold(case: Case, session: SessionInput) -> bool:
    return any(session.id in gold.sessions for question in case.questions for gold in question.labels.values())


def _text(session: SessionInput) -> str:
    return "\n".join(line.text for turn in session.turns for line in turn.lines)


def joined(datasets: Sequence[Dataset]) -> Dataset:
    """Several files of one benchmark as one."""
    skipped = sum((dataset.skipped for dataset in datasets), Counter[str]())
    return replace(datasets[0], cases=[case for dataset in datasets for case in dataset.cases], skipped=skipped)


def data_file(path: Path, patterns: Collection[str]) -> Path:
    """The file itself, or the one file in the folder that has such a name."""
    if path.is_file():
        return path
    if not path.is_dir():
        raise NotFound(f"There is no file or folder {path}.")
    found = sorted({file for pattern in patterns for file in path.glob(pattern) if file.is_file()})
    if len(found) != 1:
        names = ", ".join(file.name for file in found) or "none"
        raise NotFound(
            f"{path} must hold one file named {' or '.join(patterns)}; found: {names}. Name the file itself."
        )
    return found[0]


def read_json(file: Path) -> list[dict[str, Any]]:
    """A list of objects, from .json or .json.gz."""
    try:
        data = file.read_bytes()
        value = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    except (OSError, EOFError, ValueError) as problem:
        raise InputError(f"{file} cannot be read as JSON: {problem}. Fetch it again.") from None
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        raise InputError(f"{file} is not a list of objects: it is not a file of this benchmark.")
    return value
