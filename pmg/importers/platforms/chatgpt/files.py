"""ChatGPT's files beside the conversations: canvas documents (textdocs), reports of deep research, the list of an export's files, and
chat.html as a browser shows it, saved without the data it was made from.

A report names the conversation it was asked in; where in it, no export says.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from html import unescape

from pmg.base.model import Role
from pmg.base.patterns import linear
from pmg.importers.conversation import (
    SYSTEM,
    USER,
    Conversation,
    Level,
    Result,
    SourceMessage,
    Where,
    role_of,
    short_id,
)
from pmg.importers.message_parts import TITLE, MessagePart, assembled, numbered, title_from
from pmg.importers.platforms.chatgpt.asides import report_of
from pmg.importers.platforms.chatgpt.content import NAME
from pmg.importers.platforms.chatgpt.conversations import SOURCE
from pmg.importers.reading.fields import Json, first_text, items, mapping, notes, raw, text
from pmg.importers.reading.lines import whole_text
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


def shards(start: bytes) -> list[str]:
    """The conversation files that a manifest names; empty where the bytes are no manifest."""
    if b'"logical_files"' not in start[:20_000] or len(start) > 1_000_000:
        return []
    try:
        files = mapping(mapping(json.loads(start)).get("logical_files"))
    except (ValueError, RecursionError):
        return []
    return [
        text(name)
        for key, each in files.items()
        if "conversations" in key
        for name in items(mapping(each).get("files"))
    ]


CONVERSATION, MESSAGE, AUTHOR = '<div class="conversation">', '<pre class="message">', '<div class="author">'
TAG = linear(r"<[^>]*>")
SPEAKERS = {Role.USER: USER, Role.ASSISTANT: NAME}


def claims_text(head: str) -> bool:
    return CONVERSATION in head and MESSAGE in head


def parse_text(chunks: Iterable[bytes], where: Where) -> Iterator[Result]:
    page, remark = whole_text(chunks)
    if remark:
        yield where.problem(remark, level=Level.NOTE)
    for number, conversation in enumerate(page.split(CONVERSATION)[1:]):
        head, *rows = conversation.split(MESSAGE)
        messages = [message for n, row in enumerate(rows) for message in numbered(f"message-{n}", [_said(row)])]
        if messages:
            yield assembled(
                SOURCE, "", _words(head) or title_from(messages), None, messages, counts={"messages": len(rows)}
            )
        else:
            yield Where(where.file, f"conversation {number}").problem("no words", raw=head, level=Level.SKIPPED)


def _said(row: str) -> MessagePart:
    author, _, words = row.partition(AUTHOR)[2].partition("</div>")
    role = role_of(_words(author)) or Role.SYSTEM
    return MessagePart(role, SPEAKERS.get(role, SYSTEM), _words(words.partition("</pre>")[0]))


def _words(html: str) -> str:
    return unescape(TAG.sub("", html)).strip()
