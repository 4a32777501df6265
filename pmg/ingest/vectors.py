"""From lines to windows and vectors.

Knows: which text of a line the model sees.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from pmg.base.model import Role
from pmg.embed.embedder import Embedder
from pmg.embed.sentences import sentences
from pmg.embed.windows import cut
from pmg.store.rows import NewVectors, PendingLine

WindowsDone = Callable[[int, int], None]  # how many windows are embedded, of how many
# People mention things in passing; an assistant's paragraphs are about one thing, and there are many more of them.
BY_SENTENCE = (Role.USER.value,)


def embed_lines(lines: Sequence[PendingLine], embedder: Embedder, progress: WindowsDone | None = None) -> NewVectors:
    """Every non-blank line as one or more windows, in order. Nothing is cut off."""
    windows = [(line, start, end) for line in lines for start, end in windows_of(line, embedder)]
    texts = [seen(line, start, end) for line, start, end in windows]
    vectors = embedder.embed(texts, partial(_tell, progress, len(texts)) if progress else None)
    return NewVectors(
        segment=np.array([line.segment for line, _, _ in windows], dtype=np.int64),
        line=np.array([line.id for line, _, _ in windows], dtype=np.int64),
        start=np.array([start for _, start, _ in windows], dtype=np.int32),
        end=np.array([end for _, _, end in windows], dtype=np.int32),
        vectors=vectors if windows else np.empty((0, embedder.dimension), dtype=np.float32),
    )


def _tell(progress: WindowsDone, total: int, done: int) -> None:
    progress(done, total)


def windows_of(line: PendingLine, embedder: Embedder) -> list[tuple[int, int]]:
    """The line whole, in as many windows as it needs; what a person said also sentence by sentence."""
    whole = cut(line.text, embedder)
    return whole + sentences(line.text) if line.role in BY_SENTENCE and len(whole) == 1 else whole


def seen(line: PendingLine, start: int, end: int) -> str:
    """Between people the name is part of what is said; "User" and "Assistant" say nothing and would only draw all turns together."""
    text = line.text[start:end]
    return f"{line.speaker}: {text}" if line.role == Role.PERSON else text
