"""What follows many names of secrets, read all at once: columns of a long text in place of a pattern at every name.

Knows the plain forms that nearly all assignments have, as `_BEGINNING` in keyvalue.py reads them one by one; both read
alike. Does not know: what a name announces and whether a value counts (keyvalue.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from pmg.ingest.redact.place_columns import SpanColumns
from pmg.ingest.redact.rule import Span

Places = NDArray[np.int64]
Flags = NDArray[np.bool_]
Bytes = NDArray[np.uint8]

LOOK, PLAIN, WORD_NEXT = range(
    3
)  # look closer; a value of letters and digits, mixed; a word or a mark, as in a sentence
MAX_NAME_REST, _MAX_NAME_START = 40, 60  # bytes of a name behind its stem and before it
_MIN_VALUE_SIZE, _MAX_VALUE_SIZE = 8, 200  # bytes of a plain value
_AROUND = 512  # bytes around the names that are looked at: more than all of these together
_MARK, _VALUE, _NULL = b"[redacted: ", b"value", b"null"
_REST, _BEFORE, _ALNUM, _DIGIT, _BLANK, _QUOTE, _WORD = (1 << bit for bit in range(7))


# A stem of a name, where the name begins (-1: take a closer look) and ends, what follows it, and its value if that is plain.
ReadName = tuple[int, int, int, int, int, int, int]


def _classes() -> bytes:
    letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    digits = b"0123456789"
    table = np.zeros(256, np.uint8)
    sets = {_REST: letters + digits + b"_-", _BEFORE: letters + digits + b"_.$-", _ALNUM: letters + digits}
    for bit, members in {**sets, _WORD: letters + b"_", _DIGIT: digits, _BLANK: b" \t", _QUOTE: b"\"'"}.items():
        table[list(members)] |= bit
    return table.tobytes()


_CLASS = _classes()
_ENDS_BARE, _ENDS_TAG, _ENDS_VALUE, _STARTS_TYPE, _ODD = (np.zeros(256, np.bool_) for _ in range(5))
_ENDS_VALUE[list(b",;)]}\r\n")] = True
_ENDS_BARE[list(b" \t\r\n<")] = True
_ENDS_TAG[list(b"\n\r <\0")] = True
_STARTS_TYPE[list(b"sScav")] = True
_ODD[list(b"\\[")] = True


class NameColumns:
    """Names as columns; `rows` gives them one by one."""

    __slots__ = ("_columns", "_forms", "_starts", "_stops")

    def __init__(self, columns: Sequence[Places]) -> None:
        self._columns = columns
        self._forms, self._starts, self._stops = columns[4:]

    def plain_values(self, data: bytes) -> list[bytes]:
        plain = self._forms == PLAIN
        return [data[a:b] for a, b in zip(self._starts[plain].tolist(), self._stops[plain].tolist(), strict=True)]

    def refuse(self, accepted: Sequence[bool]) -> None:
        """Plain values that are not accepted take a closer look."""
        plain = np.flatnonzero(self._forms == PLAIN)
        self._forms[plain[~np.array(accepted, np.bool_)]] = LOOK

    def rows(self) -> Iterator[ReadName]:
        return zip(*(column.tolist() for column in self._columns), strict=True)


def read_together(data: bytes, stems: Sequence[Span]) -> NameColumns:
    """Each stem; those that plainly have no value, or whose value was taken out before, are left out."""
    columns = stems if isinstance(stems, SpanColumns) else _columns_of(stems)
    base = max(0, int(columns.begins[0]) - _AROUND)
    padded = data[base : int(columns.ends[-1]) + _AROUND] + b"\0" * 32
    text, classes = np.frombuffer(padded, np.uint8), np.frombuffer(padded.translate(_CLASS), np.uint8)
    starts, stops = columns.begins - base, columns.ends - base
    name_ends = _next_without(classes, _REST, stops)
    name_starts = _begin_of_names(text, classes, starts)
    form, value_starts, value_ends = _plain_values(text, classes, name_ends, len(data) - base)
    after = text[name_ends]
    word = (classes[name_ends] & _BLANK > 0) & ~_STARTS_TYPE[text[name_ends + 1]]
    for step in range(1, 5):
        word &= classes[name_ends + step] & _ALNUM > 0
    form[word | _mark_at(text, name_ends + 1, classes[name_ends] & _BLANK > 0)] = WORD_NEXT
    is_too_long = name_ends - stops > MAX_NAME_REST
    form[is_too_long] = LOOK
    closing = (form == LOOK) & (after == ord(">")) & _ENDS_TAG[text[name_ends + 1]] & (name_starts > 0)
    closing &= text[name_starts - 1] == ord("/")
    nothing = (
        closing
        | _empty(text, classes, name_ends)
        | _marked(text, classes, name_ends)
        | _before_key(text, classes, name_ends)
    )
    kept = ~(nothing & ~is_too_long)
    name_ends = np.minimum(name_ends, stops + MAX_NAME_REST)
    name_starts[name_starts >= 0] += base
    read = (starts + base, stops + base, name_starts, name_ends + base, form, value_starts + base, value_ends + base)
    return NameColumns([column[kept] for column in read])


def _columns_of(stems: Sequence[Span]) -> SpanColumns:
    places = np.fromiter(chain.from_iterable(stems), np.int64, 2 * len(stems))
    return SpanColumns(places[::2], places[1::2])


def _next_without(classes: Bytes, bit: int, places: Places) -> Places:
    """From each place on, the first byte that is not of a class."""
    others = np.flatnonzero(classes & bit == 0)
    found: Places = others[np.searchsorted(others, places)]
    return found


def _begin_of_names(text: Bytes, classes: Bytes, starts: Places) -> Places:
    """Where the names begin; -1 where that takes a closer look."""
    others = np.flatnonzero(classes & _BEFORE == 0)
    index = np.searchsorted(others, starts) - 1
    begins: Places = np.where(index >= 0, others[index], -1) + 1
    odd = (starts - begins > _MAX_NAME_START) | (begins == 0) | _ODD[text[begins - 1]] | (text[begins] == ord("-"))
    begins[odd] = -1
    return begins


def _plain_values(
    text: Bytes, classes: Bytes, name_ends: Places, size: int
) -> tuple[NDArray[np.int64], Places, Places]:
    """Of each name: PLAIN where its value is letters and digits, mixed, in one of three ways of writing; and the value."""
    quoted_at, quoted = _quoted(text, classes, name_ends)
    forms, starts = np.full(len(name_ends), LOOK), np.where(quoted, quoted_at, name_ends + 1)
    ends = starts.copy()
    after = text[name_ends]
    # Behind a name in a sentence, or where the value was taken out before, there is nothing to read.
    begun = np.flatnonzero(
        (quoted | (after == ord("=")) | (after == ord(">")))
        & (classes[np.minimum(starts, len(classes) - 1)] & _ALNUM > 0)
    )
    if not len(begun):
        return forms, starts, ends
    value_starts, after, quoted = starts[begun], after[begun], quoted[begun]
    ends[begun] = value_ends = _next_without(classes, _ALNUM, value_starts)
    behind, quote, sizes = text[value_ends], text[value_starts - 1], value_ends - value_starts
    is_closed = quoted & (behind == quote) & (text[value_ends + 1] != quote)
    is_bare = ~quoted & (after == ord("=")) & (_ENDS_BARE[behind] | (value_ends >= size))
    is_tag = ~quoted & (after == ord(">")) & (behind == ord("<")) & (text[value_ends + 1] == ord("/"))
    digits = np.flatnonzero(classes & _DIGIT)
    numbers = np.searchsorted(digits, value_ends) - np.searchsorted(digits, value_starts)
    plain = (
        (is_closed | is_bare | is_tag)
        & (sizes >= _MIN_VALUE_SIZE)
        & (sizes <= _MAX_VALUE_SIZE)
        & (numbers > 0)
        & (numbers < sizes)
    )
    forms[begun[plain]] = PLAIN
    return forms, starts, ends


def _quoted(text: Bytes, classes: Bytes, name_ends: Places) -> tuple[Places, Flags]:
    """Behind the opening quote of `": "`, `='` and the like, and whether there is one."""
    at = name_ends + (classes[name_ends] & _QUOTE > 0)
    at = _behind_blanks(classes, at, 4)
    is_assigned = (text[at] == ord(":")) | (text[at] == ord("="))
    at = _behind_blanks(classes, at + 1, 4)
    return at + 1, is_assigned & (classes[at] & _QUOTE > 0)


def _behind_blanks(classes: Bytes, at: Places, most: int) -> Places:
    for _ in range(most):
        at = at + (classes[at] & _BLANK > 0)
    return at


def _empty(text: Bytes, classes: Bytes, name_ends: Places) -> Flags:
    """`"password": "",` and `"secret": null}`."""
    at, quoted = _quoted(text, classes, name_ends)
    closed: Flags = quoted & (text[at] == text[at - 1])
    null = _is_assigned(text, at - 2, classes) & (text[at - 1] == _NULL[0])
    for step, byte in enumerate(_NULL if null.any() else b"", start=-1):
        null &= text[at + step] == byte
    null &= _ENDS_VALUE[text[at + len(_NULL) - 1]]
    closed &= _ENDS_VALUE[text[at + 1]]
    closed |= null
    return closed


def _is_assigned(text: Bytes, at: Places, classes: Bytes) -> Flags:
    """Whether a colon or an equals sign stands there, or a blank behind one."""
    at = at - (classes[at] & _BLANK > 0)
    assigned: Flags = (text[at] == ord(":")) | (text[at] == ord("="))
    return assigned


def _before_key(text: Bytes, classes: Bytes, name_ends: Places) -> Flags:
    """Where it is a value itself, and a name made of words comes next: `"type": "password", "name": …`."""
    at = _behind_blanks(classes, name_ends + 2, 1)
    flags: Flags = (text[name_ends] == ord('"')) & (text[name_ends + 1] == ord(",")) & (text[at] == ord('"'))
    if not flags.any():
        return flags
    closed = _next_without(classes, _WORD, at + 1)
    is_value = closed == at + 1 + len(_VALUE)  # `"name": "API_KEY", "value": …`
    for step, byte in enumerate(_VALUE, start=1):
        is_value &= text[at + step] == byte
    flags &= ~is_value & (closed > at + 1) & (text[closed] == ord('"')) & (text[closed + 1] == ord(":"))
    return flags


def _marked(text: Bytes, classes: Bytes, name_ends: Places) -> Flags:
    """Where the value was taken out before."""
    at = _behind_blanks(classes, name_ends + (classes[name_ends] & _QUOTE > 0), 1)
    marked: Flags = (text[at] == ord("=")) | (text[at] == ord(":")) | (text[at] == ord(">"))
    at = _behind_blanks(classes, at + 1, 1)
    return _mark_at(text, at + (classes[at] & _QUOTE > 0), marked)


def _mark_at(text: Bytes, at: Places, where: Flags) -> Flags:
    where = where & (text[at] == _MARK[0])
    for step, byte in enumerate(_MARK if where.any() else b""):
        where &= text[at + step] == byte
    return where
