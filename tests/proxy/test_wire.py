"""Answers in every format read from their bytes: whole, in pieces, split anywhere, cut anywhere."""

from __future__ import annotations

import gzip
import json
import tracemalloc
import zlib
from typing import Any

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from pmg.base.errors import InputError
from pmg.base.model import Role
from pmg.importers.message_parts import MessagePart
from pmg.proxy import anthropic, gemini, ollama, openai_chat, openai_responses, wire
from pmg.proxy.messages import ModelAnswer
from pmg.proxy.wire import answer_in, decoded, format_of
from tests.proxy.talks import (
    chat_answer,
    chat_events,
    chat_stream,
    claude_answer,
    claude_events,
    claude_stream,
    gemini_answer,
    gemini_events,
    ollama_lines,
    responses_answer,
    responses_events,
    responses_stream,
)
from tests.proxy.upstream_server import sse

WORDS = ("Sour", "dough — ", "é\u2028", "und 🍞")
ALL = "".join(WORDS)
BODIES: dict[str, tuple[str, bytes]] = {
    "chat": ("v1/chat/completions", json.dumps(chat_answer(ALL)).encode()),
    "chat, streamed": ("v1/chat/completions", chat_stream(*WORDS)),
    "chat, plain path": ("chat/completions", chat_stream(*WORDS)),
    "messages": ("v1/messages", json.dumps(claude_answer({"type": "text", "text": ALL})).encode()),
    "messages, streamed": ("v1/messages", claude_stream(*WORDS)),
    "responses": ("v1/responses", json.dumps(responses_answer(ALL)).encode()),
    "responses, streamed": ("v1/responses", responses_stream(*WORDS)),
    "ollama chat": ("api/chat", json.dumps({"model": "m", "message": {"content": ALL}, "done": True}).encode()),
    "ollama chat, streamed": ("api/chat", ollama_lines(*WORDS)),
    "ollama generate": ("api/generate", json.dumps({"model": "m", "response": ALL, "done": True}, indent=1).encode()),
    "gemini": ("v1beta/models/g:generateContent", json.dumps(gemini_answer(ALL), indent=2).encode()),
    "gemini, sse": ("v1beta/models/g:streamGenerateContent", sse(gemini_events(*WORDS)).replace(b"\n", b"\r\n")),
    "gemini, list": ("v1beta/models/g:streamGenerateContent", json.dumps(gemini_events(*WORDS), indent=1).encode()),
}


def read(path: str, body: bytes) -> ModelAnswer:
    format_ = format_of("POST", path)
    assert format_ is not None
    return answer_in(format_, body)


def words(answer: ModelAnswer) -> str:
    return "".join(part.text for part in answer.parts if part.role is Role.ASSISTANT)


@pytest.mark.parametrize("name", BODIES)
def test_every_format_is_read_to_its_end(name: str) -> None:
    answer = read(*BODIES[name])
    assert (words(answer), answer.complete, answer.error) == (ALL, True, "")


@pytest.mark.parametrize("name", BODIES)
def test_cut_anywhere_it_says_the_beginning_and_that_it_is_not_whole(name: str) -> None:
    path, body = BODIES[name]
    for place in range(len(body)):
        answer = read(path, body[:place])
        assert ALL.startswith(words(answer).rstrip("\ufffd")), place
        assert not answer.complete or words(answer) == ALL, place


@given(st.data())
@pytest.mark.parametrize("packed", [False, True])
def test_any_split_of_the_bytes_gives_the_same(packed: bool, data: st.DataObject) -> None:
    path, body = BODIES[data.draw(st.sampled_from(sorted(BODIES)))]
    wire = gzip.compress(body) if packed else body
    places = sorted(data.draw(st.lists(st.integers(0, len(wire)), max_size=40)))
    pieces = [wire[a:b] for a, b in zip([0, *places], [*places, len(wire)], strict=True)]
    assert read(path, decoded(pieces, "gzip" if packed else "")) == read(path, body)


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_no_bytes_break_a_reader(body: bytes) -> None:
    for path in dict(BODIES.values()):
        read(path, body)
        read(path, b"data: " + body)
        read(path, b"[" + body)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from("messages contents input content role type text parts choices delta message tool_calls function output item id index source".split()),
        inner, max_size=4,
    ),
    max_leaves=20,
)  # fmt: skip


