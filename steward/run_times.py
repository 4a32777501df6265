"""When each task last ran, whoever asked for it: the schedule, the page or the command line.

Knows: two notes in the store. Does not know: when a task should run (schedule.py) or what it did (journal.py).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime

from pmg.engine import Engine

RAN = "steward.ran"
FIRST_SEEN = "steward.first_seen"  # since when a task that never ran has been due by its schedule


def read(engine: Engine, note: str = RAN) -> dict[str, datetime]:
    saved = json.loads(engine.reads.note(note) or "{}")
    return {name: datetime.fromisoformat(text) for name, text in saved.items()}


def write(engine: Engine, ran: Mapping[str, datetime], note: str = RAN) -> None:
    engine.put_note(note, json.dumps({name: at.isoformat() for name, at in sorted(ran.items())}))
