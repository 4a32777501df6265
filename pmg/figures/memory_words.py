"""What is known of a memory in the words of every page: how much it tells (the quality of pmg/ingest/quality.py), whether it is recalled, and in which
role its lines were said."""

from __future__ import annotations

BANDS = ("next to nothing", "little", "something", "much", "very much")  # of quality: a fifth of the scale each
HOW_MUCH = "how much it tells"
STATE_WORDS = {"active": "in recall", "duplicate": "said before"}  # the others are words as they are
# The other roles are words as they are.
ROLE_WORDS = {"user": "you, to an assistant", "assistant": "an assistant", "person": "between people"}


def tells(quality: float) -> str:
    return BANDS[max(0, min(len(BANDS) - 1, int(quality * len(BANDS))))]


def state_name(state: str) -> str:
    return STATE_WORDS.get(state, state)
