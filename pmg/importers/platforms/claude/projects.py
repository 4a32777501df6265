"""Claude.ai's other files: projects (instructions and documents) and memories, as conversations of documents.

Knows: projects.json and one file a project, memories of both vintages.
Does not know: chats (conversations.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeGuard

from pmg.base.model import Role
from pmg.importers.conversation import Conversation, Level, Result, SourceMessage, Where, short_id
from pmg.importers.platforms.claude.conversations import SOURCE, document
from pmg.importers.reading.fields import Json, first_text, mapping, mappings, notes, raw, text
from pmg.importers.reading.times import parse_time, time_of

WHAT_PROJECT, WHAT_MEMORY = "project", "memory"
OF_PROJECT = "Memory of project "


def claims_project(value: Json) -> bool:
    return isinstance(value.get("docs"), list) and "name" in value


def parse_project(value: Json, where: Where) -> Iterator[Result]:
    """The project's description and instructions, then each document, whole."""
    name = text(value.get("name"))
    created = parse_time(value.get("created_at"))
    own = first_text(value, "uuid", "id") or short_id("project", name)
    messages = [
        replace(document(f"{own}-{key}", name, text(value.get(key))), role=Role.SYSTEM, kind=key, at=created)
        for key in ("description", "prompt_template")
        if text(value.get(key)).strip()
    ]
    for number, each in enumerate(mappings(value.get("docs"))):
        title = first_text(each, "filename", "file_name", "name", "title")
        key = first_text(each, "uuid", "id") or f"{own}-doc-{number}"
        at = parse_time(each.get("created_at")) or created
        messages.append(replace(document(key, title, text(each.get("content")), file=title), at=at))
    kept = tuple(message for message in messages if message.text.strip())
    if not kept:
        yield where.problem(f"project {name!r} holds no documents", raw=raw(value), level=Level.SKIPPED)
        return
    creator = first_text(mapping(value.get("creator")), "full_name", "name")
    updated = parse_time(value.get("updated_at"))
    meta = notes(what=WHAT_PROJECT, creator=creator)
    yield Conversation(SOURCE, own, name, created, kept, (), updated, meta, {"messages": len(kept)})


def claims_memory(value: Json) -> bool:
    return "conversations_memory" in value or isinstance(value.get("memory_files"), list) or "project_memories" in value


def parse_memory(value: Json, where: Where) -> Iterator[Result]:
    """What Claude remembers of a person: the summary, one note a project, one document a file."""
    own = first_text(value, "account_uuid", "uuid") or "memory"
    messages: list[SourceMessage] = []
    if text(value.get("conversations_memory")).strip():
        messages.append(document(f"{own}-memory", "Memory", text(value.get("conversations_memory"))))
    for project, said in mapping(value.get("project_memories")).items():
        messages.append(document(f"{own}-project-{project}", OF_PROJECT + project, text(said) or raw(said)))
    for each in mappings(value.get("memory_files")):
        path = first_text(each, "path", "name")
        at = time_of(each, "updated_at", "created_at")
        messages.append(replace(document(f"{own}{path}", path, text(each.get("content")), file=path), at=at))
    kept = tuple(message for message in messages if message.text.strip())
    if not kept:
        yield where.problem("a memory without text", raw=raw(value), level=Level.SKIPPED)
        return
    at = parse_time(value.get("updated_at"))
    yield Conversation(
        SOURCE, f"{own}-memories", "Memories", at, kept, (), at, notes(what=WHAT_MEMORY), {"messages": len(kept)}
    )


def is_project(result: Result) -> TypeGuard[Conversation]:
    return _is(result, WHAT_PROJECT)


def is_memory(result: Result) -> TypeGuard[Conversation]:
    return _is(result, WHAT_MEMORY)


def _is(result: Result, what: str) -> bool:
    return isinstance(result, Conversation) and result.source == SOURCE and result.meta.get("what") == what


def with_project_names(memory: Conversation, names: Mapping[str, str]) -> Conversation:
    """A memory knows its projects by their ids; what they are called stands in another file of the export."""

    def named(message: SourceMessage) -> SourceMessage:
        project = message.speaker.removeprefix(OF_PROJECT)
        if project == message.speaker or not names.get(project):
            return message
        return replace(message, speaker=OF_PROJECT + names[project])

    return replace(memory, messages=tuple(map(named, memory.messages)))
