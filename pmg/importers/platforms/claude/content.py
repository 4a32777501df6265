"""Content blocks as Claude writes them, in web exports, API objects and Claude Code transcripts, as parts.

Handles text with its citations, thinking, tool_use, tool_result (with nested content), images, documents; the rest is kept raw and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pmg.base.model import Role
from pmg.importers.conversation import TOOL
from pmg.importers.message_parts import MessagePart, placeholder
from pmg.importers.reading.fields import Json, first_text, items, joined, mapping, mappings, notes, raw, text
from pmg.importers.reading.markdown import WebPage, cited, with_citation

NAME = "Claude"
# Blocks that carry no words of anybody: counted, not kept.
IGNORED = {"token_budget", "flag", "start", "ping"}
MEDIA = {"image": "image", "document": "document", "audio": "audio", "video": "video", "file": "file"}


def parts_of(
    content: object, role: Role, speaker: str, counts: Counter[str], *, with_links: bool = False
) -> Iterator[MessagePart]:
    """The blocks in order; neighbouring text blocks are one part, since an answer with citations is cut mid-sentence.

    With links, every citation stands after the words it is for. A conversation without an id is found again by its words, so there
    they stay as an earlier version read them: without.
    """
    if isinstance(content, str):
        yield MessagePart(role, speaker, content)
        return
    words = ""
    goes_on = False
    for block in items(content):
        written = _words(block)
        if written is None:
            yield MessagePart(role, speaker, words)
            words = ""
            yield from _part(mapping(block), role, speaker, counts)
            continue
        cites = bool(mapping(block).get("citations"))
        written = _linked(written, mapping(block)) if cites and with_links else written
        words += ("" if goes_on or cites or not words else "\n\n") + written
        goes_on = cites
    yield MessagePart(role, speaker, words)


def _words(block: object) -> str | None:
    """The words of a plain text block; None for every other block."""
    if isinstance(block, str):
        return block
    body = mapping(block)
    if not body or body.get("type", "text") not in ("text", "input_text", "output_text"):
        return None
    said = body.get("text")
    if isinstance(said, dict) and isinstance(said.get("value"), str):  # as OpenAI's threads wrap it
        return str(said["value"])
    if said is None:  # words under another name; a block that holds something else is kept as it is
        other = any(item for key, item in body.items() if key not in ("type", "text", "citations", "annotations"))
        return first_text(body, "content", "value") or (None if other else "")
    return None if isinstance(said, dict | list) else text(said)


def _linked(said: str, block: Json) -> str:
    """The text with the pages that it cites, each after the words it is for; those without a place stand at the end."""
    pages: dict[int, list[WebPage]] = {}
    for each in mappings(block.get("citations")):
        details = mapping(each.get("details"))
        end = each.get("end_index")
        page = WebPage(
            first_text(details, "url") or text(each.get("url")), first_text(details, "title") or text(each.get("title"))
        )
        pages.setdefault(end if isinstance(end, int) and 0 < end < len(said) else len(said), []).append(page)
    for end in sorted(pages, reverse=True):
        said = with_citation(said, end, cited(pages[end]))
    return said


def _part(block: Json, role: Role, speaker: str, counts: Counter[str]) -> Iterator[MessagePart]:
    kind = text(block.get("type"))
    if kind == "voice_note" and (said := first_text(block, "transcript", "text", "title")):
        yield MessagePart(role, speaker, said, kind)
    elif kind in ("thinking", "redacted_thinking"):
        yield MessagePart(Role.THINKING, speaker, _thinking(block), kind)
    elif kind in ("tool_use", "server_tool_use", "mcp_tool_use", "toolCall"):
        yield _tool_use(block, kind)
    elif kind == "tool_call":
        yield from _tool_call(mapping(block.get("toolCall")) or block)
    elif kind.endswith("tool_result"):
        yield _tool_result(block, kind, counts)
    elif kind == "error":
        yield MessagePart(Role.SYSTEM, speaker, first_text(block, "message", "text") or raw(block), kind)
    elif kind in MEDIA:
        yield MessagePart(role, speaker, media(block, kind), kind)
    elif kind in IGNORED:
        counts[f"silent:{kind}"] += 1
    else:
        counts[f"unknown:{kind}"] += 1
        yield MessagePart(role, speaker, raw(block), kind or "unknown")


def _thinking(block: Json) -> str:
    said = first_text(block, "thinking", "text")
    if said:
        return said
    summaries = joined([text(each.get("summary")) for each in mappings(block.get("summaries"))])
    return summaries or (placeholder("thinking not in the export") if block.get("data") else "")


def _tool_use(block: Json, kind: str) -> MessagePart:
    given = block.get("input") or block.get("arguments")
    said = given if isinstance(given, str) else raw(given) if given else ""
    said = said or text(block.get("partial_json")) or placeholder("tool call", block.get("name"))
    return MessagePart(Role.TOOL, text(block.get("name")) or TOOL, said, kind, notes(call=block.get("id")))


def _tool_call(call: Json) -> Iterator[MessagePart]:
    """A call and its output in one block, as design chats write them."""
    name = text(call.get("name")) or TOOL
    given, output = call.get("input"), call.get("output")
    yield MessagePart(Role.TOOL, name, given if isinstance(given, str) else raw(given or {}), "tool_use")
    if output:
        yield MessagePart(Role.TOOL, name, output if isinstance(output, str) else raw(output), "tool_result")


def _tool_result(block: Json, kind: str, counts: Counter[str]) -> MessagePart:
    said = result_text(block.get("content"), counts) or text(block.get("message"))
    shown = block.get("display_content")  # what the page showed, where the result itself is not in the export
    said = said or (result_text(shown, counts) if shown else "")
    meta = notes(call=block.get("tool_use_id"), error=bool(block.get("is_error")))
    return MessagePart(Role.TOOL, text(block.get("name")) or TOOL, said, kind, meta)


def result_text(content: object, counts: Counter[str]) -> str:
    """The words of a tool's result, which may be text, a block or blocks in blocks (walked with a list, not a stack)."""
    words: list[str] = []
    todo = [content]
    while todo:
        each = todo.pop()
        if isinstance(each, list):
            todo.extend(reversed(each))
        elif isinstance(each, str):
            words.append(each)
        elif isinstance(each, dict):
            words.append(_result_block(each, todo, counts))
    return joined(words)


