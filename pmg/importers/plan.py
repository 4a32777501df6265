"""What a conversation brings that the memory does not hold: new turns, turns with other words, links of branches.

Knows: how a turn is found again (by what its source calls it, in whichever session of its conversation it is) and which
of two versions of it is the newer. Pure: what is known comes in, what is to be done comes out.
Does not know: the store, files, redaction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from pmg.importers.conversation import Conversation
from pmg.importers.turns import Sitting, turn_groups
from pmg.model import Line, Role, Turn
from pmg.store.exchange import KnownTurn
from pmg.times import parse, with_zone

ROOT = "root"  # what `sittings` calls a branch that leaves before the first message


@dataclass(frozen=True, slots=True)
class Known:
    """A turn that is stored, with the turn as it came now (redacted)."""

    stored: KnownTurn
    turn: Turn


@dataclass(frozen=True, slots=True)
class Plan:
    """For one sitting: what is new of it, and what is known of it."""

    fresh: tuple[Turn, ...] = ()
    known: tuple[Known, ...] = ()


def named_once(session_spans: Sequence[Sitting]) -> list[Sitting]:
    """Two turns with one name in one conversation: the second is called `name#2`, so that both come in, once."""
    seen: Counter[str] = Counter()
    out = []
    for sitting in session_spans:
        turns = []
        for turn in sitting.turns:
            seen[turn.origin_id] += bool(turn.origin_id)
            count = seen[turn.origin_id]
            turns.append(turn if count < 2 else replace(turn, origin_id=f"{turn.origin_id}#{count}"))
        out.append(replace(sitting, turns=tuple(turns)))
    return out


def planned(turns: Sequence[Turn], known: Mapping[str, KnownTurn]) -> Plan:
    fresh = tuple(turn for turn in turns if turn.origin_id not in known)
    held = tuple(Known(known[turn.origin_id], turn) for turn in turns if turn.origin_id in known)
    return Plan(fresh, held)


def is_prefix(short: Sequence[Line], long: Sequence[Line]) -> bool:
    """Whether the one goes on where the other ends, the last line perhaps in the middle of it (a stream cut off)."""
    if not short or len(short) > len(long):
        return False
    last, there = short[-1], long[len(short) - 1]
    same = (last.speaker, last.role) == (there.speaker, there.role) and there.text.startswith(last.text)
    return same and tuple(short[:-1]) == tuple(long[: len(short) - 1])


def is_older(told: Mapping[str, str], updated_at: datetime | None) -> bool:
    """Whether this export was made before the one that the stored session came from."""
    stored = told.get("updated_at", "")
    return bool(stored) and updated_at is not None and with_zone(updated_at) < parse(stored)


@dataclass(frozen=True, slots=True)
class Fork:
    """A branch's first turn and the turn that it leaves from, by what the source calls them."""

    conversation: str
    branch: str
    leaves: str


def forks(conversation: Conversation, session_spans: Sequence[Sitting]) -> Iterator[Fork]:
    """Where each sitting of another branch leaves. A branch may leave in the middle of a turn, or of another branch."""
    leaving = [sitting for sitting in session_spans if sitting.branch_at not in ("", ROOT) and sitting.turns]
    if not leaving:
        return
    turn_of: dict[str, str] = {}
    for messages in (conversation.messages, *(branch.messages for branch in conversation.branches)):
        for group in turn_groups(messages):
            spoken = next((message for message in group if message.role is not Role.SYSTEM), group[0])
            for message in group:
                turn_of.setdefault(message.origin_id, spoken.origin_id)
    for sitting in leaving:
        first, leaves = sitting.turns[0].origin_id, turn_of.get(sitting.branch_at, "")
        if leaves and leaves != first:
            yield Fork(sitting.conversation, first, leaves)


def said_since(sitting: Sitting, since: datetime | None) -> bool:
    """Whether any of it was said at or after a time; what has no time is never left out for it."""
    times = [with_zone(turn.at) for turn in sitting.turns if turn.at is not None]
    return since is None or not times or max(times) >= since


@dataclass(slots=True)
class Group:
    """Conversations looked at together: one question to the store, one transaction."""

    conversations: list[tuple[Conversation, list[Sitting]]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    turns: int = 0
    characters: int = 0

    def add(self, conversation: Conversation, session_spans: list[Sitting]) -> None:
        self.conversations.append((conversation, session_spans))
        self.names.update(sitting.conversation for sitting in session_spans)
        for sitting in session_spans:
            self.turns += len(sitting.turns)
            self.characters += sum(len(line.text) for turn in sitting.turns for line in turn.lines)
