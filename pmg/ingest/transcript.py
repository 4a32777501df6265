"""A session as a person can write or pipe it: JSON lines, or plain `Name: text` lines.

Knows: the two small formats of `pmg remember FILE` and of the sample memory.

JSON lines: a session object `{"session", "conversation", "title", "source", "started_at"}` (all optional) begins a session; each
turn object `{"at", "lines": [{"speaker", "role", "text"}]}` or `{"at", "user", "assistant"}` adds to it.
Plain text: `User: …` and `Assistant: …` make exchanges; other names are people talking. A line without a name goes on with the one before, and so does
one whose name says what secret stands behind it (`Password: …`): nobody is called so. The name may stand in bold (`**User:** …`), and a time before it (`[2026-05-17 21:30] User: …`).
A time without a zone is on the clock of this machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from pmg.base.errors import InputError
from pmg.base.model import Line, Role, Turn
from pmg.base.patterns import plain
from pmg.base.times import parse_typed
from pmg.ingest.redact import Redactor, behind_label
from pmg.ingest.turns import SessionInput, exchange

_TIME = r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?"
_SAID = plain(
    rf"^(?:\[?(?P<at>{_TIME})\]?[ \t]*(?:[-–—][ \t]*)?)?(?P<bold>\*\*|__)?(?P<name>[^\W\d][\w .'’-]{{0,40}})"
    r"(?(bold)(?::(?P=bold)|(?P=bold):)|:)[ \t](?P<text>.*)"
)
_KNOWN = frozenset(("session", "conversation", "title", "source", "started_at", "lines", "user", "assistant"))
_ROLES = {"user": Role.USER, "me": Role.USER, "human": Role.USER, "assistant": Role.ASSISTANT, "ai": Role.ASSISTANT}


def read(text: str, source: str = "transcript") -> list[SessionInput]:
    """The sessions in a text, whichever of the two formats it is in."""
    if text.lstrip().startswith("{"):
        return list(from_json_lines(rows_of(text)))
    return [SessionInput(plain_turns(text), source=source)]


def rows_of(text: str) -> list[str]:
    """Not `splitlines`: that also cuts at characters, such as U+2028, that may stand inside a line."""
    return text.replace("\r\n", "\n").split("\n")


def from_json_lines(rows: Iterable[str]) -> Iterator[SessionInput]:
    session, turns, begun = SessionInput(()), [], False
    for number, row in enumerate(rows, 1):
        if not row.strip():
            continue
        parsed = _object(row, number)
        if "lines" in parsed or "user" in parsed or "assistant" in parsed:
            turns.append(_turn(parsed, number))
            continue
        if turns or begun:
            yield replace(session, turns=tuple(turns))
        session, turns, begun = _session(parsed, number), [], True
    if turns or begun:
        yield replace(session, turns=tuple(turns))


def _object(row: str, number: int) -> dict[str, Any]:
    try:
        parsed = json.loads(row)
    except ValueError as error:
        raise InputError(f"Line {number} is not JSON ({error}). Mend it, or give plain `Name: text` lines.") from None
    if not isinstance(parsed, dict):
        raise InputError(f"Line {number} is {type(parsed).__name__}, not an object with a session or a turn.")
    if not parsed.keys() & _KNOWN:
        raise InputError(
            f"Line {number} has only {', '.join(map(repr, parsed)) or 'nothing'} in it: a turn needs `lines`, `user` or "
            f"`assistant`, a session `session` or `title`. `pmg import` reads the exports of other tools."
        )
    return parsed


def _text(row: dict[str, Any], key: str, number: int) -> str | None:
    value = row.get(key)
    if value is None or isinstance(value, str):
        return value
    raise InputError(f"Line {number} has {key} {value!r}: it must be a text.")


def _session(row: dict[str, Any], number: int) -> SessionInput:
    return SessionInput(
        (),
        title=_text(row, "title", number) or "",
        conversation=_text(row, "conversation", number) or "",
        source=_text(row, "source", number) or "transcript",
        started_at=_time(row.get("started_at")),
        id=_text(row, "session", number) or "",
    )


def _turn(row: dict[str, Any], number: int) -> Turn:
    if "lines" not in row:
        said = exchange(_text(row, "user", number), _text(row, "assistant", number))
        return Turn(said, _time(row.get("at")))
    try:
        lines = tuple(
            Line(_text(one, "speaker", number) or "", Role(one["role"]), _text(one, "text", number) or "")
            for one in row["lines"]
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        roles = ", ".join(role.value for role in Role)
        raise InputError(
            f"Line {number} has a turn that cannot be read ({error}): each line needs speaker, text and a role of {roles}."
        ) from None
    return Turn(lines, _time(row.get("at")))


def _time(value: object) -> datetime | None:
    return None if value in (None, "") else parse_typed(str(value))


def plain_turns(text: str) -> tuple[Turn, ...]:
    said: list[Line] = []
    redactor = Redactor()
    for rows in _begun_by_names(rows_of(text)):
        line = _line(rows)
        is_label = line is not None and line.role is Role.PERSON and behind_label(redactor, line.speaker, line.text)
        if line is not None and not is_label:
            said.append(line)
        elif said:
            said[-1] = replace(said[-1], text="\n".join((said[-1].text, *rows)))
        elif "".join(rows).strip():
            said.append(Line("User", Role.USER, "\n".join(rows)))
    return _exchanges([replace(line, text=line.text.strip()) for line in said if line.text.strip()])


def _begun_by_names(rows: Iterable[str]) -> Iterator[list[str]]:
    """The rows up to the next that begins with a name, and so on; before the first name there may be some without one."""
    group: list[str] = []
    for row in rows:
        if group and _SAID.match(row):
            yield group
            group = []
        group.append(row)
    yield group


def _line(rows: Sequence[str]) -> Line | None:
    found = _SAID.match(rows[0])
    if found is None:
        return None
    name, at = found["name"].strip(), parse_typed(found["at"]) if found["at"] else None
    return Line(name, _ROLES.get(name.lower(), Role.PERSON), "\n".join((found["text"].lstrip(), *rows[1:])), at)


def _exchanges(said: list[Line]) -> tuple[Turn, ...]:
    """A user's line opens a turn and the answers join it; what people say to each other is a turn each."""
    turns: list[Turn] = []
    for line in said:
        joins = line.role is Role.ASSISTANT and turns and turns[-1].lines[-1].role in (Role.USER, Role.ASSISTANT)
        if joins:
            turns[-1] = replace(turns[-1], lines=(*turns[-1].lines, line))
        else:
            turns.append(Turn((line,), line.at))
    return tuple(turns)
