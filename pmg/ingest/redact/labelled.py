"""A text behind a name that is a label: `PIN` and `4829`, kept apart, are no secret to any rule; together they are one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pmg.ingest.redact.redactor import Redacted, Redactor


def behind_label(redactor: Redactor, label: str, text: str, spared: Sequence[str] = ()) -> Redacted | None:
    """The text as it may be kept, if it holds a secret only because of what stands before it; else None."""
    before = f"{label}: "
    whole = redactor.redact(before + text, spared=spared)
    if not whole.counts or whole.failed or not whole.text.startswith(before):
        return None
    if sum(whole.counts.values()) <= sum(redactor.redact(text, spared=spared).counts.values()):
        return None
    sealed = tuple(replace(one, place=one.place - len(before)) for one in whole.sealed)
    return replace(whole, text=whole.text[len(before) :], sealed=sealed)
