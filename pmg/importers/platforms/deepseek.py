"""DeepSeek's conversations.json, a tree like ChatGPT's with its own messages; and one session as the web page gets it.

Handles fragments (request, think, response, search) and the older form with content and reasoning_content.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pmg.base.model import Role
from pmg.importers.conversation import TOOL, USER, Conversation, Level, Result, Where, short_id
from pmg.importers.message_parts import MessageNode, MessagePart, first_time, numbered, placeholder, stamp, unfold
from pmg.importers.reading.fields import Json, first_text, joined, mapping, mappings, notes, raw, text
from pmg.importers.reading.times import parse_time, time_of

SOURCE = "deepseek"
NAME = "DeepSeek"
TIMES = {"inserted_at", "updated_at"}
FRAGMENTS = {"REQUEST": Role.USER, "RESPONSE": Role.ASSISTANT, "THINK": Role.THINKING, "SEARCH": Role.TOOL}
FRAGMENTS |= {"READ_LINK": Role.TOOL, "TEMPLATE_RESPONSE": Role.ASSISTANT, "TIP": Role.SYSTEM}
FRAGMENTS |= {"FILE": Role.DOCUMENT}
FRAGMENTS |= {"TOOL_SEARCH": Role.TOOL, "TOOL_OPEN": Role.TOOL, "TOOL_FIND": Role.TOOL}


def claims(value: Json) -> bool:
    if isinstance(value.get("chat_session"), dict) and isinstance(value.get("chat_messages"), list):
        return True
    if any("fragments" in row for row in mappings(value.get("messages"))):
        return True
    if not isinstance(value.get("mapping"), dict):
        return False
    messages = [mapping(mapping(node).get("message")) for node in value["mapping"].values()]
    return any("fragments" in each or "reasoning_content" in each for each in messages) or (
        not TIMES.isdisjoint(value) and not any("author" in each for each in messages)
    )


def parse(value: Json, where: Where) -> Iterator[Result]:
    value = _as_tree(value)
    counts: Counter[str] = Counter()
    source = _chained({name: mapping(node) for name, node in value["mapping"].items()})
    own = first_text(value, "id", "conversation_id") or short_id(
        text(value.get("inserted_at")), text(value.get("title"))
    )
    depths = _depths(source)
    nodes = {name: _node(name, source, own, depths[name], counts) for name in source}
    messages, branches = unfold(nodes, text(value.get("current_node")))
    title = text(value.get("title"))
    if not messages and not branches:
        yield where.problem(f"conversation {title!r} holds no words", raw=raw(value), level=Level.SKIPPED)
        return
    created = parse_time(value.get("inserted_at")) or first_time(messages)
    updated = parse_time(value.get("updated_at"))
    made = not first_text(value, "id", "conversation_id")
    yield Conversation(SOURCE, own, title, created, messages, branches, updated, {}, counts, made_id=made)


def _as_tree(value: Json) -> Json:
    """A session of the web page as an export would hold it: its messages by their numbers."""
    if isinstance(value.get("mapping"), dict):
        return value
    head, nodes = mapping(value.get("chat_session")) or value, {}
    rows = mappings(value.get("chat_messages", value.get("messages")))
    linked = any(row.get("parent_id") for row in rows)
    before = ""
    for index, row in enumerate(rows):  # a list that names no parents is one: each follows the one before it
        name = first_text(row, "message_id", "id") or f"message-{index}"
        nodes[name] = {"parent": text(row.get("parent_id")) if linked else before, "message": row}
        before = name
    return {
        **head,
        "mapping": nodes,
        "current_node": text(head.get("current_message_id")) or ("" if linked else before),
    }


def _chained(source: dict[str, Json]) -> dict[str, Json]:
    """Nodes that name no parent and no child follow each other as they stand."""
    if any(node.get("parent") or node.get("children") for node in source.values()):
        return source
    names = list(source)
    return {name: {**source[name], "parent": before} for name, before in zip(names, ["", *names], strict=False)}


def _node(name: str, source: dict[str, Json], own: str, depth: int, counts: Counter[str]) -> MessageNode:
    node = source[name]
    parent = text(node.get("parent"))
    message = mapping(node.get("message"))
    if not message:
        return MessageNode(parent, ())
    counts["messages"] += 1
    at = time_of(message, "inserted_at", "updated_at")
    # Node names are 1, 2, 3 in every conversation: with the conversation's id they name a message.
    messages = numbered(
        f"{own}-{name}",
        _parts(message, depth, counts),
        at=at,
        model=text(message.get("model")),
    )
    counts["empty"] += not messages
    return MessageNode(parent, messages, stamp(at))


def _depths(source: dict[str, Json]) -> dict[str, int]:
    """How many messages stand above each: the older form says no role, but question and answer take turns.

    Each way up ends where a depth is known already, so a long chain costs its length, not its square.
    """
    depths: dict[str, int] = {}
    for start in source:
        way: list[str] = []
        seen: set[str] = set()
        node = start
        while node in source and node not in depths and node not in seen:
            seen.add(node)
            way.append(node)
            node = text(source[node].get("parent"))
        above = depths[node] + bool(source[node].get("message")) if node in depths else 0
        for name in reversed(way):
            depths[name] = above
            above += bool(source[name].get("message"))
    return depths


def _parts(message: Json, depth: int, counts: Counter[str]) -> Iterator[MessagePart]:
    fragments = mappings(message.get("fragments"))
    for each in fragments:
        yield _fragment(each, counts)
    if not fragments:
        said_by = text(message.get("role")).lower()
        asked = said_by == "user" if said_by else depth % 2 == 0
        yield MessagePart(Role.THINKING, NAME, first_text(message, "reasoning_content", "thinking_content"), "think")
        yield MessagePart(Role.TOOL, "search", _results(message.get("search_results")), "search")
        yield MessagePart(Role.USER if asked else Role.ASSISTANT, USER if asked else NAME, text(message.get("content")))
    yield from map(_file, mappings(message.get("files")))


def _file(each: Json) -> MessagePart:
    name = first_text(each, "file_name", "name", "id")
    said = first_text(each, "content", "extracted_content")
    said = said or placeholder("attachment", name, each.get("file_size"))
    return MessagePart(Role.DOCUMENT, USER, said, "attachment", notes(file=name))


def _fragment(each: Json, counts: Counter[str]) -> MessagePart:
    kind = text(each.get("type"))
    role = FRAGMENTS.get(kind)
    if role is None:
        counts[f"unknown:{kind}"] += 1
        return MessagePart(Role.SYSTEM, NAME, raw(each), kind or "unknown")
    if role is Role.DOCUMENT:
        return _file(each)
    speaker = USER if role is Role.USER else TOOL if role is Role.TOOL else NAME
    said = text(each.get("content")) or _results(each.get("results"))
    if not said and role is Role.TOOL:  # a call that says only what was looked for
        said = raw({key: item for key, item in each.items() if key not in ("id", "type") and item})
    return MessagePart(role, speaker, said, kind.lower())


def _results(results: object) -> str:
    return joined(
        [
            joined([text(each.get("title")), text(each.get("url")), first_text(each, "snippet", "summary")])
            for each in mappings(results)
        ],
        "\n\n",
    )
