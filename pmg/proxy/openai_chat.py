"""OpenAI's chat completions, as OpenAI, Ollama, LM Studio, vLLM, llama.cpp and many others speak them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pmg.importers.message_parts import MessagePart
from pmg.importers.reading.fields import Json, first_text, mapping, mappings, text
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

SYSTEM = ("system", "developer")


def read_request(body: Json) -> ModelRequest:
    given = mappings(body.get("messages"))
    names = {text(one.get("id")): _name(one) for each in given for one in mappings(each.get("tool_calls"))}
    found = (_message(one, names) for one in given if one.get("role") not in SYSTEM)
    return ModelRequest(
        tuple(one for one in found if one is not None),
        system="\n".join(plain_text(one.get("content")) for one in given if one.get("role") in SYSTEM),
        model=text(body.get("model")),
        max_tokens=number(body, "max_completion_tokens", "max_tokens"),
        tools=bool(body.get("tools")),
        hint=text(body.get("prompt_cache_key")),
        task=text(mapping(body.get("metadata")).get("task")),
    )


def _message(given: Json, names: dict[str, str]) -> Message | None:
    role = text(given.get("role"))
    if role in (TOOL, "function"):
        name = names.get(text(given.get("tool_call_id")), "") or text(given.get("name"))
        return message(TOOL, [result(name, plain_text(given.get("content")))])
    side = ASSISTANT if role == ASSISTANT else USER
    return message(side, _parts(side, given))


def _parts(role: str, given: Json) -> Iterator[MessagePart]:
    yield thinking(first_text(given, "reasoning_content", "reasoning"))
    content = given.get("content")
    for block in content if isinstance(content, list) else [content]:
        yield block_part(role, block)
    yield said(role, text(given.get("refusal")))
    for one in mappings(given.get("tool_calls")):
        yield call_of(mapping(one.get("function") or one.get("custom")))
    if given.get("function_call"):
        yield call_of(mapping(given["function_call"]))


def block_part(role: str, block: object) -> MessagePart:
    if not isinstance(block, dict):
        return said(role, text(block))
    kind = text(block.get("type"))
    if kind in ("text", "input_text", "output_text", "refusal"):
        return said(role, first_text(block, "text", "refusal"))
    if kind in ("image_url", "input_image"):
        where = block.get("image_url")
        return image(role, "image", text(where) or text(mapping(where).get("url")))
    if kind == "input_audio":
        audio = mapping(block.get("input_audio"))
        return image(role, f"audio/{text(audio.get('format'))}", text(audio.get("data")))
    if kind == "file":
        file = mapping(block.get("file"))
        return image(role, text(file.get("filename")), text(file.get("file_data")))
    return other(role, block)


def _name(one: Json) -> str:
    return text(mapping(one.get("function") or one.get("custom")).get("name"))


def call_of(function: Json) -> MessagePart:
    """Its arguments as JSON where they are: the same call is written with and without spaces."""
    return call(text(function.get("name")), _arguments(function))


def _arguments(function: Json) -> object:
    given = function.get("arguments", function.get("input", ""))
    try:
        return json.loads(given) if isinstance(given, str) else given
    except (ValueError, RecursionError):
        return given


def read_answer(body: Json) -> ModelAnswer:
    choice = next(iter(mappings(body.get("choices"))), {})
    read = message(ASSISTANT, _parts(ASSISTANT, mapping(choice.get("message"))))
    return ModelAnswer(
        read.parts if read else (),
        complete=bool(choice),
        id=text(body.get("id")),
        model=text(body.get("model")),
        error=_error(body),
    )


@dataclass(slots=True)
class _Growing:
    """The first choice of a stream as it grows."""

    content: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    refusal: list[str] = field(default_factory=list)
    calls: dict[int, tuple[str, list[str]]] = field(default_factory=dict)  # the name and the pieces of the arguments

    def add(self, delta: Json) -> None:
        self.content.append(plain_text(delta.get("content")))
        self.reasoning.append(first_text(delta, "reasoning_content", "reasoning"))
        self.refusal.append(text(delta.get("refusal")))
        for at, one in enumerate(mappings(delta.get("tool_calls"))):
            place = one.get("index")
            self._add_call(place if isinstance(place, int) else at, mapping(one.get("function")))

    def _add_call(self, place: int, function: Json) -> None:
        name, pieces = self.calls.get(place, ("", []))
        pieces.append(text(function.get("arguments")))
        self.calls[place] = (name or text(function.get("name")), pieces)

    def message(self) -> Json:
        return {
            "content": "".join(self.content),
            "reasoning": "".join(self.reasoning),
            "refusal": "".join(self.refusal),
            "tool_calls": [
                {"function": {"name": name, "arguments": "".join(pieces)}}
                for _, (name, pieces) in sorted(self.calls.items())
            ],
        }


def read_events(events: Iterable[Json]) -> ModelAnswer:
    growing, done, error, name, model = _Growing(), False, "", "", ""
    for event in events:
        error = error or _error(event)
        name, model = name or text(event.get("id")), model or text(event.get("model"))
        for choice in mappings(event.get("choices")):
            if choice.get("index", 0) == 0:
                growing.add(mapping(choice.get("delta")))
                done = done or bool(choice.get("finish_reason"))
    read = message(ASSISTANT, _parts(ASSISTANT, growing.message()))
    return ModelAnswer(read.parts if read else (), done and not error, name, model, error)


def _error(body: Json) -> str:
    error = body.get("error")
    return first_text(mapping(error), "code", "type") or ("error" if error else "")
