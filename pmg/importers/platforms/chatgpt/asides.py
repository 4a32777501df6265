"""What ChatGPT writes beside a message's words: a tool's outcome, and the report of a deep research.

Knows: the metadata that hold them where the message itself is empty.
Does not know: content types (content.py) nor the tree.
"""

from __future__ import annotations

import json

from pmg.importers.platforms.chatgpt.citations import with_links
from pmg.importers.reading.fields import Json, first_text, items, joined, mapping, mappings, text

WIDGET = "The latest state of the widget is: "


def outcome(message: Json) -> str:
    """What a tool that says nothing brought: the output of code, the pages a search found."""
    details = mapping(message.get("metadata"))
    ran = mapping(details.get("aggregate_result"))
    printed = [first_text(each, "text", "stream_text") for each in mappings(ran.get("messages"))]
    output = joined([*printed, text(ran.get("final_expression_output"))])
    return output or _pages(details)


def _pages(details: Json) -> str:
    """One page a paragraph: title, address and what was shown of it."""
    found = [each for group in mappings(details.get("search_result_groups")) for each in mappings(group.get("entries"))]
    found = found or mappings(mapping(details.get("_cite_metadata")).get("metadata_list"))
    pages = [
        joined([text(each.get("title")), text(each.get("url")), first_text(each, "snippet", "text")]) for each in found
    ]
    return joined(pages, "\n\n")


def report(message: Json) -> str:
    """The report of a deep research, which stands in the state of its widget and nowhere else; "" for none."""
    details = mapping(mapping(message.get("metadata")).get("chatgpt_sdk"))
    return _report(details.get("widget_state")) or _report(_told(message))


def _told(message: Json) -> str:
    """The widget's state where the message tells it in words."""
    parts = items(mapping(message.get("content")).get("parts"))
    said = parts[0] if parts and isinstance(parts[0], str) else ""
    return said[len(WIDGET) :] if said.startswith(WIDGET) else ""


def _report(state: object) -> str:
    if isinstance(state, str) and '"report_message"' in state:
        try:
            state = json.loads(state)
        except (ValueError, RecursionError):  # the words stay as they are; only no report is found in them
            return ""
    return report_of(mapping(state))


def report_of(state: Json) -> str:
    """The words of a widget's report, with the links of its sources."""
    message = mapping(mapping(state.get("widget_state") or state).get("report_message"))
    parts = items(mapping(message.get("content")).get("parts"))
    words = joined([part for part in parts if isinstance(part, str)])
    return with_links(words, message) if message.get("id") else words  # without an id its words are its name
