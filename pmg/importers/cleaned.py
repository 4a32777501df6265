"""The turns of a source's session as the memory would hold them: cleaned together, as ingest cleans them, and without what was forgotten.

A secret that one turn names is taken out of all turns of its session. So what came can only be held against what is stored
when it was cleaned with its whole session: cleaned alone, a turn may keep what the stored one does not have, and would
look edited.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pmg.base.errors import InputError
from pmg.base.model import Line, Turn, content_hash
from pmg.engine import Engine
from pmg.importers.report import ImportReport
from pmg.importers.turns import SourceSession
from pmg.ingest import turns as checking
from pmg.ingest.redact import KnownValues, Redactor, is_hidden_in
from pmg.ingest.turns import CleanedTurn
from pmg.store.forget import ForgottenDigests


@dataclass(frozen=True, slots=True)
class CleanedSession:
    """Its turns by what the source calls them, and the values that were found to be secrets in any of them."""

    turns: Mapping[str, CleanedTurn]
    values: KnownValues


def cleaned_session(turns: Sequence[Turn], redactor: Redactor, max_bytes: int) -> CleanedSession:
    """Without turns that have no words or are too long: they are left out of the import too."""
    acceptable = [turn for turn in turns if _is_acceptable(turn, max_bytes)]
    values = KnownValues()
    cleaned = checking.clean_together(acceptable, redactor, max_bytes, values)
    return CleanedSession({one.turn.origin_id: one for one in cleaned}, values)


def _is_acceptable(turn: Turn, max_bytes: int) -> bool:
    try:
        checking.checked(turn, max_bytes)
    except InputError:
        return False
    return True


def differ_by_marks(lines: Sequence[Line], stored: Sequence[Line]) -> bool:
    """Whether the stored lines are these with marks in place of some of their words."""
    return len(lines) == len(stored) and all(
        (line.speaker, line.role) == (held.speaker, held.role) and is_hidden_in(line.text, held.text)
        for line, held in zip(lines, stored, strict=True)
    )


@dataclass(frozen=True, slots=True)
class ForgottenTurns:
    """What the person has forgotten stays away: told before it is counted as new."""

    forgotten: ForgottenDigests
    namespace: str

    def __bool__(self) -> bool:
        return bool(self.forgotten.digests)

    def without(
        self, session: SourceSession, cleaned: CleanedSession, turns: Sequence[Turn], report: ImportReport
    ) -> tuple[Turn, ...]:
        if not self:
            return tuple(turns)
        left = tuple(turn for turn in turns if not self._holds(session, cleaned.turns[turn.origin_id].turn))
        if len(left) < len(turns):
            report.skipped["turns that were forgotten"] += len(turns) - len(left)
        return left

    def _holds(self, session: SourceSession, turn: Turn) -> bool:
        digest = content_hash(turn.lines)
        return self.forgotten.hold(self.namespace, session.id, session.conversation, digest, turn.origin_id)


def forgotten_turns(engine: Engine, namespace: str) -> ForgottenTurns:
    return ForgottenTurns(engine.reads.forgetting.digests(), namespace)
