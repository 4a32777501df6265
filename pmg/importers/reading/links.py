"""Web addresses that a source keeps beside an answer, written into its text as Markdown links.

Knows: how a link and the links of one citation read. Does not know where a platform keeps them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

ADDRESS = re.compile(r"https?://\S+")


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page that an answer names as its source; `title` may be empty."""

    url: str
    title: str = ""


def cited(pages: Iterable[WebPage]) -> str:
    """`([Bees](https://bees.example), [mites.example](https://mites.example))`; empty where no page has an address."""
    links = [_link(page) for page in dict.fromkeys(pages) if ADDRESS.fullmatch(page.url)]
    return f"({', '.join(links)})" if links else ""


def _link(page: WebPage) -> str:
    name = " ".join(page.title.replace("[", "(").replace("]", ")").split()) or _host(page.url)
    return f"[{name}]({page.url})"


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or url
    except ValueError:  # an address that only looks like one
        return url


def with_citation(text: str, end: int, citation: str) -> str:
    """The citation after the words that it is for, which end at `end`."""
    if not citation:
        return text
    before, after = text[:end], text[end:]
    return f"{before.rstrip()} {citation}{before[len(before.rstrip()) :]}{after}"
