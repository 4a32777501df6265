"""A model's Markdown as HTML that can load nothing and lead nowhere.

markdown-it reads it (CommonMark, tables, strikethrough). Images, links, HTML and entities are switched off: they stay the text they are,
with the address to read and nothing to click. No tag carries an attribute, but for the number that a list starts with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from pmg.base.text import printable

DOWN = 2  # levels that a heading is lowered by: the page has its own first ones
MAX_NESTING = 100  # quotes in quotes: markdown-it leaves out what stands deeper, and its usual 20 is less than a long mail thread has
# `entity` too: it would bring back control characters that `printable` has made visible.
OFF = ("link", "image", "autolink", "reference", "entity", "html_inline", "html_block")


def to_html(text: str, marked: Callable[[str], str] = escapeHtml) -> str:
    """`marked` makes harmless HTML of each stretch of plain text."""
    return str(_MARKDOWN.render(printable(text.replace("\r\n", "\n")), {"marked": marked}))


def quoted(text: str, marked: Callable[[str], str]) -> str:
    """A piece of an answer: on the line where it begins, if it is a single paragraph."""
    whole = to_html(text, marked)
    inside = whole.removeprefix("<p>").removesuffix("</p>")
    return whole if "<p>" in inside or len(whole) != len(inside) + len("<p></p>") else inside


class _BareRenderer(RendererHTML):
    """Tags without attributes, and without line breaks between them: a bubble shows those."""

    def renderToken(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        token = tokens[idx]
        start = token.attrs.get("start")
        token.attrs = {"start": int(start)} if start is not None else {}
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1:]) + DOWN)}"
        return super().renderToken(tokens, idx, options, env).strip("\n")

    def text(self, tokens: Sequence[Token], idx: int, _options: object, env: Any) -> str:
        return str(env["marked"](tokens[idx].content))

    def softbreak(self, *_at: object) -> str:
        return "<br>"

    def hardbreak(self, *_at: object) -> str:
        return "<br>"

    def code_block(self, tokens: Sequence[Token], idx: int, *_settings: object) -> str:
        return f"<pre><code>{escapeHtml(tokens[idx].content.removesuffix(chr(10)))}</code></pre>"

    def fence(self, tokens: Sequence[Token], idx: int, *_settings: object) -> str:
        return self.code_block(tokens, idx)


_MARKDOWN = (
    MarkdownIt("commonmark", {"html": False, "xhtmlOut": False, "maxNesting": MAX_NESTING}, renderer_cls=_BareRenderer)
    .enable(["table", "strikethrough"])
    .disable(OFF)
)
to_html("*")  # its rules are put together at the first use, which two threads must not share
