"""Perplexity's threads: entries, each a question with the blocks of its answer, or with the answer as one text."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from pmg.base.model import Role
from pmg.importers.conversation import USER, Level, Result, SourceMessage, Where
from pmg.importers.message_parts import MessagePart, assembled, first_time, numbered, title_from
from pmg.importers.reading.fields import Json, first_text, items, joined, mapping, mappings, notes, raw, text
from pmg.importers.reading.times import time_of

SOURCE = "perplexity"
NAME = "Perplexity"
# Other views of the same answer, and what might be asked next.
IGNORED = {"plan", "pro_search_steps", "related_queries", "answer_tabs", "media_items", "answer_generation_task"}
IGNORED |= {"image_answer_mode", "video_answer_mode", "maps_mode", "shopping_mode", "sources_answer_mode"}


QUESTION = ("query_str", "query")
ASKED = ("entry_created_datetime", "created_datetime", "created_at", "timestamp")
ANSWERED = ("entry_updated_datetime", "updated_datetime", "updated_at")


def claims(value: Json) -> bool:
    entries = mappings(value.get("entries"))
    return any("query_str" in entry or {"query", "answer"} <= entry.keys() for entry in entries)


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
    own = own or first_text(value, "id", "uuid", "thread_id")
    started = time_of(first, *ASKED) or time_of(value, *ASKED) or first_time(messages)
    yield assembled(
        SOURCE,
        own,
        text(first.get("thread_title")) or text(value.get("title")) or title_from(messages),
        started,
        messages,
        updated_at=time_of(last, "updated_datetime", "updated_at"),
        meta=notes(url=first.get("thread_url_slug"), focus=first.get("search_focus")),
        counts=counts,
    )


def _entry(entry: Json, index: int, counts: Counter[str]) -> Iterator[SourceMessage]:
    own = first_text(entry, "backend_uuid", "uuid") or f"entry-{index}"
    done = time_of(entry, *ANSWERED, *ASKED)
    asked = time_of(entry, *ASKED) or done
    counts["messages"] += 2
    yield from numbered(own, [MessagePart(Role.USER, USER, first_text(entry, *QUESTION))], at=asked)
    model = first_text(entry, "display_model", "user_selected_model")
    parts = [*_blocks(entry, counts)] or [*_plain(entry)]
    yield from numbered(f"{own}-answer", parts, at=done, model=model)


def _blocks(entry: Json, counts: Counter[str]) -> Iterator[MessagePart]:
    for block in mappings(entry.get("blocks")):
        usage = text(block.get("intended_usage"))
        if "markdown_block" in block:
            body = mapping(block["markdown_block"])
            said = text(body.get("answer")) or "".join(text(chunk) for chunk in items(body.get("chunks")))
            yield MessagePart(Role.ASSISTANT, NAME, said)
        elif "web_result_block" in block or usage == "web_results":
            yield MessagePart(
                Role.TOOL,
                "search",
                _pages(mappings(mapping(block.get("web_result_block")).get("web_results"))),
                "search",
            )
        elif "reasoning_plan_block" in block:
            yield MessagePart(Role.THINKING, NAME, _goals(mapping(block["reasoning_plan_block"])), "reasoning")
        elif usage in IGNORED or usage.endswith("_mode"):
            counts[f"silent:{usage}"] += 1
        else:
            counts[f"unknown:{usage}"] += 1
            yield MessagePart(Role.ASSISTANT, NAME, raw(block), usage or "unknown")


def _plain(entry: Json) -> Iterator[MessagePart]:
    """The answer as one text, after the pages that it was made from."""
    yield MessagePart(Role.TOOL, "search", _pages(mappings(entry.get("sources"))), "search")
    yield MessagePart(Role.ASSISTANT, NAME, text(entry.get("answer")) or _old_answer(entry))


def _pages(found: list[Json]) -> str:
    return joined(
        [joined([first_text(e, "name", "title"), text(e.get("url")), text(e.get("snippet"))]) for e in found], "\n\n"
    )


def _goals(plan: Json) -> str:
    return joined([first_text(goal, "description") for goal in mappings(plan.get("goals"))])


def _old_answer(entry: Json) -> str:
    """Older threads keep the answer as JSON inside a text: its steps, of which the last holds the answer."""
    written = text(entry.get("text"))
    try:
        parsed = json.loads(written)
        steps = mappings(parsed) or [mapping(parsed)]
        content = mapping(steps[-1].get("content")) or steps[-1]
        answer = text(content.get("answer"))
        return (
            text(mapping(json.loads(answer)).get("answer")) or answer if answer.startswith("{") else answer or written
        )
    except (ValueError, RecursionError, IndexError):
        return written