@given(
    st.dictionaries(
        st.sampled_from(
            "messages contents input system choices content response output candidates message type".split()
        ),
        JSON,
    )
)
def test_no_json_breaks_a_reader(body: dict[str, Any]) -> None:
    for path in dict(BODIES.values()):
        format_ = format_of("POST", path)
        assert format_ is not None
        format_.read_request(body)
        format_.read_answer(body)
        format_.read_events([body, body])


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "v1/messages/count_tokens"),
        ("POST", "v1/embeddings"),
        ("POST", "v1/responses/compact"),
        ("POST", "v1beta/models/g:countTokens"),
        ("POST", "v1/messages/batches"),
        ("POST", "api/embed"),
        ("GET", "v1/models"),
        ("HEAD", ""),
        ("GET", "v1/chat/completions"),
    ],
)
def test_what_is_no_conversation_is_not_read(method: str, path: str) -> None:
    assert format_of(method, path) is None


def test_line_ends_comments_and_a_last_line_without_one() -> None:
    rows = [json.dumps(one) if not isinstance(one, str) else one for one in chat_events(*WORDS)]
    for end in ("\n", "\r\n", "\r"):
        body = end.join([": hello", "id: 1", *(f"data:{row}{end}" for row in rows)])
        assert words(read("chat/completions", body.rstrip().encode())) == ALL


