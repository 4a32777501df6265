"""Of lines that disagree the newest is the first to find room in a block, under any budget, and what contradicts one comes along."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pmg.base.model import Kind, Line, Role, Turn
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput

MAY = datetime(2026, 5, 1, 9, tzinfo=UTC)
BUDGETS = range(60, 400, 10)


def told(engine: Engine, *texts: str, answer: str = "", speaker: str = "Ana") -> None:
    """Each in a session of its own, a month after the one before it."""
    answers = [Line("Assistant", Role.ASSISTANT, answer)] if answer else []
    for number, text in enumerate(texts):
        at = MAY + timedelta(days=30 * number)
        turn = Turn((Line(speaker, Role.USER, text), *answers), at)
        engine.ingest([SessionInput([turn], f"Talk {number}", id=f"s{number}", started_at=at)])


def blocks(engine: Engine, question: str, **knobs: object) -> list[str]:
    return [engine.recall(question, budget_tokens=budget, **knobs).context for budget in BUDGETS]  # type: ignore[arg-type]


NODE = (
    "Please set the CI to node 18.",
    "The garden needs new seeds for the spring.",
    "Please set the CI to node 20. And do not forget the cache of the runners this time, they were slow for weeks.",
)


@pytest.mark.parametrize("answer", ["", "Noted."])
@pytest.mark.parametrize("question", ["CI node 18", "which node is set in the CI?"])
@pytest.mark.parametrize("mode", ["diffuse", "fixed"])
def test_no_block_holds_the_older_value_without_the_newest(
    engine: Engine, question: str, answer: str, mode: str
) -> None:
    told(engine, *NODE, answer=answer)
    found = blocks(engine, question, mode=mode)
    assert not [one for one in found if "node 18" in one and "node 20" not in one]
    assert [one for one in found if "node 20" in one and "node 18" not in one]  # the older waits for more room
    assert found[-1].index("node 18") < found[-1].index("node 20")  # in order of time


def test_of_three_the_last_is_the_first(engine: Engine) -> None:
    told(engine, *(f"The rent of the flat is {euros} euros a month." for euros in (800, 900, 950)))
    held = [[euros for euros in (800, 900, 950) if f"{euros} euros" in one] for one in blocks(engine, "rent 800 euros")]
    assert [950] in held and not [one for one in held if one and 950 not in one]
    assert [800, 900, 950] in held


def test_what_somebody_else_says_takes_nothing_from_it(engine: Engine) -> None:
    told(engine, NODE[0])
    engine.ingest([SessionInput([Turn((Line("Ben", Role.PERSON, NODE[2]),), MAY + timedelta(days=90))], id="s9")])
    assert [one for one in blocks(engine, "CI node 18") if "node 18" in one and "node 20" not in one]


@pytest.mark.parametrize("mode", ["diffuse", "fixed"])
def test_a_contradiction_comes_along_and_the_newer_side_of_it_is_first(engine: Engine, mode: str) -> None:
    told(engine, "The release ships in version two.", "My sister likes the cinema, and she goes there on Mondays.")
    engine.link("seg_s0_0", "seg_s1_0", Kind.CONTRADICTS)
    found = blocks(engine, "when does the release ship?", mode=mode)
    assert not [one for one in found if "version two" in one and "cinema" not in one]
    assert "version two" in found[-1]


def test_it_comes_along_from_what_is_found_far_down(engine: Engine) -> None:
    told(engine, *(f"The garden needs seeds of kind {'abcdefghijklmnop'[n]}." for n in range(16)), "My bike is blue.")
    last = engine.recall("seeds for the garden").receipt.found[-3].segment
    engine.link(last, "seg_s16_0", Kind.CONTRADICTS)
    assert "seg_s16_0" in [one.segment for one in engine.recall("seeds for the garden").receipt.found]
