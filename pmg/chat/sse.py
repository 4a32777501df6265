"""The events of an OpenAI-compatible server's stream as pieces of text: the few shapes a chunk has. connect.py reads the events."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from pmg.base.errors import ChatUnavailable

_TOO_LONG = "The model reached the most that it may write, and its answer ends there. Ask for less at a time, or let the server give it more room."
_NO_TOOL = (
    "The model asked for a tool instead of answering, and this chat has none. Ask again, or choose another model."
)
_GAVE_UP = "The chat server gave up in the middle of its answer. Ask again; its own log may say why."
# As servers say why an answer ends, those behind a gateway in the words of their own kind.
_NOT_WHOLE = {
    **dict.fromkeys(("length", "max_tokens", "model_length"), _TOO_LONG),
    **dict.fromkeys(("error", "abort"), _GAVE_UP),
    **dict.fromkeys(("tool_calls", "function_call", "tool_use"), _NO_TOOL),
    "content_filter": "A filter of the chat server ended the answer here. Ask in other words.",
}


def pieces(events: Iterable[str]) -> Iterator[str]:
    """The text of each chunk until the stream says it is done. A stream that ends without saying so was cut off."""
    finished = False
    for data in events:
        if data.strip() == "[DONE]":
            return
        if not data.strip():  # a sign of life
            continue
        chunk = _parsed(data)
        _raise_told_error(chunk)
        for choice in _list(chunk.get("choices")):
            yield from _said(choice)
            finished = finished or bool(choice.get("finish_reason"))
    if not finished:
        raise ChatUnavailable(
            "The chat server stopped in the middle of its answer. Ask again; its own log may say why."
        )


def unstreamed(body: bytes) -> Iterator[str]:
    """The text of an answer that did not come as a stream: some servers ignore that they were asked for one."""
    chunk = _parsed(body.decode("utf-8", "replace"))
    _raise_told_error(chunk)
    for choice in _list(chunk.get("choices")):
        yield from _said(choice)


def error_message(body: bytes) -> str:
    """What the server says went wrong, in its own words, shortened; empty where it says nothing."""
    try:
        said = json.loads(body.decode("utf-8", "replace"))
    except ValueError:
        return ""
    error = said.get("error", said) if isinstance(said, dict) else said
    text = error.get("message", "") if isinstance(error, dict) else error
    return " ".join(str(text).split())[:300]


def _parsed(data: str) -> dict[str, Any]:
    try:
        chunk = json.loads(data)
    except (ValueError, RecursionError):
        raise ChatUnavailable(_unreadable(data)) from None
    return chunk if isinstance(chunk, dict) else {}


def _unreadable(data: str) -> str:
    """What begins as an answer was spoilt on the server's side; anything else, a web page say, comes from another address than the right one."""
    if data.lstrip().startswith("{"):
        return "The chat server sent a spoilt answer: its JSON cannot be read. Ask again; the server's own log may say why."
    return (
        "The chat server sent something that is not an answer. If it stays so, check the address of the server (chat.base_url): "
        "it must end where /chat/completions begins."
    )


def _raise_told_error(chunk: dict[str, Any]) -> None:
    if chunk.get("error"):
        said = error_message(json.dumps(chunk).encode())
        raise ChatUnavailable(f"The chat server gave up: {said or 'it does not say why'}.")


def _list(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _said(choice: dict[str, Any]) -> Iterator[str]:
    """Its text; after it an error where the server says that it is not the whole answer."""
    text = _text(choice)
    if text:
        yield text
    if (why := str(choice.get("finish_reason")).lower()) in _NOT_WHOLE:
        raise ChatUnavailable(_NOT_WHOLE[why])


def _text(choice: dict[str, Any]) -> str:
    """`delta` in a stream, `message` in a whole answer. A model's reasoning has its own field and is not an answer."""
    held = choice.get("delta") or choice.get("message") or {}
    content = held.get("content") if isinstance(held, dict) else None
    if isinstance(content, list):  # some servers send parts
        return "".join(str(part.get("text", "")) for part in _list(content))
    return content if isinstance(content, str) else ""
