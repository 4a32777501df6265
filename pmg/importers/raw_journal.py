"""What could not be read, kept as it is: a broken piece of an export goes to the journal, without its secrets, once.

Handles the journal entry.
"""

from __future__ import annotations

import json
from pathlib import PurePath

from pmg.base.times import now
from pmg.engine import Engine
from pmg.importers.conversation import Problem, short_id
from pmg.store.rows import JournalEntry

ACTOR = "import"
RAW_ACTION = "import.raw"


def keep_raw(engine: Engine, problem: Problem) -> int:
    """1 if it was kept now, 0 if it was there already from an earlier import of the same."""
    name = PurePath(problem.file).name
    run = f"raw-{short_id(name, problem.position, problem.reason, problem.raw)}"
    if engine.reads.maintenance.journal_entries(run=run):
        return 0
    told = {"file": name, "position": problem.position, "bytes": problem.raw_bytes}
    raw = engine.redactor.redact(problem.raw).text
    after = json.dumps({**told, "raw": raw}, ensure_ascii=False)
    engine.write_journal([JournalEntry(0, run, now(), ACTOR, RAW_ACTION, f"{name}: {problem.reason}", "", after)])
    return 1
