"""Messages into sessions and turns, the form the memory takes in.

Handles what makes a turn (one user message with what follows it, or one utterance between people), what ends a session
(a pause), and names for sessions that stay the same when a newer export adds to them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pmg.base.model import Line, Role, Turn
from pmg.importers.conversation import Conversation, SourceMessage, short_id
from pmg.importers.message_parts import BRIEF, COMMAND
from pmg.importers.reading.fields import notes

GAP_HOURS = 6.0  # a night's sleep ends a session; a lunch does not
NOT_PLAIN = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True, slots=True)
class SourceTurn(Turn):
    """A turn as it comes in. `other_name`: what it is called in memories where a command did not name its turn."""

    other_name: str = ""


@dataclass(frozen=True, slots=True)
class SourceSession:
    """One session of a conversation, ready to be taken in. `branch_at` names the message another branch leaves at."""

    id: str
    conversation: str
    title: str
    source: str
    started_at: datetime | None
    turns: tuple[Turn, ...]
    branch_at: str = ""
    meta: Mapping[str, str] = field(default_factory=dict)


def sessions_of(
    conversation: Conversation, *, gap_hours: float = GAP_HOURS, branches: bool = True
) -> Iterator[SourceSession]:
    """The sessions of the current branch in order, then those of each other branch, linked where it leaves."""
    taken: dict[str, int] = {}
    yield from _of(conversation, conversation.messages, "", gap_hours, taken)
    for branch in conversation.branches if branches else ():
        yield from _of(conversation, branch.messages, branch.at or "root", gap_hours, taken)


def _of(
    conversation: Conversation, messages: Sequence[SourceMessage], link: str, gap_hours: float, taken: dict[str, int]
) -> Iterator[SourceSession]:
    for group in split(turn_groups(messages), gap_hours):
        first = group[0][0]
        name = session_name(conversation.source, conversation.origin_id, first)
        taken[name] = taken.get(name, 0) + 1  # two messages with one id in one export: the second session gets a number
        yield SourceSession(
            id=name if taken[name] == 1 else f"{name}-{taken[name]}",
            conversation=conversation_id(conversation.source, conversation.origin_id),
            title=conversation.title,
            source=conversation.source,
            started_at=_first_time(group) or conversation.created_at,
            turns=tuple(_turn(messages) for messages in group),
            branch_at=link,
            meta=dict(conversation.meta) | notes(origin_id=conversation.origin_id, branch_at=link),
        )


def conversation_id(source: str, origin_id: str) -> str:
    """Letters, digits and dashes; the same for every export of the same conversation."""
    return f"{plain(source)}-{short_id(source, origin_id)[:16]}"


def session_name(source: str, origin_id: str, first: SourceMessage) -> str:
    """Named by its first message: messages added at the end, or sessions before it, do not change it.

    Where the source names its sessions, that name counts instead: the same session may be cut differently later.
    """
    mark = f"sitting {first.session}" if first.session else f"message {first.origin_id}"
    return f"{plain(source)}-{short_id(source, origin_id, mark)[:16]}"


def plain(name: str) -> str:
    return NOT_PLAIN.sub("-", name).strip("-").lower()[:24] or "import"


def turn_groups(messages: Iterable[SourceMessage]) -> Iterator[list[SourceMessage]]:
    """Messages that make one turn. What stands before the first word of anybody goes with the turn that follows."""
    group: list[SourceMessage] = []
    for message in messages:
        if group and _begins(message, group):
            yield group
            group = []
        group.append(message)
    if group:
        yield group


def _begins(message: SourceMessage, group: Sequence[SourceMessage]) -> bool:
    """Whether this message starts a new turn after the messages of `group`."""
    last = group[-1]
    if message.turn or last.turn:
        return message.turn != last.turn
    if message.origin_id == last.origin_id and message.part > 0:
        return False
    if message.session != last.session:
        return True
    if not (message.role in (Role.USER, Role.PERSON, Role.DOCUMENT) or message.kind == BRIEF or _is_called_up(message)):
        return False
    answering = {each.speaker for each in group if each.role in (Role.ASSISTANT, Role.TOOL)}
    if message.role is Role.DOCUMENT and message.speaker in answering:
        return False  # a file that the answer brought; one that a person sends without a word asks like a message
    return any(_is_said(each) for each in group)


def _is_called_up(message: SourceMessage) -> bool:
    """A command of the person's, without words of their own. What a model runs in a shell is a tool's, whatever its kind is called."""
    return message.role is Role.SYSTEM and message.kind == COMMAND


def _is_said(message: SourceMessage) -> bool:
    """Not put in by the program. A command counts: its turn is named and dated by it before there is an answer, and after."""
    return message.role is not Role.SYSTEM or _is_called_up(message)


def first_said(messages: Sequence[SourceMessage]) -> SourceMessage:
    """The message by which its turn is called."""
    return next((message for message in messages if _is_said(message)), messages[0])


def _other_name(messages: Sequence[SourceMessage]) -> str:
    """Where a command names the turn: the first message that is no command and not put in by the program."""
    if not _is_called_up(first_said(messages)):
        return ""
    return next((message.origin_id for message in messages if message.role is not Role.SYSTEM), "")


def split(turns: Iterable[list[SourceMessage]], gap_hours: float) -> Iterator[list[list[SourceMessage]]]:
    """Turns of one session together: a new one starts after a pause, or where the source says so."""
    gap = timedelta(hours=gap_hours)
    group: list[list[SourceMessage]] = []
    last: datetime | None = None
    for turn in turns:
        at = _first_time([turn])
        apart = last is not None and at is not None and at - last > gap
        named = bool(group) and (bool(turn[0].session) or bool(group[-1][0].session))
        if group and (turn[0].session != group[-1][0].session if named else apart):
            yield group
            group = []
        group.append(turn)
        last = _last_time(turn) or last
    if group:
        yield group


def _first_time(turns: Sequence[Sequence[SourceMessage]]) -> datetime | None:
    """The first time that a spoken message has: what was put in before it may carry none, or an older one."""
    times = [message.at for turn in turns for message in turn if message.at and _is_said(message)]
    return times[0] if times else next((message.at for turn in turns for message in turn if message.at), None)


def _last_time(turn: Sequence[SourceMessage]) -> datetime | None:
    return max((message.at for message in turn if message.at), default=None)


def _turn(messages: Sequence[SourceMessage]) -> SourceTurn:
    models = list(dict.fromkeys(message.model for message in messages if message.model))
    kinds = list(dict.fromkeys(message.kind for message in messages if message.kind != "text"))
    return SourceTurn(
        lines=tuple(Line(message.speaker, message.role, message.text, message.at) for message in messages),
        at=_first_time([messages]),
        origin_id=first_said(messages).origin_id,
        meta=_merged(messages) | notes(model=", ".join(models), kinds=", ".join(kinds)),
        other_name=_other_name(messages),
    )


def _merged(messages: Sequence[SourceMessage]) -> dict[str, str]:
    """What the messages say of themselves; where several say the same thing, each value once."""
    found: dict[str, list[str]] = {}
    for message in messages:
        for key, value in message.meta.items():
            if key != "hidden" and value not in found.get(key, ()):
                found.setdefault(key, []).append(value)
    return {key: "; ".join(values) for key, values in found.items()}
