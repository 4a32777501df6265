"""Stored text as HTML that is only ever text.

Knows: how a line, a date and a segment look on the page. Does not know: gradio, or where the text came from.
Whatever was stored by anybody goes through `safe` before it reaches the page.
"""

from __future__ import annotations

import html
from datetime import datetime

from pmg.model import Segment
from pmg.text import printable

SHORT = 280  # characters of a segment in a list: about four lines on a laptop


def safe(text: str) -> str:
    """Text for HTML: no markup survives, no terminal escape either, and line breaks show."""
    return html.escape(printable(text), quote=True).replace("\n", "<br>")


def shortened(text: str, limit: int = SHORT) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"


def day(at: datetime) -> str:
    return f"{at:%a} {at.day} {at:%b %Y}"


def moment(at: datetime) -> str:
    return f"{day(at)}, {at:%H:%M}"


def lines(segment: Segment) -> str:
    """Every line of a segment with who said it."""
    return "".join(
        f'<div class="pmg-line"><span class="pmg-who">{safe(line.speaker or line.role.value)}</span> '
        f'<span class="pmg-said">{safe(line.text)}</span></div>'
        for line in segment.lines
    )
