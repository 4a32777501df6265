"""The nouns that all wire formats are read into: messages of parts, a request, an answer; how a message is recognised, and how it is shortened.

A message is recognised by its words alone: thinking, spaces, what a program puts in and what this memory put in do not count.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from pmg.base.model import Role
from pmg.base.patterns import linear
from pmg.importers.message_parts import MessagePart, placeholder, without_memories, without_reasoning
from pmg.importers.reading.fields import Json, raw, text

USER, ASSISTANT, TOOL = "user", "assistant", "tool"
TEXT, THINKING, CALL, RESULT, IMAGE, OTHER, SUMMARY = (
    "text",
    "reasoning",
    "tool call",
    "tool result",
    "image",
    "other",
    "summary",
)
MAX_TOOL = 4_000  # characters of a call or a result that are kept: head and tail
USER_SPEAKER, ASSISTANT_SPEAKER = "User", "Assistant"
# What programs put into a person's message; it is not the person's, and changes from one request to the next.
_PUT_IN = linear(r"(?s)<system-reminder>.*?</system-reminder>\s*")

# What Claude Code begins with after a compaction, in the person's place.
_CONTINUED = "This session is being continued from a previous conversation"


@dataclass(frozen=True, slots=True)
class Message:
    """What one side said: `role` is user, assistant or tool."""

    role: str
    parts: tuple[MessagePart, ...]

    @property
    def digest(self) -> str:
        """Equal for the same words, also when a program sends them back in another shape."""
        said = [f"{part.kind} {' '.join(part.text.split())}" for part in self.parts if part.kind != THINKING]
        return digest(self.role, *said)

    @property
    def words(self) -> str:
        return "\n".join(part.text for part in self.parts if part.kind == TEXT)


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """What was asked. `previous` is the answer that this goes on from, where only what is new was sent."""

    messages: tuple[Message, ...]
    system: str = ""
    model: str = ""
    max_tokens: int = 0
    tools: bool = False
    key: str = ""  # what the body calls the conversation
    hint: str = ""  # what may be the same for several conversations, and is never two things in one
    previous: str = ""
    task: str = ""  # what a program says that it asks on its own account

    @property
    def begins(self) -> bool:
        """Nothing was answered yet."""
        return all(one.role != ASSISTANT for one in self.messages)


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What was answered; `complete` where the format itself said that this was all."""

    parts: tuple[MessagePart, ...] = ()
    complete: bool = False
    id: str = ""
    model: str = ""
    error: str = ""
    waiting: bool = False  # made in the background: it can be asked for by its id


def digest(*parts: str) -> str:
    hashed = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        hashed.update(len(data).to_bytes(8, "big"))
        hashed.update(data)
    return hashed.hexdigest()[:24]


def message(role: str, parts: Iterable[MessagePart]) -> Message | None:
    """Cleaned of what is nobody's words; None where nothing is left."""
    clean = [part for given in parts for one in without_reasoning(given) if (part := _clean(one)).text.strip()]
    return Message(role, tuple(clean)) if clean else None


def _clean(part: MessagePart) -> MessagePart:
    part = without_memories(part)
    if part.role is Role.USER and part.text.startswith(_CONTINUED):
        return summary(part.text)
    return replace(part, text=own_words(part.text)) if part.role is Role.USER else part


def own_words(text: str) -> str:
    """What the person wrote, without what a program put in."""
    return _PUT_IN.sub("", text) if "<system-reminder>" in text else text


def said(role: str, words: str) -> MessagePart:
    if role == ASSISTANT:
        return MessagePart(Role.ASSISTANT, ASSISTANT_SPEAKER, words)
    return MessagePart(Role.USER, USER_SPEAKER, words)


def thinking(words: str) -> MessagePart:
    return MessagePart(Role.THINKING, ASSISTANT_SPEAKER, words, THINKING)


def summary(words: str) -> MessagePart:
    """What a program or a model made of what was said before."""
    return MessagePart(Role.SYSTEM, "Summary", words, SUMMARY)


def call(name: str, arguments: object) -> MessagePart:
    """Of arguments that are JSON the text is the same however a program writes it."""
    return MessagePart(
        Role.TOOL, name or "tool", f"{name}({arguments if isinstance(arguments, str) else raw(arguments)})", CALL
    )


def result(name: str, words: str) -> MessagePart:
    return MessagePart(Role.TOOL, name or "tool", words, RESULT)


def other(role: str, block: object) -> MessagePart:
    """A block of a kind that is not known: kept as it is."""
    return replace(said(role, raw(block)), kind=OTHER)


def image(role: str, kind: str, data: str) -> MessagePart:
    """By size and hash: the picture itself is no words. An address is told as it is, unless the picture is in it."""
    if data.startswith("data:"):
        kind, _, data = data[5:].partition(",")
        kind = kind.split(";")[0]
    elif "://" in data[:12]:
        return replace(said(role, placeholder("image", data.split("?")[0][:300])), kind=IMAGE)
    try:
        body = base64.b64decode(data, validate=False)
    except (binascii.Error, ValueError):
        body = data.encode("utf-8", "surrogatepass")
    mark = hashlib.sha256(body).hexdigest()[:16]
    return replace(said(role, placeholder("image", kind, f"{len(body):,} bytes", f"sha256 {mark}")), kind=IMAGE)


def shortened(part: MessagePart) -> MessagePart:
    """A long call or result by its head, its tail and its hash."""
    if part.kind not in (CALL, RESULT, OTHER) or len(part.text) <= MAX_TOOL:
        return part
    half = MAX_TOOL // 2
    mark = hashlib.sha256(part.text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    left_out = f"\n[{len(part.text) - 2 * half:,} characters left out, sha256 {mark}]\n"
    return replace(part, text=part.text[:half] + left_out + part.text[-half:])


def number(body: Json, *keys: str) -> int:
    return next((value for key in keys if isinstance(value := body.get(key), int)), 0)


def plain_text(content: object) -> str:
    """Of a content that is a text or a list of blocks with texts."""
    if isinstance(content, list):
        return "\n".join(filter(None, (plain_text(one) for one in content)))
    if isinstance(content, dict):
        return text(content.get("text")) or plain_text(content.get("content", ""))
    return text(content)
