"""Every closed session as plain readable text in the store's directory, unless the memory is encrypted.

Knows: where the file of a session is and how it reads. Does not know: anything that could only be found there: the files are
written from the store and can be written again.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from pmg.errors import StoreError
from pmg.model import Segment, Session
from pmg.parts import Parts
from pmg.store.contract import NewSegment
from pmg.store.keys import is_encrypted_home
from pmg.times import shown

_FRESH = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
AT_ONCE = 512  # sessions read together: one by one, a thousand imported sessions would be a thousand scans


def file_of(home: Path, session: Session) -> Path:
    return home / "sessions" / f"{session.started_at.year:04d}" / f"{session.started_at.month:02d}" / f"{session.id}.md"


def write_all(parts: Parts, session_ids: Sequence[str]) -> None:
    for start in range(0, len(session_ids), AT_ONCE):
        for session, segments in parts.store.sessions_whole(session_ids[start : start + AT_ONCE]):
            write(parts.config.home, session, segments)


def write_new(parts: Parts, sessions: Sequence[Session], turns: Sequence[NewSegment]) -> None:
    """Sessions that began with these turns: what was just stored need not be read back."""
    said: dict[str, list[NewSegment]] = {}
    for turn in turns:
        said.setdefault(turn.session_id, []).append(turn)
    for session in sessions:
        write(parts.config.home, session, said.get(session.id, []))


def write(home: Path, session: Session, segments: Sequence[Segment | NewSegment]) -> None:
    if is_encrypted_home(home):
        return  # nothing in the clear beside an encrypted memory; `pmg export` writes readable files where one asks for them
    file = file_of(home, session)
    try:
        _put(file, rendered(session, segments))
    except OSError as error:
        raise StoreError(
            f"{file} could not be written: {error.strerror or error}. The memory itself has every word; free some disk "
            f"space or clear the way, then `pmg rebuild` writes it again."
        ) from None


def _put(file: Path, text: str) -> None:
    if not file.parent.is_dir():
        for folder in (file.parent.parent.parent, file.parent.parent, file.parent):
            folder.mkdir(mode=0o700, exist_ok=True)
    # No fsync: the text is safe in the store already, and a thousand imported sessions would wait for the disk one by one.
    temporary = file.with_name(f".{file.name}.tmp")
    with os.fdopen(os.open(temporary, _FRESH, 0o600), "wb") as out:
        out.write(text.encode("utf-8", "surrogatepass"))
    temporary.replace(file)


def rendered(session: Session, segments: Sequence[Segment | NewSegment]) -> str:
    head = f"# {session.title or session.id}\n\nsession {session.id} · {session.source} · {session.namespace} · {shown(session.started_at)}\n"
    return head + "".join(f"\n## {shown(segment.at)}\n\n{_lines(segment)}\n" for segment in segments)


def _lines(segment: Segment | NewSegment) -> str:
    return "\n\n".join(f"**{line.speaker}:** {line.text}" for line in segment.lines)
