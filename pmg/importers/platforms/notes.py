"""Memories kept as notes: Markdown with front matter and observations (basic-memory), lists of memories (mem0).

Knows: a note's front matter, its sections, mem0's rows. A note is a conversation of documents, one a section.
Does not know: transcripts (asked before this). The sections joined are the note's body, word for word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from pmg.base.model import Role
from pmg.base.patterns import MULTILINE, linear, plain
from pmg.importers.conversation import Conversation, Level, Result, SourceMessage, Where, short_id
from pmg.importers.reader import Row
from pmg.importers.reading.fields import Json, first_text, items, mapping, notes, raw, text
from pmg.importers.reading.lines import whole_text
from pmg.importers.reading.markdown import split_front_matter
from pmg.importers.reading.times import parse_time, time_of

SOURCE = "notes"
MEM0 = "mem0"
SECTION = plain(r"^(?=#{1,3}\s)", MULTILINE)
HEADING = plain(r"#{1,6}\s+(.+)")
OBSERVATION = linear(r"(?m)^\s*[-*]\s+\[[^\]\n]{1,40}\]\s+\S|^\s*[-*]\s+[\pL\pN_]+\s+\[\[")


def claims_text(head: str) -> bool:
    """Front matter, a heading at the top, or basic-memory's observations and relations."""
    if split_front_matter(head)[0]:
        return True
    start = head.lstrip("\ufeff \t\r\n")
    return bool(HEADING.match(start)) or bool(OBSERVATION.search(head[:4000]))


def parse_text(chunks: Iterable[bytes], where: Where) -> Iterator[Result]:
    page, remark = whole_text(chunks)
    if remark:
        yield where.problem(remark, level=Level.NOTE)
    head, body = split_front_matter(page)
    name = PurePosixPath(where.file.replace("\\", "/")).stem
    at = time_of(head, "created", "date", "created_at", "updated")
    own = head.get("permalink") or head.get("id") or name
    found = HEADING.match(body.lstrip())
    title = head.get("title") or (found[1].strip() if found else name)
    messages = tuple(
        SourceMessage(
            f"{own}#{number}", Role.DOCUMENT, title, section.strip("\n"), at, kind="note", turn=f"{own}#{number}"
        )
        for number, section in enumerate(SECTION.split(body))
        if section.strip()
    )
    if not messages:
        yield where.problem(f"note {title!r} holds no text", raw=page, level=Level.SKIPPED)
        return
    updated = parse_time(head.get("updated") or head.get("modified"))
    kept = {key.replace(" ", "_"): value for key, value in head.items() if key not in ("title", "created")}
    yield Conversation(SOURCE, own, title, at, messages, (), updated, notes(**kept), {"messages": len(messages)})


def claims_memory(value: Json) -> bool:
    if any(key in value for key in ("role", "messages", "mapping", "speaker", "sender", "author")):
        return False
    about = (
        "categories",
        "state",
        "user_id",
        "app_id",
        "agent_id",
        "primary_sector",
        "sectors",
        "tags",
        "category",
        "app_name",
    )
    content = isinstance(value.get("content"), str) and "id" in value and any(key in value for key in about)
    return isinstance(value.get("memory"), str) or content


def gather(rows: Iterator[Row]) -> Iterator[Result]:
    """mem0's memories: one document each, one conversation for each person they are of."""
    by_owner: dict[str, list[SourceMessage]] = {}
    for row in rows:
        value = row.value
        if not claims_memory(value):
            yield row.where.problem("not a memory", raw=raw(value))
            continue
        owner = first_text(value, "user_id", "agent_id", "run_id", "app_name") or "memory"
        said = first_text(value, "memory", "content")
        name = text(value.get("id")) or short_id(said)
        given = [
            *items(value.get("categories")),
            *items(value.get("tags")),
            value.get("category"),
            value.get("primary_sector"),
        ]
        tags = "; ".join(filter(None, (text(tag) or text(mapping(tag).get("name")) for tag in given)))
        details = mapping(value.get("metadata"))
        meta = notes(tags=tags, metadata=details, updated=value.get("updated_at"))
        at = time_of(value, "created_at", "createdAt", "created")
        message = SourceMessage(name, Role.DOCUMENT, owner, said, at, kind="memory", turn=name, meta=meta)
        by_owner.setdefault(owner, []).append(message)
    for owner, messages in by_owner.items():
        started = min((message.at for message in messages if message.at), default=None)
        title = f"Memories of {owner}"
        counts = {"messages": len(messages)}
        yield Conversation(MEM0, f"mem0-{owner}", title, started, tuple(messages), counts=counts)
