"""The context block says what has changed since it was said."""

from __future__ import annotations

from datetime import UTC, datetime

from pmg.engine import Engine
from tests.pmg.people.talk import session

MAY, SEPTEMBER = (datetime(2023, month, 8, 12, tzinfo=UTC) for month in (5, 9))


def test_the_block_marks_what_a_later_claim_has_ended(engine: Engine) -> None:
    engine.ingest(
        [
            session("one", MAY, ("Ana", "I live in Seattle, near the flat of my landlord."), ("Ben", "The dog needs a walk."), conversation="c"),
            session("two", SEPTEMBER, ("Ana", "I moved to Austin, into a flat with a nice landlord."), conversation="c"),
        ]
    )  # fmt: skip
    engine.extract()
    headers = [
        row for row in engine.recall("flat and landlord").context.split("\n") if row.startswith("[") and "2023-" in row
    ]
    marked = [row for row in headers if "changed 2023-09" in row]
    assert len(marked) == 1 and "lives_in said 2023-05; changed 2023-09" in marked[0] and "2023-05-08" in marked[0]


def test_a_memory_without_changes_reads_as_before(engine: Engine) -> None:
    engine.ingest([session("one", MAY, ("Ana", "I live in Seattle, near the flat of my landlord."))])
    engine.extract()
    assert "changed" not in engine.recall("flat and landlord").context


def test_a_change_is_marked_as_soon_as_its_claim_is_read(engine: Engine) -> None:
    engine.ingest([session("one", MAY, ("Ana", "I live in Seattle, near the flat of my landlord."), conversation="c")])
    engine.extract()
    assert "changed" not in engine.recall("flat and landlord").context
    engine.ingest([session("two", SEPTEMBER, ("Ana", "I moved to Austin."), conversation="c")])
    engine.extract()
    assert "changed 2023-09" in engine.recall("flat and landlord").context
