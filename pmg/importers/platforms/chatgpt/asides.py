"""What ChatGPT writes beside a message's words: the sources it names, a tool's outcome, and the report of a deep research.

Knows: the metadata that hold them, also where the message itself is empty. Of sources, `content_references` (marks in private-use characters,
with the Markdown that the page shows) and the earlier `citations` (【4†source】). Marks that nothing explains go where they only point at
something; whatever else stands between such characters stays. Does not know: content types (content.py) nor the tree.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain

from pmg.base.patterns import linear, plain
from pmg.importers.reading.fields import Json, first_text, items, joined, mapping, mappings, text
from pmg.importers.reading.markdown import WebPage, cited

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


MARKED = plain("[\ue200\u3010]")
MARK = plain("\ue200[^\ue200\ue201]{1,2000}\ue201|\u3010[^\u3010\u3011]{1,200}\u3011")
POINTER = linear(
    "[ \t]*\ue200(?:cite|filecite|navlist|video|image_group|i|finance|forecast|sports)\ue202[^\ue200\ue201]*\ue201"
)


def with_links(said: str, message: Json) -> str:
    """The text with every mark replaced by the link that it stands for."""
    if MARKED.search(said) is None:
        return said
    details = mapping(message.get("metadata"))
    for mark, shown in chain(_references(details), _citations(details, said)):
        said = said.replace(mark, shown)
    return POINTER.sub("", said)


def _references(details: Json) -> Iterator[tuple[str, str]]:
    for each in mappings(details.get("content_references")):
        mark = text(each.get("matched_text"))
        shown = text(each.get("alt")) or cited(_cited_pages(each)) or _name(each)
        if MARK.fullmatch(mark) and shown and not MARKED.search(shown):
            yield mark, shown


def _cited_pages(reference: Json) -> Iterator[WebPage]:
    for each in [*mappings(reference.get("items")), reference]:
        yield WebPage(text(each.get("url")), text(each.get("title")))
        for other in mappings(each.get("supporting_websites")):
            yield WebPage(text(other.get("url")), text(other.get("title")))
    for url in items(reference.get("safe_urls")) if not reference.get("items") else ():
        yield WebPage(text(url))


def _name(reference: Json) -> str:
    """A file that was read has a name and no address; somebody or something that is spoken of is a word of the sentence."""
    name = first_text(reference, "name", "title")
    return name if not name or reference.get("type") == "entity" else f"({name})"


def _citations(details: Json, said: str) -> Iterator[tuple[str, str]]:
    for each in mappings(details.get("citations")):
        start, end, page = each.get("start_ix"), each.get("end_ix"), mapping(each.get("metadata"))
        mark = said[start:end] if isinstance(start, int) and isinstance(end, int) else ""
        shown = cited([WebPage(text(page.get("url")), text(page.get("title")))]) or _name(page)
        if MARK.fullmatch(mark) and shown:
            yield mark, shown
