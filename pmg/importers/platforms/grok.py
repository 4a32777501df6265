"""Grok's export: conversations with responses, senders, thinking traces, search results and attachments.

Handles the wrapped conversation and response objects, Mongo times, the tree of parent_response_id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pmg.base.model import Role
from pmg.importers.conversation import SYSTEM, USER, Level, Result, Where
from pmg.importers.message_parts import (
    MessageNode,
    MessagePart,
    assembled,
    first_time,
    numbered,
    placeholder,
    stamp,
    unfold,
)
from pmg.importers.reading.fields import Json, first_text, items, joined, mapping, mappings, notes, raw, text
from pmg.importers.reading.times import parse_time, time_of

SOURCE = "grok"
NAME = "Grok"
ROLES = {"human": Role.USER, "user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}
SPEAKERS = {Role.USER: USER, Role.ASSISTANT: NAME, Role.SYSTEM: SYSTEM}


def claims(value: Json) -> bool:
    return isinstance(value.get("responses"), list) and isinstance(value.get("conversation", {}), dict)


def parse(value: Json, where: Where) -> Iterator[Result]:
    head = mapping(value.get("conversation")) or value
    counts: Counter[str] = Counter()
    nodes: dict[str, MessageNode] = {}
    before = ""
    responses = [mapping(each.get("response")) or each for each in mappings(value.get("responses"))]
    has_tree = any(_parent(row) for row in responses)
    for index, row in enumerate(responses):
        name = first_text(row, "_id", "response_id", "id") or f"response-{index}"
        name = name if name not in nodes else f"{name}-{index}"
        nodes[name] = _node(row, name, _parent(row) if has_tree else before, counts)
        before = name
    messages, branches = unfold(nodes, text(head.get("leaf_response_id")) if has_tree else before)
    title = text(head.get("title"))
    if not messages and not branches:
        yield where.problem(f"conversation {title!r} holds no words", raw=raw(value), level=Level.SKIPPED)
        return
    created = parse_time(head.get("create_time")) or first_time(messages)
    yield assembled(
        SOURCE,
        first_text(head, "id", "conversation_id", "_id"),
        title,
        created,
        messages,
        branches,
        parse_time(head.get("modify_time")),
        notes(starred=bool(head.get("starred")), system_prompt=head.get("system_prompt_name")),
        counts,
    )


def _parent(row: Json) -> str:
    return first_text(row, "parent_response_id", "parentResponseId")


def _node(row: Json, name: str, parent: str, counts: Counter[str]) -> MessageNode:
    counts["messages"] += 1
    at = time_of(row, "create_time", "createTime")
    model = text(row.get("model"))
    messages = numbered(name, _parts(row, counts), at=at, model=model)
    counts["empty"] += not messages
    return MessageNode(parent, messages, stamp(at))


def _parts(row: Json, counts: Counter[str]) -> Iterator[MessagePart]:
    sender = text(row.get("sender")).lower()
    role = ROLES.get(sender) or (Role.ASSISTANT if sender else Role.SYSTEM)  # some answers name their model as sender
    if not sender:
        counts["unknown role:"] += 1
    yield MessagePart(Role.THINKING, NAME, text(row.get("thinking_trace")), "thinking_trace")
    for trace in mappings(row.get("agent_thinking_traces")):
        yield MessagePart(
            Role.THINKING, NAME, first_text(trace, "thinking_trace", "trace", "content"), "thinking_trace"
        )
    for step in items(row.get("steps")):
        yield MessagePart(Role.TOOL, "step", _step(step), "step")
    yield MessagePart(role, SPEAKERS[role], first_text(row, "message", "query"))
    yield MessagePart(Role.TOOL, "web search", _results(row), "search")
    if row.get("error"):
        yield MessagePart(Role.SYSTEM, SYSTEM, text(row["error"]) or raw(row["error"]), "error")
    for card in items(row.get("card_attachments_json")):
        counts["unknown:card"] += 1
        yield MessagePart(Role.DOCUMENT, SPEAKERS[role], card if isinstance(card, str) else raw(card), "card")
    for each in [*items(row.get("file_attachments")), *items(row.get("image_attachments"))]:
        body = mapping(each)
        name = first_text(body, "file_name", "fileName", "name", "id") or text(each)
        said = placeholder("attachment", name, first_text(body, "mime_type", "fileMimeType"))
        yield MessagePart(Role.DOCUMENT, SPEAKERS[role], said, "attachment", notes(file=name))
    for url in items(row.get("generated_image_urls")):
        yield MessagePart(role, SPEAKERS[role], placeholder("image", text(url)), "image")


def _step(step: object) -> str:
    """One step of an agent: what it wrote, and what its tools brought; what has neither stays as it is."""
    body = mapping(step)
    said = body.get("text", body.get("tagged_text"))
    words = [text(each) for each in items(said)] if isinstance(said, list) else [text(said)]
    brought = [raw(each) for each in items(body.get("tool_usage_results"))]
    return joined([*words, *brought]) or (raw(step) if step else "")


def _results(row: Json) -> str:
    found = [*mappings(row.get("web_search_results")), *mappings(row.get("xposts"))]
    known = {text(each.get("url")) for each in found}
    found += [each for each in mappings(row.get("cited_web_search_results")) if text(each.get("url")) not in known]
    lines = [
        joined([text(each.get("title")), first_text(each, "url", "postId"), first_text(each, "preview", "text")])
        for each in found
    ]
    return joined(lines, "\n\n")
