"""Microsoft Copilot's CSV exports: the activity history (newest first) and the chat activity of the 365 apps.

Knows: their columns, that question and answer share a second, so rows are turned round and never sorted.
Does not know: other tables (generic.py). There are no ids: conversations are told by title, messages by what they say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime

from pmg.base.model import Role
from pmg.importers.conversation import USER, Conversation, Level, Result, SourceMessage, Where, role_of, short_id
from pmg.importers.message_parts import MessagePart, first_time, numbered, stamp
from pmg.importers.reading.lines import TextLines, header_of, records
from pmg.importers.reading.times import parse_time

SOURCE = "copilot"
NAME = "Copilot"
COLUMNS = (("conversation", "time", "author", "message"), ("chatname", "createdat", "author", "messagecontent"))


def claims_text(head: str) -> bool:
    return _columns(header_of(head)) is not None


def _columns(header: list[str]) -> tuple[str, ...] | None:
    return next((columns for columns in COLUMNS if set(columns) <= set(header)), None)


def parse_text(chunks: Iterable[bytes], where: Where) -> Iterator[Result]:
    rows: list[tuple[str, str, str, str]] = []
    columns: tuple[str, ...] = ()
    lines = TextLines(chunks)
    for line, record in records(lines):
        columns = columns or _columns(list(record)) or COLUMNS[0]
        title, at, author, said = (record.get(column, "") for column in columns)
        if not said.strip():
            yield Where(where.file, f"line {line}").problem("a row without a message", raw=str(record))
            continue
        rows.append((title, at, author, said))
    if lines.remark:
        yield where.problem(lines.remark, level=Level.NOTE)
    if _newest_first(rows):
        rows.reverse()
    talks: dict[str, list[tuple[str, str, str, str]]] = {}
    for row in rows:
        talks.setdefault(row[0], []).append(row)
    for title, talk in talks.items():
        yield _conversation(title, talk)


def _newest_first(rows: list[tuple[str, str, str, str]]) -> bool:
    """Told by the times; where all are one, an export that is turned round begins with an answer."""
    times = [at for row in rows if (at := parse_time(row[1]))]
    if times and times[0] != times[-1]:
        return times[0] > times[-1]
    return bool(rows) and role_of(rows[0][2]) is Role.ASSISTANT


def _conversation(title: str, talk: list[tuple[str, str, str, str]]) -> Conversation:
    counts: Counter[str] = Counter()
    names: Counter[str] = Counter()
    messages: list[SourceMessage] = []
    for _, at, author, said in talk:
        role = role_of(author)
        if role is None:
            counts[f"unknown role:{author}"] += 1
            role = Role.PERSON
        speaker = {Role.USER: USER, Role.ASSISTANT: NAME}.get(role, author)
        name = short_id(title, at, author, said)
        names[name] += 1
        own = name if names[name] == 1 else f"{name}-{names[name]}"
        messages.extend(numbered(own, [MessagePart(role, speaker, said)], at=parse_time(at)))
        counts["messages"] += 1
    ended: datetime | None = max((m.at for m in messages if m.at), key=stamp, default=None)
    return Conversation(
        SOURCE, short_id("copilot", title), title, first_time(messages), tuple(messages), (), ended, {}, counts
    )
