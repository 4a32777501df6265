"""Contents as Gemini's interface writes them (role and parts), for the command line and AI Studio, as message parts.

Handles text, thoughts, function calls and responses, code and its results, inline and Drive files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pmg.base.model import Role
from pmg.importers.conversation import SYSTEM, TOOL, USER
from pmg.importers.message_parts import MessagePart, placeholder
from pmg.importers.reading.fields import Json, first_text, items, mapping, raw, text

NAME = "Gemini"
ROLES = {"user": Role.USER, "model": Role.ASSISTANT, "gemini": Role.ASSISTANT, "assistant": Role.ASSISTANT}
ROLES |= {"function": Role.TOOL, "tool": Role.TOOL, "system": Role.SYSTEM, "info": Role.SYSTEM, "error": Role.SYSTEM}
ROLES |= {"warning": Role.SYSTEM}
SPEAKERS = {Role.USER: USER, Role.ASSISTANT: NAME, Role.TOOL: TOOL, Role.SYSTEM: SYSTEM}
FILES = {"driveDocument": "document", "driveImage": "image", "driveVideo": "video", "driveAudio": "audio"}
FILES |= {"inlineFile": "file", "inlineImage": "image", "inlineAudio": "audio", "youtubeVideo": "video"}
FILES |= {"inlineData": "file", "inline_data": "file", "fileData": "file", "file_data": "file"}
# Fields that only accompany another one.
SIDE = {"thought", "thoughtSignature", "role", "text", "videoMetadata"}


def parts_of(content: object, role: Role, counts: Counter[str]) -> Iterator[MessagePart]:
    """A text, or parts in order; neighbouring texts of one kind are one part, as they are one stream cut up."""
    if isinstance(content, str):
        yield MessagePart(role, SPEAKERS[role], content)
        return
    words, thinking = "", False
    for each in items(content) if isinstance(content, list) else [content]:
        body = {"text": each} if isinstance(each, str) else mapping(each)
        thought = body.get("thought") is True
        if isinstance(body.get("text"), str):
            if thought != thinking:
                yield _words(words, thinking, role)
                words, thinking = "", thought
            words += body["text"]
        other = [part for key, value in body.items() if key not in SIDE and (part := one(key, value, role, counts))]
        if other:
            yield _words(words, thinking, role)
            words = ""
            yield from other
    yield _words(words, thinking, role)


def _words(words: str, thinking: bool, role: Role) -> MessagePart:
    return MessagePart(Role.THINKING, NAME, words, "thought") if thinking else MessagePart(role, SPEAKERS[role], words)


def one(key: str, value: object, role: Role, counts: Counter[str]) -> MessagePart | None:
    """One field of a part that is not its text; None where it is empty."""
    body = mapping(value)
    if value in (None, "", [], {}):
        return None
    if key in ("functionCall", "function_call"):
        return MessagePart(Role.TOOL, text(body.get("name")) or TOOL, raw(body.get("args") or {}), "function_call")
    if key in ("functionResponse", "function_response"):
        return MessagePart(Role.TOOL, text(body.get("name")) or TOOL, response(body), "function_response")
    if key in ("executableCode", "executable_code"):
        return MessagePart(Role.TOOL, "code", text(body.get("code")), "code")
    if key in ("codeExecutionResult", "code_execution_result"):
        return MessagePart(Role.TOOL, "code", first_text(body, "output", "outcome"), "execution_output")
    if key in FILES:
        kind = FILES[key]
        name = first_text(body, "id", "name", "displayName", "fileUri", "file_uri", "uri")
        return MessagePart(
            role, SPEAKERS[role], placeholder(kind, name, first_text(body, "mimeType", "mime_type")), kind
        )
    counts[f"unknown part:{key}"] += 1
    return MessagePart(role, SPEAKERS[role], raw({key: value}), key)


def response(body: Json) -> str:
    answer = mapping(body.get("response"))
    return first_text(answer, "output", "error", "content", "result") or raw(body.get("response") or body)
