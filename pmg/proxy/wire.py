"""Which paths are conversations and in which format, how an answer is cut into events, and how each API words an error."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import brotli
import httpx

from pmg.base.errors import InputError
from pmg.base.patterns import plain
from pmg.importers.reading.fields import Json
from pmg.proxy import anthropic, gemini, ollama, openai_chat, openai_responses
from pmg.proxy.messages import ModelAnswer, ModelRequest

MAX_DECODED = 64 << 20  # bytes: what was compressed may become this large
MAX_PACKED = 256  # bytes that are decoded at once: of a bomb in zstd they are 8 MiB
MAX_STEP = 1 << 20  # bytes of brotli that come out at once: eight of its bytes may stand for 16 MiB
_LINES = plain(r"\r\n|\n|\r")


class WireFormat(Protocol):
    """One API: what a request asks, and what an answer says, whole or in events."""

    def read_request(self, body: Json) -> ModelRequest: ...

    def read_answer(self, body: Json) -> ModelAnswer: ...

    def read_events(self, events: Iterable[Json]) -> ModelAnswer: ...


FORMATS: tuple[tuple[str, WireFormat], ...] = (
    ("/chat/completions", openai_chat),
    ("/responses", openai_responses),
    ("/v1/messages", anthropic),
    ("/api/chat", ollama),
    ("/api/generate", ollama),
    (":generateContent", gemini),
    (":streamGenerateContent", gemini),
)


def format_of(method: str, path: str) -> WireFormat | None:
    """By how the path ends: an upstream of any kind may speak several. None for what is no conversation."""
    name = f"/{path.rstrip('/')}"
    if method == "POST":
        return next((one for end, one in FORMATS if name.endswith(end)), None)
    # An answer that was made in the background is asked for by its id.
    return openai_responses if method == "GET" and name.rpartition("/")[0].endswith("/responses") else None


def decoded(pieces: Iterable[bytes], encoding: str) -> bytes:
    """The copy of a body without its compression: as much as there is, where it was cut."""
    coding = encoding.strip().lower()
    if coding in ("", "identity"):
        return b"".join(pieces)
    if "," in coding:  # a bomb inside a bomb: what the first makes of a few bytes the second makes gigabytes of
        raise InputError(f"A body has several codings, {coding[:60]!r}: one is read.")
    small = (piece[at : at + MAX_PACKED] for piece in pieces for at in range(0, len(piece), MAX_PACKED))
    body = bytearray()
    try:
        for piece in _brotli(small) if coding == "br" else _by_httpx(small, coding):
            body += piece
            if len(body) > MAX_DECODED:
                break
    except (httpx.DecodingError, brotli.error):  # broken off in the middle
        pass
    return bytes(body)


def _by_httpx(pieces: Iterator[bytes], coding: str) -> Iterator[bytes]:
    return httpx.Response(200, headers={"content-encoding": coding}, content=pieces).iter_bytes()


def _brotli(pieces: Iterable[bytes]) -> Iterator[bytes]:
    unpacking = brotli.Decompressor()
    for piece in pieces:
        yield unpacking.process(piece, output_buffer_limit=MAX_STEP)
        while not unpacking.can_accept_more_data():
            yield unpacking.process(b"", output_buffer_limit=MAX_STEP)


def answer_in(format_: WireFormat, body: bytes) -> ModelAnswer:
    """Events as SSE, lines of JSON or one list; else one answer. By what the body is, for a content type may be missing or wrong."""
    text = body.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    if not text.startswith(("{", "[")):
        return format_.read_events(_sse(text))
    whole = _value(text) if text.startswith("{") else None
    if text.startswith("["):
        return format_.read_events(_elements(text))
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


def _elements(text: str) -> Iterator[Json]:
    """Of a list that may be broken off, those that are whole."""
    decoder, at = json.JSONDecoder(), 1
    while True:
        while text[at : at + 1] in (",", " ", "\t", "\r", "\n"):
            at += 1
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
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
