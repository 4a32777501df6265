"""What a reader of another package gives, held against what conversation.py promises: the type of every field, and a source that can be named.

Knows: which types each field takes, and what to give instead. Our own readers are checked by mypy; whoever reads a result
behind plugins.py need not look again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from types import NoneType

from pmg.base.model import Role
from pmg.base.times import is_in_calendar, with_zone
from pmg.importers.conversation import Branch, Conversation, Level, Problem, Result, SourceMessage


@dataclass(frozen=True, slots=True)
class Wanted:
    """The types that a field takes, and what to give where it has another."""

    types: tuple[type, ...]
    mend: str


TEXT = Wanted((str,), 'give text (str), "" where there is none')
TIME = Wanted((datetime, NoneType), "give a datetime, or None where the time is not known")
NUMBER = Wanted((int,), "give a whole number (int)")
YES_NO = Wanted((bool,), "give True or False")
NOTES = Wanted((Mapping,), "give a mapping of text to text, {} where there is nothing to note")
COUNTS = Wanted((Mapping,), "give a mapping of text to whole numbers, {} where nothing was counted")
LISTED = Wanted((tuple, list), "give a tuple, () where there are none")

MESSAGE = {
    "origin_id": TEXT,
    "role": Wanted((Role,), "give a member of pmg.base.model.Role, such as Role.USER"),
    "speaker": TEXT,
    "text": TEXT,
    "at": TIME,
    "part": NUMBER,
    "model": TEXT,
    "kind": TEXT,
    "session": TEXT,
    "turn": TEXT,
    "meta": NOTES,
}
BRANCH = {"at": TEXT, "messages": LISTED}
CONVERSATION = {
    "source": TEXT,
    "origin_id": TEXT,
    "title": TEXT,
    "created_at": TIME,
    "messages": LISTED,
    "branches": LISTED,
    "updated_at": TIME,
    "meta": NOTES,
    "counts": COUNTS,
    "made_id": YES_NO,
    "turns_named_by_words": YES_NO,
    "file": TEXT,
}
PROBLEM = {
    "file": TEXT,
    "position": TEXT,
    "reason": TEXT,
    "level": Wanted((Level,), "give a member of Level, such as Level.BROKEN"),
    "raw": TEXT,
    "raw_bytes": NUMBER,
    "count": NUMBER,
}


class WrongResult(Exception):
    """Says which field has which type, and what to give instead."""


def checked(result: object) -> Result:
    """The same result, its lists as tuples and its times with a zone; WrongResult where a field has another type."""
    if isinstance(result, Problem):
        _check_fields(result, PROBLEM, "Problem")
        return result
    if not isinstance(result, Conversation):
        raise WrongResult(f"{_type(result)}: give a Conversation or a Problem of pmg.importers.conversation")
    _check_fields(result, CONVERSATION, "Conversation")
    if not result.source.strip() or not result.source.isprintable():  # the report names it, a line each
        what = "a text of several lines or with control characters" if result.source.strip() else "an empty text"
        raise WrongResult(
            f"Conversation.source as {what}: give the name of what it was exported from, such as 'parley'"
        )
    _check_mapping(result.counts, int, "Conversation.counts", COUNTS)
    _check_mapping(result.meta, str, "Conversation.meta", NOTES)
    return replace(
        result,
        created_at=_zoned(result.created_at),
        updated_at=_zoned(result.updated_at),
        messages=_messages(result.messages, "Conversation.messages"),
        branches=tuple(_branch(one, f"Conversation.branches[{n}]") for n, one in enumerate(result.branches)),
    )


def _branch(branch: object, name: str) -> Branch:
    if not isinstance(branch, Branch):
        raise _wrong(name, branch, "give a Branch")
    _check_fields(branch, BRANCH, name)
    return replace(branch, messages=_messages(branch.messages, f"{name}.messages"))


def _messages(messages: tuple[object, ...], name: str) -> tuple[SourceMessage, ...]:
    return tuple(_message(one, f"{name}[{number}]") for number, one in enumerate(messages))


def _message(message: object, name: str) -> SourceMessage:
    if not isinstance(message, SourceMessage):
        raise _wrong(name, message, "give a SourceMessage")
    _check_fields(message, MESSAGE, name)
    _check_mapping(message.meta, str, f"{name}.meta", NOTES)
    return replace(message, at=_zoned(message.at))


def _check_fields(given: object, fields: Mapping[str, Wanted], name: str) -> None:
    for field, wanted in fields.items():
        value = getattr(given, field)
        if not isinstance(value, wanted.types):
            raise _wrong(f"{name}.{field}", value, wanted.mend)


def _check_mapping(given: Mapping[str, object], values: type, name: str, wanted: Wanted) -> None:
    for key, value in given.items():
        if not isinstance(key, str):
            raise _wrong(f"a key of {name}", key, wanted.mend)
        if not isinstance(value, values):
            raise _wrong(f"{name}[{key!r}]", value, wanted.mend)


def _zoned(at: datetime | None) -> datetime | None:
    """None also for a time that has no date in some zones: nothing could show it there."""
    return None if at is None or not is_in_calendar(at) else with_zone(at)


def _wrong(name: str, value: object, mend: str) -> WrongResult:
    return WrongResult(f"{name} as {_type(value)}: {mend}")


def _type(value: object) -> str:
    return "None" if value is None else type(value).__name__
