"""What a chat is called until a person names it: the words it began with, or, where those only greet, the first that tell or ask something.

Plain functions on an engine; turn.py keeps a turn and calls them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pmg.answer.message import is_small_talk
from pmg.base.model import CHAT_SOURCE, Role, Segment, State
from pmg.base.text import headline
from pmg.chat import sessions

if TYPE_CHECKING:
    from pmg.engine import Engine

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
        sessions.rename(engine, session_id, session.namespace, title)


def _asked(turn: Segment) -> str:
    return next((line.text for line in turn.lines if line.role is not Role.ASSISTANT), "")
