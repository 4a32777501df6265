"""Claude.ai: conversations.json, single web and API objects, design chats, projects with documents, memories.

Knows: `chat_messages` with `content[]` or `text`, attachments and files, the tree of parent ids where there is one.
Does not know: content blocks (claude/content.py), nor how the file was found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pmg.base.model import Role
from pmg.importers.conversation import USER, Conversation, Level, Result, SourceMessage, Where
from pmg.importers.message_parts import (
    MessageNode,
    MessagePart,
    first_time,
    guessed_id,
    numbered,
    placeholder,
    stamp,
    unfold,
)
from pmg.importers.platforms.claude.content import NAME, parts_of
from pmg.importers.reading.fields import Json, first_text, items, mapping, mappings, notes, raw, text
from pmg.importers.reading.times import parse_time

SOURCE = "claude"
NOT_SHOWN = "This block is not supported on your current device yet."
ROLES = {"human": Role.USER, "user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}


def claims(value: Json) -> bool:
    if isinstance(value.get("chat_messages"), list):
        return True
    if "uuid" in value and isinstance(value.get("messages"), list):  # a design chat
        return True
    return "uuid" in value and "account" in value and ("name" in value or "summary" in value)


def parse(value: Json, where: Where) -> Iterator[Result]:
    rows = value.get("chat_messages", value.get("messages"))
    name = first_text(value, "name", "title")
    if not isinstance(rows, list):
        yield where.problem(f"conversation {name!r} has no chat_messages", raw=raw(value))
        return
    counts: Counter[str] = Counter()
    nodes: dict[str, MessageNode] = {}
    before = ""
    has_tree = any(mapping(row).get("parent_message_uuid") for row in rows)
    for index, row in enumerate(rows):
        if not isinstance(row, dict):
            yield where.problem(f"message {index} of {name!r} is no object", raw=raw(row))
            continue
        key = _key(row, index, nodes)
        nodes[key] = _node(row, key, before, has_tree, value, counts)
        before = key
    leaf = text(value.get("current_leaf_message_uuid")) if has_tree else before
    messages, branches = unfold(nodes, leaf)
    if not messages and not branches:
        reason = f"conversation {name!r} holds no message with words"
        yield where.problem(reason, raw=raw(value), level=Level.SKIPPED)
        return
    created = parse_time(value.get("created_at"))
    own = _id(value)
    yield Conversation(
        source=SOURCE,
        origin_id=own or guessed_id(created, [*messages, *(m for branch in branches for m in branch.messages)]),
        made_id=not own,
        title=name,
        created_at=created or first_time(messages),
        updated_at=parse_time(value.get("updated_at")),
        messages=messages,
        branches=branches,
        meta=_meta(value),
        counts=counts,
    )


def _key(row: Json, index: int, nodes: dict[str, MessageNode]) -> str:
    """The message's id; an id that was there already gets a number, for both messages stay."""
    key = first_text(row, "uuid", "id") or f"message-{index}"
    return key if key not in nodes else f"{key}-{index}"


def _node(row: Json, key: str, before: str, has_tree: bool, value: Json, counts: Counter[str]) -> MessageNode:
    counts["messages"] += 1
    body = mapping(row.get("content"))  # design chats wrap the message once more
    parent = text(row.get("parent_message_uuid")) if has_tree else before
    at = parse_time(row.get("created_at")) or parse_time(body.get("timestamp")) or parse_time(row.get("timestamp"))
    messages = numbered(
        key,
        _parts(row, body, _owner(value), bool(_id(value)), counts),
        at=at,
        model=first_text(row, "model") or text(value.get("model")),
        meta=notes(truncated=bool(row.get("truncated")), stopped=_stopped(row)),
    )
    counts["empty"] += not messages
    return MessageNode(parent, messages, stamp(at))


def _stopped(row: Json) -> str:
    reason = text(row.get("stop_reason"))
    return "" if reason in ("end_turn", "stop_sequence") else reason


def _parts(row: Json, body: Json, owner: str, has_id: bool, counts: Counter[str]) -> Iterator[MessagePart]:
    written = (first_text(row, "sender", "role") or text(body.get("role"))).lower()
    role = ROLES.get(written, Role.SYSTEM)
    if written not in ROLES:
        counts[f"unknown role:{written}"] += 1
    speaker = owner if role is Role.USER else NAME if role is Role.ASSISTANT else "System"
    content = body.get("contentBlocks") or body.get("content") if body else row.get("content")
    read = parts_of(content, role, speaker, counts, with_links=has_id)
    said = [part for part in read if part.text.strip()]
    plain = text(row.get("text"))  # old exports have only this; newer ones repeat the blocks in it, less well
    has_words = any(part.kind == "text" for part in said)
    if not has_words and NOT_SHOWN not in plain and all(plain != part.text for part in said):
        yield MessagePart(role, speaker, plain)
    yield from said
    for each in [*items(row.get("attachments")), *items(body.get("attachments"))]:
        yield from _attachment(mapping(each), speaker)
    yield from _files(row, speaker)


def _attachment(each: Json, speaker: str) -> Iterator[MessagePart]:
    """The extracted text where the export has it, else a placeholder."""
    name = first_text(each, "file_name", "name", "id")
    extracted = first_text(each, "extracted_content", "content")
    kind = first_text(each, "file_type", "type")
    size = first_text(each, "file_size")
    shown = extracted or placeholder("attachment", name, kind, size and f"{size} bytes")
    if each:
        yield MessagePart(Role.DOCUMENT, speaker, shown, "attachment", notes(file=name, type=kind))


def _files(row: Json, speaker: str) -> Iterator[MessagePart]:
    """Files without text, once each though two lists name them; sources that were synced into the message."""
    seen: set[str] = set()
    for each in [*mappings(row.get("files")), *mappings(row.get("files_v2"))]:
        key = first_text(each, "file_uuid", "uuid") or raw(each)
        if key in seen:
            continue
        seen.add(key)
        shown = mapping(each.get("preview_asset"))
        wide, high = shown.get("image_width"), shown.get("image_height")
        size = f"{wide}×{high}" if wide and high else ""
        kind = text(each.get("file_kind")) or "file"
        yield MessagePart(Role.DOCUMENT, speaker, placeholder(kind, first_text(each, "file_name", "name"), size), kind)
    for each in mappings(row.get("sync_sources")):
        name = first_text(mapping(each.get("config")), "name", "url", "uri") or first_text(each, "name", "type")
        yield MessagePart(Role.DOCUMENT, speaker, placeholder("source", name), "sync_source")


def _id(value: Json) -> str:
    return first_text(value, "uuid", "conversation_id", "id")


def _owner(value: Json) -> str:
    return first_text(mapping(value.get("account")), "full_name", "display_name", "name") or USER


def _meta(value: Json) -> dict[str, str]:
    project = mapping(value.get("project"))
    return notes(
        model=value.get("model"),
        project=first_text(project, "name", "uuid"),
        summary=value.get("summary"),
        starred=bool(value.get("is_starred")),
    )


def document(origin_id: str, title: str, said: str, **meta: object) -> SourceMessage:
    """A document as a message of its own."""
    return SourceMessage(
        origin_id, Role.DOCUMENT, title or "Document", said, kind="document", turn=origin_id, meta=notes(**meta)
    )
