"""A document as a session: cut at paragraphs into pieces of about one size.

Knows: how a text file becomes turns. The engine takes the turns in (`Engine.learn`).
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path

from pmg.base.errors import InputError, NotFound
from pmg.base.model import Line, Role, Turn
from pmg.ingest.turns import SessionInput

DOCUMENT = "document"
MIN_CHARACTERS = (
    20  # characters: less than this between two blank lines is a rule or a page number; it joins its neighbour
)


def document(file: Path, size: int) -> SessionInput:
    """The file's text, whole, in pieces. Learning it again adds only what is new in it."""
    if not file.is_file():
        raise NotFound(f"There is no file {file} to learn: give the path of a text file.")
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{file} is not a UTF-8 text file. Convert it to text (.md or .txt) first.") from None
    if not text.strip():
        raise InputError(f"{file} has no text in it: write something into it, or learn another file.")
    written = datetime.fromtimestamp(file.stat().st_mtime, UTC)
    turns = [Turn((Line(file.name, Role.DOCUMENT, piece),), written) for piece in pieces(text, size)]
    name = hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:12]
    return SessionInput(turns, file.name, f"document {file.name}", DOCUMENT, written, f"doc-{name}")


def pieces(text: str, size: int) -> list[str]:
    """Whole paragraphs up to about `size` characters; joined again they are the text, save the blank lines between."""
    found: list[str] = []
    current = ""
    for paragraph in (part for part in text.replace("\r\n", "\n").split("\n\n") if part.strip()):
        if current and len(current) + len(paragraph) > size and len(current) >= MIN_CHARACTERS:
            found.append(current)
            current = paragraph
        else:
            current = f"{current}\n\n{paragraph}" if current else paragraph
    return [*found, current] if current else found
