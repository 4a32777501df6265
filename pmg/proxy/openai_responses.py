"""OpenAI's Responses: items in place of messages, and an answer that the next request can go on from by its id."""

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
    message,
    number,
    other,
    plain_text,
    result,
    summary,
    thinking,
)
from pmg.proxy.openai_chat import SYSTEM, block_part, call_of

_UNSEEN = ("item_reference", "compaction", "compaction_trigger")  # their words are with the upstream alone
_WAITING = ("queued", "in_progress")


def read_request(body: Json) -> ModelRequest:
    given = body.get("input")
    rows = [{"role": USER, "content": given}] if isinstance(given, str) else mappings(given)
    systems = [plain_text(one.get("content")) for one in rows if one.get("role") in SYSTEM]
    conversation = body.get("conversation")
    return ModelRequest(
        tuple(_messages([one for one in rows if one.get("role") not in SYSTEM])),
        system="\n".join(filter(None, [text(body.get("instructions")), *systems])),
        model=text(body.get("model")),
        max_tokens=number(body, "max_output_tokens"),
        tools=bool(body.get("tools")),
        key=text(conversation) or text(mapping(conversation).get("id")),
        hint=text(body.get("prompt_cache_key")),
        previous=text(body.get("previous_response_id")),
        task=_task(body, rows),
    )


def _task(body: Json, rows: list[Json]) -> str:
    if body.get("generate") is False:
        return "warm-up"
    return "compaction" if any(one.get("type") == "compaction_trigger" for one in rows) else ""


def _messages(rows: list[Json]) -> Iterator[Message]:
    """What a model answers at once is several items: thinking, words, calls. They are one message."""
    names = {text(one.get("call_id")): text(one.get("name")) for one in rows if one.get("name")}
    held: list[MessagePart] = []
    for row in [*rows, {"role": USER, "content": ""}]:
        side = _side(row)
        if side == ASSISTANT:
            held += _parts(row)
            continue
        yield from filter(None, [message(ASSISTANT, held)])
        held = []
        parts = [result(names.get(text(row.get("call_id")), ""), _output(row))] if side == TOOL else _parts(row)
        yield from filter(None, [message(side, parts)])


def _side(row: Json) -> str:
    kind = text(row.get("type"))
    if kind.endswith("_output"):
        return TOOL
    return USER if kind in ("", "message", *_UNSEEN) and row.get("role") != ASSISTANT else ASSISTANT


def _output(row: Json) -> str:
    given = row.get("output")
    return plain_text(given) or (raw(given) if given else "")


def _parts(row: Json) -> list[MessagePart]:
    kind, role = text(row.get("type")), ASSISTANT if _side(row) == ASSISTANT else USER
    if kind in _UNSEEN:
        return [summary(text(row.get("summary")))]
    if kind == "reasoning":
        return [thinking(plain_text([row.get("summary"), row.get("content")]))]
    if kind in ("function_call", "custom_tool_call"):
        return [call_of(row)]
    if kind not in ("", "message"):
        return [other(role, row)]
    content = row.get("content")
    return [block_part(role, block) for block in (content if isinstance(content, list) else [content])]


def read_answer(body: Json) -> ModelAnswer:
    return _answer(mappings(body.get("output")), body)


def _answer(rows: list[Json], head: Json, error: str = "") -> ModelAnswer:
    status = text(head.get("status"))
    error = error or first_text(mapping(head.get("error")), "code", "type") or ("failed" if status == "failed" else "")
    read = message(ASSISTANT, [part for row in rows for part in _parts({"role": ASSISTANT, **row})])
    return ModelAnswer(
        read.parts if read else (),
        complete=status in ("completed", "incomplete") and not error,
        id=text(head.get("id")),
        model=text(head.get("model")),
        error=error,
        waiting=status in _WAITING and bool(head.get("background")),
    )


def read_events(events: Iterable[Json]) -> ModelAnswer:
    rows: dict[int, Json] = {}
    pieces: dict[int, dict[str, list[str]]] = {}
    head: Json = {}
    error = ""
    for event in events:
        kind, place = text(event.get("type")), number(event, "output_index")
        head = mapping(event.get("response")) or head
        if kind in ("response.output_item.added", "response.output_item.done"):
            rows[place] = mapping(event.get("item"))
            pieces[place] = {}
        elif kind.endswith(".delta"):
            rows.setdefault(place, {})
            pieces.setdefault(place, {}).setdefault(_growing(kind), []).append(text(event.get("delta")))
        elif kind == "error":
            error = text(event.get("code")) or "error"  # a message may quote a key
    whole = mappings(head.get("output"))
    # The last event has all of it; where it does not come, or is empty, what came before it counts.
    return _answer(whole or [_grown(rows[place], pieces.get(place, {})) for place in sorted(rows)], head, error)


def _growing(kind: str) -> str:
    """The field that a piece belongs to; empty for what is not kept."""
    if kind == "response.function_call_arguments.delta":
        return "arguments"
    if kind in ("response.output_text.delta", "response.refusal.delta"):
        return "content"
    return "summary" if kind.startswith("response.reasoning") else ""


def _grown(row: Json, pieces: dict[str, list[str]]) -> Json:
    words = {name: "".join([plain_text(row.get(name)), *some]) for name, some in pieces.items() if name}
    if "content" in words:
        return {**row, "content": [{"type": "output_text", "text": words["content"]}]}
    return {**row, **words, "type": "reasoning"} if "summary" in words else {**row, **words}
