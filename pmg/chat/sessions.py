"""The sessions of a memory as a list to choose from: newest first, searched by name and by what was said, renamed.

Plain functions on an engine; pmg/ui/chat shows what they give.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from pmg.errors import InputError, NotFound
from pmg.model import Session

if TYPE_CHECKING:
    from pmg.engine import Engine

MAX_LISTED = 80  # sessions in the list: search finds the rest
MAX_FOUND = 20  # … by what was said in them
MAX_TITLE = 120


@dataclass(frozen=True, slots=True)
class SessionList:
    sessions: tuple[Session, ...]
    more: int  # that are there and not in the list


def listed(engine: Engine, namespace: str, words: str = "") -> SessionList:
    """Newest first. With words: names that have them, then sessions in which something like it was said."""
    known = sorted(engine.sessions(namespace), key=lambda s: (s.ended_at or s.started_at, s.id), reverse=True)
    known = [session for session in known if session.segments]
    wanted = words.casefold().split()
    if not wanted:
        return SessionList(tuple(known[:MAX_LISTED]), max(0, len(known) - MAX_LISTED))
    titled = [s for s in known if all(word in s.name.casefold() for word in wanted)]
    by_id = {session.id: session for session in known}
    said = engine.recall(words, namespace=namespace, count=False, limit=MAX_FOUND).segments
    found = dict.fromkeys([*(s.id for s in titled), *(passage.session_id for passage in said)])
    kept = [by_id[name] for name in found if name in by_id]
    return SessionList(tuple(kept[:MAX_LISTED]), max(0, len(kept) - MAX_LISTED))


def session_in(engine: Engine, session_id: str, namespace: str) -> Session:
    """The session, if it is there and in this namespace."""
    session = engine.reads.session(session_id)
    if session is None or session.namespace != namespace:
        raise NotFound(f"There is no chat {session_id!r} in {namespace}: it may have been forgotten. Begin a new one.")
    return session


def rename(engine: Engine, session_id: str, namespace: str, title: str) -> Session:
    """A new title, without secrets; recall searches it with the turns, so a closed session is indexed anew."""
    session = session_in(engine, session_id, namespace)
    flat = " ".join(title.split())
    if not flat or len(flat) > MAX_TITLE:
        raise InputError(f"A title has 1 to {MAX_TITLE} characters; this one has {len(flat)}.")
    cleaned = engine.redactor.redact(flat).text
    fresh = replace(session, title=cleaned, name=cleaned)
    engine.update_sessions([fresh], [session_id])
    return fresh


def group_of(session: Session, today: date) -> str:
    """The heading a session stands under. A week begins on Monday: on a Monday nothing but today is of this week."""
    day = (session.ended_at or session.started_at).date()
    age = (today - day).days
    if age <= 1:
        return "Yesterday" if age == 1 else "Today"
    weeks = ((today - timedelta(days=today.weekday())) - (day - timedelta(days=day.weekday()))).days // 7
    return ("This week", "Last week")[weeks] if weeks < 2 else f"{day:%B %Y}"
