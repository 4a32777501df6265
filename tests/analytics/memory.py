"""A small memory with two namespaces, use, topics and upkeep: what the questions are asked on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pmg.base.model import Kind, Line, Role, Turn
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput
from steward.steward import Steward
from tests.stores import store_of

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)  # a Monday
CANARY = "canary"  # stands in every text, name, tag and topic in the other namespace
TURNS = ("The cat went to the vet.", "The cat likes the vet.", "Bread needs flour and yeast.", "The oven bakes bread.")


def turn(speaker: str, text: str, at: datetime) -> Turn:
    return Turn((Line(speaker, Role.USER, text), Line("Assistant", Role.ASSISTANT, f"About that: {text}")), at)


def fill(engine: Engine, namespace: str, mark: str = "") -> None:
    """Six sessions of four turns, a week apart, two of them from another source."""
    sessions = []
    for i in range(6):
        at = START + timedelta(days=7 * i)
        said = [turn(f"Mara{mark}", f"{text} {mark} {i}", at + timedelta(minutes=j)) for j, text in enumerate(TURNS)]
        source = f"{'chat' if i < 4 else 'claude'}{mark}"
        sessions.append(
            SessionInput(
                said, f"Session {mark} {i}", source=source, started_at=at, id=f"s{mark}{i}", namespace=namespace
            )
        )
    engine.ingest(sessions)


def used(engine: Engine, namespace: str) -> None:
    for query in ("the cat and the vet", "bread in the oven", "the cat and the vet"):
        engine.recall(query, namespace=namespace)


def two_namespaces(engine: Engine) -> Engine:
    """`default`, and `other` in which every stored word carries the canary."""
    fill(engine, "default")
    fill(engine, "other", CANARY)
    used(engine, "default")
    used(engine, "other")
    engine.link(f"seg_s{CANARY}0_0", f"seg_s{CANARY}1_0", Kind.SUPPORTS)
    Steward(engine).run(("score", "merge", "links"), bulk=True)
    number = engine.segment(f"seg_s{CANARY}0_0").number
    store_of(engine).maintenance.put_tags(number, [CANARY])
    return engine
