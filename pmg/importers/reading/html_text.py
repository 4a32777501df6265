"""HTML as an assistant's answer into the text a person reads, with Markdown's signs for lists, code and links.

Handles block and inline tags; scripts and styles say nothing; pictures become placeholders.
Never runs or fetches anything.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

from pmg.importers.message_parts import placeholder

BLOCKS = {"p", "div", "section", "article", "ul", "ol", "table", "tr", "blockquote", "pre", "hr", "dl", "dd", "dt"}
BLOCKS |= {"h1", "h2", "h3", "h4", "h5", "h6", "li", "br"}
IGNORED = {"script", "style", "head", "template"}
SPARE_LINES = re.compile(r"\n{3,}")


class _Reader(HTMLParser):
    """Collects text; `quiet` counts open tags whose content is not read."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.out: list[str] = []
        self.quiet = 0
        self.pre = 0
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in IGNORED:
            self.quiet += 1
        elif tag == "img":
            self.out.append(placeholder("image", given.get("alt") or given.get("src")))
        elif tag == "a":
            self.links.append(given.get("href") or "")
        elif tag in BLOCKS:
            self._open_block(tag)
        elif tag in ("td", "th"):
            self.out.append(" | ")
        elif tag == "code" and not self.pre:
            self.out.append("`")

    def _open_block(self, tag: str) -> None:
        self.out.append("\n")
        if tag == "li":
            self.out.append("- ")
        elif tag == "pre":
            self.pre += 1
            self.out.append("```\n")
        elif tag[0] == "h" and tag[1:].isdigit():
            self.out.append("#" * int(tag[1:]) + " ")

    def handle_endtag(self, tag: str) -> None:
        if tag in IGNORED:
            self.quiet = max(0, self.quiet - 1)
        elif tag == "a" and self.links:
            link = self.links.pop()
            self.out.append(f" ({link})" if link.startswith("http") else "")
        elif tag == "pre":
            self.pre = max(0, self.pre - 1)
            self.out.append("\n```\n")
        elif tag == "code" and not self.pre:
            self.out.append("`")
        elif tag in BLOCKS and tag not in ("li", "br"):
            self.out.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.quiet:
            self.out.append(data if self.pre else re.sub(r"[ \t\r\n]+", " ", data))


def html_text(source: str) -> str:
    reader = _Reader()
    reader.feed(source)
    reader.close()
    lines = [line.rstrip() for line in "".join(reader.out).replace("\xa0", " ").split("\n")]
    tidy = "\n".join(line if line.startswith(("    ", "\t")) else line.lstrip(" ") for line in lines)
    return SPARE_LINES.sub("\n\n", tidy).strip()
