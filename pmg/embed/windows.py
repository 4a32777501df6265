"""Cuts long text into windows that fit an embedding model, so that no word is left out of every vector.

A text may be cut between paragraphs, lines, sentences (pmg/base/sentences.py has their marks), words, or anywhere, in this order of preference.
The model is the caller's: the spans of the tokens are given. Pure, and linear in the length of the text.

The text is seen as cells, one a token: a cell reaches from where its token starts to where the next one does. A window
is a run of at most `limit` cells. It ends at the best place in its second half, and the next one starts a little before.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pmg.base.sentences import CLOSERS, STOPS, WIDE_STOPS, Range, trimmed
from pmg.embed.embedder import Embedder, Spans

# How good a place is for a cut. NEVER: inside one character that several tokens share.
NEVER, INSIDE_WORD, MARK, SPACE, SENTENCE, LINE, PARAGRAPH = range(7)

# BERT sees a longer word as one unknown token. Counting it as more keeps a window's text within reason.
MAX_CELL = 100
OVERLAP_SHARE = 8  # one eighth of a window is said again in the next
MIN_LIMIT = 8

_SPACES = np.array([chr(code).isspace() for code in range(0x3002)])
_MARKS = np.array([not chr(code).isalnum() for code in range(0x80)])
_STOPS, _WIDE_STOPS, _CLOSERS = (np.array([ord(mark) for mark in marks]) for marks in (STOPS, WIDE_STOPS, CLOSERS))
_WIDE = ((0x2E80, 0xA4CF), (0xF900, 0xFAFF), (0xFF00, 0xFFEF), (0x20000, 0x3FFFF))  # scripts written without spaces


def cut(text: str, embedder: Embedder) -> list[Range]:
    """The windows of a text for this embedder: none for a blank text, one for a text that fits."""
    if not text.strip():
        return []
    limit = embedder.max_tokens
    if len(text) <= limit and text.isascii():  # no token of these is shorter than a character
        return [trimmed(text, 0, len(text))]
    ranges = windows(text, embedder.token_spans(text), limit, limit // OVERLAP_SHARE)
    if len(ranges) == 1 and ranges[0][1] - ranges[0][0] <= MAX_CELL * limit:
        return ranges
    return [part for window in ranges for part in _fitting(text, window, embedder, limit)]


def windows(text: str, spans: Spans, limit: int, overlap: int) -> list[Range]:
    """Ranges of at most `limit` tokens that together hold every character that is not blank, in order."""
    if not text.strip():
        return []
    if len(spans) <= limit and len(text) <= MAX_CELL:
        return [trimmed(text, 0, len(text))]
    if len(spans) <= limit and _longest_gap(spans, len(text)) < MAX_CELL:
        return [trimmed(text, 0, len(text))]  # the most common text of all: it fits, so nobody need look for a place
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    starts = _cell_starts(codes, spans)
    if len(starts) <= limit:
        return [trimmed(text, 0, len(text))]
    strengths = _strengths(codes, starts)
    positions = np.append(starts, len(text))
    runs = _runs(strengths, max(1, limit), max(0, min(overlap, limit // 4)))
    ranges = [trimmed(text, int(positions[first]), int(positions[last])) for first, last in runs]
    return [(first, last) for first, last in ranges if first < last]


def _fitting(text: str, window: Range, embedder: Embedder, limit: int) -> list[Range]:
    """A word that was cut can take more tokens in two parts than as a whole; such a window is cut again, shorter."""
    first, last = window
    if not (_inside_word(text, first) or _inside_word(text, last)) or limit <= MIN_LIMIT:
        return [window]
    piece = text[first:last]
    spans = embedder.token_spans(piece)
    if len(spans) <= embedder.max_tokens:
        return [window]
    shorter = windows(piece, spans, limit // 2, limit // 2 // OVERLAP_SHARE)
    moved = [(first + a, first + b) for a, b in shorter]
    return [part for smaller in moved for part in _fitting(text, smaller, embedder, limit // 2)]


def _inside_word(text: str, position: int) -> bool:
    return 0 < position < len(text) and text[position - 1].isalnum() and text[position].isalnum()


def _cell_starts(codes: NDArray[np.uint32], spans: Spans) -> NDArray[np.int64]:
    """Where the cells start: the first at 0, each at its token, and long ones divided."""
    starts = np.array(spans[:, 0], dtype=np.int64)
    # Some tokenizers count the space before a word as part of it; a cut belongs after the space.
    on_space = _is_space(codes[np.minimum(starts, len(codes) - 1)]) & (starts + 1 < spans[:, 1])
    starts = np.maximum.accumulate(starts + on_space) if len(starts) else np.zeros(1, dtype=np.int64)
    starts[0] = 0
    lengths = np.diff(np.append(starts, len(codes)))
    pieces = np.maximum(1, -(-lengths // MAX_CELL))
    first_piece = np.cumsum(pieces) - pieces
    number = np.arange(int(pieces.sum())) - np.repeat(first_piece, pieces)
    return np.asarray(np.repeat(starts, pieces) + number * MAX_CELL, dtype=np.int64)


def _longest_gap(spans: Spans, length: int) -> int:
    """From the start of one token to that of the next; the first counts from the beginning of the text."""
    starts = spans[1:, 0]
    if not len(starts):
        return length
    return max(int(starts[0]), int((starts[1:] - starts[:-1]).max(initial=0)), length - int(starts[-1]))


def _strengths(codes: NDArray[np.uint32], starts: NDArray[np.int64]) -> NDArray[np.uint8]:
    """How good a cut before each cell is."""
    space = _is_space(codes)
    places = np.maximum(starts, 1)
    newlines = np.cumsum(codes == ord("\n"), dtype=np.int32)
    last_seen = np.maximum.accumulate(np.where(space, -1, np.arange(len(codes), dtype=np.int32)))[places - 1]
    before = codes[np.maximum(last_seen, 0)]
    breaks = newlines[places - 1] - np.where(last_seen >= 0, newlines[np.maximum(last_seen, 0)], 0)
    after_space = space[places - 1]
    earlier = codes[np.maximum(last_seen - 1, 0)]
    closed = np.isin(before, _CLOSERS)
    stop = np.isin(before, _STOPS) | (closed & np.isin(earlier, _STOPS))
    wide_stop = np.isin(before, _WIDE_STOPS) | (closed & np.isin(earlier, _WIDE_STOPS))
    here = codes[np.minimum(starts, len(codes) - 1)]

    result = np.full(len(starts), INSIDE_WORD, dtype=np.uint8)
    result[_is_mark(here) | _is_mark(codes[places - 1])] = MARK
    result[after_space] = SPACE
    result[(after_space & stop) | wide_stop] = SENTENCE
    result[breaks == 1] = LINE
    result[breaks > 1] = PARAGRAPH
    result[1:][np.diff(starts) == 0] = NEVER
    return result


def _runs(strengths: NDArray[np.uint8], limit: int, overlap: int) -> list[Range]:
    """Windows as runs of cells: first, one past the last."""
    total = len(strengths)
    runs = []
    first = 0
    while total - first > limit:
        last = _end(strengths, first + max(1, limit // 2), first + limit)
        runs.append((first, last))
        first = _next_start(strengths, max(last - overlap, first + 1), last)
    runs.append((first, total))
    return runs


def _end(strengths: NDArray[np.uint8], lowest: int, highest: int) -> int:
    """The last of the best places to cut; beyond the limit only if every place within it is inside one character."""
    choice = strengths[lowest : highest + 1]
    best = int(choice.max())
    if best > NEVER:
        return highest - int(np.argmax(choice[::-1] == best))
    later = np.flatnonzero(strengths[highest:] > NEVER)
    return highest + int(later[0]) if len(later) else len(strengths)


def _next_start(strengths: NDArray[np.uint8], lowest: int, end: int) -> int:
    """The first of the best places in the overlap, where a sentence is as good as a paragraph."""
    choice = np.minimum(strengths[lowest:end], SENTENCE)
    if not len(choice) or choice.max() == NEVER:
        return end
    return lowest + int(np.argmax(choice))


def _is_space(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    return np.asarray(_SPACES[np.minimum(codes, len(_SPACES) - 1)])


def _is_mark(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Punctuation, or a character of a script without spaces: a word may end on either side."""
    marks = _MARKS[np.minimum(codes, len(_MARKS) - 1)] & (codes < len(_MARKS))
    for lowest, highest in _WIDE:
        marks |= (codes >= lowest) & (codes <= highest)
    return np.asarray(marks)
