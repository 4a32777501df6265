"""Runs rules over a text and says where secrets stand.

A long text is looked at in chunks, each with the rules that the prefilter names for it. Text that repeats itself is
looked at once: the same chunk in the same surroundings holds the same secrets. What a secret looks like is in the rules;
what is done with it, in redactor.py.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from pmg.base.patterns import Pattern, compile_linear
from pmg.ingest.redact.literals import LiteralPlaces, Place
from pmg.ingest.redact.place_columns import FinderTable, FinderWish, PlaceColumns, following_of
from pmg.ingest.redact.prefilter import AHEAD, Prefilter
from pmg.ingest.redact.rule import AFTER, BEFORE, Finder, Rule, Span, first_group

log = logging.getLogger(__name__)

_CHUNK = 1024
_STRETCH = 16 * _CHUNK
_MAX_ONE_CHUNK_SIZE = 3 * _CHUNK  # a text up to this length is one chunk
_MAX_STRETCH_RULES = 4  # rules with a gate that are tried over a whole stretch
_NO_BYTE = b"\0"  # behind the end of a text: a finder that asks for it is told of a literal at the end
_FOLLOWING_BITS = 9
_MAX_CACHED_CHUNKS = 256  # chunks of one text whose findings are kept while it is scanned


Finding = tuple[int, int, int]  # where it begins and ends, and the place of its rule in the table


@dataclass(slots=True)
class ScanFindings:
    """What a scan found, and the rules that failed: where one did, the rest of that line counts as a secret.

    Of a long text with many, the literals in any case, save in marks: once marks are written for what was found, no other
    can stand there.
    """

    findings: list[Finding] = field(default_factory=list)
    failed: list[int] = field(default_factory=list)
    places: PlaceColumns | None = None


@dataclass(slots=True)
class _Chunk:
    """What one chunk holds, counted from its beginning: findings, the ends of the last matches by rule, failed rules."""

    findings: list[Finding] = field(default_factory=list)
    reached: dict[int, int] = field(default_factory=dict)
    failed: list[int] = field(default_factory=list)


class Scanner:
    """Finds what a table of rules finds. It keeps nothing of a text; threads may share it."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = tuple(rules)
        self._patterns: list[Pattern | None] = [None] * len(rules)  # compiled when first needed: most never are
        self._prefilter = Prefilter(rules)
        kinds: dict[Finder, dict[str, int]] = {}
        for order, rule in enumerate(rules):
            if rule.find is not None:
                kinds.setdefault(rule.find, {}).setdefault(rule.name, order)
        # By its number: a finder, the rules of its kinds, and the first of them.
        self._finders = [(find, orders, min(orders.values())) for find, orders in kinds.items()]
        self._numbers = {find: number for number, find in enumerate(kinds)}
        self._wishes = [
            FinderWish(rules[first].follow, rules[first].whole, rules[first].unspaced) for _, _, first in self._finders
        ]
        # By a literal and the byte behind it: the finders to tell of it, filled as they come.
        self._wanting: dict[int, tuple[int, ...]] = {}
        # By the number of a literal: the rules with a pattern, and the numbers of the finders, that it is a literal of.
        self._patterns_of = [
            tuple(order for order in orders if rules[order].find is None) for orders in self._prefilter.rules_of
        ]
        self._finders_of = [
            tuple({self._numbers[find] for order in orders if (find := rules[order].find) is not None})
            for orders in self._prefilter.rules_of
        ]

        # Those of which a finder is not told where a word follows: of others that makes no difference.
        unspaced = {name for wish in self._wishes for name in wish.unspaced}
        self._unspaced = {number for number, name in enumerate(self._prefilter.literal_names) if name in unspaced}
        self._has_pattern = np.array([bool(orders) for orders in self._patterns_of], np.bool_)

    @cached_property
    def _table(self) -> FinderTable:
        """Made for the first text with many literals."""
        return FinderTable(self._prefilter.literal_names, self._finders_of, self._wishes)

    def find(
        self, data: bytes, near: Sequence[Span] | None = None, carried: PlaceColumns | None = None
    ) -> ScanFindings:
        """The findings, in no order; with `near`, only those of the chunks around these spans.

        `carried` are the literals of a text that was scanned before, moved to where they stand in this one.
        """
        gates = self._prefilter.gates(data)
        if carried is not None and len(data) > _MAX_ONE_CHUNK_SIZE and not _repeats(data):
            found = self._at_once(data, carried, gates)
            if found is not None:
                return found
        places = self._prefilter.places(data)
        if self._prefilter.is_quiet(places, gates):
            return ScanFindings()
        if len(data) <= _MAX_ONE_CHUNK_SIZE:
            whole = self._chunk(data, places, gates, (0, len(data)), {})
            return ScanFindings(whole.findings, whole.failed)
        if near is None and not _repeats(data):
            found = self._at_once(data, self._prefilter.columns(data, places) or places, gates)
            if found is not None:
                return found
        # Where a rule fails, it is the rest of its chunk that does not pass, not the rest of the text.
        return self._by_chunks(data, places, gates, near)

    def _at_once(self, data: bytes, places: LiteralPlaces | PlaceColumns, gates: list[int]) -> ScanFindings | None:
        """Patterns are tried where their gates or literals are; finders go through the text once. None where a rule fails."""
        whole = _Chunk()
        told: Sequence[tuple[int, Sequence[Span]]]
        if isinstance(places, LiteralPlaces):
            telling = [place for place in places.all if self._patterns_of[place[0]]]
            told = self._told(data, places.all)
        else:
            counting = self._prefilter.counting(data, places)
            telling = counting.of(self._has_pattern[counting.numbers]).places()
            told = self._table.told(data, counting)
        for start in range(0, len(data), _STRETCH):
            self._try_gated(whole, data, gates, (start, min(len(data), start + _STRETCH)), _STRETCH // _CHUNK)
        for chunk, orders in sorted(self._chunks_of(telling, len(data)).items()):
            start, end = chunk * _CHUNK, min(len(data), (chunk + 1) * _CHUNK)
            for order in sorted(orders):
                self._try(order, whole, data, (0, max(start, whole.reached.get(order, 0)), end))
        for number, spans in told:
            self._run(number, whole, data, (0, 0, len(data)), spans)
        if whole.failed:
            return None
        return ScanFindings(whole.findings, places=places if isinstance(places, PlaceColumns) else None)

    def _try_gated(self, whole: _Chunk, data: bytes, gates: list[int], span: Span, chunks: int) -> None:
        """What matches holds its gate, so it makes no difference how long a stretch is asked for it: of one with many gates,
        each of its chunks is asked again, as a pattern over all of it takes longer than that."""
        orders, finders = self._worth_trying(data, LiteralPlaces([]), gates, span)
        if chunks > 1 and len(orders) > _MAX_STRETCH_RULES:
            for start in range(span[0], span[1], _CHUNK):
                self._try_gated(whole, data, gates, (start, min(span[1], start + _CHUNK)), 1)
            orders = []
        for order in orders:
            self._try(order, whole, data, (0, max(span[0], whole.reached.get(order, 0)), span[1]))
        for number in finders if chunks > 1 else ():
            begin = max(span[0], whole.reached.get(self._finders[number][2], 0))
            self._run(number, whole, data, (0, begin, span[1]), ())

    def _chunks_of(self, telling: Sequence[Place], size: int) -> dict[int, set[int]]:
        """The rules whose pattern is to be tried, by the chunks that a literal speaks for: its own, and the one shortly before."""
        chunks: dict[int, set[int]] = {}
        last = (size - 1) // _CHUNK
        for number, _, end in telling:
            chunk = end // _CHUNK
            for near in (chunk - 1, chunk):
                if 0 <= near <= last and end <= min(size, (near + 1) * _CHUNK) + AHEAD:
                    chunks.setdefault(near, set()).update(self._patterns_of[number])
        return chunks

    def _by_chunks(
        self, data: bytes, places: LiteralPlaces, gates: list[int], near: Sequence[Span] | None
    ) -> ScanFindings:
        found = ScanFindings()
        reached: dict[int, int] = {}
        known: dict[object, _Chunk] = {}
        for start, end in _chunks(len(data), near):
            # However far beyond this chunk a rule has read: here it makes no difference.
            ahead = {order: min(at, end) - start for order, at in reached.items() if at > start}
            key = (data[max(0, start - BEFORE) : end + AFTER + _CHUNK], min(start, BEFORE), tuple(ahead.items()))
            chunk = known.get(key)
            if chunk is None:
                if len(known) >= _MAX_CACHED_CHUNKS:
                    known.clear()
                chunk = self._chunk(data, places, gates, (start, end), ahead)
                if max(chunk.reached.values(), default=0) <= _CHUNK + AFTER:
                    known[key] = chunk  # what was read further on than its surroundings reach is not told by them
            found.findings += [(a + start, b + start, order) for a, b, order in chunk.findings]
            found.failed += chunk.failed
            for order, at in chunk.reached.items():
                reached[order] = max(reached.get(order, 0), at + start)
        return found

    def _chunk(self, data: bytes, places: LiteralPlaces, gates: list[int], span: Span, ahead: dict[int, int]) -> _Chunk:
        chunk, (start, end) = _Chunk(), span
        orders, gated = self._worth_trying(data, places, gates, span)
        for order in orders:
            self._try(order, chunk, data, (start, start + ahead.get(order, 0), end))
        here = [place for place in places.between(start, end + AHEAD) if start <= place[1] < end]
        for number, spans in (*((number, ()) for number in gated), *self._told(data, here)):
            begin = start + ahead.get(self._finders[number][2], 0)
            self._run(number, chunk, data, (start, begin, end), spans)
        return chunk

    def _worth_trying(
        self, data: bytes, places: LiteralPlaces, gates: list[int], span: Span
    ) -> tuple[list[int], list[int]]:
        """The rules whose pattern is worth trying between two places, in order, and the finders without a literal that are."""
        orders, finders = set(), set()
        for order in self._prefilter.gated(data, gates, *span):
            if (find := self._rules[order].find) is None:
                orders.add(order)
            else:
                finders.add(self._numbers[find])
        for number, _, _ in places.between(span[0], span[1] + AHEAD):
            if patterns := self._patterns_of[number]:
                orders.update(patterns)
        return sorted(orders), sorted(finders)

    def _told(self, data: bytes, places: Sequence[Place]) -> list[tuple[int, list[Span]]]:
        """The numbers of the finders that look at literals, and the places where each should look, all in order."""
        finders: dict[int, list[Span]] = {}
        wanting, unspaced = self._wanting, self._unspaced
        padded = data + _NO_BYTE if places and places[-1][2] == len(data) else data
        for number, begin, stop in places:
            following = following_of(data, stop) if number in unspaced else padded[stop]
            key = number << _FOLLOWING_BITS | following
            wanted = wanting.get(key)
            if wanted is None:
                wanted = wanting[key] = self._wanted(number, following)
            for finder in wanted:
                if finder in finders:
                    finders[finder].append((begin, stop))
                else:
                    finders[finder] = [(begin, stop)]
        return [(number, sorted(finders[number])) for number in sorted(finders)]

    def _wanted(self, number: int, following: int) -> tuple[int, ...]:
        name = self._prefilter.literal_names[number]
        return tuple(finder for finder in self._finders_of[number] if self._wishes[finder].wants(name, following))

    def _try(self, order: int, chunk: _Chunk, data: bytes, place: tuple[int, int, int]) -> None:
        """`place` is as in _run."""
        start, begin, end = place
        for last, spans, problem in self._matches(order, data, begin, end):
            chunk.findings += [(a - start, b - start, order) for a, b in spans]
            chunk.reached[order] = last - start
            if problem is not None:
                self._failed(chunk, order, problem)

    def _run(self, number: int, chunk: _Chunk, data: bytes, place: tuple[int, int, int], spans: Sequence[Span]) -> None:
        """`place` is where the chunk begins, where what was not yet looked at begins in it, and where it ends."""
        (find, orders, first), (start, position, end) = self._finders[number], place
        found = chunk.findings.append
        try:
            for _, last, secrets, kind in find(data, position, end, spans):
                position = last
                if secrets and (order := orders.get(kind)) is not None:
                    for first_byte, last_byte in secrets:
                        found((first_byte - start, last_byte - start, order))
            chunk.reached[first] = position - start
        except Exception as problem:  # as in _matches: what it did not look at does not pass
            chunk.findings.append((position - start, _end_of_line(data, end) - start, first))
            self._failed(chunk, first, problem)

    def _failed(self, chunk: _Chunk, order: int, problem: Exception) -> None:
        chunk.failed.append(order)
        # Only the kind of error: its message may quote the text.
        log.warning("redaction rule %r failed: %s", self._rules[order].name, type(problem).__name__)

    def _matches(
        self, order: int, data: bytes, position: int, end: int
    ) -> Iterator[tuple[int, Sequence[Span], Exception | None]]:
        """Every match that begins before `end`: where it ends, its secrets, and what its judge failed with."""
        rule, pattern = self._rules[order], self._pattern(order)
        size = len(data)
        stop = min(size, end + AFTER) if rule.is_local else size
        while position < end and (match := pattern.search(data, position, stop)) is not None:
            begin, last = match.span()
            if begin >= end:
                return
            if last == stop < size:  # cut off by the window: a token may be long
                match = pattern.match(data, begin, size) or match
                last = match.end()
            problem: Exception | None = None
            try:
                spans = rule.judge(data, match) if rule.judge else (first_group(match, pattern.groups),)
            except Exception as error:  # a rule that fails must neither let its text through nor stop the others
                problem, spans = error, ((begin, _end_of_line(data, last) if rule.is_local else size),)
            spans = [span for span in spans if span[1] > span[0]]
            for span in spans:
                last = max(last, span[1])
            yield last, spans, problem
            position = last if last > position else position + 1

    def _pattern(self, order: int) -> Pattern:
        pattern = self._patterns[order]
        if pattern is None:
            rule = self._rules[order]
            pattern = self._patterns[order] = compile_linear(rule.pattern, f"redaction rule {rule.name!r}")
        return pattern


def _chunks(size: int, near: Sequence[Span] | None) -> Iterator[Span]:
    for number in range(-(-size // _CHUNK)) if near is None else _numbers(near, size):
        yield number * _CHUNK, min(size, (number + 1) * _CHUNK)


def _numbers(near: Sequence[Span], size: int) -> Iterator[int]:
    """The chunks that these spans, which are in order, lie in or may have changed."""
    following = 0
    for start, end in near:
        for number in range(max(following, max(0, start - AFTER) // _CHUNK), min(size - 1, end + BEFORE) // _CHUNK + 1):
            yield number
            following = number + 1


def _repeats(data: bytes) -> bool:
    """Whether half of the text is said again somewhere in it, chunk for chunk."""
    chunks = [data[start : start + _CHUNK] for start in range(0, len(data), _CHUNK)]
    return len(set(chunks)) * 2 <= len(chunks)


def _end_of_line(data: bytes, position: int) -> int:
    found = data.find(b"\n", position)
    return len(data) if found < 0 else found
