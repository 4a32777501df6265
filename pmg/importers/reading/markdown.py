"""Two things of Markdown: the block between two lines of dashes at the top of a file, and links to what a source names beside an answer.

Knows: `key: value`, quoted values, lists in brackets or on lines of their own, and how a link and the links of one citation read. Does not
know: the rest of YAML, which it leaves as text; where a platform keeps what it cites.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from pmg.base.patterns import MULTILINE, plain

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


KEY = plain(r"([A-Za-z_][\w .-]*):(.*)")
MAX_CHARACTERS = 20_000


def split_front_matter(page: str) -> tuple[dict[str, str], str]:
    """The front matter and the body; without a closed block everything is body."""
    page = page.removeprefix("\ufeff")
    if not page.startswith("---"):
        return {}, page
    end = plain(r"^(?:---|\.\.\.)[ \t]*\r?$\n?", MULTILINE).search(page[3 : MAX_CHARACTERS + 3])
    if end is None:
        return {}, page
    return _keys(page[3 : 3 + end.start()]), page[3 + end.end() :]


def _keys(block: str) -> dict[str, str]:
    found: dict[str, str] = {}
    last = ""
    for line in block.splitlines():
        match = KEY.match(line)
        if match:
            last = match[1].strip().lower()
            found[last] = _plain(match[2].strip())
        elif last and line.strip():
            found[last] = "; ".join(filter(None, (found[last], _plain(line.strip().removeprefix("- ")))))
    return found


def _plain(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    if value.startswith("[") and value.endswith("]") and not value.startswith("[["):
        return "; ".join(_plain(item.strip()) for item in value[1:-1].split(",") if item.strip())
    return value
