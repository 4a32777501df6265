"""Small memories for the steward's tests, and everything of a store that an undo must bring back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from pmg.base.model import Line, Role, Turn
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput
from tests.stores import store_of

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
TALK = "talk"
# Said twice in one session (a repeat in another session is known at ingest): nothing differs, so they may be merged.
SAME = (
    "My sister and I moved to Berlin last spring.",
    "my sister and I moved to Berlin last spring!",
)
# Alike in nearly every word, and different in what matters.
OTHER = "My sister and I never moved to Berlin last spring."


def said(text: str, at: datetime = NOON, speaker: str = "Ana") -> Turn:
    return Turn((Line(speaker, Role.PERSON, text),), at)


def tell(engine: Engine, session: str, *texts: str, at: datetime = NOON, namespace: str = "") -> list[str]:
    """One session of one-line turns, all of one conversation, in which Ana is always the same; the ids of its segments."""
    turns = [said(text, at + timedelta(minutes=i)) for i, text in enumerate(texts)]
    engine.ingest([SessionInput(turns, session, conversation=TALK, id=session, namespace=namespace)])
    return [f"seg_{session}_{i}" for i in range(len(texts))]


def snapshot(engine: Engine) -> dict[str, list[tuple[Any, ...]]]:
    """Every row that upkeep may touch, and every word; without the watermark, which only ever grows."""
    engine.counts()
    rows = store_of(engine).database.rows
    return {
        "segments": rows("SELECT * EXCLUDE (changed) FROM segments ORDER BY number"),
        "lines": rows("SELECT * FROM lines ORDER BY id"),
        "edges": sorted(rows("SELECT * FROM edges")),
        "scores": rows("SELECT * FROM scores ORDER BY segment"),
        "reviews": rows("SELECT * FROM reviews ORDER BY id"),
        "windows": rows("SELECT * FROM windows ORDER BY id"),
    }


def recalled(engine: Engine, query: str) -> list[str]:
    return [segment.id for segment in engine.recall(query, count=False).segments]
