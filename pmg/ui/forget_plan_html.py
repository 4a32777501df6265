"""What forgetting would take, in the words of whoever is asked: chats, turns, files.

Knows: a plan. Lines, vectors and bytes are how a turn is stored and are not told; `pmg forget` at the command line tells them.
"""

from __future__ import annotations

from pmg.forget.plan import ForgetPlan
from pmg.ui.render import counted


def what_goes(plan: ForgetPlan) -> str:
    """As an HTML list; what stays though it has some of the words is told below it."""
    extent = plan.extent
    told = (
        (plan.segments, "turn", "turns"),
        (plan.copies, "of them said again word for word elsewhere", "of them said again word for word elsewhere"),
        (extent.sessions, "chat as a whole", "chats as a whole"),
        (extent.sessions_touched, "chat that keeps its other turns", "chats that keep their other turns"),
        (extent.edges, "link to another turn", "links between turns"),
        (extent.reviews, "pair that waits for your review", "pairs that wait for your review"),
        (extent.recalls, "search that found it, in the log", "searches that found it, in the log"),
        (extent.journal, "note in the steward's history", "notes in the steward's history"),
        (len(plan.backups), "backup, which is written anew without it", "backups, which are written anew without it"),
        (plan.titles, "title, which loses the name", "titles, which lose the name"),
        (
            plan.exports_rewritten,
            "exported file, which is written anew without it",
            "exported files, which are written anew without it",
        ),
        (plan.exports_deleted, "exported file, which is deleted", "exported files, which are deleted"),
    )
    listed = "".join(f"<li>{counted(count, one, many)}</li>" for count, one, many in told if count)
    return f"<ul>{listed}</ul>" + _stays(plan.elsewhere)


def _stays(others: int) -> str:
    said = counted(
        others, "other turn holds one of its lines too, and stays", "other turns hold one of its lines too, and stay"
    )
    return f"<p>{said}.</p>" if others else ""
