"""Conversations that are spread over many small files, such as those of OpenCode's folder: held until all files were read.

Knows: that a piece is known by what it holds, wherever it lies, and that files which are none go on as they are. How pieces
become a conversation stands with their platform.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from pmg.importers.conversation import Result, Where
from pmg.importers.platforms import opencode
from pmg.importers.reading.fields import Json


@dataclass(slots=True)
class HeldPieces:
    """The pieces of the files that came together, each with the name of its file."""

    found: list[tuple[str, Json]] = field(default_factory=list)

    def take(self, data: bytes, name: str) -> bool:
        """Whether this whole file is a piece, which is held then."""
        if not opencode.may_be_piece(data):
            return False
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            return False
        if not isinstance(value, dict) or not opencode.is_piece(value):
            return False
        self.found.append((name, value))
        return True

    def conversations(self) -> Iterator[tuple[str, Result]]:
        """Each with the file that it is told under."""
        for name, head, rows in opencode.put_together(self.found):
            for result in opencode.conversation(head, rows, Where(name)):
                yield name, result
