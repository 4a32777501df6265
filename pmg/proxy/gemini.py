"""Gemini's generateContent and streamGenerateContent: contents of parts; a stream is SSE, or one list that grows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pmg.importers.message_parts import MessagePart
from pmg.importers.reading.fields import Json, first_text, mapping, mappings, raw, text
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
    thinking,
)

_SILENT = {"thoughtSignature", "thought_signature", "thought"}


def read_request(body: Json) -> ModelRequest:
    given = body.get("contents")
    contents = [given] if isinstance(given, dict) else mappings(given)
    return ModelRequest(
        tuple(one for content in contents for one in _messages(content)),
        system=plain_text(mapping(_either(body, "systemInstruction")).get("parts")),
        max_tokens=number(mapping(_either(body, "generationConfig")), "maxOutputTokens", "max_output_tokens"),
        tools=bool(body.get("tools")),
    )


def _either(body: Json, name: str) -> object:
    """The API takes names written in both ways."""
    snake = "".join(f"_{char.lower()}" if char.isupper() else char for char in name)
    return body.get(name, body.get(snake))


def _messages(content: Json) -> Iterator[Message]:
    role = ASSISTANT if content.get("role") == "model" else USER
    given = mappings(content.get("parts"))
    results = [one for one in given if _either(one, "functionResponse")]
    words = [one for one in given if not _either(one, "functionResponse")]
    for side, some in ((TOOL, results), (role, words)):
        read = message(side, [_part(role, one) for one in some])
        if read is not None:
            yield read


def _part(role: str, part: Json) -> MessagePart:
    if "text" in part:
        words = text(part.get("text"))
        return thinking(words) if part.get("thought") else said(role, words)
    called, answered = mapping(_either(part, "functionCall")), mapping(_either(part, "functionResponse"))
    if called:
        return call(text(called.get("name")), called.get("args"))
    if answered:
        return result(text(answered.get("name")), raw(answered.get("response")))
    data, file = mapping(_either(part, "inlineData")), mapping(_either(part, "fileData"))
    if data or file:
        kind = first_text(data or file, "mimeType", "mime_type")
        return image(role, kind, text(data.get("data")) or first_text(file, "fileUri", "file_uri"))
    return said(role, "") if part.keys() <= _SILENT else other(role, part)


def read_answer(body: Json) -> ModelAnswer:
    return read_events([body])


def read_events(events: Iterable[Json]) -> ModelAnswer:
    """Pieces of text come one after the other; each other part comes whole."""
    parts: list[tuple[Json, list[str]]] = []  # each with its words as they come
    name, model, error, done = "", "", "", False
    for event in events:
        candidate = next(iter(mappings(event.get("candidates"))), {})
        for part in mappings(mapping(candidate.get("content")).get("parts")):
            _grow(parts, part)
        done = (
            done or bool(candidate.get("finishReason")) or bool(mapping(event.get("promptFeedback")).get("blockReason"))
        )
        name, model = name or text(event.get("responseId")), model or text(event.get("modelVersion"))
        error = error or text(mapping(event.get("error")).get("status")) or ("error" if event.get("error") else "")
    read = message(
        ASSISTANT, [_part(ASSISTANT, {**part, "text": "".join(words)} if words else part) for part, words in parts]
    )
    return ModelAnswer(read.parts if read else (), done and not error, name, model, error)


def _grow(parts: list[tuple[Json, list[str]]], part: Json) -> None:
    last, words = parts[-1] if parts else ({}, [])
    if "text" in part and "text" in last and bool(part.get("thought")) == bool(last.get("thought")):
        words.append(text(part["text"]))
    else:
        parts.append((part, [text(part["text"])] if "text" in part else []))
