"""Telegram's result.json: one chat, or all of them, between people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pmg.base.model import Role
from pmg.importers.conversation import SYSTEM, Level, Result, SourceMessage, Where
from pmg.importers.message_parts import MessagePart, assembled, first_time, numbered, placeholder
from pmg.importers.reading.fields import Json, first_text, items, mapping, mappings, notes, raw, text
from pmg.importers.reading.times import time_of

SOURCE = "telegram"
MEDIA = ("photo", "file", "sticker_emoji", "media_type", "contact_information", "location_information", "poll")


CHATS = frozenset(
    """personal_chat saved_messages bot_chat private_group private_supergroup public_supergroup private_channel public_channel
    replies verification_codes""".split()
)


def claims(value: Json) -> bool:
    rows = mappings(value.get("messages"))[:50]
    if value.get("messages") == []:
        return value.get("type") in CHATS
    return any("text_entities" in row or "date_unixtime" in row or ("from_id" in row and "text" in row) for row in rows)


def parse(value: Json, where: Where) -> Iterator[Result]:
    counts: Counter[str] = Counter()
    messages: list[SourceMessage] = []
    for index, row in enumerate(mappings(value.get("messages"))):
        counts["messages"] += 1
        own = text(row.get("id")) or f"message-{index}"
        at = time_of(row, "date_unixtime", "date")
        meta = notes(edited=row.get("edited"), forwarded_from=row.get("forwarded_from"))
        said = numbered(own, _parts(row), at=at, meta=meta)
        counts["empty"] += not said
        messages.extend(said)
    name = text(value.get("name"))
    if not messages:
        called = name or text(value.get("type")).replace("_", " ")
        yield where.problem(f"the chat {called!r} holds no words", raw=raw(value), level=Level.SKIPPED)
        return
    chat = text(value.get("id"))
    started = first_time(messages)
    yield assembled(
        SOURCE,
        chat,
        name or "Telegram",
        started,
        messages,
        updated_at=max((message.at for message in messages if message.at), default=None),
        meta=notes(kind=value.get("type")),
        counts=counts,
    )


def _parts(row: Json) -> Iterator[MessagePart]:
    speaker = first_text(row, "from", "actor") or "Deleted account"
    if row.get("type") == "service":
        told = " ".join(filter(None, [speaker, text(row.get("action")).replace("_", " "), text(row.get("title"))]))
        yield MessagePart(Role.SYSTEM, SYSTEM, told, "service")
        return
    yield MessagePart(Role.PERSON, speaker, _words(row.get("text")))
    for key in MEDIA:
        if row.get(key) and not (key == "media_type" and row.get("file")):
            kind = text(row.get("media_type")) or key
            shown = row[key] if isinstance(row[key], str) else raw(row[key])
            yield MessagePart(Role.PERSON, speaker, placeholder(kind, row.get("file_name") or shown), kind)


def _words(said: object) -> str:
    """A text, or pieces of one: links and mentions are objects."""
    if isinstance(said, list):
        return "".join(each if isinstance(each, str) else text(mapping(each).get("text")) for each in items(said))
    return text(said)
