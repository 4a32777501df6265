"""What an import would keep, counted without writing: a dry run promises exactly what the import then does.

A conversation may come twice in one run (an old and a new export side by side). The import finds the first one stored;
a dry run remembers what it has counted, by digests, for an export may be larger than memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pmg.base.model import Line, Session, Turn
from pmg.base.times import with_zone
from pmg.importers.cleaned import CleanedSession
from pmg.importers.conversation import Conversation
from pmg.importers.plan import is_behind
from pmg.importers.report import SourceCount
from pmg.importers.turns import SourceSession

LineDigest = tuple[str, str, int, int]  # speaker, role, length and hash of the text


@dataclass(slots=True)
class DryRunTurns:
    """The turns that a dry run has counted: by conversation, then by what the source calls each; stored sessions as it would change them."""

    turns: dict[str, dict[str, list[LineDigest]]] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    updated: dict[str, datetime] = field(default_factory=dict)

    def without(
        self, session: SourceSession, cleaned: CleanedSession, older: bool, count: SourceCount
    ) -> tuple[Turn, ...]:
        """The turns that this run has not counted yet; the others are counted as the import would: as they are stored."""
        counted = self.turns.setdefault(session.conversation, {})
        left = []
        for turn in session.turns:
            before, lines = counted.get(turn.origin_id), cleaned.turns[turn.origin_id].turn.lines
            if before is None:
                left.append(turn)
                counted[turn.origin_id] = _digests(lines)
            elif _count_again(before, lines, older, count):
                counted[turn.origin_id] = _digests(lines)
        return tuple(left)

    def is_older(self, conversation: Conversation, sessions: Sequence[SourceSession]) -> bool:
        """As `plan.is_older` judges against what is stored."""
        name = sessions[0].conversation
        behind = is_behind(sessions, self.turns.get(name, {}))
        before = self.updated.get(name)
        if conversation.updated_at is None or before is None:
            if conversation.updated_at is not None:
                self.updated[name] = with_zone(conversation.updated_at)
            return behind
        at = with_zone(conversation.updated_at)
        self.updated[name] = max(at, before)
        return at < before or (at == before and behind)


def _digests(lines: Sequence[Line]) -> list[LineDigest]:
    return [(line.speaker, line.role.value, len(line.text), hash(line.text)) for line in lines]


def _count_again(before: list[LineDigest], lines: Sequence[Line], older: bool, count: SourceCount) -> bool:
    """Counts a turn that came again; whether its words take the place of the former ones."""
    now = _digests(lines)
    if now == before:
        count.known += 1
        return False
    shorter = len(now) < len(before) or (len(now) == len(before) and now[-1][2] < before[-1][2])
    if older or (shorter and now[:-1] == before[: len(now) - 1]):
        count.older += 1
        return False
    last = before[-1]
    there = lines[len(before) - 1] if len(lines) >= len(before) else None
    grown = now[: len(before) - 1] == before[:-1] and there is not None and hash(there.text[: last[2]]) == last[3]
    if grown:
        count.grown += 1
    else:
        count.edited += 1
    return True
