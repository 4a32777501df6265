"""ChatGPT's conversations.json of every vintage: each conversation a tree of messages.

Handles the mapping, the current node (which may be missing or point nowhere), times, models and conversation fields.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from pmg.base.model import Role
from pmg.importers.conversation import Conversation, Level, Result, Where, short_id
from pmg.importers.message_parts import MessageNode, MessagePart, first_time, numbered, stamp, unfold
from pmg.importers.platforms.chatgpt.asides import with_links
from pmg.importers.platforms.chatgpt.content import parts_of
from pmg.importers.reading.fields import Json, first_text, items, mapping, notes, raw, text
from pmg.importers.reading.times import parse_time, time_of

SOURCE = "chatgpt"


def claims(value: Json) -> bool:
    return isinstance(value.get("mapping"), dict)


def parse(value: Json, where: Where) -> Iterator[Result]:
    """One conversation; a message that is no message is reported and the others come in."""
    counts: Counter[str] = Counter()
    nodes: dict[str, MessageNode] = {}
    own = first_text(value, "conversation_id", "id")
    source = _with_parents(value["mapping"])
    names = {name: text(mapping(node.get("message")).get("id")) or name for name, node in source.items()}
    for name, node in source.items():
        message = node.get("message")
        if message is not None and not isinstance(message, dict):
            yield where.problem(f"node {name}: its message is no object", raw=raw(message))
        nodes[name] = _node(name, node, names, bool(own), counts)
    messages, branches = unfold(nodes, text(value.get("current_node")))
    if not messages and not branches:
        yield where.problem(_why_empty(value, counts), raw=raw(value), level=Level.SKIPPED)
        return
    created = parse_time(value.get("create_time"))
    yield Conversation(
        source=SOURCE,
        origin_id=own or _made_id(source, names, created),
        made_id=not own,
        title=text(value.get("title")),
        created_at=created or first_time(messages),
        updated_at=parse_time(value.get("update_time")),
        messages=messages,
        branches=branches,
        meta=_meta(value),
        counts=counts,
    )


def _why_empty(value: Json, counts: Counter[str]) -> str:
    title = text(value.get("title")) or "without a title"
    return f"conversation {title!r} holds no message with words ({counts['empty']} empty)"


def _made_id(source: dict[str, Json], names: dict[str, str], created: datetime | None) -> str:
    """For exports without ids: title and length change with a newer export, the time and the roots do not."""
    roots = sorted(names[name] for name, node in source.items() if text(node.get("parent")) not in source)
    return short_id(str(stamp(created)), *(roots or sorted(names.values())))


def _with_parents(source: Json) -> dict[str, Json]:
    """Each node as a mapping; where a parent is not said but a child list is, the list says it.

    Nodes that say neither are no tree but a list: each follows the one that was said before it.
    """
    nodes = {name: mapping(node) for name, node in source.items()}
    parents = {text(child): name for name, node in nodes.items() for child in items(node.get("children"))}
    if not parents and not any(node.get("parent") for node in nodes.values()):
        parents = _in_order(nodes)
    return {
        name: node if node.get("parent") or name not in parents else {**node, "parent": parents[name]}
        for name, node in nodes.items()
    }


def _in_order(nodes: dict[str, Json]) -> dict[str, str]:
    """Which node each follows: by their times where every message has one, else as they stand."""
    times = {name: parse_time(mapping(node.get("message")).get("create_time")) for name, node in nodes.items()}
    timed = all(times[name] for name, node in nodes.items() if node.get("message"))
    order = sorted(nodes, key=lambda name: stamp(times[name])) if timed else list(nodes)
    return dict(zip(order[1:], order[:-1], strict=True))


def _node(name: str, node: Json, names: dict[str, str], has_id: bool, counts: Counter[str]) -> MessageNode:
    message = mapping(node.get("message"))
    parent = text(node.get("parent"))
    if not message:
        return MessageNode(parent, ())
    counts["messages"] += 1
    at = time_of(message, "create_time", "update_time")
    details = mapping(message.get("metadata"))
    messages = numbered(
        names[name],
        # Without an id a conversation is found again by its words, so they stay as an earlier version read them.
        _with_links(parts_of(message, counts), message) if has_id else parts_of(message, counts),
        at=at,
        model=text(details.get("model_slug")),
        meta=notes(
            hidden=bool(details.get("is_visually_hidden_from_conversation")),
            status="" if message.get("status") == "finished_successfully" else message.get("status"),
            channel=message.get("channel"),
        ),
    )
    counts["empty"] += not messages
    return MessageNode(parent, messages, stamp(at))


def _with_links(parts: Iterable[MessagePart], message: Json) -> Iterator[MessagePart]:
    for part in parts:
        said = with_links(part.text, message) if part.role is Role.ASSISTANT else part.text
        yield part if said == part.text else replace(part, text=said)


def _meta(value: Json) -> dict[str, str]:
    return notes(
        model=value.get("default_model_slug"),
        gpt=value.get("gizmo_id"),
        project=value.get("conversation_template_id"),
        archived=bool(value.get("is_archived")),
        starred=bool(value.get("is_starred")),
        voice=value.get("voice"),
    )
