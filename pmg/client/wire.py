"""What travels between a client and /api/v1: what the verbs take as JSON, and answers as the dataclasses they were made from.

What is of the wrong type is told by its name before anything is sent. Of an answer, fields that this version does not know are passed
over: a newer server may say more. Text is taken as it is, half characters from broken exports too, which a validating library would refuse.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints
from urllib.parse import quote

from pmg.base import arguments
from pmg.base.errors import InputError
from pmg.base.model import Line, Turn
from pmg.forget import Selection
from pmg.ingest.turns import SessionInput

BATCH_BYTES = 1_000_000  # of sessions sent together; the server takes about four times as much
Json = dict[str, Any]


def in_path(name: str) -> str:
    """A name as one step of a path, whatever stands in it."""
    arguments.text(name, "the id")
    if not name or name in (".", ".."):
        raise InputError(f"{name!r} is no id: `search` and `sessions` give ids.")
    return quote(name.encode("utf-8", "surrogatepass"), safe="")


def texts_json(**given: object) -> Json:
    return {name: arguments.text(value, name) for name, value in given.items()}


def counts_json(**given: object) -> Json:
    return {name: arguments.whole_number(value, name, "give a whole number (int)") for name, value in given.items()}


def time_text(at: object, argument: str) -> str:
    """A moment with its zone: that of this machine, where it names none."""
    moment = arguments.moment(at, argument)
    return "" if moment is None else moment.isoformat()


def day_text(day: object, argument: str) -> str:
    given = arguments.day(day, argument)
    return "" if given is None else given.isoformat()


def range_json(since: object, until: object) -> Json:
    """The ends of a filter. What has no zone keeps none, and is on the clock of whoever spoke; a date alone means the whole day."""
    mend = "give a date or a datetime, such as date.fromisoformat('2026-01-31')"
    ends = {"since": since, "until": until}
    return {
        name: "" if end is None else arguments.instance(end, name, date, mend).isoformat() for name, end in ends.items()
    }


def line_json(line: Line) -> Json:
    return {"speaker": line.speaker, "role": line.role.value, "text": line.text, "at": time_text(line.at, "at")}


def turn_json(turn: Turn) -> Json:
    said = {"lines": [line_json(line) for line in turn.lines], "at": time_text(turn.at, "at")}
    return {**said, "origin_id": turn.origin_id, "meta": dict(turn.meta)}


def session_json(session: SessionInput) -> Json:
    return {
        "turns": [turn_json(turn) for turn in session.turns],
        "title": session.title,
        "session": session.id,
        "conversation": session.conversation,
        "source": session.source,
        "started_at": time_text(session.started_at, "started_at"),
        "meta": dict(session.meta),
    }


def checked_selection(given: object) -> Selection:
    return arguments.instance(given, "selection", Selection, "give a Selection, such as Selection(query='the pool')")


def selection_json(selection: Selection) -> Json:
    found = {one.name: getattr(selection, one.name) for one in fields(selection) if one.name != "namespace"}
    lists = {name: list(arguments.texts(found[name], name)) for name in ("segments", "sessions", "also_called")}
    return {**found, **lists, **range_json(selection.since, selection.until)}


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


def decode(kind: Any, value: Any) -> Any:
    """`value`, as json.loads gave it, as a `kind`. KeyError, TypeError or ValueError for what is none."""
    if isinstance(kind, type) and is_dataclass(kind):
        return kind(**{name: decode(hint, value[name]) for name, hint in _hints(kind).items() if name in value})
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType:
        other = next(one for one in inner if one is not NoneType)
        return None if value is None else decode(other, value)
    if origin is tuple:
        return tuple(decode(inner[0], one) for one in value)
    if origin is Counter:
        return Counter({decode(inner[0], key): count for key, count in value.items()})
    if origin is Mapping:
        return {decode(inner[0], key): decode(inner[1], one) for key, one in value.items()}
    if kind is datetime or kind is date:
        return kind.fromisoformat(value)
    return kind(value) if isinstance(kind, type) and issubclass(kind, Enum) else value


@lru_cache
def _hints(kind: type[Any]) -> dict[str, Any]:
    found = get_type_hints(kind)
    return {field.name: found[field.name] for field in fields(kind)}
