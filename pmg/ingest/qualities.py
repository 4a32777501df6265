"""The quality of many turns at once: the counts of `quality`, taken column by column.

Knows: how to count words, names, numbers and sentences of hundreds of texts in a few passes over all their characters, so that an
import of years is not judged word by word. Does not know: what the counts are worth (`quality` does, and gives the same numbers).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pmg.base.model import Line
from pmg.base.patterns import plain
from pmg.base.words import offsets
from pmg.ingest.quality import (
    DENSE,
    JOINTS,
    SMALL_TALK,
    SOMEBODY,
    SPECIFIC,
    STATES,
    TurnCounts,
    beginning,
    pairs,
    quality,
    score,
)

Counts = NDArray[np.int64]
Flags = NDArray[np.bool_]
Bytes = NDArray[np.uint8]

BATCH = 512  # texts: their columns stay in the processor's cache
MIN_TURNS = 4  # turns: for fewer the columns cost more than they save
_END, _OTHER = "\0", "\2"  # between two texts; in a text, another sign that no pattern looks for
# What a character is to the patterns of `quality`, as bits.
_MARK, _SMALL, _LARGE, _GAP, _BEFORE, _SPACE, _ASK, _TELL = (1 << bit for bit in range(8))
_FOREIGN = plain(r"[^\x00-\x7f]")
_NAME = plain(r"[A-Z][\w'’-]+")
_ASKING = "\1"  # stands for a question mark where the mark itself stands for a foreign character
_LOWER = bytes(
    (ord(chr(code).lower()) if chr(code).isalnum() or chr(code) in JOINTS else 32) if code < 128 else code
    for code in range(256)
)


def qualities(turns: Sequence[tuple[Line, ...]]) -> list[float]:
    """For each turn what `quality` says of it."""
    if len(turns) < MIN_TURNS:
        return [quality(lines) for lines in turns]
    found: list[float] = []
    for start in range(0, len(turns), BATCH):
        some = turns[start : start + BATCH]
        found += _judged([beginning(lines).strip().replace(_END, _OTHER) for lines in some])
    return found


def _judged(texts: list[str]) -> list[float]:
    plain = [text.isascii() for text in texts]
    shapes: list[tuple[int, int, int]] = [(0, 0, 0)] * len(texts)
    for is_plain in (True, False):
        some = [place for place, one in enumerate(plain) if one is is_plain]
        for place, shape in zip(some, _shapes([texts[place] for place in some], is_plain), strict=True):
            shapes[place] = shape
    words = _words([text if one else _spaced(text) for text, one in zip(texts, plain, strict=True)])
    return [score(TurnCounts(*word[:4], *shape, word[4])) for word, shape in zip(words, shapes, strict=True)]


def _spaced(text: str) -> str:
    """A text with foreign letters as words in small letters and blanks; two characters of a script without spaces are a word."""
    dense = DENSE.findall(text)
    if dense:
        text = DENSE.sub(" ", text)
    for character in set(_FOREIGN.findall(text)):
        if not character.isalnum() and character not in JOINTS:
            text = text.replace(character, " ")
    # Only after the blanks: what a letter looks like in small may depend on the one after it.
    lower = text.encode().translate(_LOWER).decode().lower()
    return " ".join([lower, *pairs(dense)])


def _words(texts: list[str]) -> list[tuple[int, int, int, int, bool]]:
    """Of each text: words, telling ones, different ones of these, long ones of these; whether it tells of somebody."""
    split = pc.ascii_split_whitespace(_column(texts))
    raw = split.values.dictionary_encode()
    whole = pc.utf8_trim(raw.dictionary, JOINTS).dictionary_encode()
    code = whole.indices.to_numpy()[raw.indices.to_numpy()]
    ends = split.offsets.to_numpy().astype(np.int64)
    vocabulary = whole.dictionary
    size = pc.utf8_length(vocabulary).to_numpy()
    said, somebody, states = size > 0, _in(vocabulary, SOMEBODY), _in(vocabulary, STATES)
    telling = said & ~_in(vocabulary, SMALL_TALK)
    long = telling & (size > 8) & (size < 25)
    row, word = _different(code, ends, telling | somebody | states)
    count = len(texts)
    columns = (
        _sums(said[code], ends),
        _sums(telling[code], ends),
        np.bincount(row[telling[word]], minlength=count),
        np.bincount(row[long[word]], minlength=count),
        (np.bincount(row[somebody[word]], minlength=count) > 0) & (np.bincount(row[states[word]], minlength=count) > 0),
    )
    return list(zip(*(column.tolist() for column in columns), strict=True))


def _column(texts: list[str]) -> pa.Array:
    data = [text.encode() for text in texts]
    ends = offsets([len(one) for one in data]).astype(np.int32)
    return pa.StringArray.from_buffers(len(data), pa.py_buffer(ends), pa.py_buffer(b"".join(data).translate(_LOWER)))


def _in(vocabulary: pa.Array, words: frozenset[str]) -> Flags:
    found: Flags = pc.is_in(vocabulary, value_set=pa.array(sorted(words))).to_numpy(zero_copy_only=False)
    return found


def _sums(flags: Flags, ends: Counts) -> Counts:
    """How many of the flags are set between one end and the next."""
    return np.diff(offsets(flags)[ends])


def _different(code: NDArray[np.int32], ends: Counts, wanted: Flags) -> tuple[Counts, Counts]:
    """Each wanted word of each text once: the text's place, the word's code."""
    row = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
    here = wanted[code]
    both = row[here] * len(wanted) + code[here]
    both.sort()
    first: Counts = both[np.diff(both, prepend=-1) != 0]
    rows, words = np.divmod(first, max(len(wanted), 1))
    return rows, words


def _shapes(texts: list[str], is_plain: bool) -> list[tuple[int, int, int]]:
    """Of each text: different numbers, names, code words and paths; sentences that ask; sentences that tell."""
    joined = "".join([text + _END for text in texts])
    marks = _classes(joined, is_plain)
    ends = offsets([len(text) + 1 for text in texts])
    tokens, token_ends = _tokens(joined, marks, ends, is_plain)
    names, name_ends = _names(joined, marks, ends)
    table = {token: SPECIFIC.findall(token) for token in set(tokens)}
    found = [
        len({*chain.from_iterable([table[token] for token in tokens[a:b]]), *names[c:d]})
        for a, b, c, d in zip(token_ends, token_ends[1:], name_ends, name_ends[1:], strict=False)
    ]
    asked, told = (np.diff(np.searchsorted(_runs(marks, bit), ends)).tolist() for bit in (_ASK, _TELL))
    return list(zip(found, asked, told, strict=True))


def _classes(joined: str, is_plain: bool) -> Bytes:
    """The bits of every character, one byte each."""
    if not is_plain:  # one byte for one character: what has no place among the first 128 becomes a question mark
        swapped = joined.replace(_ASKING, _OTHER).replace("?", _ASKING).replace("？", _ASKING)
        joined = swapped.replace("。", ".").replace("！", "!")
    table = _PLAIN if is_plain else _WIDE
    return np.frombuffer(joined.encode("ascii", "replace").translate(table), np.uint8)


def _bits(character: str, asks: str) -> int:
    small, large = "a" <= character <= "z", "A" <= character <= "Z"
    return (
        _MARK * ("0" <= character <= "9" or character in "_/@#`")
        | _SMALL * small
        | _LARGE * large
        | _GAP * (character in " \n" + _END)
        | _BEFORE * (small or character in ",;")
        | _SPACE * (character == " ")
        | _ASK * (character == asks)
        | _TELL * (character in ".!\n")
    )


_PLAIN, _WIDE = (bytes(_bits(chr(code), asks) for code in range(128)) + bytes(128) for asks in ("?", _ASKING))


def _tokens(joined: str, marks: Bytes, ends: Counts, is_plain: bool) -> tuple[list[str], list[int]]:
    """Pieces between blanks that may hold a number, a code word or a path, in order; and how many before each text's end."""
    telling = marks & _MARK != 0
    if is_plain:
        telling[1:] |= (marks[1:] & _LARGE != 0) & (marks[:-1] & _SMALL != 0)
    else:  # a capital is enough: digits of another script may follow it
        telling |= marks & _LARGE != 0
    gaps = np.flatnonzero(marks & _GAP)
    which = np.searchsorted(gaps, np.flatnonzero(telling))
    which = which[np.diff(which, prepend=-1) != 0]
    stops = gaps[which]
    starts = np.where(which > 0, gaps[which - 1] + 1, 0)
    tokens = [joined[start:stop] for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)]
    return tokens, np.searchsorted(stops, ends).tolist()


def _names(joined: str, marks: Bytes, ends: Counts) -> tuple[list[str], list[int]]:
    """Names in mid-sentence, in order; and how many of them before each text's end."""
    inside = (marks[2:] & _LARGE != 0) & (marks[1:-1] & _SPACE != 0) & (marks[:-2] & _BEFORE != 0)
    places = np.flatnonzero(inside) + 2
    found = [_NAME.match(joined, place) for place in places.tolist()]
    named = np.array([one is not None for one in found], np.bool_)
    return [one[0] for one in found if one is not None], np.searchsorted(places[named], ends).tolist()


def _runs(marks: Bytes, bit: int) -> Counts:
    """Where runs of characters with this bit begin."""
    here = marks & bit != 0
    here[1:] &= ~here[:-1].copy()
    return np.flatnonzero(here)
