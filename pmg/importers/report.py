"""What an import did: counts by source, dates, people, secrets left out, and everything that did not come in, with why.

Handles how it is counted and how it reads as text and as JSON. It grows while the import runs, so that a page can show it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from pmg.base.model import USER_NAME, Role, Turn
from pmg.base.text import counted
from pmg.base.times import with_zone
from pmg.importers.conversation import Level, Problem
from pmg.ingest.build import Built
from pmg.ingest.redacted_places import RedactedPlace, place_rows, some_places

MAX_PROBLEMS = 1_000  # problems kept one by one; the counts go on
MAX_CAUSES = 20  # causes printed
MAX_FILES = 3  # of a cause, besides the first
VARYING = re.compile(r"'[^']*'|\"[^\"]*\"|\d[\d,.:]*")  # what differs between two problems of one cause


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


@dataclass(frozen=True, slots=True)
class ProblemCause:
    """Problems of one kind: how many, the first of them as an example, and the other files that have them."""

    example: Problem
    count: int
    other_files: tuple[str, ...] = ()

    @property
    def level(self) -> Level:
        return self.example.level

    def text(self) -> str:
        where = f"{self.example.file} {self.example.position}".strip()
        more = f" ({self.count:,} times; the first)" if self.count > 1 else ""
        return f"{where}{more}: {self.example.reason}{self._others()}"

    def _others(self) -> str:
        if not self.other_files:
            return ""
        rest = len(self.other_files) - MAX_FILES
        return f" (also {', '.join(self.other_files[:MAX_FILES])}{f' and {rest:,} more' if rest > 0 else ''})"


@dataclass(slots=True)
class ImportReport:
    dry_run: bool = False
    sources: dict[str, SourceCount] = field(default_factory=dict)
    first: datetime | None = None
    last: datetime | None = None
    people: Counter[str] = field(default_factory=Counter)  # lines by speaker: the person's own and other people's
    redacted: Counter[str] = field(default_factory=Counter)
    places: tuple[RedactedPlace, ...] = ()  # of what was redacted, some of every kind
    counted: Counter[str] = field(default_factory=Counter)  # what readers counted: placeholders, unknown parts …
    skipped: Counter[str] = field(default_factory=Counter)  # left out as asked, or because there are no words
    problems: list[Problem] = field(default_factory=list)
    levels: Counter[Level] = field(default_factory=Counter)
    kept_raw: int = 0  # broken pieces kept as they are, in the journal
    retitled: int = 0
    timed_lines: int = 0  # of known turns: lines that got the time of their own that they lacked
    missing: int = 0  # turns that were promised and are not stored: never, unless PMG has a fault
    untimed: int = 0  # sessions without any usable time in the file
    resumed: int = 0  # turns that an earlier run had stored and not embedded yet
    bytes_read: int = 0
    seconds: float = 0.0
    built: Built = field(default_factory=Built)
    stopped: bool = False  # by a person, before everything was read or linked
    stored: int = 0  # turns that came in by then, counted in the memory: what was under way is not in it

    def source(self, name: str) -> SourceCount:
        return self.sources.setdefault(name, SourceCount())

    def problem(self, problem: Problem) -> None:
        self.levels[problem.level] += problem.count
        if len(self.problems) < MAX_PROBLEMS:
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

    def taken_out(self, counts: Counter[str], places: Sequence[RedactedPlace]) -> None:
        self.redacted += counts
        self.places = some_places((*self.places, *places))

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
            "redacted_places": [asdict(place) for place in self.places],
            "counted": dict(sorted(self.counted.items())),
            "skipped": dict(sorted(self.skipped.items())),
            "problems": [_problem(problem) for problem in self.problems],
            "levels": {level.value: count for level, count in sorted(self.levels.items())},
            "kept_raw": self.kept_raw,
            "retitled": self.retitled,
            "timed_lines": self.timed_lines,
            "missing": self.missing,
            "untimed": self.untimed,
            "resumed": self.resumed,
            "links": {kind.value: count for kind, count in sorted(self.built.edges.items())},
            "duplicates": self.built.duplicates,
            "waiting": self.built.waiting,
            "bytes": self.bytes_read,
            "seconds": round(self.seconds, 3),
        }

    def text(self) -> str:
        return "\n".join(self._rows())

    def interrupted(self, stored: int, waiting: int) -> str:
        """For an import that was stopped: what is in, of which so many have no vectors yet, and how it goes on."""
        have = "has" if waiting == 1 else "have"
        rest = f" {waiting:,} of the memory's turns {have} no vectors yet: words find them." if waiting else ""
        rows = [f"The import was stopped. {counted(stored, 'turn')} came in and stay.{rest}"]
        if self.redacted:
            rows.append("Secrets left out: " + _listed(self.redacted) + ".")
        again = "Give the same command again to go on: what is in is not taken twice, and what has vectors keeps them."
        return "\n".join([*rows, f"{again} `pmg serve` makes the vectors too, while it runs." if waiting else again])

    def _rows(self) -> Iterator[str]:
        would = "would come in" if self.dry_run else "came in"
        if self.missing:
            yield (
                f"WARNING: {counted(self.missing, 'turn')} of this import could not be found in the memory afterwards. "
                "Keep the export, import it again, and report this as a fault of PMG."
            )
        if not self.sources:
            yield "No conversation was found."
        for name, count in sorted(self.sources.items()):
            yield f"{name}: {_counts(count, would)}"
        if self.first and self.last:
            yield f"Said from {self.first:%Y-%m-%d} to {self.last:%Y-%m-%d}."
        if self.people:
            names = ", ".join(
                f"{'you' if name == USER_NAME else name} ({count:,})" for name, count in self.people.most_common(10)
            )
            more = f" and {len(self.people) - 10} more" if len(self.people) > 10 else ""
            yield f"People: {names}{more}."
        if self.redacted:
            yield "Secrets left out: " + _listed(self.redacted) + "."
            yield from place_rows(self.places)
        if self.retitled:
            yield f"{counted(self.retitled, 'session')} got a new title."
        if self.timed_lines:
            yield f"{counted(self.timed_lines, 'line')} of known turns got the time of the line itself."
        if self.untimed:
            told = "has no usable time" if self.untimed == 1 else "have no usable times"
            yield f"{counted(self.untimed, 'session')} {told} in the file: dated today, and marked `times: none`."
        if self.resumed:
            yield f"Finished from an earlier import: {counted(self.resumed, 'turn')} that it had stored and not embedded."
        if self.skipped:
            yield "Left out: " + _listed(self.skipped) + "."
        unknown = Counter({name: n for name, n in self.counted.items() if name.startswith("unknown")})
        if unknown:
            yield "Not understood, kept as it is: " + _listed(unknown) + "."
        yield from self._problem_rows()
        if self.built.duplicates:
            say = "says" if self.built.duplicates == 1 else "say"
            again = f"{counted(self.built.duplicates, 'turn')} {say} what was said before"
            yield f"{again}: kept in the session, left out of recall."
        if self.built.waiting:
            waits = "waits" if self.built.waiting == 1 else "wait"
            yield f"{counted(self.built.waiting, 'turn')} {waits} for the embedding model; words find them already."

    def causes(self) -> list[ProblemCause]:
        """The problems grouped by what caused them: files of unknown kinds first, then what is broken, then remarks."""
        groups: dict[tuple[Level, str], list[Problem]] = {}
        for problem in self.problems:
            groups.setdefault((problem.level, VARYING.sub("…", problem.reason)), []).append(problem)
        order = {level: place for place, level in enumerate(Level)}
        found = [
            ProblemCause(some[0], sum(problem.count for problem in some), _other_files(some))
            for some in groups.values()
        ]
        return sorted(found, key=lambda cause: (order[cause.level], -cause.count))

    def _problem_rows(self) -> Iterator[str]:
        if not self.problems:
            return
        order = {level: place for place, level in enumerate(Level)}
        levels = sorted(self.levels.items(), key=lambda item: order[item[0]])
        yield "Remarks: " + ", ".join(f"{count:,} {level.value}" for level, count in levels) + "."
        causes = self.causes()
        for cause in causes[:MAX_CAUSES]:
            yield f"  {cause.level.value}: {cause.text()}"
        if len(causes) > MAX_CAUSES or len(self.problems) > len(causes):
            yield "  --json lists every one of them."
        if self.kept_raw:
            kept = "is kept as it is" if self.kept_raw == 1 else "are kept as they are"
            yield f"  {counted(self.kept_raw, 'piece')} that could not be read {kept} in the journal (`import.raw`)."


def _counts(count: SourceCount, would: str) -> str:
    told = (
        f"{counted(count.turns, 'turn')} {would}, in {counted(count.sessions, 'session')} "
        f"of {counted(count.conversations, 'conversation')}"
    )
    extras = (
        (count.branches, "on other branches"),
        (count.known, "known already"),
        (count.grown, "grown"),
        (count.edited, "with other words than before"),
        (count.older, "older than what is stored"),
    )
    return told + "".join(f", {number:,} {what}" for number, what in extras if number) + "."


def _other_files(problems: Sequence[Problem]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(problem.file for problem in problems))[1:]


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
