"""Turns and sessions as a caller of the Python API put them together: the type of every field, before any of them is read.

What makes a turn acceptable besides is told by turns.py. Importers are checked where they come in (pmg/importers/result_check.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pmg.base import arguments
from pmg.base.model import Line, Role, Turn
from pmg.config import checked_namespace
from pmg.ingest.turns import SessionInput, session_name


def checked_lines(value: object, argument: str) -> tuple[Line, ...]:
    """The lines; a role that was given as text becomes a member of Role, and a time without a zone gets that of this machine."""
    given = arguments.items(value, argument, "give a list of pmg.Line")
    return tuple(_line(one, f"{argument}[{number}]") for number, one in enumerate(given))


def checked_turn(value: object, argument: str) -> Turn:
    turn = arguments.instance(value, argument, Turn, "give a pmg.Turn")
    at = arguments.moment(turn.at, f"{argument}.at")
    arguments.text(turn.origin_id, f"{argument}.origin_id")
    arguments.notes(turn.meta, f"{argument}.meta")
    return replace(turn, lines=checked_lines(turn.lines, f"{argument}.lines"), at=at)


def checked_sessions(value: object, namespace: str | None = None) -> Iterator[SessionInput]:
    """One after the other as they are taken in: there may be more than fit into memory.

    With `namespace`, that of those that name none, each gets its id: it is made of the times as they were given, so that a session which
    came in before is found again.
    """
    several: Iterable[object] = arguments.each(value, "sessions", "give a list of pmg.SessionInput")
    return (_session(one, f"sessions[{number}]", namespace) for number, one in enumerate(several))


def _session(value: object, argument: str, namespace: str | None) -> SessionInput:
    session = arguments.instance(value, argument, SessionInput, "give a pmg.SessionInput")
    for field in ("title", "conversation", "source", "id", "namespace"):
        arguments.text(getattr(session, field), f"{argument}.{field}")
    arguments.notes(session.meta, f"{argument}.meta")
    given = _several_turns(session.turns, f"{argument}.turns")
    checked = replace(
        session,
        started_at=arguments.moment(session.started_at, f"{argument}.started_at"),
        turns=_turns(given, f"{argument}.turns"),
        context=_turns(_several_turns(session.context, f"{argument}.context"), f"{argument}.context"),
    )
    if namespace is None or session.id or not given:
        return checked
    first = replace(checked.turns[0], at=arguments.instance(given[0], f"{argument}.turns[0]", Turn, "").at)
    as_given = replace(checked, started_at=session.started_at, turns=(first,))
    return replace(checked, id=session_name(as_given, checked_namespace(session.namespace or namespace)))


def _several_turns(value: object, argument: str) -> Sequence[object]:
    return tuple(arguments.items(value, argument, "give a list of pmg.Turn"))


def _turns(given: Sequence[object], argument: str) -> tuple[Turn, ...]:
    return tuple(checked_turn(one, f"{argument}[{number}]") for number, one in enumerate(given))


def _line(value: object, argument: str) -> Line:
    line = arguments.instance(value, argument, Line, "give a pmg.Line")
    arguments.text(line.speaker, f"{argument}.speaker")
    arguments.text(line.text, f"{argument}.text")
    at = arguments.moment(line.at, f"{argument}.at")
    role = arguments.member(line.role, f"{argument}.role", Role)
    return line if role is line.role and at is line.at else replace(line, role=role, at=at)
