"""Dialogues with the chat, each in an empty memory: what a person tells over some days, asks for in between, and would accept as an answer.

Knows: the file of dialogues, the chats they are held in, and what counts as accepted. Does not know: how an answer is made (pmg/chat).

A step says something (`say`) or begins a new chat (`new_chat`). One that is judged has any of: `must`, what the answer has to hold; `first_must`, what its first passage has to;
`must_not`, what it must not; `tone`: "nothing", or "not_sure" where what is asked for was never told.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.answers import NAMESPACE, first_passage
from benchmarks.cases import Case
from benchmarks.run import memory
from pmg.answer.evidence import Tone
from pmg.base.progress import Progress, silent
from pmg.chat.extractive import Extractive
from pmg.chat.history import stored_text
from pmg.chat.responder import ChatAnswer
from pmg.chat.turn import ChatTarget, converse
from pmg.embed.embedder import Embedder
from pmg.engine import Engine

FAULTS = (
    "lacks what was told",
    "not first",
    "has what it must not",
    "sure, not told",
    "wrong while sure",
    "not declined",
)
JUDGED = ("must", "first_must", "must_not", "tone")
POLL_SECONDS, MAX_WAIT = 0.02, 60.0  # seconds until what was told has its vectors: a person takes longer to ask


@dataclass(frozen=True, slots=True)
class Dialogue:
    part: str
    kind: str
    steps: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    part: str
    kind: str
    asked: str
    faults: frozenset[str]  # of FAULTS


def read(file: Path) -> list[Dialogue]:
    rows = [json.loads(row) for row in file.read_text(encoding="utf-8").split("\n") if row]
    return [Dialogue(row["part"], row["kind"], row["steps"]) for row in rows]


def run(dialogues: Sequence[Dialogue], embedder: Embedder, progress: Progress = silent) -> list[JudgedAnswer]:
    found: list[JudgedAnswer] = []
    for place, dialogue in enumerate(dialogues):
        progress("holding dialogues", place, len(dialogues))
        with memory(Case(f"dialogue {place}", [], []), embedder, Counter()) as engine:
            found += held(engine, dialogue)
    progress("holding dialogues", len(dialogues), len(dialogues))
    return found


def held(engine: Engine, dialogue: Dialogue) -> list[JudgedAnswer]:
    found: list[JudgedAnswer] = []
    session = ""
    for step in dialogue.steps:
        session = "" if step.get("new_chat") else session
        if "say" not in step:
            continue
        is_judged = any(name in step for name in JUDGED)
        if is_judged:
            until_embedded(engine)
        *_, last = converse(engine, Extractive(engine), ChatTarget(NAMESPACE, session), step["say"])
        session = last.passage.session_id if last.passage else session
        if is_judged:
            found.append(JudgedAnswer(dialogue.part, dialogue.kind, step["say"], faults(step, last.answer)))
    return found


def until_embedded(engine: Engine) -> None:
    """What was just told is found by its words at once, by its meaning a moment later."""
    end = time.monotonic() + MAX_WAIT
    while engine.counts(NAMESPACE).pending and time.monotonic() < end:
        time.sleep(POLL_SECONDS)


def faults(step: Mapping[str, Any], answer: ChatAnswer) -> frozenset[str]:
    """What a person would not accept of it; nothing if all is well."""
    said = stored_text(answer) or answer.text
    first = " ".join(quote.text for quote in answer.quotes[: first_passage(answer.quotes)])
    whole = _plain("\n".join((said, *(quote.text for quote in answer.quotes))))
    lacks = any(_plain(one) not in whole for one in step.get("must", ()))
    is_sure, wanted = answer.tone is Tone.SURE, step.get("tone")
    found = {
        FAULTS[0]: lacks,
        FAULTS[1]: bool(answer.quotes)
        and not lacks
        and any(_plain(one) not in _plain(f"{said}\n{first}") for one in step.get("first_must", ())),
        FAULTS[2]: any(_plain(one) in whole for one in step.get("must_not", ())),
        FAULTS[3]: wanted == "not_sure" and is_sure,
        FAULTS[4]: lacks and is_sure,
        FAULTS[5]: wanted == "nothing" and answer.tone is not Tone.NOTHING,
    }
    return frozenset(name for name, is_so in found.items() if is_so)


def _plain(text: str) -> str:
    return text.lower().replace("’", "'")


def as_markdown(results: Sequence[JudgedAnswer]) -> str:
    """A row for each part and kind, and one for all of a part."""
    lines = [
        "| part, kind | asked | accepted | " + " | ".join(FAULTS) + " |",
        "|---" + "|---:" * (2 + len(FAULTS)) + "|",
    ]
    for part in sorted({one.part for one in results}):
        own = [one for one in results if one.part == part]
        groups = {
            f"{part}, {kind}": [one for one in own if one.kind == kind] for kind in sorted({one.kind for one in own})
        }
        lines += [_row(name, rows) for name, rows in (groups | {f"**{part}, all**": own}).items()]
    return "\n".join(lines)


def _row(name: str, rows: Sequence[JudgedAnswer]) -> str:
    counts = [sum(fault in one.faults for one in rows) for fault in FAULTS]
    cells = [len(rows), sum(not one.faults for one in rows), *counts]
    return f"| {name} | {' | '.join(map(str, cells))} |"
