"""Which paths are conversations and in which format, how an answer is cut into events, and how each API words an error."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import httpx

from pmg.base.patterns import plain
from pmg.importers.reading.fields import Json
from pmg.proxy import anthropic, openai_chat
from pmg.proxy.messages import ModelAnswer, ModelRequest

MAX_DECODED = 64 << 20  # bytes: what was compressed may become this large
_LINES = plain(r"\r\n|\n|\r")


class WireFormat(Protocol):
    """One API: what a request asks, and what an answer says, whole or in events."""

    def read_request(self, body: Json) -> ModelRequest: ...

    def read_answer(self, body: Json) -> ModelAnswer: ...

    def read_events(self, events: Iterable[Json]) -> ModelAnswer: ...


FORMATS: tuple[tuple[str, WireFormat], ...] = (
    ("chat/completions", openai_chat),
    ("v1/messages", anthropic),
)


def format_of(path: str) -> WireFormat | None:
    """By how the path ends: an upstream of any kind may speak several."""
    name = path.rstrip("/")
    return next((one for end, one in FORMATS if name == end or name.endswith(f"/{end}")), None)


def is_captured(path: str) -> bool:
    return format_of(path) is not None


def decoded(pieces: Iterable[bytes], encoding: str) -> bytes:
    """The copy of a body without its compression: as much as there is, where it was cut."""
    if not encoding or encoding.lower() == "identity":
        return b"".join(pieces)
    answer = httpx.Response(200, headers={"content-encoding": encoding}, content=iter(pieces))
    body = bytearray()
    try:
        for piece in answer.iter_bytes():
            body += piece
            if len(body) > MAX_DECODED:
                break
    except httpx.DecodingError:  # broken off in the middle
        pass
    return bytes(body)


def answer_in(format_: WireFormat, body: bytes) -> ModelAnswer:
    """Events as SSE, lines of JSON or one list; else one answer. By what the body is, for a content type may be missing or wrong."""
    text = body.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    if not text.startswith(("{", "[")):
        return format_.read_events(_sse(text))
    whole = _value(text)
    if isinstance(whole, list):
        return format_.read_events(one for one in whole if isinstance(one, dict))
    if isinstance(whole, dict):
        return format_.read_answer(whole)
    return format_.read_events(_mappings(_LINES.split(text)))


def _sse(text: str) -> Iterator[Json]:
    """The data of each event; an event's type, where it is told apart, stands in its data too in every format known."""
    data: list[str] = []
    for line in (*_LINES.split(text), ""):
        if not line:
            yield from _mappings(["\n".join(data)])
            data = []
        elif line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))


def _mappings(texts: Iterable[str]) -> Iterator[Json]:
    for text in texts:
        value = _value(text)
        if isinstance(value, dict):
            yield value


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # `[DONE]`, half a line at the end, or no JSON at all
        return None


def error_body(kind: str, status: int, said: str) -> Json:
    if kind == "anthropic":
        return {
            "type": "error",
            "error": {"type": "not_found_error" if status == 404 else "api_error", "message": said},
        }
    if kind == "ollama":
        return {"error": said}
    if kind == "gemini":
        return {"error": {"code": status, "message": said, "status": "NOT_FOUND" if status == 404 else "UNAVAILABLE"}}
    return {"error": {"message": said, "type": "upstream_error", "param": None, "code": f"pmg_{status}"}}
