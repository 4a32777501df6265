"""What a conversation brings that the memory does not hold: new turns, turns with other words, links of branches.

Handles how a turn is found again (by what its source calls it, in whichever session of its conversation it is) and which
of two versions of it is the newer. Pure: what is known comes in, what is to be done comes out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from pmg.base.model import Line, Role, Turn, content_hash
from pmg.base.times import parse, with_zone
from pmg.importers.conversation import Conversation
from pmg.importers.turns import SourceSession, SourceTurn, first_said, turn_groups
from pmg.store.exchange import ImportedTurn

ROOT = "root"  # what `turns.sessions_of` calls a branch that leaves before the first message


@dataclass(frozen=True, slots=True)
class TurnMatch:
    """A turn that is stored, with the turn as it came now (redacted)."""

    stored: ImportedTurn
    turn: Turn


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """For one session: what is new of it, and what is known of it."""

    fresh: tuple[Turn, ...] = ()
    known: tuple[TurnMatch, ...] = ()


def named_once(sessions_of: Sequence[SourceSession]) -> list[SourceSession]:
    """Two turns with one name in one conversation: the second is called `name#2`, so that both come in, once."""
    seen: Counter[str] = Counter()
    out = []
    for session in sessions_of:
        turns = []
        for turn in session.turns:
            seen[turn.origin_id] += bool(turn.origin_id)
            count = seen[turn.origin_id]
            turns.append(turn if count < 2 else replace(turn, origin_id=f"{turn.origin_id}#{count}"))
        out.append(replace(session, turns=tuple(turns)))
    return out


def planned(turns: Sequence[Turn], known: Mapping[str, ImportedTurn]) -> ImportPlan:
    joined = _held_as_one(turns, known)
    left = [(turn, stored_name(turn, known)) for index, turn in enumerate(turns) if index not in joined]
    fresh = tuple(turn for turn, name in left if name not in known)
    held = tuple(TurnMatch(known[name], turn) for turn, name in left if name in known)
    return ImportPlan(fresh, held)


def stored_name(turn: Turn, known: Container[str]) -> str:
    """What the memory calls a turn. Where it has both names, the other one holds the answer too."""
    other = turn.other_name if isinstance(turn, SourceTurn) else ""
    return other if other and other in known else turn.origin_id


def _held_as_one(turns: Sequence[Turn], known: Mapping[str, ImportedTurn]) -> set[int]:
    """Places of commands without an answer and of what was said after them, where the memory holds them as one turn."""
    found: set[int] = set()
    begin = 0  # of the commands that stand directly before a turn
    for index, turn in enumerate(turns):
        stored = known.get(stored_name(turn, known))
        if stored is None and all(line.role is Role.SYSTEM for line in turn.lines):
            continue
        if stored is not None and begin < index:
            lines = tuple(line for each in turns[begin : index + 1] for line in each.lines)
            found.update(range(begin, index + 1) if stored.says(content_hash(lines)) else ())
        begin = index + 1
    return found


def is_prefix(short: Sequence[Line], long: Sequence[Line]) -> bool:
    """Whether the one goes on where the other ends, the last line perhaps in the middle of it (a stream cut off)."""
    if not short or len(short) > len(long):
        return False
    last, there = short[-1], long[len(short) - 1]
    same = (last.speaker, last.role) == (there.speaker, there.role) and there.text.startswith(last.text)
    return same and tuple(short[:-1]) == tuple(long[: len(short) - 1])


def is_older(notes: Mapping[str, str], updated_at: datetime | None, behind: bool) -> bool:
    """Whether this export was made before the one that the stored session came from.

    Not every platform moves the time of a conversation when an answer is made anew or a title is changed. Where the times
    are equal, or one is missing, the one that holds fewer turns and branches is the older (`behind`).
    """
    stored = notes.get("updated_at", "")
    if not stored or updated_at is None:
        return behind
    before, now = parse(stored), with_zone(updated_at)
    return now < before or (now == before and behind)


def is_behind(sessions: Sequence[SourceSession], known: Mapping[str, object]) -> bool:
    """Whether the memory holds every turn of this conversation, on all its branches, and others besides."""
    return {stored_name(turn, known) for session in sessions for turn in session.turns} < known.keys()


@dataclass(frozen=True, slots=True)
class Fork:
    """A branch's first turn and the turn that it leaves from, by what the source calls them."""

    conversation: str
    branch: str
    leaves: str


def forks(conversation: Conversation, sessions_of: Sequence[SourceSession]) -> Iterator[Fork]:
    """Where each session of another branch leaves. A branch may leave in the middle of a turn, or of another branch."""
    leaving = [session for session in sessions_of if session.branch_at not in ("", ROOT) and session.turns]
    if not leaving:
        return
    turn_of: dict[str, str] = {}
    for messages in (conversation.messages, *(branch.messages for branch in conversation.branches)):
        for group in turn_groups(messages):
            name = first_said(group).origin_id
            for message in group:
                turn_of.setdefault(message.origin_id, name)
    for session in leaving:
        first, leaves = session.turns[0].origin_id, turn_of.get(session.branch_at, "")
        if leaves and leaves != first:
            yield Fork(session.conversation, first, leaves)


def said_since(session: SourceSession, since: datetime | None) -> bool:
    """Whether any of it was said at or after a time; what has no time is never left out for it."""
    times = [with_zone(turn.at) for turn in session.turns if turn.at is not None]
    return since is None or not times or max(times) >= since


def is_untimed(session: SourceSession) -> bool:
    """Whether the source says of nothing in it when it was said: it is dated with the day of the import, and marked."""
    return session.started_at is None and all(turn.at is None for turn in session.turns)


@dataclass(slots=True)
class ConversationBatch:
    """Conversations looked at together: one question to the store, one transaction."""

    conversations: list[tuple[Conversation, list[SourceSession]]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    turns: int = 0
    characters: int = 0

    def add(self, conversation: Conversation, sessions_of: list[SourceSession]) -> None:
        self.conversations.append((conversation, sessions_of))
        self.names.update(session.conversation for session in sessions_of)
        for session in sessions_of:
            self.turns += len(session.turns)
            self.characters += sum(len(line.text) for turn in session.turns for line in turn.lines)
