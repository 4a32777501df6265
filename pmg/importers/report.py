"""What an import did: counts by source, dates, people, secrets left out, and everything that did not come in, with why.

Knows: how it is counted and how it reads as text and as JSON. It grows while the import runs, so that a page can show it.
Does not know: files or the store.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from pmg.importers.conversation import Level, Problem
from pmg.ingest.build import Built
from pmg.model import Role, Turn
from pmg.times import with_zone

LISTED = 1_000  # problems kept one by one; the counts go on
SHOWN = 20  # … and printed


@dataclass(slots=True)
class SourceCount:
    """`known` turns were there already; `grown` ones got more lines; `edited` ones other words; `older` stayed as they are."""

    conversations: int = 0
    sessions: int = 0
    branches: int = 0
    turns: int = 0
    known: int = 0
    grown: int = 0
    edited: int = 0
    older: int = 0


@dataclass(slots=True)
class ImportReport:
    dry_run: bool = False
    sources: dict[str, SourceCount] = field(default_factory=dict)
    first: datetime | None = None
    last: datetime | None = None
    people: Counter[str] = field(default_factory=Counter)  # lines by speaker: the person's own and other people's
    redacted: Counter[str] = field(default_factory=Counter)
    counted: Counter[str] = field(default_factory=Counter)  # what readers counted: placeholders, unknown parts …
    skipped: Counter[str] = field(default_factory=Counter)  # left out as asked, or because there are no words
    problems: list[Problem] = field(default_factory=list)
    levels: Counter[Level] = field(default_factory=Counter)
    kept_raw: int = 0  # broken pieces kept as they are, in the journal
    retitled: int = 0
    bytes_read: int = 0
    seconds: float = 0.0
    built: Built = field(default_factory=Built)

    def source(self, name: str) -> SourceCount:
        return self.sources.setdefault(name, SourceCount())

    def problem(self, problem: Problem) -> None:
        self.levels[problem.level] += problem.count
        if len(self.problems) < LISTED:
            self.problems.append(problem)

    def said(self, turns: Sequence[Turn]) -> None:
        """Dates and people of turns that came in."""
        for turn in turns:
            for line in turn.lines:
                if line.role in (Role.USER, Role.PERSON):
                    self.people[line.speaker] += 1
            if turn.at is not None:
                at = with_zone(turn.at)
                self.first = at if self.first is None or at < self.first else self.first
                self.last = at if self.last is None or at > self.last else self.last

    def total(self, name: str) -> int:
        return sum(getattr(count, name) for count in self.sources.values())

    @property
    def turns(self) -> int:
        return self.total("turns")

    def to_dict(self) -> dict[str, Any]:
        return {
            "dry_run": self.dry_run,
            "sources": {name: asdict(count) for name, count in sorted(self.sources.items())},
            "first": self.first.isoformat() if self.first else None,
            "last": self.last.isoformat() if self.last else None,
            "people": dict(self.people.most_common()),
            "redacted": dict(sorted(self.redacted.items())),
            "counted": dict(sorted(self.counted.items())),
            "skipped": dict(sorted(self.skipped.items())),
            "problems": [_problem(problem) for problem in self.problems],
            "levels": {level.value: count for level, count in sorted(self.levels.items())},
            "kept_raw": self.kept_raw,
            "retitled": self.retitled,
            "links": {kind.value: count for kind, count in sorted(self.built.edges.items())},
            "duplicates": self.built.duplicates,
            "waiting": self.built.waiting,
            "bytes": self.bytes_read,
            "seconds": round(self.seconds, 3),
        }

    def text(self) -> str:
        return "\n".join(self._rows())

    def _rows(self) -> Iterator[str]:
        would = "would come in" if self.dry_run else "came in"
        if not self.sources:
            yield "No conversation was found."
        for name, count in sorted(self.sources.items()):
            yield f"{name}: {_counts(count, would)}"
        if self.first and self.last:
            yield f"Said from {self.first:%Y-%m-%d} to {self.last:%Y-%m-%d}."
        if self.people:
            names = ", ".join(f"{name} ({count:,})" for name, count in self.people.most_common(10))
            more = f" and {len(self.people) - 10} more" if len(self.people) > 10 else ""
            yield f"People: {names}{more}."
        if self.redacted:
            yield "Secrets left out: " + _listed(self.redacted) + "."
        if self.retitled:
            yield f"{self.retitled} sessions have a new title."
        if self.skipped:
            yield "Left out: " + _listed(self.skipped) + "."
        unknown = Counter({name: n for name, n in self.counted.items() if name.startswith("unknown")})
        if unknown:
            yield "Not understood, kept as it is: " + _listed(unknown) + "."
        yield from self._problem_rows()
        if self.built.duplicates:
            yield f"{self.built.duplicates} turns say what was said before: kept in their sessions, left out of recall."
        if self.built.waiting:
            yield f"{self.built.waiting} wait for the embedding model; words find them already."

    def _problem_rows(self) -> Iterator[str]:
        if not self.problems:
            return
        yield "Remarks: " + ", ".join(f"{count:,} {level.value}" for level, count in sorted(self.levels.items())) + "."
        order = {level: place for place, level in enumerate(Level)}
        ranked = sorted(self.problems, key=lambda problem: order[problem.level])
        for problem in ranked[:SHOWN]:
            where = f"{problem.file} {problem.position}".strip()
            yield f"  {problem.level.value}: {where}: {problem.reason}"
        if len(ranked) > SHOWN:
            yield f"  … and {sum(self.levels.values()) - SHOWN:,} more: --json lists them."
        if self.kept_raw:
            yield f"  {self.kept_raw:,} broken pieces are kept as they are in the journal."


def _counts(count: SourceCount, would: str) -> str:
    told = f"{count.turns:,} turns {would}, in {count.sessions:,} sessions of {count.conversations:,} conversations"
    extras = (
        (count.branches, "on other branches"),
        (count.known, "known already"),
        (count.grown, "grown"),
        (count.edited, "with other words than before"),
        (count.older, "older than what is stored"),
    )
    return told + "".join(f", {number:,} {what}" for number, what in extras if number) + "."


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{count:,} × {name}" for name, count in sorted(counts.items()))


def _problem(problem: Problem) -> dict[str, Any]:
    return {
        "level": problem.level.value,
        "file": problem.file,
        "position": problem.position,
        "reason": problem.reason,
        "count": problem.count,
        "raw_bytes": problem.raw_bytes,
    }
