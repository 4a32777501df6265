"""What the person has forgotten stays away: a turn that an export brings back is left out, and counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pmg.base.model import Turn, content_hash
from pmg.engine import Engine
from pmg.importers.cleaned import CleanedSession
from pmg.importers.report import ImportReport
from pmg.importers.turns import SourceSession
from pmg.store.forget import ForgottenDigests


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
