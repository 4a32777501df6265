"""Runs rules over a text and says where secrets stand.

A long text is looked at in chunks, each with the rules that the prefilter names for it. Text that repeats itself is
looked at once: the same chunk in the same surroundings holds the same secrets. What a secret looks like is in the rules;
what is done with it, in redactor.py.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pmg.ingest.redact.linear import Pattern, compile_linear
from pmg.ingest.redact.literals import LiteralPlaces
from pmg.ingest.redact.prefilter import AHEAD, Prefilter
from pmg.ingest.redact.rule import AFTER, BEFORE, Finder, Rule, Span, first_group

log = logging.getLogger(__name__)

_CHUNK = 1024
_WHOLE = 3 * _CHUNK  # a text up to this length is one chunk
_REMEMBERED = 256  # chunks of one text whose findings are kept while it is scanned


Finding = tuple[int, int, int]  # where it begins and ends, and the place of its rule in the table


@dataclass(slots=True)
class ScanFindings:
    """What a scan found, and the rules that failed: where one did, the rest of that line counts as a secret."""

    findings: list[Finding] = field(default_factory=list)
    failed: list[int] = field(default_factory=list)


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
                kinds.setdefault(rule.find, {})[rule.name] = order
        # By its number: a finder, the rules of its kinds, and the first of them.
        self._finders = [(find, orders, min(orders.values())) for find, orders in kinds.items()]
        self._numbers = {find: number for number, find in enumerate(kinds)}
        # By the number of a literal: the rules with a pattern, and the numbers of the finders, that it is a literal of.
        self._patterns_of = [
            tuple(order for order in orders if rules[order].find is None) for orders in self._prefilter.rules_of
        ]
        self._finders_of = [
            tuple({self._numbers[find] for order in orders if (find := rules[order].find) is not None})
            for orders in self._prefilter.rules_of
        ]

    def find(self, data: bytes, near: Sequence[Span] | None = None) -> ScanFindings:
        """The findings, in no order; with `near`, only those of the chunks around these spans."""
        found = ScanFindings()
        places, gates = self._prefilter.places(data), self._prefilter.gates(data)
        if self._prefilter.is_quiet(places, gates):
            return found
        if len(data) <= _WHOLE:
            whole = self._chunk(data, places, gates, (0, len(data)), {})
            return ScanFindings(whole.findings, whole.failed)
        reached: dict[int, int] = {}
        known: dict[object, _Chunk] = {}
        for start, end in _chunks(len(data), near):
            # However far beyond this chunk a rule has read: here it makes no difference.
            ahead = {order: min(at, end) - start for order, at in reached.items() if at > start}
            key = (data[max(0, start - BEFORE) : end + AFTER + _CHUNK], min(start, BEFORE), tuple(ahead.items()))
            chunk = known.get(key)
            if chunk is None:
                if len(known) >= _REMEMBERED:
                    known.clear()
                chunk = known[key] = self._chunk(data, places, gates, (start, end), ahead)
            found.findings += [(a + start, b + start, order) for a, b, order in chunk.findings]
            found.failed += chunk.failed
            for order, at in chunk.reached.items():
                reached[order] = max(reached.get(order, 0), at + start)
        return found

    def _chunk(self, data: bytes, places: LiteralPlaces, gates: list[int], span: Span, ahead: dict[int, int]) -> _Chunk:
        chunk, (start, end) = _Chunk(), span
        patterns, finders = self._candidates(data, places, gates, span)
        for order in patterns:
            for last, spans, problem in self._matches(order, data, start + ahead.get(order, 0), end):
                chunk.findings += [(a - start, b - start, order) for a, b in spans]
                chunk.reached[order] = last - start
                if problem is not None:
                    self._failed(chunk, order, problem)
        for number in sorted(finders):
            begin = start + ahead.get(self._finders[number][2], 0)
            self._run(number, chunk, data, (start, begin, end), sorted(finders[number]))
        return chunk

    def _candidates(
        self, data: bytes, places: LiteralPlaces, gates: list[int], span: Span
    ) -> tuple[list[int], dict[int, list[Span]]]:
        """The rules whose pattern is worth trying, in order; and by the number of a finder the places where it should look."""
        start, end = span
        gated = self._prefilter.gated(data, gates, start, end)
        finders: dict[int, list[Span]] = {}
        orders = set()
        for order in gated:
            if (find := self._rules[order].find) is None:
                orders.add(order)
            else:
                finders[self._numbers[find]] = []
        patterns_of, finders_of = self._patterns_of, self._finders_of
        for number, begin, stop in places.between(start, end + AHEAD):
            if patterns := patterns_of[number]:
                orders.update(patterns)
            if start <= begin < end:
                place = (begin, stop)
                for finder in finders_of[number]:
                    if finder in finders:
                        finders[finder].append(place)
                    else:
                        finders[finder] = [place]
        return sorted(orders), finders

    def _run(self, number: int, chunk: _Chunk, data: bytes, place: tuple[int, int, int], spans: list[Span]) -> None:
        """`place` is where the chunk begins, where what was not yet looked at begins in it, and where it ends."""
        (find, orders, first), (start, position, end) = self._finders[number], place
        try:
            for hit in find(data, position, end, spans):
                position = hit.end
                if (order := orders.get(hit.kind)) is not None:
                    for secret in hit.secrets:
                        chunk.findings.append((secret[0] - start, secret[1] - start, order))
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


def _end_of_line(data: bytes, position: int) -> int:
    found = data.find(b"\n", position)
    return len(data) if found < 0 else found
