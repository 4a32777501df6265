"""Requests and answers in each wire format, as the real ones look, for tests."""

from __future__ import annotations

import json
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


def responses_answer(words: str, **more: Any) -> Json:
    part = {"type": "output_text", "text": words, "annotations": []}
    item = {"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": [part]}
    return {
        "id": "resp_1", "object": "response", "created_at": 1, "status": "completed", "model": "small-1", "output": [item],
        "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "error": None, "incomplete_details": None,
        "instructions": None, "metadata": {}, "temperature": 1.0, "top_p": 1.0, **more,
    }  # fmt: skip


def responses_events(*pieces: str, done: bool = True) -> list[Json]:
    whole = responses_answer("".join(pieces))
    item = {**whole["output"][0], "content": [], "status": "in_progress"}
    place = {"item_id": "m1", "output_index": 0, "content_index": 0}
    part = {"type": "output_text", "text": "", "annotations": []}
    rows: list[Json] = [
        {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.content_part.added", **place, "part": part},
        *({"type": "response.output_text.delta", **place, "delta": one, "logprobs": []} for one in pieces),
    ]
    if done:
        rows += [
            {"type": "response.output_text.done", **place, "text": "".join(pieces), "logprobs": []},
            {"type": "response.output_item.done", "output_index": 0, "item": whole["output"][0]},
            {"type": "response.completed", "response": whole},
        ]
    return [{**row, "sequence_number": at} for at, row in enumerate(rows)]


def responses_stream(*pieces: str) -> bytes:
    return sse(responses_events(*pieces), named=True)


def ollama_lines(*pieces: str, done: bool = True) -> bytes:
    head = {"model": "small", "created_at": "2026-11-19T10:00:00Z"}
    rows: list[Json] = [{**head, "message": {"role": "assistant", "content": one}, "done": False} for one in pieces]
    end = {
        **head,
        "message": {"role": "assistant", "content": ""},
        "done": True,
        "done_reason": "stop",
        "eval_count": 2,
    }
    return "".join(json.dumps(row) + "\n" for row in [*rows, *([end] if done else [])]).encode()


def gemini_answer(words: str, finish: str | None = "STOP") -> Json:
    candidate: Json = {"content": {"role": "model", "parts": [{"text": words}]}, "index": 0}
    if finish:
        candidate["finishReason"] = finish
    return {"candidates": [candidate], "modelVersion": "gemini-1", "responseId": "r1"}


def gemini_events(*pieces: str) -> list[Json]:
    return [gemini_answer(one, "STOP" if at == len(pieces) - 1 else None) for at, one in enumerate(pieces)]
