"""Literals of all rules, found in one pass: the one module that imports ahocorasick_rs.

Knows: where which literal stands, in any case or in its own. Does not know: what a rule does with it (prefilter.py).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter

import numpy as np
from ahocorasick_rs import BytesAhoCorasick, Implementation, MatchKind

from pmg.base.patterns import Span

Place = tuple[int, int, int]  # the number of the literal, where it begins and where it ends
_END, _LAST = itemgetter(2), itemgetter(1)  # of a place and of a span
_MAX_LITERAL_SIZE = 64  # bytes of a literal
_ALPHANUMERIC = frozenset(b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


class Literals:
    """A literal with a capital counts as it is written, one without in any case; `words` only as words of their own."""

    def __init__(self, literals: Iterable[str], words: Iterable[str]) -> None:
        texts, alone = list(literals), list(words)
        exact = [text for text in texts if any(map(str.isupper, text))]
        # Words first: a place whose number is below their count is checked for what stands beside it.
        spelt = [(text, needle) for text in alone for needle in _spellings(text)]
        self._words = len(spelt)
        spelt += [(text, needle) for text in texts if text not in exact for needle in _spellings(text)]
        self._first_exact = len(spelt)
        self.names = [text for text, _ in spelt] + exact  # the literal that a number stands for
        self._exact = [text.encode() for text in exact]
        self.always_count = np.zeros(len(self.names), np.bool_)  # by the number of a literal: in any case, and anywhere
        self.always_count[self._words : self._first_exact] = True
        # One pass for all: what counts as it is written is found in any case, and then compared.
        self._automaton = _automaton([needle for _, needle in spelt] + [text.lower() for text in self._exact])

    def find(self, data: bytes) -> list[Place]:
        """Every occurrence, those within others too, in the order of their ends."""
        return self.counting(data, self.find_in_any_case(data))

    def find_in_any_case(self, data: bytes) -> list[Place]:
        if self._automaton is None:
            return []
        found: list[Place] = self._automaton.find_matches_as_indexes(data.lower(), overlapping=True)
        return found

    def counting(self, data: bytes, places: list[Place]) -> list[Place]:
        """Of those found in any case, those that count as they are written."""
        words, first = self._words, self._first_exact
        return [place for place in places if (words <= place[0] < first) or self._counts(data, *place)]

    def count(self, data: bytes, places: Iterable[Place]) -> list[bool]:
        """Whether each of those found in any case counts, of literals that do not always."""
        return [self._counts(data, *place) for place in places]

    def _counts(self, data: bytes, number: int, start: int, end: int) -> bool:
        if number < self._words:
            return _is_word(data, start, end)
        return data[start:end] == self._exact[number - self._first_exact]


class ExactTexts:
    """Some texts, as they are written; where several stand at one place, the longest."""

    __slots__ = ("_automaton",)

    def __init__(self, texts: Sequence[bytes]) -> None:
        self._automaton = BytesAhoCorasick(list(texts), matchkind=MatchKind.LeftmostLongest)

    def spans(self, data: bytes) -> list[Span]:
        return [(start, end) for _, start, end in self._automaton.find_matches_as_indexes(data)]


def any_of(texts: Sequence[bytes]) -> Callable[[bytes], list[Place]]:
    """Tells by a list that is empty or not whether one of these texts stands in another: many times faster than a pattern.

    It is the library's own method: a call of ours would cost as much again.
    """
    found: Callable[[bytes], list[Place]] = BytesAhoCorasick(
        list(texts), implementation=Implementation.DFA
    ).find_matches_as_indexes
    return found


class LiteralPlaces:
    """The occurrences in one text, asked for by stretches of it."""

    __slots__ = ("_counting", "found", "marks")

    def __init__(
        self,
        found: list[Place],
        counting: Callable[[list[Place]], list[Place]] | None = None,
        marks: Sequence[Span] = (),
    ) -> None:
        """With `counting`, what does not count is left out when it is asked for: of text that repeats itself, most never is."""
        self.found, self._counting, self.marks = found, counting, marks

    def __bool__(self) -> bool:
        return bool(self.found)

    @property
    def is_unjudged(self) -> bool:
        """Whether some of what was found may not count."""
        return self._counting is not None

    @property
    def all(self) -> list[Place]:
        if self._counting is not None:
            self.found, self._counting = self._counting(self.found), None
        return self.found

    def between(self, start: int, end: int) -> list[Place]:
        """Those that end between two places."""
        first = bisect_left(self.found, start, key=_END)
        found = self.found[first : bisect_right(self.found, end, first, key=_END)]
        return found if self._counting is None else self._counting(found)


def outside_spans(places: list[Place], spans: Sequence[Span]) -> list[Place]:
    """Without those that end within one of the spans, which are in order."""
    out, count = list[Place](), len(spans)
    index = bisect_left(spans, places[0][2], key=_LAST) if places else count
    for place in places:
        while index < count and spans[index][1] < place[2]:
            index += 1
        if index == count or place[1] < spans[index][0]:
            out.append(place)
    return out


def _spellings(text: str) -> set[bytes]:
    """As it stands in a text whose ASCII letters were made small: others keep their case."""
    return {written.encode().lower() for written in (text, text.lower(), text.upper(), text.title())}


def _automaton(needles: list[bytes]) -> BytesAhoCorasick | None:
    for needle in needles:
        if b"[" in needle or b"]" in needle:
            raise ValueError(f"the literal {needle.decode()!r} might begin or end in a mark: leave the brackets out")
        if len(needle) > _MAX_LITERAL_SIZE:
            raise ValueError(f"the literal {needle.decode()!r} is longer than {_MAX_LITERAL_SIZE} bytes: shorten it")
    return BytesAhoCorasick(needles, implementation=Implementation.DFA) if needles else None


def _is_word(data: bytes, start: int, end: int) -> bool:
    """No letter or digit beside it."""
    is_begun = start == 0 or data[start - 1] not in _ALPHANUMERIC
    return is_begun and (end == len(data) or data[end] not in _ALPHANUMERIC)
