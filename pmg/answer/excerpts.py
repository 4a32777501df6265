"""Excerpts: what could be quoted around a line that was found, so that it can be understood by itself.

Knows: how much of what stands before and after a line belongs to it. A short message takes the messages around it along while they fit; a
long line is read in stretches of whole sentences. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pmg.answer.phrases import OURS
from pmg.answer.sentences import split
from pmg.base.model import Passage, Role
from pmg.base.sentences import asks

MAX_EXCERPT = 350  # characters of an excerpt: about what a person reads at a glance
MAX_NEIGHBOURS = 3  # lines to each side that may come along
MAX_GROWN = 600  # characters of an excerpt that grew by what else was found right beside it
NEXT_BEST = 10  # excerpts by which it may grow: beyond these a neighbour is no better than any other line
MAX_STRETCHES = 30  # sentences of one line that are looked at as a beginning: a longer line is a document
SPOKEN = frozenset((Role.USER, Role.ASSISTANT, Role.PERSON, Role.DOCUMENT))


@dataclass(frozen=True, slots=True)
class ExcerptPiece:
    """Characters `start` to `end` of one line."""

    passage: Passage
    line: int
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.passage.lines[self.line].text[self.start : self.end]

    @property
    def speaker(self) -> str:
        return self.passage.lines[self.line].speaker

    @property
    def role(self) -> Role:
        return self.passage.lines[self.line].role


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Pieces that follow one another in one session; `anchor` is the piece that was found."""

    pieces: tuple[ExcerptPiece, ...]
    anchor: ExcerptPiece
    relevance: float  # of its line in the recall: 1 for the best, and falling from there
    here: bool = False  # of this very chat

    @property
    def text(self) -> str:
        return "\n".join(f"{piece.speaker}: {piece.text}" for piece in self.pieces)

    @property
    def said(self) -> str:
        """Without who said it."""
        return "\n".join(piece.text for piece in self.pieces)

    def overlaps(self, other: Excerpt) -> bool:
        return any(_same(a, b) for a in self.pieces for b in other.pieces)


def _same(a: ExcerptPiece, b: ExcerptPiece) -> bool:
    return (a.passage.session_id, a.passage.index, a.line) == (b.passage.session_id, b.passage.index, b.line) and (
        a.start < b.end and b.start < a.end
    )


@dataclass(frozen=True, slots=True)
class Thread:
    """Turns of one session that follow one another without a gap, as lines."""

    lines: tuple[tuple[Passage, int], ...]

    def place(self, passage: Passage, line: int) -> int:
        return next(i for i, (owner, at) in enumerate(self.lines) if at == line and owner.index == passage.index)


def thread_around(passage: Passage, by_place: dict[tuple[str, int], Passage]) -> Thread:
    """The turn with those before and after it that are known."""
    found = [passage]
    for step in (-1, 1):
        at = passage.index + step
        while (
            abs(at - passage.index) <= MAX_NEIGHBOURS and (beside := by_place.get((passage.session_id, at))) is not None
        ):
            found.insert(0 if step < 0 else len(found), beside)
            at += step
    return Thread(tuple((turn, i) for turn in found for i in range(len(turn.lines))))


def excerpts(thread: Thread, place: int, relevance: float, here: bool = False) -> Iterator[Excerpt]:
    """One for a short line; for a long one as many as it has stretches."""
    passage, line = thread.lines[place]
    text = passage.lines[line].text
    ranges = split(text)
    if len(text) <= MAX_EXCERPT:
        if ranges:
            anchor = ExcerptPiece(passage, line, ranges[0][0], ranges[-1][1])
            yield Excerpt(_with_neighbours(thread, place, anchor), anchor, relevance, here)
        return
    for i, (start, end) in enumerate(ranges[:MAX_STRETCHES]):
        if not asks(text[start:end]):
            stretch = ExcerptPiece(passage, line, start, _as_far_as_it_fits(ranges, i))
            yield Excerpt((stretch,), ExcerptPiece(passage, line, start, end), relevance, here)


def grown(chosen: Sequence[Excerpt], ranked: Sequence[Excerpt]) -> list[Excerpt]:
    """Each of the chosen with the lines of the next best excerpts that overlap it: where two good ones touch, the answer is often in
    the other, and one longer passage is read more easily than two that repeat each other."""
    found = list(chosen)
    for excerpt in ranked[:NEXT_BEST]:
        owners = [i for i, held in enumerate(found) if held.overlaps(excerpt)]
        if len(owners) == 1 and not any(excerpt is held for held in chosen):
            found[owners[0]] = _joined(found[owners[0]], excerpt)
    return found


def _joined(held: Excerpt, other: Excerpt) -> Excerpt:
    """Both as one, in the order they were said; the first alone if they are too long together."""
    known = {(piece.passage.index, piece.line) for piece in held.pieces}
    more = [piece for piece in other.pieces if (piece.passage.index, piece.line) not in known]
    pieces = sorted((*held.pieces, *more), key=lambda piece: (piece.passage.index, piece.line))
    return replace(held, pieces=tuple(pieces)) if sum(len(piece.text) for piece in pieces) <= MAX_GROWN else held


def _as_far_as_it_fits(ranges: Sequence[tuple[int, int]], first: int) -> int:
    start, end = ranges[first]
    for _, later in ranges[first + 1 :]:
        end = later if later <= start + MAX_EXCERPT else end
    return end


def _with_neighbours(thread: Thread, place: int, anchor: ExcerptPiece) -> tuple[ExcerptPiece, ...]:
    """Outwards from the line while there is room; a question first takes what answers it along, anything else what it answers."""
    pieces, room = [anchor], MAX_EXCERPT - len(anchor.text)
    sides = (1, -1) if asks(anchor.text) else (-1, 1)
    edge = {1: place, -1: place}
    for _ in range(MAX_NEIGHBOURS):
        for side in sides:
            beside = _whole_line(thread, edge[side] + side)
            if beside is not None and len(beside.text) <= room:
                edge[side] += side
                room -= len(beside.text)
                pieces.insert(len(pieces) if side > 0 else 0, beside)
    return tuple(pieces)


def _whole_line(thread: Thread, place: int) -> ExcerptPiece | None:
    if not 0 <= place < len(thread.lines):
        return None
    passage, line = thread.lines[place]
    said = passage.lines[line]
    ours = said.role is Role.ASSISTANT and said.text.startswith(OURS)  # says nothing without its quotes
    return (
        ExcerptPiece(passage, line, 0, len(said.text))
        if said.role in SPOKEN and said.text.strip() and not ours
        else None
    )