def test_pieces_of_calls_are_put_together_by_their_index() -> None:
    def piece(index: int, name: str, arguments: str) -> dict[str, Any]:
        call = {"index": index, "id": name or None, "function": {"name": name or None, "arguments": arguments}}
        return {"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}]}

    pieces = [piece(0, "bake", '{"hot'), piece(1, "stir", "{}"), piece(0, "", '": true}')]
    other = {"choices": [{"index": 1, "delta": {"content": "of another choice"}}]}
    answer = openai_chat.read_events(
        [*pieces, other, {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}]
    )
    assert [part.text for part in answer.parts] == ['bake({"hot":true})', "stir({})"]


class Piece(str):
    """Of a text that is put together; whoever adds it to what came before copies all of that with each piece."""

    def __radd__(self, before: str) -> str:
        raise AssertionError(f"{len(before)} characters are copied for one")


WAYS: dict[str, Any] = {
    "chat": (openai_chat, lambda one: {"choices": [{"delta": {"content": one, "reasoning": one, "tool_calls": [{"function": {"arguments": one}}]}}]}),
    "messages": (anthropic, lambda one: {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": one}}),
    "arguments of messages": (anthropic, lambda one: {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": one}}),
    "responses": (openai_responses, lambda one: {"type": "response.output_text.delta", "delta": one}),
    "thinking of responses": (openai_responses, lambda one: {"type": "response.reasoning_summary_text.delta", "delta": one}),
    "arguments of responses": (openai_responses, lambda one: {"type": "response.function_call_arguments.delta", "delta": one}),
    "ollama": (ollama, lambda one: {"message": {"content": one, "thinking": one}}),
    "gemini": (gemini, lambda one: {"candidates": [{"content": {"parts": [{"text": one}]}}]}),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_pieces_are_put_together_once(way: str) -> None:
    format_, event = WAYS[way]
    read = format_.read_events([event(Piece("x")) for _ in range(100)])
    if "arguments" not in way:  # what has no name is no call
        assert any("x" * 100 in part.text for part in read.parts)


def test_what_tools_gave_back_is_told_apart_without_comparing(monkeypatch: pytest.MonkeyPatch) -> None:
    def compared(*_: object) -> bool:
        raise AssertionError("each is compared with each")

    monkeypatch.setattr(MessagePart, "__eq__", compared)
    blocks = [{"type": "tool_result", "content": "hot"}, {"type": "text", "text": "And now?"}]
    request = anthropic.read_request({"messages": [{"role": "user", "content": blocks}]})
    assert [one.role for one in request.messages] == ["tool", "user"]

    class Part(dict[str, Any]):
        __hash__ = None  # type: ignore[assignment]

        def __eq__(self, _: object) -> bool:
            raise AssertionError("each is compared with each")

    parts = [Part(functionResponse={"name": "oven", "response": {}}), Part(text="And now?")]
    request = gemini.read_request({"contents": [{"parts": parts}]})
    assert [one.role for one in request.messages] == ["tool", "user"]


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_of_other_servers_is_thinking(field: str) -> None:
    answer = openai_chat.read_answer(chat_answer("Rye.", **{field: "wheat?"}))
    assert [(part.role, part.text) for part in answer.parts] == [(Role.THINKING, "wheat?"), (Role.ASSISTANT, "Rye.")]


def test_blocks_of_claude_in_a_stream() -> None:
    events = claude_events("Rye.", thinking="wheat?", done=False)
    use = [
        {
            "type": "content_block_start",
            "index": 2,
            "content_block": {"type": "server_tool_use", "name": "web_search", "input": {}},
        },
        {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": '{"q": "'}},
        {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": 'rye"}'}},
        {"type": "content_block_start", "index": 3, "content_block": {"type": "redacted_thinking", "data": "eA=="}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "citations_delta", "citation": {"url": "x"}}},
        {"type": "message_stop"},
    ]
    answer = read("v1/messages", sse([*events, *use], named=True))
    assert [part.text for part in answer.parts] == ["wheat?", "Rye.", 'web_search({"q":"rye"})']


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("v1/chat/completions", sse([*chat_events("Rye", done=False), {"error": {"message": "broke", "type": "server_error"}}])),
        ("v1/messages", sse([*claude_events("Rye", done=False), {"type": "error", "error": {"type": "server_error"}}])),
        ("v1/responses", sse([*responses_events("Rye", done=False), {"type": "error", "code": "server_error", "message": "x"}])),
        ("api/chat", ollama_lines("Rye", done=False) + b'{"error":"server_error"}\n'),
        ("v1beta/models/g:streamGenerateContent", sse([gemini_answer("Rye", None), {"error": {"status": "server_error"}}])),
    ],
)  # fmt: skip
def test_an_error_inside_a_stream_is_told(path: str, body: bytes) -> None:
    answer = read(path, body)
    assert (words(answer), answer.complete, bool(answer.error)) == ("Rye", False, True)


def test_gemini_writes_its_names_in_two_ways_and_thinks_apart() -> None:
    parts = [
        {"text": "wheat?", "thought": True},
        {"text": "Ry"},
        {"text": "e."},
        {"functionCall": {"name": "bake", "args": {"hot": True}}},
    ]
    answer = gemini.read_answer({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]})
    assert [part.text for part in answer.parts] == ["wheat?", "Rye.", 'bake({"hot":true})']
    body = {
        "system_instruction": {"parts": [{"text": "Bake."}]},
        "contents": [
            {"role": "user", "parts": [{"text": "See"}, {"inline_data": {"mime_type": "image/png", "data": "AAAA"}}]},
            {"role": "model", "parts": parts},
            {"role": "user", "parts": [{"functionResponse": {"name": "bake", "response": {"done": True}}}]},
        ],
    }
    request = gemini.read_request(body)
    assert (request.system, [one.role for one in request.messages]) == ("Bake.", ["user", "assistant", "tool"])
    assert request.messages[0].parts[1].text.startswith("[image: image/png, 3 bytes")
    assert request.messages[2].parts[0].text == '{"done":true}'


def test_ollama_thinks_calls_and_sees() -> None:
    said = {
        "thinking": "wheat?",
        "content": "Rye.",
        "tool_calls": [{"function": {"name": "bake", "arguments": {"hot": True}}}],
    }
    answer = ollama.read_answer({"message": said, "done": True})
    assert [part.text for part in answer.parts] == ["wheat?", "Rye.", 'bake({"hot":true})']
    body = {"messages": [{"role": "system", "content": "Bake."}, {"role": "user", "content": "See", "images": ["AAAA"]},
                         {"role": "tool", "tool_name": "bake", "content": "hot"}], "options": {"num_predict": 1}}  # fmt: skip
    request = ollama.read_request(body)
    assert (request.system, request.max_tokens, len(request.messages)) == ("Bake.", 1, 2)
    assert request.messages[1].parts[0].speaker == "bake"


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_a_bomb_of_zeros_stops(coding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "MAX_DECODED", 1 << 20)
    zeros = bytes(64 << 20)
    pack = {"gzip": gzip.compress, "deflate": zlib.compress, "zstd": zstandard.compress}
    packed = pack[coding](zeros) if coding in pack else brotli.compress(zeros, quality=5)
    tracemalloc.start()
    try:
        read = len(decoded([packed], coding))
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert 1 << 20 < read < 10 << 20
    assert most < 32 << 20


@pytest.mark.parametrize("coding", ["gzip, gzip", "gzip,br", "identity, gzip"])
def test_a_body_with_several_codings_is_not_read(coding: str) -> None:
    packed = gzip.compress(gzip.compress(b"{}"))
    with pytest.raises(InputError, match="several codings"):
        decoded([packed], coding)


@pytest.mark.parametrize("coding", ["GZIP", " gzip ", "br"])
def test_one_coding_is_read_to_its_end_or_to_where_it_broke_off(coding: str) -> None:
    body = b"".join(number.to_bytes(4, "big") for number in range(100_000))
    packed = brotli.compress(body, quality=5) if coding == "br" else gzip.compress(body)
    assert decoded([packed], coding) == body
    assert body.startswith(cut := decoded([packed[: len(packed) // 2]], coding)) and cut
