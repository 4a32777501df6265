"""Labelled sessions for the topics benchmark: who talked about what is known, because each was put together from one theme's exchanges.

Knows: the texts in data/topic_themes (all written for this project) and how sessions are drawn from them, the same ones every time.
A session is one to three exchanges of its theme; most have small talk in them, and two in five digress into another theme. Titles are the
theme's own, but two sessions in five have a title that says nothing. Some themes come up six times as often as others, as in life. Nothing in
here knows how topics are found.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from pmg.base import shipped
from pmg.base.errors import NotFound
from pmg.base.model import Line, Role, Turn
from pmg.ingest.turns import SessionInput

SMALL_TALK = "small_talk"
SESSIONS = (60, 50, 42, 36, 30, 26, 22, 18, 16, 14, 12, 10)  # of each theme, in a drawn order: 336 together
VAGUE = ("Quick question", "Help please", "New chat", "Follow-up", "One more thing", "Untitled")
FIRST = datetime(2026, 1, 5, 9, tzinfo=UTC)
SEED = 20


@dataclass(frozen=True, slots=True)
class Theme:
    name: str
    titles: tuple[str, ...]
    exchanges: tuple[tuple[str, str], ...]  # what is asked, what is answered


@dataclass(frozen=True, slots=True)
class LabelledSession:
    theme: str
    session: SessionInput


def themes() -> dict[str, Theme]:
    folder = shipped.folder("data") / "topic_themes"
    files = sorted(folder.glob("*.txt"))
    if not files:
        raise NotFound(f"{folder} holds no themes: this installation came without the benchmark's texts.")
    return {file.stem: theme(file.stem, file.read_text(encoding="utf-8")) for file in files}


def theme(name: str, text: str) -> Theme:
    rows = [row.strip() for row in text.splitlines() if row.strip() and not row.startswith("#")]
    spoken = [row.partition(" | ") for row in rows if " | " in row]
    titles = tuple(row for row in rows if " | " not in row)
    return Theme(name, titles, tuple((asked, answered) for asked, _, answered in spoken))


def labelled(seed: int = SEED) -> list[LabelledSession]:
    """Sessions of every theme, mixed as a person's weeks are."""
    known = themes()
    talk = known.pop(SMALL_TALK)
    draw = random.Random(seed)
    names = draw.sample(sorted(known), len(known))
    order = [name for name, count in zip(names, SESSIONS, strict=True) for _ in range(count)]
    draw.shuffle(order)
    return [
        LabelledSession(name, _session(number, known[name], known, talk, draw)) for number, name in enumerate(order)
    ]


def _session(number: int, mine: Theme, known: dict[str, Theme], talk: Theme, draw: random.Random) -> SessionInput:
    spoken = draw.sample(mine.exchanges, draw.randint(1, 3))
    if draw.random() < 0.4:
        other = known[draw.choice([name for name in known if name != mine.name])]
        spoken.insert(draw.randrange(1, len(spoken) + 1), draw.choice(other.exchanges))
    if draw.random() < 0.7:
        spoken.insert(draw.randrange(len(spoken) + 1), draw.choice(talk.exchanges))
    title = draw.choice(VAGUE) if draw.random() < 0.4 else draw.choice(mine.titles)
    begun = FIRST + timedelta(hours=9 * number)
    turns = [
        Turn(
            (Line("User", Role.USER, asked), Line("Assistant", Role.ASSISTANT, answered)),
            begun + timedelta(minutes=3 * i),
        )
        for i, (asked, answered) in enumerate(spoken)
    ]
    return SessionInput(turns, title, id=f"theme-{number:04d}")
