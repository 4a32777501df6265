"""Questions to teach with, from every source in one shape: a question, lines that answer or do not, and how two lines stand to each other.

Our own lives (data/reading), the dialogues that once made rules (data/dialogues.jsonl, all sets but T to W), and public questions whose licences let
weights be given on. A line that answered once is neither right nor wrong: the relation of two lines says which of them holds.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.lives import ASSISTANT, ME, Life, LifeLine, LifeQuestion, parse

RELATIONS = ("independent", "replaces", "ends", "plans")
HELD_OUT = re.compile(r"set [T-W]$")
MOST_LINES = 24  # of one question: the rest are drawn
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?]+[\"')\]]*|\n|$)\s*")
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TaughtLine:
    speaker: str
    text: str
    before: str = ""  # what was said just before, in the same sitting

    @property
    def spoken(self) -> str:
        return f"{self.speaker}: {self.text}" if self.speaker else self.text


@dataclass(frozen=True, slots=True)
class TaughtPair:
    older: TaughtLine
    newer: TaughtLine
    says: str  # of RELATIONS


@dataclass(slots=True)
class TaughtQuestion:
    source: str
    question: str
    lines: list[TaughtLine]
    right: list[int]  # none: nothing here answers
    left_out: list[int] = field(default_factory=list)  # once right
    near: list[int] = field(default_factory=list)  # the hardest wrong ones
    spans: dict[int, str] = field(default_factory=dict)  # of a right line, the words that answer
    pairs: list[TaughtPair] = field(default_factory=list)


# our own


def of_lives(source: str, text: str, seed: int = 0) -> Iterator[TaughtQuestion]:
    for place, life in enumerate(parse(text)):
        chance = random.Random(f"{source} {place} {seed}")
        lines = [_of_life(life, line) for line in life.lines]
        for question in life.questions:
            yield _asked(source, life, lines, question, chance)


def _of_life(life: Life, line: LifeLine) -> TaughtLine:
    before = life.lines[line.number - 2] if line.number > 1 else None
    is_same = before is not None and before.sitting == line.sitting
    return TaughtLine(line.speaker, line.text, f"{before.speaker}: {before.text}" if before and is_same else "")


def _asked(
    source: str, life: Life, lines: Sequence[TaughtLine], asked: LifeQuestion, chance: random.Random
) -> TaughtQuestion:
    known = [line for line in life.lines if asked.at is None or line.at <= asked.at]
    places = [line.number - 1 for line in known]
    right = [number - 1 for number, _ in asked.answers if number - 1 in places]
    stale, near = ([number - 1 for number in some if number - 1 in places] for some in (asked.stale, asked.near))
    question = f"{asked.before} {asked.text}" if asked.before else asked.text
    found = TaughtQuestion(source, question, [lines[place] for place in places], right, stale, near)
    found.spans = {number - 1: words for number, words in asked.answers if number - 1 in places}
    found.pairs = list(_pairs(life, lines, right, stale, near, places, chance))
    return found


def _pairs(
    life: Life,
    lines: Sequence[TaughtLine],
    right: Sequence[int],
    stale: Sequence[int],
    near: Sequence[int],
    places: Sequence[int],
    chance: random.Random,
) -> Iterator[TaughtPair]:
    says = {(one.earlier - 1 if one.earlier else -1, one.later - 1): one.says for one in life.relations}
    for new in right:
        for old in stale:
            if old < new:
                said = says.get((old, new), "replaces")
                yield TaughtPair(lines[old], lines[new], "ends" if said == "ends" else "replaces")
    for old in (*right, *stale):
        later = [place for place in places if place > old and place not in right and place not in stale]
        drawn = {*(place for place in near if place in later), *chance.sample(later, min(2, len(later)))}
        for new in sorted(drawn):
            said = says.get((old, new), "")
            kind = {"plans": "plans", "ends": "ends", "replaces": "replaces"}.get(said, "independent")
            if not said and says.get((-1, new)) == "plans" and new in near:
                kind = "plans"
            yield TaughtPair(lines[old], lines[new], kind)


def of_dialogues(file: Path) -> Iterator[TaughtQuestion]:
    """What was told before, and the newest line with all that the first quote must have."""
    for row in file.read_text(encoding="utf-8").splitlines():
        dialogue = json.loads(row)
        if not HELD_OUT.match(dialogue["part"]):
            yield from _of_dialogue(dialogue["steps"])


def _of_dialogue(steps: Sequence[Row]) -> Iterator[TaughtQuestion]:
    told: list[TaughtLine] = []
    for step in steps:
        if "say" not in step:
            continue
        wanted = [one.lower() for one in step.get("first_must") or step.get("must") or ()]
        is_judged = any(name in step for name in ("must", "first_must", "must_not", "tone"))
        if not is_judged:
            told.append(TaughtLine(ME, step["say"], told[-1].spoken if told else ""))
            continue
        holding = [n for n, line in enumerate(told) if wanted and all(one in line.text.lower() for one in wanted)]
        if wanted and holding:
            yield TaughtQuestion("dialogues", step["say"], list(told), holding[-1:], holding[:-1])
        elif step.get("tone") in ("nothing", "not_sure") and not wanted:
            yield TaughtQuestion("dialogues", step["say"], list(told), [])


# public

SOURCES: dict[str, float] = {  # share of a step; their licences stand in docs/reader.md
    "friendsqa": 0.07, "molweni": 0.05, "multidogo_qa": 0.06, "qamr": 0.06, "timeqa_human": 0.04, "selqa": 0.04,
    "qmsum": 0.02, "iirc": 0.03, "covidqa": 0.01, "qasper": 0.01, "scitail_qa": 0.01, "babi_en": 0.02,
}  # fmt: skip
SHARES = {"own": 0.5, "dialogues": 0.06, **SOURCES}
MOST = 5_000  # questions of one source: many say the same


def of_public(folder: Path, name: str, seed: int = 0) -> Iterator[TaughtQuestion]:
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as rows:
        questions = [json.loads(row) for row in rows]
    random.Random(f"{name} {seed}").shuffle(questions)
    read: Callable[[str, Row], TaughtQuestion | None] = _with_lines if "lines" in questions[0] else _with_context
    found = (read(name, row) for row in questions)
    kept = [one for one in found if one is not None and len(one.lines) > 1]
    yield from kept[:MOST]


def _with_lines(name: str, row: Row) -> TaughtQuestion | None:
    rows = [(place, line) for place, line in enumerate(row["lines"]) if line["text"].strip()]
    at = {place: number for number, (place, _) in enumerate(rows)}
    lines = [TaughtLine(line.get("speaker", ""), line["text"]) for _, line in rows]
    lines = [_after(lines, number) for number in range(len(lines))]
    if row.get("answerable") is False:
        return TaughtQuestion(name, row["question"], lines, [])
    right = [at[place] for place in row.get("evidence", ()) if place in at]
    spans = {at[one["line"]]: one["text"] for one in row["answers"] if one.get("line") in at}
    return TaughtQuestion(name, row["question"], lines, right, spans=spans) if right else None


def _after(lines: Sequence[TaughtLine], number: int) -> TaughtLine:
    one = lines[number]
    return TaughtLine(one.speaker, one.text, lines[number - 1].spoken) if number and one.speaker else one


def _with_context(name: str, row: Row) -> TaughtQuestion | None:
    text = row["context"]
    places = [(found.start(), found.end()) for found in _SENTENCE.finditer(text) if found.group().strip()]
    lines = [TaughtLine("", text[start:end].strip()) for start, end in places]
    if row.get("answerable") is False:
        return TaughtQuestion(name, row["question"], lines, []) if lines else None
    first = next((one for one in row["answers"] if one.get("start") is not None), None)
    if first is None:
        return None
    right = [n for n, (start, end) in enumerate(places) if start <= first["start"] < end]
    return (
        TaughtQuestion(name, row["question"], lines, right, spans=dict.fromkeys(right, first["text"]))
        if right
        else None
    )


def own_name(line: TaughtLine) -> bool:
    return line.speaker in (ME, ASSISTANT)
