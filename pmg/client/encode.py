"""What the engine's verbs take, as the JSON that /api/v1 takes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import fields
from datetime import date, datetime
from typing import Any
from urllib.parse import quote

from pmg.errors import InputError
from pmg.forget import Selection
from pmg.ingest.pipeline import Ingested
from pmg.ingest.turns import SessionInput
from pmg.model import Line, Turn
from pmg.times import with_zone

BATCH_BYTES = 1_000_000  # of sessions sent together; the server takes about four times as much
Json = dict[str, Any]


def in_path(name: str) -> str:
    """A name as one step of a path, whatever stands in it."""
    if not name or name in (".", ".."):
        raise InputError(f"{name!r} is no id: `search` and `sessions` give ids.")
    return quote(name.encode("utf-8", "surrogatepass"), safe="")


def time_text(at: date | None) -> str:
    """A moment with its zone; a date alone stays one, and means the whole day."""
    if at is None:
        return ""
    return with_zone(at).isoformat() if isinstance(at, datetime) else at.isoformat()


def line_json(line: Line) -> Json:
    return {"speaker": line.speaker, "role": line.role.value, "text": line.text, "at": time_text(line.at)}


def turn_json(turn: Turn) -> Json:
    said = {"lines": [line_json(line) for line in turn.lines], "at": time_text(turn.at)}
    return {**said, "origin_id": turn.origin_id, "meta": dict(turn.meta)}


def session_json(session: SessionInput) -> Json:
    return {
        "turns": [turn_json(turn) for turn in session.turns],
        "title": session.title,
        "session": session.id,
        "conversation": session.conversation,
        "source": session.source,
        "started_at": time_text(session.started_at),
        "meta": dict(session.meta),
    }


def selection_json(selection: Selection) -> Json:
    found = {one.name: getattr(selection, one.name) for one in fields(selection) if one.name != "namespace"}
    times = {"since": time_text(selection.since), "until": time_text(selection.until)}
    return {**found, "segments": list(selection.segments), "sessions": list(selection.sessions), **times}


def in_batches(sessions: Iterable[SessionInput]) -> Iterator[tuple[str, list[Json]]]:
    """A namespace and some sessions for it, in their order; a session is never cut."""
    batch: list[Json] = []
    namespace, size = "", 0
    for one in sessions:
        made = session_json(one)
        length = len(json.dumps(made))
        if batch and (one.namespace != namespace or size + length > BATCH_BYTES):
            yield namespace, batch
            batch, size = [], 0
        namespace, size = one.namespace, size + length
        batch.append(made)
    if batch:
        yield namespace, batch


def summed(one: Ingested, two: Ingested) -> Ingested:
    return Ingested(
        one.sessions + two.sessions,
        one.turns + two.turns,
        one.known + two.known,
        one.redacted + two.redacted,
        one.built + two.built,
        one.forgotten + two.forgotten,
        one.places + two.places,
        one.aside + two.aside,
    )
