"""Anthropic's messages: blocks of many kinds, and a stream that says where each begins and ends."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from pmg.importers.message_parts import MessagePart
from pmg.importers.reading.fields import Json, mapping, mappings, text
from pmg.proxy.messages import (
    ASSISTANT,
    TOOL,
    USER,
    Message,
    ModelAnswer,
    ModelRequest,
    call,
    image,
    message,
    number,
    other,
    plain_text,
    result,
    said,
    summary,
    thinking,
)

_SESSION = "_session_"
_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")


def read_request(body: Json) -> ModelRequest:
    given = mappings(body.get("messages"))
    names = {text(one.get("id")): text(one.get("name")) for each in given for one in mappings(each.get("content"))}
    return ModelRequest(
        tuple(one for each in given for one in _messages(each, names)),
        system=plain_text(body.get("system")),
        model=text(body.get("model")),
        max_tokens=number(body, "max_tokens"),
        tools=bool(body.get("tools")),
        key=_session_of(text(mapping(body.get("metadata")).get("user_id"))),
    )


def _session_of(user: str) -> str:
    """Claude Code names its session in the user's id: as JSON, or behind `_session_`."""
    try:
        return text(mapping(json.loads(user)).get("session_id"))
    except ValueError:
        return user.rpartition(_SESSION)[2] if _SESSION in user else ""


def _messages(given: Json, names: dict[str, str]) -> Iterator[Message]:
    """The results of tools come in a message of the user's, who may have said something beside them."""
    role = ASSISTANT if given.get("role") == ASSISTANT else USER
    content = given.get("content")
    blocks = content if isinstance(content, list) else [content]
    results: list[MessagePart] = []
    words: list[MessagePart] = []
    for block in blocks:
        (results if role == USER and _is_result(block) else words).append(_block(role, block, names))
    for side, some in ((TOOL, results), (role, words)):
        read = message(side, some)
        if read is not None:
            yield read


def _is_result(block: object) -> bool:
    return text(mapping(block).get("type")).endswith("tool_result")


def _block(role: str, block: object, names: dict[str, str]) -> MessagePart:
    if not isinstance(block, dict):
        return said(role, text(block))
    kind = text(block.get("type"))
    if kind == "text":
        return said(role, text(block.get("text")))
    if kind == "thinking":
        return thinking(text(block.get("thinking")))
    if kind == "redacted_thinking":
        return thinking("")
    if kind in _CALLS:
        return call(text(block.get("name")), block.get("input"))
    if kind == "tool_result":
        return result(names.get(text(block.get("tool_use_id")), ""), _result_text(role, block.get("content"), names))
    if kind == "image":
        source = mapping(block.get("source"))
        return image(role, text(source.get("media_type")), text(source.get("data")) or text(source.get("url")))
    if kind == "compaction":
        return summary(text(block.get("content")))
    return other(role, block)


def _result_text(role: str, content: object, names: dict[str, str]) -> str:
    blocks = content if isinstance(content, list) else [content]
    return "\n".join(_block(role, block, names).text for block in blocks)


def read_answer(body: Json) -> ModelAnswer:
    return _answer(mappings(body.get("content")), body, bool(body.get("stop_reason")), _error(body))


def _answer(blocks: list[Json], head: Json, done: bool, error: str) -> ModelAnswer:
    read = message(ASSISTANT, [_block(ASSISTANT, block, {}) for block in blocks])
    return ModelAnswer(
        read.parts if read else (), done and not error, text(head.get("id")), text(head.get("model")), error
    )


def read_events(events: Iterable[Json]) -> ModelAnswer:
    blocks: dict[object, Json] = {}
    pieces: dict[tuple[object, str], list[str]] = {}
    head: Json = {}
    done, error = False, ""
    for event in events:
        kind, place = event.get("type"), event.get("index")
        if kind == "message_start":
            head = mapping(event.get("message"))
        elif kind == "content_block_start":
            blocks[place] = dict(mapping(event.get("content_block")))
        elif kind == "content_block_delta":
            blocks.setdefault(place, {"type": "text"})
            delta = mapping(event.get("delta"))
            name = _GROWS.get(text(delta.get("type")), "")  # signatures and citations are not said by anybody
            pieces.setdefault((place, name), []).append(text(delta.get(name)))
        elif kind == "message_stop":
            done = True
        elif kind == "error":
            error = _error(event)
    for (at, name), some in pieces.items():
        if name:
            blocks[at][name] = "".join([text(blocks[at].get(name)), *some])
    return _answer([_closed(block) for block in blocks.values()], head, done, error)


_GROWS = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "input_json_delta": "partial_json",
    "compaction_delta": "content",
}


def _closed(block: Json) -> Json:
    if "partial_json" not in block:
        return block
    pieces = block.pop("partial_json")
    try:
        return {**block, "input": json.loads(pieces)} if pieces else block
    except (ValueError, RecursionError):  # broken off in the middle
        return {**block, "input": pieces}


def _error(body: Json) -> str:
    return text(mapping(body.get("error")).get("type")) or ("error" if body.get("type") == "error" else "")
