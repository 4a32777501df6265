"""What a wish to forget is about: "forget what I said about Doreen's operation". The chat forgets nothing by itself: it shows what that may be.

Whether a message is such a wish says message.py. What forgetting is stands in pmg/forget. Pure.
"""

from __future__ import annotations

from pmg.base.patterns import IGNORECASE, short

_ABOUT = short(r"\b(?:about|on|that|über|zum?|zur|von|dass)\s+(?P<what>[^\n]+?)[\s.!?]*$", IGNORECASE)


def what_to_forget(text: str) -> str:
    """The matter; the whole wish where it names none."""
    found = _ABOUT.search(text.strip())
    return found["what"].strip() if found is not None else text.strip()
