"""Google AI Studio: one JSON file a prompt, as Drive keeps them (often without a file extension).

Knows: run settings, the system instruction, chunks with thoughts, code, Drive and inline files, pending inputs.
Does not know: parts (content.py). The file holds no id: it is made from the first question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pmg.base.model import Role
from pmg.importers.conversation import SYSTEM, Conversation, Result, SourceMessage, Where, short_id
from pmg.importers.message_parts import MessagePart, first_time, numbered, title_from
from pmg.importers.platforms.gemini.content import FILES, NAME, ROLES, SPEAKERS, one, parts_of
from pmg.importers.reading.fields import Json, first_text, mapping, mappings, notes, raw, text
from pmg.importers.reading.times import parse_time

SOURCE = "aistudio"
# What a chunk may hold beside its words, in the order it is shown.
EXTRAS = (*FILES, "executableCode", "codeExecutionResult", "functionCall", "functionResponse")


def claims(value: Json) -> bool:
    return isinstance(value.get("chunkedPrompt"), dict)


def parse(value: Json, where: Where) -> Iterator[Result]:
    counts: Counter[str] = Counter()
    prompt = mapping(value.get("chunkedPrompt"))
    model = text(mapping(value.get("runSettings")).get("model")).removeprefix("models/")
    messages = list(_instruction(mapping(value.get("systemInstruction"))))
    chunks = [*mappings(prompt.get("chunks")), *_pending(prompt)]
    for index, chunk in enumerate(chunks):
        counts["messages"] += 1
        at = parse_time(chunk.get("createTime"))
        said = numbered(f"chunk-{index}", _parts(chunk, counts), at=at, model=model)
        counts["empty"] += not said
        messages.extend(said)
    if not messages:
        yield where.problem("an AI Studio prompt without words", raw=raw(value))
        return
    opening = next((message.text for message in messages if message.role is Role.USER), messages[0].text)
    yield Conversation(
        SOURCE,
        first_text(value, "id") or short_id(model, opening),
        first_text(value, "title", "name", "displayName") or title_from(messages),
        parse_time(value.get("createTime")) or first_time(messages),
        tuple(messages),
        (),
        None,
        notes(model=model),
        counts,
        made_id=not first_text(value, "id"),
    )


def _instruction(instruction: Json) -> tuple[SourceMessage, ...]:
    said = text(instruction.get("text")) or "".join(
        text(part.get("text")) for part in mappings(instruction.get("parts"))
    )
    return numbered("system", [MessagePart(Role.SYSTEM, SYSTEM, said, "system_instruction")])


def _pending(prompt: Json) -> list[Json]:
    """What was typed and not sent yet: the person's words all the same."""
    return [each for each in mappings(prompt.get("pendingInputs")) if text(each.get("text")).strip()]


def _parts(chunk: Json, counts: Counter[str]) -> Iterator[MessagePart]:
    role = ROLES.get(text(chunk.get("role")), Role.SYSTEM)
    parts = mappings(chunk.get("parts"))
    said = text(chunk.get("text"))
    in_parts = "".join(text(part.get("text")) for part in parts)
    if chunk.get("isThought") or chunk.get("thought") is True:
        yield MessagePart(Role.THINKING, NAME, said or in_parts, "thought")
        return
    for key in EXTRAS:
        part = one(key, chunk.get(key), role, counts)
        if part:
            yield part
    if said not in in_parts:
        yield MessagePart(role, SPEAKERS[role], said)
    yield from parts_of(parts, role, counts)  # they tell thoughts from the answer, which the whole text does not
    if chunk.get("errorMessage"):
        yield MessagePart(Role.SYSTEM, SYSTEM, text(chunk["errorMessage"]), "error")
