"""Benchmarks as histories: LoCoMo (people talking in dated sessions) and LongMemEval (haystacks of chats).

Knows: numbered sessions with their date fields, speakers, picture captions; haystack sessions with dates and ids.
Does not know: questions and answers: those belong to the bench, and their labels must not reach the memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pmg.base.model import Role
from pmg.importers.conversation import USER, Conversation, Result, SourceMessage, Where, short_id
from pmg.importers.message_parts import MessagePart, first_time, numbered, placeholder, title_from
from pmg.importers.reading.fields import Json, first_text, items, mapping, mappings, notes, raw, text
from pmg.importers.reading.times import parse_time

SESSION = re.compile(r"session_(\d+)")
LOCOMO = "locomo"
LONGMEMEVAL = "longmemeval"


def claims(value: Json) -> bool:
    return bool(_sessions(mapping(value.get("conversation")) or value))


def parse(value: Json, where: Where) -> Iterator[Result]:
    """One conversation of all sessions in their number's order; each says which session it is."""
    talk = mapping(value.get("conversation")) or value
    people = [text(talk.get(key)) for key in ("speaker_a", "speaker_b") if text(talk.get(key))]
    messages: list[SourceMessage] = []
    for number in _sessions(talk):
        at = parse_time(talk.get(f"session_{number}_date_time"))
        for index, row in enumerate(mappings(talk.get(f"session_{number}"))):
            name = text(row.get("dia_id")) or f"D{number}:{index + 1}"
            messages.extend(numbered(name, _parts(row), at=at, session=f"session_{number}"))
    title = " and ".join(people)
    if not messages:
        yield where.problem(f"conversation {title!r} holds no utterances", raw=raw(value))
        return
    own = first_text(value, "sample_id", "id") or short_id(title, messages[0].text)
    counts = {"messages": len({message.origin_id for message in messages})}
    yield Conversation(LOCOMO, own, title, first_time(messages), tuple(messages), (), None, {}, counts)


def _sessions(talk: Json) -> list[int]:
    found = (SESSION.fullmatch(key) for key, rows in talk.items() if isinstance(rows, list))
    return sorted(int(match[1]) for match in found if match)


def _parts(row: Json) -> Iterator[MessagePart]:
    speaker = text(row.get("speaker")) or "Unknown"
    yield MessagePart(Role.PERSON, speaker, first_text(row, "text", "clean_text"))
    caption = text(row.get("blip_caption"))
    pictures = row.get("img_url")
    if caption or pictures:
        meta = notes(images=" ".join(text(url) for url in items(pictures)) or text(pictures), query=row.get("query"))
        yield MessagePart(Role.PERSON, speaker, placeholder("image", caption), "image", meta)


def claims_haystack(value: Json) -> bool:
    return isinstance(value.get("haystack_sessions"), list)


def parse_haystack(value: Json, where: Where) -> Iterator[Result]:
    """Each haystack session is a conversation of its own; the same session under two questions has the same id."""
    dates, names = items(value.get("haystack_dates")), items(value.get("haystack_session_ids"))
    for index, session in enumerate(items(value.get("haystack_sessions"))):
        at = parse_time(dates[index]) if index < len(dates) else None
        rows = mappings(session)
        # Session ids that start `answer_` give the gold away, so the id is made from what was said.
        said = [text(row.get("content")) for row in rows]
        own = short_id(*said)
        messages: list[SourceMessage] = []
        for number, row in enumerate(rows):
            role = Role.USER if row.get("role") == "user" else Role.ASSISTANT
            speaker = USER if role is Role.USER else "Assistant"
            messages.extend(numbered(f"{own}-{number}", [MessagePart(role, speaker, said[number])], at=at))
        if messages:
            title = title_from(messages)
            yield Conversation(LONGMEMEVAL, own, title, at, tuple(messages), counts={"messages": len(rows)})
        else:
            name = text(names[index]) if index < len(names) else str(index)
            yield where.problem(f"haystack session {name} holds no words", raw=raw(session))
