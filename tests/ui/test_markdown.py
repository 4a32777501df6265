"""A model's Markdown as HTML: formatted, and never able to load, lead or run anything."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmg.ui.markdown import to_html

ALLOWED = {"p", "br", "strong", "em", "code", "pre", "ul", "ol", "li", "blockquote", "hr", "h3", "h4", "h5", "h6", "s", "table", "thead", "tbody", "tr", "th", "td"}  # fmt: skip
HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](https://evil.example/pixel.png)",
    "[click](javascript:alert(1))",
    "[click](https://evil.example)",
    "<https://evil.example>",
    "`</code><script>alert(1)</script>`",
    "```\n</code></pre><img src=//evil.example>\n```",
    "**<b onclick=x>**",
    "$$\\href{javascript:alert(1)}{x}$$",
    '"><svg/onload=alert(1)>',
    "# <iframe src=//evil.example>",
    "> <style>*{display:none}</style>",
    "- <a href='data:text/html,x'>",
    "[a][1]\n\n[1]: javascript:alert(1) 'title'",
    "| <b onclick=x> |\n|:-:|\n| ![x](//evil.example) |",
    "```js onload=alert(1)\nx\n```",
    "&lt;script&gt;alert(1)&lt;/script&gt; &#60;img src=x&#62;",
    "\x1b]8;;https://evil.example\x07link\x1b]8;;\x07",
]


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, list[tuple[str, str | None]]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, attrs))


def tags(html: str) -> list[tuple[str, list[tuple[str, str | None]]]]:
    parser = Tags()
    parser.feed(html)
    parser.close()
    return parser.found


def harmless(html: str) -> bool:
    return all(
        tag in ALLOWED and all(name == "start" and tag == "ol" and (value or "").isdigit() for name, value in attrs)
        for tag, attrs in tags(html)
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str) -> None:
    assert harmless(to_html(text))
    assert "\x1b" not in to_html(text)


def test_an_address_is_shown_and_leads_nowhere() -> None:
    html = to_html("![photo](https://evil.example/p.png) and [a link](https://evil.example/x)")
    assert html == "<p>![photo](https://evil.example/p.png) and [a link](https://evil.example/x)</p>"


@given(st.text(alphabet="<>&\"'`*_#-+.)1 \n>~ab[](!:/$\\", max_size=200))
def test_no_text_makes_a_tag_of_its_own(text: str) -> None:
    assert harmless(to_html(text))


@given(st.text(max_size=200))
def test_every_letter_and_digit_is_still_there(text: str) -> None:
    seen = re.sub(r"<[^>]*>", "", to_html(text))
    plain = [char for char in text if char.isascii() and char.isalpha()]
    left = [char for char in seen if char.isascii() and char.isalpha()]
    assert not (set(plain) - set(left))


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("one\ntwo\n\nthree", "<p>one<br>two</p><p>three</p>"),
        ("**bold** and *thin* and `code`", "<p><strong>bold</strong> and <em>thin</em> and <code>code</code></p>"),
        ("`**not bold**`", "<p><code>**not bold**</code></p>"),
        ("2 * 3 * 4 and snake_case_name", "<p>2 * 3 * 4 and snake_case_name</p>"),
        ("# Title", "<h3>Title</h3>"),
        ("- a\n- **b**\n\n1. c\n2. d", "<ul><li>a</li><li><strong>b</strong></li></ul><ol><li>c</li><li>d</li></ol>"),
        ("> said\n> so", "<blockquote><p>said<br>so</p></blockquote>"),
        ("```python\nx = 1 < 2\n\ny\n```\nafter", "<pre><code>x = 1 &lt; 2\n\ny</code></pre><p>after</p>"),
        ("```\nnever closed", "<pre><code>never closed</code></pre>"),
        ("~~~\n```\n~~~", "<pre><code>```</code></pre>"),
        ("7. seven\n8. eight", '<ol start="7"><li>seven</li><li>eight</li></ol>'),
        ("- a\n  - b", "<ul><li>a<ul><li>b</li></ul></li></ul>"),
        ("| a | b |\n|:--|--:|\n| 1 | **2** |", "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td><strong>2</strong></td></tr></tbody></table>"),
        ("~~gone~~", "<p><s>gone</s></p>"),
        ("a &lt;b&gt; &#27;", "<p>a &amp;lt;b&amp;gt; &amp;#27;</p>"),
        ("---", "<hr>"),
        ("", ""),
    ],
)  # fmt: skip
def test_the_usual_marks_are_formatted(text: str, html: str) -> None:
    assert to_html(text) == html


@pytest.mark.parametrize("mark", ["*", "`", "**a", "> ", "[", "_ "])
def test_it_is_linear_in_a_long_hostile_text(mark: str) -> None:
    """Counted in lines of code that are run: whatever the machine, twice the text is about twice the work."""
    assert steps(mark * 1_000) < 2.5 * steps(mark * 500)


def steps(text: str) -> int:
    done = 0

    def count(*_at: object) -> Callable[..., Any]:
        nonlocal done
        done += 1
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        to_html(text)
    finally:
        sys.settrace(before)
    return done


def test_a_quote_of_forty_levels_is_still_there() -> None:
    assert "the first mail" in to_html("> " * 40 + "the first mail")


def test_inline_code_keeps_its_marks() -> None:
    assert to_html("``a ` b``") == "<p><code>a ` b</code></p>"
    assert to_html("a ` b") == "<p>a ` b</p>"
