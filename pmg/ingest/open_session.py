"""An open session: every turn is on disk when `add` returns.

Knows: its id and how many turns it has. Does not know: how turns are stored or linked; the engine does that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING

from pmg.errors import InputError
from pmg.ingest.turns import exchange
from pmg.model import Line, Turn

if TYPE_CHECKING:
    from pmg.engine import Engine
    from pmg.ingest.pipeline import Built


class OpenSession:
    """Used as `with engine.session(title="…") as s: s.add(user="…", assistant="…")`; leaving closes and links it."""

    def __init__(self, engine: Engine, session_id: str) -> None:
        self._engine = engine
        self.id = session_id
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
        said = (*exchange(user, assistant), *lines)
        return self._engine.add_turn(self.id, Turn(said, at, origin_id, meta or {}))

    def close(self) -> Built:
        if self.closed is None:
            self.closed = self._engine.close_session(self.id)
        return self.closed

    def __enter__(self) -> OpenSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
