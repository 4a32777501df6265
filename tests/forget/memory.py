"""A small memory with something to forget, and a plain search of every byte of its directory."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pmg.base.model import Line, Role, Turn
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
SECRET = "Zara keeps the spare key of the bakery under the third blue flowerpot."
SHORT = "Gate: 47-11-xq"
OTHERS = (
    "The cat went to the vet on Monday with a broken leg.",
    "We bake bread on Sunday mornings in the oven.",
    "The doctor looked at my knee and gave me medicine.",
)


def said(text: str, at: datetime = NOON, speaker: str = "Ana", origin: str = "") -> Turn:
    return Turn((Line(speaker, Role.PERSON, text),), at, origin)


def tell(
    engine: Engine, session: str, texts: Sequence[str], *, namespace: str = "", title: str = "", speaker: str = "Ana"
) -> list[str]:
    turns = [said(text, NOON + timedelta(minutes=i), speaker, origin=f"{session}-{i}") for i, text in enumerate(texts)]
    engine.ingest([SessionInput(turns, title or session, id=session, namespace=namespace)])
    return [f"seg_{session}_{i}" for i in range(len(texts))]


def fill(engine: Engine) -> None:
    """Two sessions with the secret between other things."""
    tell(engine, "one", [OTHERS[0], SECRET, OTHERS[1]])
    tell(engine, "two", [OTHERS[2], "The train to Ulm leaves at nine and the ticket is paid."])


def holding(folder: Path, text: str) -> list[str]:
    """Files in which a text stands, byte for byte."""
    wanted = text.encode()
    return sorted(
        str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file() and wanted in file.read_bytes()
    )
