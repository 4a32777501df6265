"""What a program may write: plain functions from an engine, a namespace and a request. mcp/tools.py and rest/ say how it travels.

What comes in is redacted by the engine. The person says it; the program that told it is its source.
"""

from __future__ import annotations

from dataclasses import dataclass

from pmg.base.errors import InputError
from pmg.base.model import USER_NAME, Kind, Line, LinkKind, Origin, Role
from pmg.base.project import Project, project_in
from pmg.base.text import REDACTED, counted
from pmg.base.times import now, parse
from pmg.engine import Engine
from pmg.forget import ForgetPlan, Selection, plan
from pmg.forget.receipt import worded
from pmg.ingest.turns import fresh_session_id
from pmg.server.fenced import StoredRow, fenced
from pmg.server.hooks.given import digest
from pmg.server.lookup import segment_of


@dataclass(frozen=True, slots=True)
class Kept:
    segment: str
    redacted: int  # secrets that were left out

    @property
    def text(self) -> str:
        left_out = f" {counted(self.redacted, 'secret')} in it {'was' if self.redacted == 1 else 'were'} left out and not stored."
        return f"Remembered as {self.segment}.{left_out if self.redacted else ''}"


def remember(
    engine: Engine,
    namespace: str,
    source: str,
    *,
    text: str,
    user: str,
    assistant: str,
    session: str,
    when: str,
    title: str = "",
    folder: str = "",
) -> Kept:
    """An exchange keeps its two speakers; a note is what the person told.

    The session stays open, and is linked when it was idle for a while: a caller does not wait for an import to end. Without a session
    it is that source's of today in that project; with a title alone, a new one.
    """
    if not (text.strip() or user.strip() or assistant.strip()):
        raise InputError("There is nothing to remember: give `text`, or what `user` and `assistant` said.")
    at = parse(when) if when else None
    note = [Line(USER_NAME, Role.USER, text)] if text.strip() else []
    project = project_in(folder)
    place = _in_an_id(project, folder) if project else ""
    daily = fresh_session_id(now()) if title else "-".join(filter(None, (source, place, f"{now():%Y%m%d}")))
    head = title or ("" if session else f"Told by {source}")
    opened = engine.session(head, namespace=namespace, session_id=session or daily, source=source, folder=folder)
    said = [given for given in (user, assistant, text) if given.strip()]
    made = opened.add(user if user.strip() else None, assistant if assistant.strip() else None, lines=note, at=at)
    marks = engine.segment(made).text.count(REDACTED) - sum(given.count(REDACTED) for given in said)
    return Kept(made, max(0, marks))


def _in_an_id(project: Project, folder: str) -> str:
    """Its name, as far as an id can have that, and what tells it from others of that name."""
    readable = "".join(letter for letter in project.name.lower() if letter.isascii() and letter.isalnum())
    return f"{readable}{'-' if readable else ''}{digest(project.repository or folder)[:8]}"


def link(engine: Engine, namespace: str, source: str, target: str, kind: LinkKind, remove: bool) -> str:
    chosen = Kind(kind)
    for name in (source, target):
        segment_of(engine, namespace, name)
    if remove:
        gone = engine.unlink(source, target, chosen)
        return f"Removed {gone} {chosen.value} link{'' if gone == 1 else 's'}."
    engine.link(source, target, chosen, origin=Origin.MODEL)
    return f"Linked {source} {chosen.value} {target}."


def forget_plan(engine: Engine, namespace: str, query: str, ids: list[str]) -> ForgetPlan:
    """What would go. By id, or by the words that a turn holds; nothing is changed."""
    if bool(query.strip()) == bool(ids):
        raise InputError("Say what to forget: either `ids`, or a `query`.")
    segments = tuple(name for name in ids if name.startswith("seg_"))
    sessions = tuple(name for name in ids if not name.startswith("seg_"))
    return plan(engine, Selection(segments=segments, sessions=sessions, query=query, namespace=namespace))


def preview(engine: Engine, todo: ForgetPlan) -> str:
    counts = ", ".join(f"{count} {worded(what, count)}" for what, count in todo.counts.items())
    more = f"\n… and {todo.segments - len(todo.preview)} more" if todo.segments > len(todo.preview) else ""
    stays = f"\nStays: {todo.inside} with these words inside a longer word." if todo.inside else ""
    rows = (StoredRow(text, (name,)) for text, name in zip(todo.preview, todo.ids, strict=False))  # of the first ones
    return f"This would be forgotten for good: {counts}.\n{fenced(engine, rows)}{more}{stays}"


def nothing(engine: Engine, todo: ForgetPlan) -> str:
    """Why nothing would go, and what may be meant: none of that is selected, and a token for it takes its ids."""
    sentence = f"{todo.nothing} Nothing was changed."
    if not todo.nearest:
        return sentence
    rows = (StoredRow(text, (text.split()[0],)) for text in todo.nearest)
    return f"{sentence} The nearest, none of them selected; forget by `ids` those that the person means:\n{fenced(engine, rows)}"
