"""The sources that ChatGPT names in an answer: marks in its text, and beside it what they stand for.

Knows: `content_references` (marks in private-use characters, with the Markdown that the page shows) and the earlier `citations` (【4†source】).
Marks that nothing explains go where they only point at something; whatever else stands between such characters stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from pmg.base.patterns import linear, plain
from pmg.importers.reading.fields import Json, first_text, items, mapping, mappings, text
from pmg.importers.reading.links import WebPage, cited

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
        shown = text(each.get("alt")) or cited(_pages(each)) or _name(each)
        if MARK.fullmatch(mark) and shown and not MARKED.search(shown):
            yield mark, shown


def _pages(reference: Json) -> Iterator[WebPage]:
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
