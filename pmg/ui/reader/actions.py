"""What a person can do with the one memory they read: pin, archive, tag, link, forget. Each says in a sentence what it did.

Knows: which verb of the engine or the steward each action is, and that nothing reaches into another namespace. reader_pane.py has the
buttons.
"""

from __future__ import annotations

from pmg import forget as forgetting
from pmg.base.errors import InputError
from pmg.base.model import Kind, State
from pmg.base.progress import Progress
from pmg.engine import Engine
from pmg.forget import Selection
from pmg.ui import render, speakers
from pmg.ui.app_context import AppContext
from pmg.ui.forget_plan_html import what_goes
from pmg.ui.reader import reader_view

MAX_LINK_CHOICES = 12  # memories offered for a link
_PARTS = 3  # of the name of a link: kind, from, to

Choices = list[tuple[str, str]]


def turn_pin(context: AppContext, segment_id: str, namespace: str) -> str:
    pinned = not reader_view.segment_in(context.engine, segment_id, namespace).pinned
    context.steward.pin([segment_id], pinned)
    return "Pinned: it is never archived and never gives way to another." if pinned else "No longer pinned."


def turn_archive(context: AppContext, segment_id: str, namespace: str) -> str:
    segment = reader_view.segment_in(context.engine, segment_id, namespace)
    if segment.state is State.ARCHIVED:
        context.steward.restore([segment_id])
        return "Restored: it can be recalled again."
    if segment.pinned:
        raise InputError("This memory is pinned, and a pinned one is never archived: unpin it first.")
    if not context.steward.archive([segment_id]):
        raise InputError(f"This memory is {segment.state.value}: only an active one can be archived.")
    return "Archived: it is not recalled any more. The steward's history can undo this."


def put_tags(context: AppContext, segment_id: str, namespace: str, text: str) -> str:
    reader_view.segment_in(context.engine, segment_id, namespace)
    tags = reader_view.tags_from(context.engine.redactor.redact(text).text)
    context.steward.tag(segment_id, tags)
    return f"Tagged: {', '.join(tags)}." if tags else "It has no tags now."


# links


def others(engine: Engine, segment_id: str, namespace: str, words: str) -> Choices:
    """Memories that could be meant, as (what is shown, id)."""
    if not words.strip():
        raise InputError("Type some words of the other memory first.")
    reader_view.segment_in(engine, segment_id, namespace)
    found = speakers.named(engine, engine.recall(words, namespace=namespace, count=False).segments)
    return [(label(s.at, render.plain(s)), s.id) for s in found if s.id != segment_id][:MAX_LINK_CHOICES]


def label(at: object, text: str) -> str:
    return f"{at:%Y-%m-%d} · {render.shortened(text, 90)}"


def link(context: AppContext, segment_id: str, target: str | None, kind: str, namespace: str) -> str:
    if not target:
        raise InputError("Find and choose the other memory first.")
    reader_view.segment_in(context.engine, segment_id, namespace)
    reader_view.segment_in(context.engine, target, namespace)
    context.steward.link(segment_id, target, Kind(kind))
    return f"Linked: this memory {kind.replace('_', ' ')} the other. The steward's history can undo this."


def removable(reading: reader_view.Reading) -> Choices:
    """The typed links of a memory, as (what is shown, name of the link)."""
    return [
        (f"{tie.says} · {label(tie.other.at, render.plain(tie.other))}", _named(tie, reading.segment.id))
        for tie in reading.typed
    ]


def _named(tie: reader_view.LinkView, here: str) -> str:
    ends = (here, tie.other.id) if tie.outward else (tie.other.id, here)
    return " ".join((tie.kind.value, *ends))


def unlink(context: AppContext, segment_id: str, name: str | None, namespace: str) -> str:
    parts = (name or "").split(" ")
    if len(parts) != _PARTS or segment_id not in parts[1:]:
        raise InputError("Choose a link of this memory first.")
    kind, source, target = parts
    for end in (source, target):
        reader_view.segment_in(context.engine, end, namespace)
    context.steward.unlink(source, target, Kind(kind))
    return "The link is gone; both memories stay. The steward's history can undo this."


# forgetting


def what_would_go(engine: Engine, segment_id: str, namespace: str) -> str:
    """What a person sees before they say yes. Nothing is changed."""
    reader_view.segment_in(engine, segment_id, namespace)
    plan = forgetting.plan(engine, _only(segment_id, namespace))
    lines = "".join(f'<p class="pmg-quiet">{render.safe(line)}</p>' for line in plan.preview)
    return (
        "<p><b>This will be gone for good</b>, from the memory, its indexes, its text files and its backups. "
        f"It cannot be undone.</p>{lines}{what_goes(plan)}"
    )


def forget(engine: Engine, segment_id: str, namespace: str, progress: Progress) -> str:
    """Removes the memory and its copies everywhere; the receipt as HTML."""
    reader_view.segment_in(engine, segment_id, namespace)
    plan = forgetting.plan(engine, _only(segment_id, namespace))  # again: it may have got copies since
    receipt = forgetting.forget(engine, plan, progress)
    return f'<div class="pmg-reading" role="status"><h3>Forgotten</h3><p>{render.safe(receipt.text)}</p></div>'


def _only(segment_id: str, namespace: str) -> Selection:
    return Selection(segments=(segment_id,), namespace=namespace)
