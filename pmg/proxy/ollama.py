"""Ollama's own chat and generate: one JSON a line. A request of generate goes on from the numbers that the last answer ended with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pmg.importers.message_parts import MessagePart
from pmg.importers.reading.fields import Json, items, mapping, mappings, raw, text
from pmg.proxy.messages import (
    ASSISTANT,
    TOOL,
    USER,
    Message,
    ModelAnswer,
    ModelRequest,
    call,
    digest,
    image,
    message,
    number,
    result,
    said,
    thinking,
)


def read_request(body: Json) -> ModelRequest:
    given = mappings(body.get("messages"))
    if "prompt" in body:
        given = [{"role": USER, "content": body["prompt"], "images": body.get("images")}]
    found = (_message(one) for one in given if one.get("role") != "system")
    systems = [text(one.get("content")) for one in given if one.get("role") == "system"]
    return ModelRequest(
        tuple(one for one in found if one is not None),
        system="\n".join(filter(None, [text(body.get("system")), *systems])),
        model=text(body.get("model")),
        max_tokens=number(mapping(body.get("options")), "num_predict"),
        tools=bool(body.get("tools")),
        previous=_place(body.get("context")),
    )


def _place(context: object) -> str:
    return digest(raw(context)) if items(context) else ""


def _message(given: Json) -> Message | None:
    role = text(given.get("role"))
    if role == TOOL:
        return message(
            TOOL, [result(text(given.get("tool_name")) or text(given.get("name")), text(given.get("content")))]
        )
    side = ASSISTANT if role == ASSISTANT else USER
    return message(side, _parts(side, given))


def _parts(role: str, given: Json) -> Iterator[MessagePart]:
    yield thinking(text(given.get("thinking")))
    yield said(role, text(given.get("content")))
    for one in items(given.get("images")):
        yield image(role, "image", text(one))
    for one in mappings(given.get("tool_calls")):
        function = mapping(one.get("function"))
        yield call(text(function.get("name")), function.get("arguments"))


def read_answer(body: Json) -> ModelAnswer:
    return read_events([body])


def read_events(events: Iterable[Json]) -> ModelAnswer:
    content: list[str] = []
    reasoning: list[str] = []
    model, error, place = "", "", ""
    calls: list[Json] = []
    done = False
    for event in events:
        told = mapping(event.get("message")) or {"content": event.get("response"), "thinking": event.get("thinking")}
        content.append(text(told.get("content")))
        reasoning.append(text(told.get("thinking")))
        calls += mappings(told.get("tool_calls"))
        model, done = model or text(event.get("model")), done or event.get("done") is True
        place = _place(event.get("context")) or place
        error = error or ("error" if event.get("error") else "")
    said = {"content": "".join(content), "thinking": "".join(reasoning), "tool_calls": calls}
    read = message(ASSISTANT, _parts(ASSISTANT, said))
    return ModelAnswer(read.parts if read else (), done and not error, place, model, error)
