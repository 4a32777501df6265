"""Stored text as HTML that is only ever text.

Knows: how a line, a date and a segment look on the page.
Whatever was stored by anybody goes through `safe` before it reaches the page.
"""

from __future__ import annotations

import html
from collections.abc import Callable
from datetime import datetime

from pmg.base.model import USER_NAME, YOU, Passage, Role, Segment
from pmg.base.text import printable

WHOLE_WORDS = 0.6  # of a limit that must be left where the last word goes as a whole
SHORT = 280  # characters of a segment in a list: about four lines on a laptop


def safe(text: str) -> str:
    """Text for HTML: no markup survives, no terminal escape either, and line breaks show."""
    return html.escape(printable(text), quote=True).replace("\n", "<br>")


def shortened(text: str, limit: int = SHORT) -> str:
    """Cut between two words; inside one only where it is long, as in a script without spaces."""
    flat = " ".join(text.split())
    if len(flat) <= limit:
        return flat
    cut = flat[:limit].rfind(" ")
    return flat[: cut if cut > WHOLE_WORDS * limit else limit - 1].rstrip(" ,;:·–-") + "…"


def repeats(title: str, text: str) -> bool:
    """Whether a title only says again how the text begins, as that of a chat nobody named does: it tells nothing beside the text."""
    begins = " ".join(title.split()).rstrip(" .…").casefold()
    return bool(begins) and " ".join(text.split()).casefold().startswith(begins)


def counted(count: int, one: str, more: str) -> str:
    return f"{count:,} {one if count == 1 else more}"


def day(at: datetime) -> str:
    return f"{at:%a} {at.day} {at:%b %Y}"


def moment(at: datetime) -> str:
    return f"{day(at)}, {at:%H:%M}"


def speaker(name: str, role: Role | None = None) -> str:
    """Who said it, as the person reads it: they are "you", whatever an export calls them. Without a role only the name can tell."""
    return safe(_called(name, role))


def _called(name: str, role: Role | None) -> str:
    if role is Role.USER or (role is None and name in ("", USER_NAME)):
        return YOU
    return name or (role.value if role else "")


def plain(segment: Segment | Passage) -> str:
    """A whole segment as plain text, for a list or a field."""
    return "\n".join(f"{_called(line.speaker, line.role)}: {line.text}" for line in segment.lines)


def lines(segment: Segment, said: Callable[[str], str] = safe) -> str:
    """Every line of a segment with who said it; `said` makes its words harmless, and may mark some."""
    return "".join(
        f'<div class="pmg-line" dir="auto"><span class="pmg-who">{speaker(line.speaker, line.role)}</span> '
        f'<span class="pmg-said">{said(line.text)}</span></div>'
        for line in segment.lines
    )
