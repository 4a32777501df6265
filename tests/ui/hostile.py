"""Text that tries to be more than text, and how a page or a figure is searched for it."""

from __future__ import annotations

import re

IMAGE = "<img src=x onerror=alert(1)>"
HOSTILE = f"{IMAGE} <script>alert(2)</script> [a](javascript:alert(3)) ![b](https://example.org/c.png) \x1b[31mred ${{1+1}} {{{{2}}}}"

_TAG = re.compile(r"<\s*(img|script|a|iframe|svg)\b", re.IGNORECASE)


def alive(html: str) -> list[str]:
    """Whatever in this HTML would act instead of being read."""
    return [*_TAG.findall(html), *(["escape"] if "\x1b" in html else [])]
