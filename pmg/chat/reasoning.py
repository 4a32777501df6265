"""What a language model thinks aloud before it answers, where its server leaves that in the text: it is no part of the answer.

Knows: the marks that models put around it. A field of its own for it is passed over by sse.py. Pure.
"""

from __future__ import annotations

import re

_OPENS = re.compile(r"\s*<(?P<tag>think|thinking|reasoning)>", re.IGNORECASE)
_CLOSES_ALONE = re.compile(r"^</(?:think|thinking|reasoning)>[ \t]*$", re.IGNORECASE | re.MULTILINE)
_MARKS = ("<think>", "<thinking>", "<reasoning>")


def without_reasoning(said: str) -> str:
    """The answer as far as it has come; empty while the model still thinks. Some servers open the thoughts themselves and send only the mark at their end,
    in a line of its own: then what stands before it was shown for a while, and goes."""
    while begun := _OPENS.match(said):  # some think again before they answer
        said = _after(said, f"</{begun['tag']}>")
    if _may_open(said):
        return ""
    ended = _CLOSES_ALONE.search(said)
    if ended is None:
        return said
    is_shown = any(mark in said[: ended.start()].casefold() for mark in _MARKS)  # an answer about these marks has both
    return said if is_shown else said[ended.end() :].lstrip()


def _after(said: str, mark: str) -> str:
    at = said.casefold().find(mark.casefold())
    return said[at + len(mark) :].lstrip() if at >= 0 else ""


def _may_open(said: str) -> bool:
    """A mark that has not come whole yet."""
    begun = said.lstrip().casefold()
    return bool(begun) and any(mark.startswith(begun) for mark in _MARKS)
