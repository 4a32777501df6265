"""What the pages of Gemini and AI Studio receive, saved as it came: lists in lists, without names for anything.

Gemini's answers come as `batchexecute` (a guard line, lengths, and JSON inside JSON); a turn is a list of ids, of the
person's words, of the answers and of a time. AI Studio's come as chunks: a text with `user` or `model` beside it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from pmg.base.model import Role
from pmg.importers.conversation import USER, Conversation, Level, Result, SourceMessage, Where
from pmg.importers.message_parts import MessagePart, assembled, first_time, numbered, title_from
from pmg.importers.platforms.gemini.content import NAME
from pmg.importers.reading.fields import items
from pmg.importers.reading.lines import whole_text
from pmg.importers.reading.times import oldest_first

GUARD = ")]}'"
ENVELOPE = '"wrb.fr"'  # the first word of every answer in `batchexecute`
DEEP = 12  # how far inside a capture its turns are looked for
WIDE = 20_000


def claims_text(head: str) -> bool:
    return head.lstrip().startswith(GUARD) or ENVELOPE in head[:80]


def is_envelope(start: bytes) -> bool:
    return ENVELOPE.encode() in start[:80]


def parse_text(chunks: Iterable[bytes], where: Where) -> Iterator[Result]:
    page, remark = whole_text(chunks)
    if remark:
        yield where.problem(remark, level=Level.NOTE)
    found = False
    for value in _values(page):
        for result in conversations(value):
            found = True
            yield result
    if not found:
        yield where.problem("a capture of a page without a conversation that is understood", raw=page)


def _values(page: str) -> Iterator[object]:
    """Every JSON value of the page, between the guard and the lines that only tell lengths."""
    page = page.lstrip().removeprefix(GUARD)
    decoder = json.JSONDecoder()
    pos = 0
    while (start := page.find("[", pos)) >= 0:
        try:
            value, pos = decoder.raw_decode(page, start)
        except (ValueError, RecursionError):
            pos = start + 1
            continue
        yield value


def conversations(value: object) -> Iterator[Result]:
    """Every conversation inside lists of lists."""
    found = False
    for talk in answers_in(value):
        found = True
        yield talk
    chunks = [] if found else [chunk for chunk in _lists(value) if _role(chunk)]
    if chunks:
        yield _studio(chunks)


def answers_in(value: object) -> Iterator[Conversation]:
    """Those of Gemini alone, which are known by their ids: also inside an object, such as a capture of all that a page did."""
    turns = [turn for turn in _lists(value) if _is_turn(turn)]
    by_talk: dict[str, list[list[object]]] = {}
    for turn in turns:
        by_talk.setdefault(str(items(turn[0])[0]), []).append(turn)
    for own, some in by_talk.items():
        yield _gemini(own, some)


def _lists(value: object) -> Iterator[list[object]]:
    """The lists inside a value, in reading order; JSON that is written inside a text is opened."""
    todo: list[tuple[object, int]] = [(value, 0)]
    seen = 0
    while todo and seen < WIDE:
        each, depth = todo.pop()
        if isinstance(each, str) and each[:1] == "[" and depth < DEEP:
            try:
                each = json.loads(each)
            except (ValueError, RecursionError):
                continue
        elif isinstance(each, str) and each.startswith(GUARD) and depth < DEEP:
            each = list(_values(each))
        if isinstance(each, dict):
            seen += 1
            todo.extend((item, depth + 1) for item in reversed(each.values()) if depth < DEEP)
        if isinstance(each, list):
            seen += 1
            yield each
            if depth < DEEP and not _is_turn(each) and not _role(each):
                todo.extend((item, depth + 1) for item in reversed(each))


def _is_turn(turn: list[object]) -> bool:
    ids = items(turn[0]) if len(turn) >= 4 else []
    return (
        bool(ids) and all(isinstance(each, str) for each in ids) and str(ids[0]).startswith("c_") and bool(_asked(turn))
    )


def _asked(turn: list[object]) -> str:
    words = items(items(turn[2])[0]) if items(turn[2]) else []
    return words[0] if words and isinstance(words[0], str) else ""


def _gemini(own: str, turns: list[list[object]]) -> Conversation:
    turns = oldest_first(turns, _at)  # the page asks for the newest first
    messages: list[SourceMessage] = []
    for index, turn in enumerate(turns):
        at, ids = _at(turn), [str(each) for each in items(turn[0])]
        name = ids[1] if len(ids) > 1 else f"turn-{index}"
        messages.extend(numbered(name, [MessagePart(Role.USER, USER, _asked(turn))], at=at))
        messages.extend(numbered(f"{name}-answer", [MessagePart(Role.ASSISTANT, NAME, _answer(turn))], at=at))
    counts = Counter({"messages": 2 * len(turns)})
    title, started = title_from(messages), first_time(messages)
    return Conversation("gemini", own, title, started, tuple(messages), updated_at=_at(turns[-1]), counts=counts)


def _answer(turn: list[object]) -> str:
    """The first draft: a list that begins with an id `rc_…`, then its words."""
    for each in _lists(turn[3]):
        if len(each) > 1 and isinstance(each[0], str) and each[0].startswith("rc_"):
            words = [word for word in items(each[1]) if isinstance(word, str)]
            return "\n\n".join(words)
    return ""


def _at(turn: list[object]) -> datetime | None:
    for each in turn[4:]:
        if isinstance(each, list) and each and isinstance(each[0], int) and 10**9 < each[0] < 10**10:
            return datetime.fromtimestamp(each[0], UTC)
    return None


def _role(chunk: list[object]) -> str:
    """`user` or `model` for a list that begins with words and says whose they are."""
    if len(chunk) < 2 or not isinstance(chunk[0], str) or not chunk[0].strip():
        return ""
    for each in chunk[1:]:
        word = each[0] if isinstance(each, list) and len(each) == 1 else each
        if word in ("user", "model", "assistant"):
            return str(word)
    return ""


def _studio(chunks: list[list[object]]) -> Conversation:
    messages: list[SourceMessage] = []
    for index, chunk in enumerate(chunks):
        asked = _role(chunk) == "user"
        part = MessagePart(Role.USER if asked else Role.ASSISTANT, USER if asked else NAME, str(chunk[0]))
        messages.extend(numbered(f"chunk-{index}", [part]))
    counts = Counter({"messages": len(chunks)})
    return assembled("aistudio", "", title_from(messages), None, messages, counts=counts)
