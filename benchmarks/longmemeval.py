"""LongMemEval: a haystack of chats with an assistant for every question, and the messages that answer it.

Knows: the file's fields and its traps: sessions out of date order, ids that give the gold away, abstention questions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.cases import RAW, BenchQuestion, Case, Dataset, Gold, LineRef, data_file, read_json, session_name
from pmg.base.errors import InputError
from pmg.base.model import Turn, segment_id
from pmg.importers.reading.times import parse_time
from pmg.ingest.turns import SessionInput, exchange

TYPES = (
    "single-session-user",
    "single-session-assistant",
    "single-session-preference",
    "multi-session",
    "temporal-reasoning",
    "knowledge-update",
)
_UNDATED = datetime(2000, 1, 1, tzinfo=UTC)


class HaystackMessage(NamedTuple):
    role: str
    text: str
    gold: bool


class HaystackSession(NamedTuple):
    """One session of a haystack before it gets its neutral name."""

    at: datetime
    place: int  # in the file: breaks ties between sessions of one minute
    own: str
    messages: list[HaystackMessage]


def load(path: Path) -> Dataset:
    """The file, or the folder that holds it. Every answerable question is a memory of its own."""
    rows = read_json(data_file(path, ("longmemeval*.json", "longmemeval*.json.gz")))
    skipped: Counter[str] = Counter()
    cases = [case for row in rows if (case := _case(row, skipped)) is not None]
    return Dataset(
        "longmemeval", cases, TYPES, "all answerable questions", False, skipped, {RAW: "labels as published"}
    )


def _case(row: Mapping[str, Any], skipped: Counter[str]) -> Case | None:
    name = str(row.get("question_id") or "")
    if not isinstance(row.get("haystack_sessions"), list):
        raise InputError(f"Question {name!r} has no haystack_sessions: this is not a LongMemEval file with haystacks.")
    if name.endswith("_abs"):
        skipped["abstention questions"] += 1
        return None
    wanted = {str(own) for own in row.get("answer_session_ids") or ()}
    sessions: list[SessionInput] = []
    lines: set[LineRef] = set()
    gold_sessions: set[str] = set()
    for sitting in _in_time(row, skipped):
        session = session_name(len(sessions) + 1)
        exchanges = paired(sitting.messages)
        if sitting.own in wanted:  # a mark elsewhere belongs to another question that shares the session
            gold_sessions.add(session)
            lines |= {ref for i, pair in enumerate(exchanges) for ref in _gold_lines(segment_id(session, i), pair)}
        sessions.append(SessionInput([_turn(pair) for pair in exchanges], "", "", "benchmark", sitting.at, session))
    if not gold_sessions:
        skipped["questions without evidence"] += 1
        return None
    gold = Gold(frozenset(lines), frozenset(gold_sessions))
    asked = parse_time(row.get("question_date"))
    kind, answer = str(row.get("question_type")), str(row.get("answer", ""))
    question = BenchQuestion(name, str(row["question"]), kind, {RAW: gold}, asked, answer)
    return Case(name, sessions, [question])


def haystack(row: Mapping[str, Any], skipped: Counter[str]) -> list[SessionInput]:
    """The sessions of one question in order of date, also of one that cannot be answered."""
    return [
        SessionInput([_turn(pair) for pair in paired(one.messages)], "", "", "benchmark", one.at, session_name(place))
        for place, one in enumerate(_in_time(row, skipped), 1)
    ]


def _in_time(row: Mapping[str, Any], skipped: Counter[str]) -> list[HaystackSession]:
    """The sessions in order of date: the file has them in any order, and a memory grows in time."""
    found: list[HaystackSession] = []
    columns = (row["haystack_sessions"], row.get("haystack_dates") or (), row.get("haystack_session_ids") or ())
    for place, (session, date, own) in enumerate(zip_longest(*columns)):
        messages = [
            HaystackMessage(str(m.get("role")), str(m.get("content")), bool(m.get("has_answer")))
            for m in session or ()
            if str(m.get("content") or "").strip()
        ]
        if messages:
            found.append(HaystackSession(parse_time(date) or _UNDATED, place, str(own), messages))
        else:
            skipped["sessions without words"] += 1
    return sorted(found, key=lambda sitting: (sitting.at, sitting.place))


def paired(messages: Sequence[HaystackMessage]) -> list[tuple[HaystackMessage, ...]]:
    """A user's message and the answer that follows it are one turn; any other message is a turn of its own."""
    found: list[tuple[HaystackMessage, ...]] = []
    for message in messages:
        waiting = bool(found) and len(found[-1]) == 1 and found[-1][0].role == "user"
        if message.role != "user" and waiting:
            found[-1] = (*found[-1], message)
        else:
            found.append((message,))
    return found


def _turn(pair: tuple[HaystackMessage, ...]) -> Turn:
    user = next((m.text for m in pair if m.role == "user"), None)
    assistant = next((m.text for m in pair if m.role != "user"), None)
    return Turn(exchange(user, assistant))


def _gold_lines(segment: str, pair: tuple[HaystackMessage, ...]) -> list[LineRef]:
    return [LineRef(segment, line) for line, message in enumerate(pair) if message.gold]
