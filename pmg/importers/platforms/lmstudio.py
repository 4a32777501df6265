"""LM Studio's *.conversation.json: messages with versions, of which one is chosen; an answer is made of steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pmg.base.model import Role
from pmg.importers.conversation import SYSTEM, TOOL, USER, Branch, Conversation, Level, Result, SourceMessage, Where
from pmg.importers.message_parts import (
    MessagePart,
    first_time,
    guessed_id,
    numbered,
    placeholder,
    title_from,
    without_reasoning,
)
from pmg.importers.reading.fields import Json, first_text, items, mapping, mappings, notes, raw, text
from pmg.importers.reading.times import parse_time, time_of

SOURCE = "lmstudio"
ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM, "tool": Role.TOOL}


def claims(value: Json) -> bool:
    return any(isinstance(row.get("versions"), list) for row in mappings(value.get("messages")))


def parse(value: Json, where: Where) -> Iterator[Result]:
    counts: Counter[str] = Counter()
    messages = list(
        numbered("system", [MessagePart(Role.SYSTEM, SYSTEM, text(value.get("systemPrompt")), "system_prompt")])
    )
    branches: list[Branch] = []
    before = ""
    for index, row in enumerate(mappings(value.get("messages"))):
        counts["messages"] += 1
        versions = mappings(row.get("versions"))
        chosen = row.get("currentlySelected")
        place = chosen if isinstance(chosen, int) and 0 <= chosen < len(versions) else len(versions) - 1
        own = f"message-{index}"
        for number, version in enumerate(versions):
            said = _version(version, own if number == place else f"{own}-version-{number}", counts)
            if number == place:
                messages.extend(said)
            elif said:
                branches.append(Branch(before, said))
        counts["empty"] += not versions
        before = own
    if not messages and not branches:
        yield where.problem("an LM Studio conversation without words", raw=raw(value), level=Level.SKIPPED)
        return
    started = parse_time(value.get("createdAt")) or first_time(messages)
    own = first_text(value, "id")
    yield Conversation(
        SOURCE,
        own or guessed_id(started, messages or branches[0].messages),
        first_text(value, "name", "title") or title_from(messages),
        started,
        tuple(messages),
        tuple(branches),
        parse_time(value.get("updatedAt")),
        notes(model=mapping(value.get("lastUsedModel")).get("identifier"), pinned=bool(value.get("pinned"))),
        counts,
        made_id=not own,
    )


def _version(version: Json, own: str, counts: Counter[str]) -> tuple[SourceMessage, ...]:
    written = text(version.get("role"))
    role = ROLES.get(written, Role.SYSTEM)
    if written not in ROLES:
        counts[f"unknown role:{written}"] += 1
    named = text(mapping(version.get("senderInfo")).get("senderName")) or "Assistant"
    speaker = {Role.USER: USER, Role.ASSISTANT: named, Role.TOOL: TOOL}.get(role, SYSTEM)
    parts = [*_content(version.get("content"), role, speaker, counts)]
    model = ""
    for step in mappings(version.get("steps")):
        model = model or text(mapping(step.get("genInfo")).get("identifier"))
        parts += _step(step, role, speaker, counts)
    at = time_of(version, "createdAt", "timestamp")
    return numbered(own, parts, at=at, model=model or (named if role is Role.ASSISTANT else ""))


def _step(step: Json, role: Role, speaker: str, counts: Counter[str]) -> Iterator[MessagePart]:
    kind = text(step.get("type"))
    if kind == "contentBlock" or "content" in step:
        thinks = mapping(step.get("style")).get("type") == "thinking"
        yield from _content(step.get("content"), Role.THINKING if thinks else role, speaker, counts)
    elif kind in ("debugInfoBlock", "status", "toolStatus"):
        counts[f"silent:{kind}"] += 1
    else:
        counts[f"unknown:{kind}"] += 1
        yield MessagePart(role, speaker, raw(step), kind or "unknown")


def _content(content: object, role: Role, speaker: str, counts: Counter[str]) -> Iterator[MessagePart]:
    if isinstance(content, str):
        yield from without_reasoning(MessagePart(role, speaker, content))
    for block in mappings(items(content)):
        kind = text(block.get("type"))
        if kind == "text":
            yield from without_reasoning(MessagePart(role, speaker, text(block.get("text"))))
        elif kind == "toolCallRequest":
            given = block.get("parameters", block.get("arguments", {}))
            name = text(block.get("name")) or TOOL
            yield MessagePart(Role.TOOL, name, given if isinstance(given, str) else raw(given), "tool_call")
        elif kind == "toolCallResult":
            result = block.get("content")
            yield MessagePart(Role.TOOL, TOOL, result if isinstance(result, str) else raw(result), "tool_result")
        elif kind in ("file", "image"):
            yield MessagePart(
                Role.DOCUMENT, speaker, placeholder(kind, first_text(block, "name", "fileIdentifier")), kind
            )
        else:
            counts[f"unknown:{kind}"] += 1
            yield MessagePart(role, speaker, raw(block), kind or "unknown")
