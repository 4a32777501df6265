"""An open session: every turn is on disk when `add` returns.

Storing a turn and closing a session are verbs of the engine, which hands them in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING

from pmg.base import arguments
from pmg.base.errors import InputError
from pmg.base.model import Line, Turn
from pmg.ingest.session_arguments import checked_lines
from pmg.ingest.turns import exchange

if TYPE_CHECKING:
    from pmg.ingest.build import Built

AddTurn = Callable[[str, Turn], str]  # a session's id and a turn; the id of the segment


class OpenSession:
    """Used as `with engine.session(title="…") as s: s.add(user="…", assistant="…")`; leaving closes and links it."""

    def __init__(self, session_id: str, add_turn: AddTurn, close_session: Callable[[str], Built]) -> None:
        self.id = session_id
        self._add_turn = add_turn
        self._close_session = close_session
        self.closed: Built | None = None  # what closing linked

    def add(
        self,
        user: str | None = None,
        assistant: str | None = None,
        *,
        lines: Sequence[Line] = (),
        at: datetime | None = None,
        origin_id: str = "",
        meta: Mapping[str, str] | None = None,
    ) -> str:
        """Stores one turn and returns its segment id: a user message and its answer, or any lines with speakers."""
        if self.closed is not None:
            raise InputError(f"Session {self.id} is closed: begin a new one with engine.session().")
        told = exchange(arguments.optional_text(user, "user"), arguments.optional_text(assistant, "assistant"))
        turn = Turn(
            (*told, *checked_lines(lines, "lines")),
            arguments.moment(at, "at"),
            arguments.text(origin_id, "origin_id"),
            {} if meta is None else arguments.notes(meta, "meta"),
        )
        return self._add_turn(self.id, turn)

    def close(self) -> Built:
        if self.closed is None:
            self.closed = self._close_session(self.id)
        return self.closed

    def __enter__(self) -> OpenSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
