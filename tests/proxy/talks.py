"""Requests and answers in each wire format, as the real ones look, for tests."""

from __future__ import annotations

from typing import Any

from tests.proxy.upstream_server import sse

Json = dict[str, Any]


def chat(*said: str | Json, **more: Any) -> Json:
    """Turn about: the first is the person's. A mapping stands for itself."""
    rows: list[Json] = []
    for at, one in enumerate(said):
        rows.append(one if isinstance(one, dict) else {"role": "assistant" if at % 2 else "user", "content": one})
    return {"model": "small", "messages": rows, **more}


def chat_answer(words: str, **message: Any) -> Json:
    choice = {"index": 0, "message": {"role": "assistant", "content": words, **message}, "finish_reason": "stop"}
    return {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "small-1", "choices": [choice]}


def chat_events(*pieces: str, done: bool = True) -> list[Any]:
    def chunk(delta: Json, finish: str | None = None) -> Json:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": "small-1",
            "choices": [choice],
        }

    rows: list[Any] = [chunk({"role": "assistant", "content": ""}), *(chunk({"content": one}) for one in pieces)]
    usage = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "small-1",
        "choices": [],
        "usage": None,
    }
    return [*rows, chunk({}, "stop"), usage, "[DONE]"] if done else rows


def chat_stream(*pieces: str) -> bytes:
    return sse(chat_events(*pieces))


def claude_events(*pieces: str, thinking: str = "", done: bool = True) -> list[Json]:
    head = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-1", "content": [], "stop_reason": None,
        "stop_sequence": None, "usage": {"input_tokens": 3, "output_tokens": 1},
    }  # fmt: skip
    rows: list[Json] = [{"type": "message_start", "message": head}, {"type": "ping"}]
    if thinking:
        rows += [
            {
                "type": "content_block_start",
                "index": 0,
                "content_block": {"type": "thinking", "thinking": "", "signature": ""},
            },
            {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": thinking}},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "c2ln"}},
            {"type": "content_block_stop", "index": 0},
        ]
    at = 1 if thinking else 0
    rows.append({"type": "content_block_start", "index": at, "content_block": {"type": "text", "text": ""}})
    rows += [
        {"type": "content_block_delta", "index": at, "delta": {"type": "text_delta", "text": one}} for one in pieces
    ]
    end = [
        {"type": "content_block_stop", "index": at},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": {"output_tokens": 5},
        },
        {"type": "message_stop"},
    ]
    return [*rows, *end] if done else rows


def claude_stream(*pieces: str, thinking: str = "") -> bytes:
    return sse(claude_events(*pieces, thinking=thinking), named=True)


def claude_answer(*blocks: Json) -> Json:
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-1", "content": list(blocks),
        "stop_reason": "end_turn", "stop_sequence": None, "usage": {"input_tokens": 3, "output_tokens": 5},
    }  # fmt: skip
