"""Turns on which a redaction rule failed: kept aside in the journal, while their neighbours come in.

What the rule did not check is taken out of what is kept, and the other rules have done their work: no secret is written
here either. The journal lies inside the memory, so it is encrypted, forgotten and backed up with it. The turn is not
stored, so that taking the same file in again, with the rule mended, brings it whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from pmg.base.model import content_hash
from pmg.base.times import now
from pmg.ingest.turns import CleanedTurn
from pmg.store.contract import Store
from pmg.store.rows import JournalEntry

ACTOR = "ingest"
ASIDE = "ingest.aside"


def is_checked(cleaned: CleanedTurn) -> bool:
    return not cleaned.failed


def keep_unchecked(store: Store, session_id: str, turns: Iterable[CleanedTurn]) -> list[str]:
    """Writes those on which a rule failed to the journal, each once, and says of each where it is."""
    said = []
    for cleaned in turns:
        if is_checked(cleaned):
            continue
        run = f"aside-{content_hash(cleaned.turn.lines)[:16]}"
        if not store.maintenance.journal_entries(run=run):
            store.write_journal([_entry(run, session_id, cleaned)])
        said.append(
            f"session {session_id}: the redaction rule for {', '.join(cleaned.failed)} failed on a turn; it is kept aside in "
            f"the journal as {run}, without what was not checked"
        )
    return said


def _entry(run: str, session_id: str, cleaned: CleanedTurn) -> JournalEntry:
    turn = cleaned.turn
    kept = {
        "session": session_id,
        "origin": turn.origin_id,
        "at": turn.at.isoformat() if turn.at else "",
        "lines": [{"speaker": line.speaker, "role": line.role.value, "text": line.text} for line in turn.lines],
    }
    reason = f"redaction rule failed: {', '.join(cleaned.failed)}"
    return JournalEntry(0, run, now(), ACTOR, ASIDE, reason, "", json.dumps(kept, ensure_ascii=False))
