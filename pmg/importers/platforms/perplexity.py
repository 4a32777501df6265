"""Perplexity's threads as its page gets them: entries, each a question with the blocks of its answer."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from pmg.base.model import Role
from pmg.importers.conversation import USER, Level, Result, SourceMessage, Where
from pmg.importers.message_parts import MessagePart, assembled, first_time, numbered, title_from
from pmg.importers.reading.fields import Json, first_text, items, joined, mapping, mappings, notes, raw, text
from pmg.importers.reading.times import parse_time

SOURCE = "perplexity"
NAME = "Perplexity"
# Other views of the same answer, and what might be asked next.
IGNORED = {"plan", "pro_search_steps", "related_queries", "answer_tabs", "media_items", "answer_generation_task"}
IGNORED |= {"image_answer_mode", "video_answer_mode", "maps_mode", "shopping_mode", "sources_answer_mode"}


def claims(value: Json) -> bool:
    return any("query_str" in entry for entry in mappings(value.get("entries")))


def parse(value: Json, where: Where) -> Iterator[Result]:
    counts: Counter[str] = Counter()
    messages: list[SourceMessage] = []
    entries = mappings(value.get("entries"))
    for index, entry in enumerate(entries):
        messages.extend(_entry(entry, index, counts))
    if not messages:
        yield where.problem("a Perplexity thread without words", raw=raw(value), level=Level.SKIPPED)
        return
    first, last = entries[0], entries[-1]
    own = first_text(first, "context_uuid", "frontend_context_uuid", "thread_url_slug", "backend_uuid")
    started = _asked_at(first) or first_time(messages)
    yield assembled(
        SOURCE,
        own,
        first_text(first, "thread_title") or title_from(messages),
        started,
        messages,
        updated_at=parse_time(last.get("updated_datetime")),
        meta=notes(url=first.get("thread_url_slug"), focus=first.get("search_focus")),
        counts=counts,
    )


def _asked_at(entry: Json) -> datetime | None:
    return next(
        (at for key in ("entry_created_datetime", "created_datetime") if (at := parse_time(entry.get(key)))), None
    )


def _entry(entry: Json, index: int, counts: Counter[str]) -> Iterator[SourceMessage]:
    own = first_text(entry, "backend_uuid", "uuid") or f"entry-{index}"
    done = parse_time(entry.get("entry_updated_datetime")) or parse_time(entry.get("updated_datetime"))
    asked = _asked_at(entry) or done
    counts["messages"] += 2
    yield from numbered(own, [MessagePart(Role.USER, USER, text(entry.get("query_str")))], at=asked)
    model = first_text(entry, "display_model", "user_selected_model")
    parts = [*_blocks(entry, counts)] or [MessagePart(Role.ASSISTANT, NAME, _old_answer(entry))]
    yield from numbered(f"{own}-answer", parts, at=done, model=model)


def _blocks(entry: Json, counts: Counter[str]) -> Iterator[MessagePart]:
    for block in mappings(entry.get("blocks")):
        usage = text(block.get("intended_usage"))
        if "markdown_block" in block:
            body = mapping(block["markdown_block"])
            said = text(body.get("answer")) or "".join(text(chunk) for chunk in items(body.get("chunks")))
            yield MessagePart(Role.ASSISTANT, NAME, said)
        elif "web_result_block" in block or usage == "web_results":
            yield MessagePart(Role.TOOL, "search", _pages(block), "search")
        elif "reasoning_plan_block" in block:
            yield MessagePart(Role.THINKING, NAME, _goals(mapping(block["reasoning_plan_block"])), "reasoning")
        elif usage in IGNORED or usage.endswith("_mode"):
            counts[f"silent:{usage}"] += 1
        else:
            counts[f"unknown:{usage}"] += 1
            yield MessagePart(Role.ASSISTANT, NAME, raw(block), usage or "unknown")


def _pages(block: Json) -> str:
    found = mappings(mapping(block.get("web_result_block")).get("web_results"))
    return joined([joined([text(e.get("name")), text(e.get("url")), text(e.get("snippet"))]) for e in found], "\n\n")


def _goals(plan: Json) -> str:
    return joined([first_text(goal, "description") for goal in mappings(plan.get("goals"))])


def _old_answer(entry: Json) -> str:
    """Older threads keep the answer as JSON inside a text: its steps, of which the last holds the answer."""
    written = text(entry.get("text"))
    try:
        told = json.loads(written)
        steps = mappings(told) or [mapping(told)]
        content = mapping(steps[-1].get("content")) or steps[-1]
        answer = text(content.get("answer"))
        return (
            text(mapping(json.loads(answer)).get("answer")) or answer if answer.startswith("{") else answer or written
        )
    except (ValueError, RecursionError, IndexError):
        return written
