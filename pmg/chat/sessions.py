"""The sessions of a memory as a list to choose from: pinned ones, then the newest first; searched by the words in their names and in what was said, renamed, pinned.
Until a person names a chat it is called by the words it began with, or, where those only greet, by the first that tell or ask something.

Plain functions on an engine; pmg/ui/chat shows what they give.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from pmg.answer.message import is_small_talk
from pmg.base.errors import InputError, NotFound
from pmg.base.model import CHAT_SOURCE, Role, Segment, Session, State
from pmg.base.text import headline
from pmg.store.browse import BrowseFilter

if TYPE_CHECKING:
    from pmg.engine import Engine


MAX_LISTED = 2_000  # sessions in the list: search finds the rest
PAGE = 80  # of them that are seen at once; the rest is one click away
MAX_SEARCHED = 10_000  # sessions, the newest first, that may hold a word
MAX_SIMILAR = 5  # sessions without the words that are offered beside those that hold them
MAX_TITLE = 120
PINNED = "pinned"  # in a session's notes; some exports bring it with them


@dataclass(frozen=True, slots=True)
class SessionList:
    sessions: tuple[Session, ...]
    more: int  # that are there and not in the list
    similar: tuple[Session, ...] = ()  # of a search: without the words, but perhaps about it; the most alike first


def listed(engine: Engine, namespace: str, words: str = "") -> SessionList:
    """Pinned ones, then the newest first. With words: those that hold all of them, in their names or in what was said; then a few in which something like it was said."""
    known = sorted(
        engine.sessions(namespace), key=lambda s: (is_pinned(s), s.ended_at or s.started_at, s.id), reverse=True
    )
    known = [session for session in known if session.segments]
    wanted = words.casefold().split()
    if not wanted:
        return SessionList(tuple(known[:MAX_LISTED]), max(0, len(known) - MAX_LISTED))
    said = [_saying(engine, namespace, word) for word in wanted]
    found = [
        session
        for session in known
        if all(
            word in session.name.casefold() or session.id in holding for word, holding in zip(wanted, said, strict=True)
        )
    ]
    full = len(found) >= PAGE  # nobody reads on, and the recall below stays a small one
    similar = () if full else _similar(engine, namespace, words, known, {session.id for session in found})
    return SessionList(tuple(found[:MAX_LISTED]), max(0, len(found) - MAX_LISTED), similar)


def _saying(engine: Engine, namespace: str, word: str) -> set[str]:
    """The sessions in which this was said, also as a part of a longer word: one searches while one types."""
    spans = engine.reads.browse.session_spans(BrowseFilter(namespace, text=word), MAX_SEARCHED, "state")
    return {span.session for span in spans}


def _similar(
    engine: Engine, namespace: str, words: str, known: Sequence[Session], found: Collection[str]
) -> tuple[Session, ...]:
    alike = engine.recall(words, namespace=namespace, count=False, limit=len(found) + MAX_SIMILAR).segments
    names = dict.fromkeys(passage.session_id for passage in alike if passage.session_id not in found)
    by_id = {session.id: session for session in known}
    return tuple(by_id[name] for name in names if name in by_id)[:MAX_SIMILAR]


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


def is_pinned(session: Session) -> bool:
    return bool(session.meta.get(PINNED))


def pin(engine: Engine, session_id: str, namespace: str) -> Session:
    """Pins a session above the others, or takes its pin off."""
    session = session_in(engine, session_id, namespace)
    meta = {key: value for key, value in session.meta.items() if key != PINNED}
    fresh = replace(session, meta=meta if is_pinned(session) else {**meta, PINNED: "yes"})
    engine.update_sessions([fresh], [])
    return fresh


def group_of(session: Session, today: date) -> str:
    """The heading a session stands under. A week begins on Monday: on a Monday nothing but today is of this week."""
    if is_pinned(session):
        return "Pinned"
    day = (session.ended_at or session.started_at).date()
    age = (today - day).days
    if age <= 1:
        return "Yesterday" if age == 1 else "Today"
    weeks = ((today - timedelta(days=today.weekday())) - (day - timedelta(days=day.weekday()))).days // 7
    return ("This week", "Last week")[weeks] if weeks < 2 else f"{day:%B %Y}"


TITLE = 60  # characters of a message that become the session's name


def title_from(asked: str) -> str:
    return headline(asked, TITLE)


def retitle(engine: Engine, session_id: str, replaced: str = "") -> None:
    """A chat that goes by a greeting gets its first real message as title. `replaced` is a turn that is asked anew: it was never said.

    Only a title that is the chat's own first message is changed: one that a person gave, or that came with an import, stays.
    """
    session = engine.reads.session(session_id)
    if session is None or session.source != CHAT_SOURCE or not is_small_talk(session.title):
        return
    turns = engine.reads.segments_of(session_id)
    if not turns or title_from(_asked(turns[0])) != session.title:
        return
    said = (_asked(turn) for turn in turns if turn.id != replaced and turn.state is State.ACTIVE)
    title = next((title_from(text) for text in said if text.strip() and not is_small_talk(text)), "")
    if title:
        rename(engine, session_id, session.namespace, title)


def _asked(turn: Segment) -> str:
    return next((line.text for line in turn.lines if line.role is not Role.ASSISTANT), "")
