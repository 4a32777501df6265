"""ChatGPT's files beside the conversations: canvas documents (textdocs) and the reports of deep research.

Knows: one object a file, as a conversation of one document or of one answer.
Does not know: conversations (conversations.py). A report names the conversation it was asked in; where in it, no export says.
"""

from __future__ import annotations

from collections.abc import Iterator

from pmg.base.model import Role
from pmg.importers.conversation import Conversation, Level, Result, SourceMessage, Where, short_id
from pmg.importers.message_parts import TITLE
from pmg.importers.platforms.chatgpt.asides import report_of
from pmg.importers.platforms.chatgpt.content import NAME
from pmg.importers.platforms.chatgpt.conversations import SOURCE
from pmg.importers.reading.fields import Json, first_text, mapping, notes, raw, text
from pmg.importers.reading.times import time_of

FORMS = ("text/", "document", "code/", "application/")


def claims_document(value: Json) -> bool:
    form = first_text(value, "textdoc_type", "type", "mime_type")
    return isinstance(value.get("content"), str) and {"id", "title"} <= value.keys() and form.startswith(FORMS)


def parse_document(value: Json, where: Where) -> Iterator[Result]:
    own, title = text(value.get("id")), text(value.get("title"))
    at = time_of(value, "created_at", "create_time")
    updated = time_of(value, "updated_at", "update_time")
    meta = notes(file=title, type=first_text(value, "textdoc_type", "type", "mime_type"))
    said = SourceMessage(own, Role.DOCUMENT, title or "Canvas", text(value["content"]), at, kind="canvas", meta=meta)
    yield from _one(own, title, said, notes(updated=updated.isoformat() if updated else ""), where)


def claims_report(value: Json) -> bool:
    return bool(mapping(mapping(value.get("widget_state")).get("report_message")))


def parse_report(value: Json, where: Where) -> Iterator[Result]:
    state = mapping(value.get("widget_state"))
    written = mapping(state.get("report_message"))
    words = report_of(state)
    first = next((line.strip("# ").strip() for line in words.splitlines() if line.strip()), "")
    own = first_text(written, "id") or short_id(words)
    at = time_of(written, "create_time", "update_time")
    said = SourceMessage(own, Role.ASSISTANT, NAME, words, at, kind="deep_research_report")
    asked = notes(conversation=first_text(state, "backing_conversation_id", "conversation_id"))
    yield from _one(f"report-{own}", first[:TITLE] or "Deep research", said, asked, where)


def _one(own: str, title: str, said: SourceMessage, meta: dict[str, str], where: Where) -> Iterator[Result]:
    if not said.text.strip():
        yield where.problem(f"{said.kind} {title!r} holds no words", raw=raw(meta), level=Level.SKIPPED)
        return
    yield Conversation(SOURCE, own, title, said.at, (said,), (), None, {"what": said.kind} | meta, {"messages": 1})
