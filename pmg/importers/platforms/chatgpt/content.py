"""The contents of one ChatGPT message, every content type of every vintage, as parts.

Handles content types and multimodal parts; what it does not know it keeps as JSON and counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from pmg.base.model import Role
from pmg.importers.conversation import SYSTEM, TOOL, USER
from pmg.importers.message_parts import MessagePart, placeholder
from pmg.importers.platforms.chatgpt import asides as chatgpt_asides
from pmg.importers.reading.fields import Json, first_text, items, joined, mapping, mappings, notes, raw, text

NAME = "ChatGPT"
ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM, "tool": Role.TOOL}
ROLES |= {"developer": Role.SYSTEM, "function": Role.TOOL, "critic": Role.SYSTEM}
# Which fields of a content type hold its words, in the order they are read.
WORDS: dict[str, tuple[str, ...]] = {
    "code": ("text",),
    "execution_output": ("text",),
    "system_error": ("name", "text"),
    "tether_browsing_display": ("summary", "result"),
    "tether_browsing_code": ("text", "result"),
    "tether_quote": ("title", "url", "text"),
    "sonic_webpage": ("title", "url", "text", "snippet"),
    "reasoning_recap": ("content",),
    "user_editable_context": ("user_profile", "user_instructions"),
    "model_editable_context": ("model_set_context", "repository", "repo_summary"),
    "citable_code_output": ("output_str",),
    "text": ("text",),
    "audio_transcription": ("text",),
}
POINTER = "_asset_pointer"  # the end of the kind of every part that lies in a file of its own
NO_RECIPIENT = (None, "", "all")  # a message to nobody in particular
ASIDES = frozenset({"attachments", "chatgpt_sdk"})  # metadata that hold words or files of their own
NOTHING: Mapping[str, str] = MappingProxyType({})
THINKING = {"thoughts", "reasoning_recap"}
CONTEXT = {"user_editable_context", "model_editable_context", "app_pairing_content"}


def parts_of(message: Json, counts: Counter[str]) -> Iterable[MessagePart]:
    """What a message says, part by part, then what is attached to it."""
    plain = _plain(message)
    return _all_parts(message, counts) if plain is None else (plain,)


def _plain(message: Json) -> MessagePart | None:
    """A message that is one text and nothing beside it, as almost all are; None where there is more to look at."""
    author, content, details = message.get("author"), message.get("content"), message.get("metadata")
    if not isinstance(author, dict) or not isinstance(content, dict) or message.get("recipient") not in NO_RECIPIENT:
        return None
    role, parts = author.get("role"), content.get("parts")
    if role not in ("user", "assistant") or not isinstance(parts, list) or len(parts) != 1:
        return None
    aside = isinstance(details, dict) and not ASIDES.isdisjoint(details)
    if aside or not isinstance(parts[0], str) or content.get("content_type") != "text" or "language" in content:
        return None
    if parts[0].startswith(chatgpt_asides.WIDGET):
        return None
    return MessagePart(ROLES[role], _speaker(ROLES[role], author), parts[0], "text", NOTHING)


def _all_parts(message: Json, counts: Counter[str]) -> Iterator[MessagePart]:
    author = mapping(message.get("author"))
    written = text(author.get("role")) or text(message.get("role"))
    role = ROLES.get(written, Role.SYSTEM)
    if written not in ROLES:
        counts[f"unknown role:{written}"] += 1
    content = message.get("content")
    attached = {text(each.get("id")): each for each in _attachments(message)}
    shown: set[str] = set()
    spoke = False
    for kind, said in _said(content, attached, shown, counts):
        spoke = spoke or bool(said.strip())
        yield _part(role, kind, said, message, author)
    if not spoke and role is Role.TOOL:
        yield MessagePart(role, _speaker(role, author), chatgpt_asides.outcome(message), "result")
    yield MessagePart(Role.ASSISTANT, NAME, chatgpt_asides.report(message), "deep_research_report")
    for name, each in attached.items():
        if name not in shown:
            details = (each.get("name"), first_text(each, "mime_type", "mimeType"), _size(each))
            yield MessagePart(Role.DOCUMENT, _speaker(role, author), placeholder("attachment", *details), "attachment")


def _part(role: Role, kind: str, said: str, message: Json, author: Json) -> MessagePart:
    recipient = text(message.get("recipient"))
    if kind in THINKING:
        return MessagePart(Role.THINKING, NAME, said, kind)
    if kind in CONTEXT:
        return MessagePart(Role.SYSTEM, SYSTEM, said, kind)
    if role is Role.ASSISTANT and recipient not in ("", "all"):
        return MessagePart(
            Role.TOOL, recipient, said, "tool_call" if kind in ("code", "text") else kind, _language(message)
        )
    return MessagePart(role, _speaker(role, author), said, kind, _language(message))


def _language(message: Json) -> dict[str, str]:
    language = text(mapping(message.get("content")).get("language"))
    return notes(language="" if language == "unknown" else language)


def _speaker(role: Role, author: Json) -> str:
    if role is Role.USER:
        return text(author.get("name")) or USER
    if role is Role.ASSISTANT:
        return NAME
    return text(author.get("name")) or (TOOL if role is Role.TOOL else SYSTEM)


def _said(
    content: object, attached: dict[str, Json], shown: set[str], counts: Counter[str]
) -> Iterator[tuple[str, str]]:
    if isinstance(content, str | list):  # hand-made and very old exports: the words without a wrapping
        content = {"content_type": "text", "parts": items(content) if isinstance(content, list) else [content]}
    body = mapping(content)
    if not body:
        return
    kind = text(body.get("content_type")) or text(body.get("type")) or "text"
    if isinstance(body.get("parts"), list):
        yield from _parts(kind, body, attached, shown, counts)
    elif kind == "thoughts":
        thoughts = body.get("thoughts")
        yield (
            kind,
            joined([_thought(each) for each in ([thoughts] if isinstance(thoughts, str) else items(thoughts))], "\n\n"),
        )
    elif kind == "computer_output":
        state, screen = mapping(body.get("state")), mapping(body.get("screenshot"))
        yield kind, joined([text(body.get("text")), text(state.get("title")), text(state.get("url"))])
        if screen:
            yield "image", _image(screen, attached, shown)
    elif kind in WORDS:
        yield kind, joined([text(body.get(key)) or _nested(body.get(key)) for key in WORDS[kind]])
    else:
        counts[f"unknown:{kind}"] += 1
        yield kind, raw(body)


def _nested(value: object) -> str:
    return raw(value) if isinstance(value, dict | list) and value else ""


def _thought(thought: object) -> str:
    if isinstance(thought, str):
        return thought
    each = mapping(thought)
    chunks = [text(chunk) for chunk in items(each.get("chunks"))]
    return joined([text(each.get("summary")), text(each.get("content")) or joined(chunks)])


def _parts(
    kind: str, body: Json, attached: dict[str, Json], shown: set[str], counts: Counter[str]
) -> Iterator[tuple[str, str]]:
    """Neighbouring words are one part; images, sounds and files stand between them as placeholders."""
    words: list[str] = []
    for each in items(body.get("parts")):
        if isinstance(each, str):
            words.append(each)
            continue
        if words:
            yield kind, "\n".join(words)
            words = []
        if isinstance(each, dict):
            yield _pointer(each, attached, shown, counts)
        elif each is not None:
            yield kind, text(each) or raw(each)
    if words:
        yield kind, "\n".join(words)


def _pointer(part: Json, attached: dict[str, Json], shown: set[str], counts: Counter[str]) -> tuple[str, str]:
    kind = text(part.get("content_type")) or text(part.get("type"))
    if kind in ("audio_transcription", "text"):
        return kind, text(part.get("text"))
    if kind == "image_asset_pointer" or (not kind and "asset_pointer" in part):
        return "image", _image(part, attached, shown)
    if kind == "real_time_user_audio_video_asset_pointer":
        sound = mapping(part.get("audio_asset_pointer"))
        frames = len(items(part.get("frames_asset_pointers")))
        seen = f"{frames} frames" if frames else ""
        return "audio", placeholder("audio", *_asset(sound, attached, shown), sound.get("format"), _size(sound), seen)
    if kind.endswith(POINTER):  # audio, video_container, file …
        what = kind.removesuffix(POINTER).removesuffix("_container")
        details = (*_asset(part, attached, shown), part.get("format"), _size(part))
        return what, placeholder(what, part.get("name"), *details)
    counts[f"unknown part:{kind}"] += 1
    return kind or "unknown", raw(part)


def _image(part: Json, attached: dict[str, Json], shown: set[str]) -> str:
    size = f"{part.get('width')}×{part.get('height')}" if part.get("width") and part.get("height") else ""
    made = mapping(mapping(part.get("metadata")).get("dalle"))
    prompt = text(made.get("prompt"))
    return placeholder("image", *_asset(part, attached, shown), size, _size(part), prompt and f"made from: {prompt}")


def _asset(part: Json, attached: dict[str, Json], shown: set[str]) -> tuple[str, ...]:
    """The name the attachment list gives this asset, and the pointer."""
    pointer = text(part.get("asset_pointer"))
    name = pointer.rpartition("://")[2]
    if name in attached:
        shown.add(name)
        return text(attached[name].get("name")), pointer
    return (pointer,)


def _attachments(message: Json) -> list[Json]:
    return mappings(mapping(message.get("metadata")).get("attachments"))


def _size(part: Json) -> str:
    size = first_text(part, "size_bytes", "size", "fileSizeTokens")
    return f"{size} bytes" if size else ""
