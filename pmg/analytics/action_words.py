"""What upkeep and people do to a memory, in the words of every page: one of it, and several.

Knows: the actions of the journal (steward/journal.py) by the names under which they are kept.
"""

from __future__ import annotations

DID = {
    "merge": ("near-duplicate merged", "near-duplicates merged"),
    "review": ("pair for you to decide", "pairs for you to decide"),
    "archive": ("memory archived", "memories archived"),
    "restore": ("memory restored", "memories restored"),
    "keep": ("pair kept as it is", "pairs kept as they are"),
    "link": ("link made", "links made"),
    "unlink": ("link removed", "links removed"),
    "prune": ("link dropped", "links dropped"),
    "weights": ("look at which links help", "looks at which links help"),
    "score": ("look at what is of use", "looks at what is of use"),
    "topics": ("look for topics", "looks for topics"),
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
