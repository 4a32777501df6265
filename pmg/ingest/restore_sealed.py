"""A redaction taken back: the text in place of its mark, or the mark in place of the text again.

Knows: which words a turn has then, and that its rows of sealed redactions follow. Runs inside a transaction of the engine, which
writes the journal, the plain text and the indexes after it.
"""

from __future__ import annotations

import json
from dataclasses import replace

from pmg.base.errors import InputError
from pmg.base.text import redaction_mark
from pmg.base.times import now
from pmg.ingest.quality import quality
from pmg.store.contract import Store
from pmg.store.exchange import Rewrite
from pmg.store.rows import JournalEntry
from pmg.store.seal import SecretBox
from pmg.store.sealed import RESTORED, SealedRedaction, sealed_digest


def restore(store: Store, row: SealedRedaction, box: SecretBox) -> None:
    """The text that was taken out comes back."""
    if row.is_restored:
        raise InputError(f"Redaction {row.id} is restored already.")
    text = box.open(store.sealed.box(row.id), row.kind).decode("utf-8", "surrogatepass")
    _exchange(store, row, len(redaction_mark(row.kind)), text, is_restored=True)


def seal_again(store: Store, row: SealedRedaction) -> None:
    """The mark comes back; what it stands for is still sealed, where there is a key."""
    if not row.is_restored:
        raise InputError(f"Redaction {row.id} is not restored: there is nothing to take back.")
    if _digest(store, row) != row.digest:  # a place that no longer holds would take other words
        raise InputError(f"Redaction {row.id} stays restored: the words of {row.segment_id} were changed since.")
    _exchange(store, row, row.size, redaction_mark(row.kind), is_restored=False)


def _digest(store: Store, row: SealedRedaction) -> str:
    restored = [one for one in store.sealed.listed(segments=[row.segment]) if one.is_restored]
    spans = [(one.line, one.place, one.size, redaction_mark(one.kind)) for one in restored]
    return sealed_digest(store.segments([row.segment])[0].lines, spans)


def _exchange(store: Store, row: SealedRedaction, size: int, text: str, *, is_restored: bool) -> None:
    segment = store.segments([row.segment])[0]
    line = segment.lines[row.line]
    if is_restored and line.text[row.place : row.place + size] != redaction_mark(row.kind):
        raise InputError(
            f"The mark of redaction {row.id} is no longer in {row.segment_id}: its words were changed since."
        )
    words = line.text[: row.place] + text + line.text[row.place + size :]
    lines = tuple(replace(one, text=words) if i == row.line else one for i, one in enumerate(segment.lines))
    store.exchange.rewrite([Rewrite(segment.number, segment.id, segment.lines, lines, quality(lines), segment.meta)])
    store.sealed.moved(row, is_restored, len(text) - size)


def entry(row: SealedRedaction) -> JournalEntry:
    """What the history tells of it: no word of what came back."""
    at, place = now(), {"sealed": row.id, "segment": row.segment_id, "namespace": row.namespace}
    run = f"restored-{at:%Y%m%d-%H%M%S}-{row.id}"
    return JournalEntry(0, run, at, "user", RESTORED, f"{row.segment_id}: {row.kind} put back", "", json.dumps(place))
