"""How a decision about who is who, a name given by hand, a ruling on a claim and a restored redaction are put back: from the journal entry, exactly, or not at all.

Knows: what such an entry holds. people_edits.py and pmg/ingest/restore_sealed.py make them; journal.py undoes all others.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from pmg.base.errors import InputError
from pmg.engine import Engine
from pmg.store.people import ClaimRuling, Identity, IdentityDecision, Ruling
from pmg.store.rows import JournalEntry
from pmg.store.sealed import RESTORED
from steward.namespaces import NAMESPACE_KEY

IDENTITY, RENAME, CLAIM = "identity", "rename", "claim"
DECISIONS = (IDENTITY, RENAME, CLAIM)


def decisions(engine: Engine, entries: Sequence[JournalEntry]) -> None:
    """Inside the transaction of an undo: the newest first, each only if nothing was decided since."""
    kinds = {IDENTITY: _identity_back, RENAME: _name_back, CLAIM: _ruling_back}
    for entry in sorted(entries, key=lambda one: -one.id):
        if not entry.after:
            raise InputError(f"Entry {entry.id} ({entry.action}) cannot be undone: what it was about was forgotten.")
        before, after = json.loads(entry.before), json.loads(entry.after)
        kinds[entry.action](engine, entry, before, after)


def _name_back(engine: Engine, entry: JournalEntry, before: dict[str, Any], after: dict[str, Any]) -> None:
    number, name = after["name"]
    if engine.reads.people.given_names(after[NAMESPACE_KEY]).get(number, "") != name:
        raise InputError(f"Entry {entry.id} (rename) cannot be undone: another name was given since. Undo that first.")
    engine.name_entity(*before["name"])


def _identity_back(engine: Engine, entry: JournalEntry, before: dict[str, Any], after: dict[str, Any]) -> None:
    made = _decision(after["identity"])
    now = next(
        (one for one in engine.reads.people.decisions(after[NAMESPACE_KEY]) if (one.a, one.b) == (made.a, made.b)), None
    )
    if now != made:
        raise InputError(
            f"Entry {entry.id} (identity) cannot be undone: it was decided otherwise since, or forgotten. Undo that first."
        )
    engine.put_identities([made], [_decision(before["identity"])] if before.get("identity") else [])


def _ruling_back(engine: Engine, entry: JournalEntry, before: dict[str, Any], after: dict[str, Any]) -> None:
    made = _ruling(after["ruling"])
    if made not in engine.reads.people.rulings(after[NAMESPACE_KEY]):
        raise InputError(
            f"Entry {entry.id} (claim) cannot be undone: it was decided otherwise since, or forgotten. Undo that first."
        )
    engine.put_rulings([made], [_ruling(before["ruling"])] if before.get("ruling") else [])


def ruling_row(one: ClaimRuling) -> list[Any]:
    ended = one.ended.isoformat() if one.ended else ""
    return [one.segment, one.line, one.start, one.relation, one.object, one.ruling.value, one.words, ended]


def _ruling(row: Sequence[Any]) -> ClaimRuling:
    segment, line, start, relation, thing, ruling, words, ended = row
    day = date.fromisoformat(ended) if ended else None
    return ClaimRuling(segment, line, start, relation, thing, Ruling(ruling), words, day)


def row_of(one: IdentityDecision) -> list[Any]:
    return [one.a, one.b, one.verdict.value, one.reason, one.actor, one.decided_at]


def _decision(row: Sequence[Any]) -> IdentityDecision:
    made = IdentityDecision(*row)
    return replace(made, verdict=Identity(row[2]))


SEALED = (RESTORED,)


def sealed(engine: Engine, entries: Sequence[JournalEntry]) -> None:
    """Inside the transaction of an undo."""
    for entry in sorted(entries, key=lambda one: -one.id):
        changed = json.loads(entry.after)
        row = engine.reads.sealed.find(changed["sealed"])
        if row is None or row.segment_id != changed["segment"] or not row.is_restored:
            raise InputError(
                f"Entry {entry.id} ({entry.action}) cannot be undone: its words were changed or forgotten since."
            )
        engine.seal_again(row.id)


def sessions_of(engine: Engine, entries: Sequence[JournalEntry]) -> list[str]:
    """The sessions whose words changed: their plain text and indexes must follow."""
    named = [json.loads(entry.after)["segment"] for entry in entries if entry.action in SEALED]
    return sorted({engine.segment(name).session_id for name in named})
