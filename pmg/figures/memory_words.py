"""A memory in the words of every page: how much it tells (the quality of pmg/ingest/quality.py), whether it is recalled, in which role its
lines were said, and what upkeep and people do to it (the actions of steward/journal.py), one of it and several.
"""

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


DID = {
    "merge": ("near-duplicate merged", "near-duplicates merged"),
    "review": ("pair for you to decide", "pairs for you to decide"),
    "archive": ("memory archived", "memories archived"),
    "restore": ("memory restored", "memories restored"),
    "keep": ("pair kept as it is", "pairs kept as they are"),
    "link": ("link made", "links made"),
    "unlink": ("link removed", "links removed"),
    "prune": ("link dropped", "links dropped"),
    "weights": ("learnt which links help", "learnt which links help"),
    "score": ("noted what is of use", "noted what is of use"),
    "topics": ("looked for topics", "looked for topics"),
    "rename topic": ("topic renamed", "topics renamed"),
    "merge topics": ("topic merged", "topics merged"),
    "split topic": ("topic split", "topics split"),
    "pin topic": ("topic pinned", "topics pinned"),
    "unpin topic": ("topic unpinned", "topics unpinned"),
    "identity": ("decision on who is who", "decisions on who is who"),
    "rename": ("person renamed", "people renamed"),
    "claim": ("claim corrected", "claims corrected"),
    "verify": ("check", "checks"),
    "backup": ("backup", "backups"),
    "report": ("report", "reports"),
    "undo": ("undo", "undos"),
    "pin": ("memory pinned", "memories pinned"),
    "unpin": ("memory unpinned", "memories unpinned"),
}
UNCOUNTED = ("weights", "score", "topics")  # about the memory as a whole: done, not so and so many


def counted_action(action: str, count: int) -> str:
    """`3 links made`, `noted what is of use`."""
    one, more = DID.get(action, (action, action))
    if action in UNCOUNTED:
        return more
    return f"{count:,} {one if count == 1 else more}"
