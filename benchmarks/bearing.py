"""How much of a block bears on what was asked: forty situations of a person who works on five projects, chats, and has a year of other talks.

Knows: the sessions and situations in benchmarks/situations, what one situation is given, and the judgements: one for each row of a block, made from
question and block alone, in an order that says nothing. A row that nobody has judged is an error, so a new output is judged before it is counted.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from pmg import sample
from pmg.base.model import USER_NAME, Line, Role, Turn
from pmg.base.text import tokens
from pmg.config import Config
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput
from pmg.server.answers import AskedPlace, recall
from pmg.server.hooks.context import inject
from pmg.server.hooks.events import HookEvent
from pmg.server.hooks.given import GivenMemories
from pmg.server.receipt_cache import ReceiptCache

FOLDER = Path(__file__).with_name("situations")
JUDGED = FOLDER / "judged.json"
ROLES = {"U": (USER_NAME, Role.USER), "A": ("Claude", Role.ASSISTANT)}
BUDGET = 1_500


@dataclass(frozen=True, slots=True)
class Situation:
    project: str
    question: str

    @property
    def folder(self) -> str:
        return f"/home/mara/{self.project}" if self.project else ""


@dataclass(frozen=True, slots=True)
class SituationBlock:
    situation: Situation
    how: str  # hook or recall
    text: str

    @property
    def rows(self) -> list[str]:
        """What stands inside the fence, without headings and blank lines."""
        inside = self.text.split("\n")[2:]
        return [row for row in inside if row.strip() and not row.startswith(("[", "</memory", "receipt ", "[…]"))]

    @property
    def tokens(self) -> int:
        """Without the fence, which is the same for every block."""
        inside = [row for row in self.text.split("\n")[2:] if not row.startswith(("</memory", "receipt "))]
        return tokens("\n".join(inside)) if self.text else 0


def situations() -> list[Situation]:
    rows = (FOLDER / "situations.txt").read_text(encoding="utf-8").splitlines()
    return [Situation(*(part.strip() for part in row.split("|"))) for row in rows]


def sessions() -> Iterator[SessionInput]:
    for number, part in enumerate((FOLDER / "sessions.txt").read_text(encoding="utf-8").split("# ")[1:]):
        head, *rows = part.strip().split("\n")
        _, repository, folder, begun = (cell.strip() for cell in head.split("|"))
        at = datetime.fromisoformat(begun).astimezone()
        pairs = [rows[i : i + 2] for i in range(0, len(rows), 2)]
        turns = [Turn(tuple(map(_line, pair)), at + timedelta(minutes=5 * i)) for i, pair in enumerate(pairs)]
        meta = {key: value for key, value in (("cwd", folder), ("repository", repository)) if value}
        source = "claude-code" if folder else "chatgpt"
        yield SessionInput(turns, rows[0][3:63], source=source, id=f"talk{number}", meta=meta)


def _line(row: str) -> Line:
    speaker, role = ROLES[row[0]]
    return Line(speaker, role, row[3:])


def blocks(home: Path) -> list[SituationBlock]:
    """What each situation is given by the hook and by `recall`."""
    found: list[SituationBlock] = []
    with Engine.open(Config(home=home)) as engine:
        engine.ingest([*sample.sessions(), *sessions()])
        engine.settle()
        for one in situations():
            found.append(SituationBlock(one, "hook", _hooked(engine, one)))
            found.append(SituationBlock(one, "recall", _recalled(engine, one)))
    return found


def _hooked(engine: Engine, one: Situation) -> str:
    from pmg.connections.hook_tools import hook_tool

    tool = hook_tool("claude-code")
    assert tool is not None
    event = HookEvent(tool, tool.prompt, f"now {one.question}", prompt=one.question, cwd=one.folder)
    return inject(engine, GivenMemories(engine), engine.config.namespace, event).block.text


def _recalled(engine: Engine, one: Situation) -> str:
    place = AskedPlace(folder=one.folder)
    text = recall(engine, ReceiptCache(), engine.config.namespace, one.question, BUDGET, place=place).text
    return text[text.index("<memory ") :] if "<memory " in text else ""


def sheet(found: Sequence[SituationBlock]) -> tuple[str, dict[str, bool]]:
    """What a judge reads: each question once with every row that any block has for it, shuffled, and by the mark of a row what is known of it."""
    rows: dict[str, set[str]] = {}
    for one in found:
        rows.setdefault(f"{one.situation.project or '-'} | {one.situation.question}", set()).update(one.rows)
    known = judged()
    order = sorted(rows)
    random.Random(7).shuffle(order)
    parts: list[str] = []
    marks: dict[str, bool] = {}
    for question in order:
        told = sorted(rows[question], key=lambda row: mark(question, row))
        marks |= {mark(question, row): known[mark(question, row)] for row in told if mark(question, row) in known}
        new = [row for row in told if mark(question, row) not in known]
        if new:
            parts.append("\n".join([f"? {question}", *(f"{mark(question, row)} {row}" for row in new)]))
    return "\n\n".join(parts), marks


def mark(question: str, row: str) -> str:
    return hashlib.sha256(f"{question}\0{row}".encode()).hexdigest()[:8]


def judged() -> dict[str, bool]:
    known: dict[str, bool] = json.loads(JUDGED.read_text(encoding="utf-8")) if JUDGED.exists() else {}
    return known


def share(found: Sequence[SituationBlock], known: Mapping[str, bool]) -> tuple[int, int]:
    """Tokens that bear on their questions, and all of them. A heading bears where a row below it does."""
    good = every = 0
    for one in found:
        question = f"{one.situation.project or '-'} | {one.situation.question}"
        every += one.tokens
        for part in one.text.split("\n\n"):
            kept = [row for row in part.split("\n") if known.get(mark(question, row))]
            heading = [row for row in part.split("\n") if row.startswith("[")][:1]
            good += tokens("\n".join([*heading, *kept])) if kept else 0
    return good, every
