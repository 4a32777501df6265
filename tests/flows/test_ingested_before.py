"""What came in before times without a zone were the machine's and ids were looked at is found again, and is not stored twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import pytest

from pmg.base.model import Line, Role, Turn
from pmg.engine import Engine
from pmg.forget import plan_rescan, rescan
from pmg.ingest.turns import SessionInput

CARD = "4111 1111 1111 ".replace(" ", "") + "1111"
SAID = Turn((Line("User", Role.USER, "the cat sees the vet"),))
EVENING = datetime(2026, 5, 17, 21, 30)  # without a zone
BEFORE = (
    SessionInput([SAID], source="diary", started_at=EVENING),
    SessionInput([replace(SAID, at=EVENING)], source="diary"),
    SessionInput([SAID], source="diary", conversation=CARD),
    SessionInput([SAID], source="diary", id=CARD),
    SessionInput([replace(SAID, origin_id=CARD)], source="diary", id="named"),
)


@pytest.mark.parametrize("session", BEFORE, ids=["started", "said", "conversation", "id", "origin id"])
def test_a_session_that_came_in_before_is_not_stored_again(
    engine: Engine, session: SessionInput, set_clock: Callable[[str], None]
) -> None:
    set_clock("Europe/Berlin")
    assert engine.store_turns([session]).turns == 1  # as it was stored then: nothing is looked at
    done = engine.ingest([session])
    assert (done.turns, done.known) == (0, 1)


def test_an_id_that_a_rescan_replaced_is_found_again(engine: Engine) -> None:
    session = BEFORE[-1]
    engine.store_turns([session])
    rescan(engine, plan_rescan(engine))
    assert engine.store_turns([session]).turns == 0
    assert engine.ingest([session]).turns == 0
