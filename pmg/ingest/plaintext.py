"""Every closed session as plain readable text in the store's directory, unless the memory is encrypted.

Knows: where the file of a session is and how it reads. What was said stands indented by four spaces, which every viewer of Markdown
shows as it is: no stored word becomes a tag, a picture that is fetched, a heading or another's turn, and without the indent it is the
exact text again. Does not know: anything that could only be found there: the files are written from the store and can be written again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from pmg.base.errors import StoreError
from pmg.base.model import Segment, Session
from pmg.base.times import shown
from pmg.components import Components
from pmg.store.keys import is_encrypted_home
from pmg.store.rows import NewSegment

_FRESH = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
_INDENT = "    "
_LINE_END = re.compile(r"\r\n|\n|\r")  # what Markdown takes for the end of a line
_MARKUP = re.compile(r"[\\`*_\[\]<>&!#|~]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
SESSION_BATCH = 512  # sessions read together: one by one, a thousand imported sessions would be a thousand scans


def file_of(home: Path, session: Session) -> Path:
    return home / "sessions" / f"{session.started_at.year:04d}" / f"{session.started_at.month:02d}" / f"{session.id}.md"


def write_all(components: Components, session_ids: Sequence[str]) -> None:
    for start in range(0, len(session_ids), SESSION_BATCH):
        _write(
            components.config.home, components.store.sessions_with_segments(session_ids[start : start + SESSION_BATCH])
        )


def write_new(components: Components, sessions: Sequence[Session], turns: Sequence[NewSegment]) -> None:
    """Sessions that began with these turns: what was just stored need not be read back."""
    said: dict[str, list[NewSegment]] = {}
    for turn in turns:
        said.setdefault(turn.session_id, []).append(turn)
    _write(components.config.home, [(session, said.get(session.id, [])) for session in sessions])


def _write(home: Path, whole: Iterable[tuple[Session, Sequence[Segment | NewSegment]]]) -> None:
    if is_encrypted_home(home):
        return  # nothing in the clear beside an encrypted memory; `pmg export` writes readable files where one asks for them
    for session, segments in whole:
        file = file_of(home, session)
        try:
            _put(file, rendered(session, segments).encode("utf-8", "surrogatepass"))
        except OSError as error:
            raise StoreError(
                f"{file} could not be written: {error.strerror or error}. The memory itself has every word; free some disk "
                f"space or clear the way, then `pmg rebuild` writes it again."
            ) from None


def _put(file: Path, text: bytes) -> None:
    # No fsync: the text is safe in the store already, and a thousand imported sessions would wait for the disk one by one.
    folder, name = os.path.split(file)
    temporary = f"{folder}{os.sep}.{name}.tmp"
    try:
        opened = os.open(temporary, _FRESH, 0o600)
    except FileNotFoundError:  # the first of its month
        for parent in (file.parent.parent.parent, file.parent.parent, file.parent):
            parent.mkdir(mode=0o700, exist_ok=True)
        opened = os.open(temporary, _FRESH, 0o600)
    try:
        left = memoryview(text)
        while left:
            left = left[os.write(opened, left) :]
    finally:
        os.close(opened)
    os.replace(temporary, file)  # noqa: PTH105 - for thousands of files, path objects would cost more than the files


def rendered(session: Session, segments: Sequence[Segment | NewSegment]) -> str:
    where = f"session {session.id} · {_label(session.source)} · {session.namespace} · {shown(session.started_at)}"
    head = f"# {_label(session.title or session.id)}\n\n{where}\n"
    return head + "".join(f"\n## {shown(segment.at)}\n\n{_lines(segment)}\n" for segment in segments)


def _lines(segment: Segment | NewSegment) -> str:
    return "\n\n".join(f"**{_label(line.speaker)}:**\n\n{_indented(line.text)}" for line in segment.lines)


def _indented(text: str) -> str:
    return _INDENT + _LINE_END.sub(lambda end: end[0] + _INDENT, text)


def _label(text: str) -> str:
    """A title or a name on one line, in which nothing means anything to a viewer."""
    return _CONTROL.sub(lambda char: f"&#{ord(char[0])};", _MARKUP.sub(r"\\\g<0>", text))