def _result_block(block: Json, todo: list[object], counts: Counter[str]) -> str:
    kind = text(block.get("type"))
    if kind in ("knowledge", "web_search_result"):
        return joined([first_text(block, "title", "name"), text(block.get("url")), text(block.get("text"))])
    if kind in MEDIA:
        return media(block, kind)
    if kind == "local_resource":
        return placeholder("file", first_text(block, "name", "file_path"), block.get("mime_type"))
    if isinstance(block.get("text"), str):
        return str(block["text"])
    if block.get("content") and (kind.endswith("tool_result") or kind == "rich_content"):
        todo.append(block["content"])
        return ""
    if kind not in ("json_block", "tool_reference", "table"):
        counts[f"unknown result:{kind}"] += 1
    return first_text(block, "json_block") or raw(block)


def media(block: Json, kind: str) -> str:
    """A placeholder for an image or document; a document that holds its text gives the text."""
    source = mapping(block.get("source"))
    if source.get("type") == "text" or (kind == "document" and isinstance(source.get("content"), str)):
        return first_text(source, "data", "content")
    name = first_text(block, "title", "file_name", "name") or first_text(source, "url", "file_id", "file_uuid")
    size = len(text(source.get("data")))  # base64: three bytes in four letters
    return placeholder(
        MEDIA.get(kind, kind), name, first_text(source, "media_type"), size and f"about {size * 3 // 4} bytes"
    )
