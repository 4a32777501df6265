"""How a decision about who is who, or a name given by hand, is put back: from its journal entry, exactly, or not at all.

Knows: what such an entry holds. identities.py makes them; journal.py undoes all others.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pmg.engine import Engine
from pmg.errors import InputError
from pmg.store.people import Identity, IdentityDecision
from pmg.store.rows import JournalEntry
from steward.walls import WALL

IDENTITY, RENAME = "identity", "rename"
ACTIONS = (IDENTITY, RENAME)


def put_back(engine: Engine, entries: Sequence[JournalEntry]) -> None:
    """Inside the transaction of an undo: the newest first, each only if nothing was decided since."""
    for entry in sorted(entries, key=lambda one: -one.id):
        if not entry.after:
            raise InputError(f"Entry {entry.id} ({entry.action}) cannot be undone: whom it is about was forgotten.")
        before, after = json.loads(entry.before), json.loads(entry.after)
        space = after[WALL]
        if entry.action == RENAME:
            number, name = after["name"]
            if engine.reads.people.given_names(space).get(number, "") != name:
                raise InputError(
                    f"Entry {entry.id} (rename) cannot be undone: another name was given since. Undo that first."
                )
            engine.name_entity(*before["name"])
            continue
        made = _decision(after["identity"])
        now = next((one for one in engine.reads.people.decisions(space) if (one.a, one.b) == (made.a, made.b)), None)
        if now != made:
            raise InputError(
                f"Entry {entry.id} (identity) cannot be undone: it was decided otherwise since, or forgotten. Undo that first."
            )
        engine.put_identities([made], [_decision(before["identity"])] if before.get("identity") else [])


def row_of(one: IdentityDecision) -> list[Any]:
    return [one.a, one.b, one.verdict.value, one.reason, one.actor, one.decided_at]


def _decision(row: Sequence[Any]) -> IdentityDecision:
    made = IdentityDecision(*row)
    return replace(made, verdict=Identity(row[2]))
