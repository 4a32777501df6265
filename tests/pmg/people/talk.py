"""Lines of a talk, written the short way, for tests of claims."""

from __future__ import annotations

from datetime import UTC, datetime

from pmg.base.claim import Claim, SpokenLine
from pmg.base.model import Line, Role, Turn
from pmg.ingest.turns import SessionInput
from pmg.people.extract import extract

MAY = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def lines(*said: tuple[str, str], at: datetime = MAY, role: str = "person") -> list[SpokenLine]:
    return [SpokenLine(f"seg_talk_{i}", 0, speaker, role, text, at) for i, (speaker, text) in enumerate(said)]


def claims(*said: tuple[str, str], at: datetime = MAY) -> list[Claim]:
    return extract(lines(*said, at=at))


def told(text: str, at: datetime = MAY) -> list[Claim]:
    """What Ana says to Ben."""
    return [claim for claim in claims(("Ben", "Hello!"), ("Ana", text), at=at) if claim.speaker == "Ana"]


def short(found: list[Claim]) -> list[tuple[str, str, str]]:
    return [(claim.subject, claim.relation, claim.object) for claim in found]


def session(
    name: str, at: datetime, *said: tuple[str, str], conversation: str = "", namespace: str = ""
) -> SessionInput:
    turns = [Turn((Line(speaker, Role.PERSON, text),), at) for speaker, text in said]
    return SessionInput(turns, name, id=name, started_at=at, conversation=conversation or name, namespace=namespace)


def told_to_assistant(name: str, at: datetime, *said: str) -> SessionInput:
    """What the person whose memory it is says to an assistant."""
    turns = [
        Turn((Line("User", Role.USER, text), Line("Assistant", Role.ASSISTANT, "Noted, good to know.")), at)
        for text in said
    ]
    return SessionInput(turns, name, id=name, started_at=at, conversation=name)
