"""Runs rules over a text and says where secrets stand.

A long text is looked at in chunks, each with the rules that the prefilter names for it. Text that repeats itself is
looked at once: the same chunk in the same surroundings holds the same secrets. What a secret looks like is in the rules;
what is done with it, in redactor.py.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pmg.ingest.redact.linear import Pattern, compile_linear
from pmg.ingest.redact.prefilter import Prefilter
from pmg.ingest.redact.rule import AFTER, BEFORE, Rule, Span, first_group

log = logging.getLogger(__name__)

_CHUNK = 1024
_WHOLE = 3 * _CHUNK  # a text up to this length is one chunk
_REMEMBERED = 256  # chunks of one text whose findings are kept while it is scanned


class Finding(NamedTuple):
    start: int
    end: int
    order: int  # place of the rule in the table: the more telling kind names an overlap


@dataclass(slots=True)
class Found:
    """What a scan found, and the rules that failed: where one did, the rest of that line counts as a secret."""

    findings: list[Finding] = field(default_factory=list)
    failed: list[int] = field(default_factory=list)


class Compiled:
    """A rule and its pattern, which is compiled when it is first needed: most rules never are."""

    __slots__ = ("_pattern", "rule")

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self._pattern: Pattern | None = None

    @property
    def pattern(self) -> Pattern:
        if self._pattern is None:
            self._pattern = compile_linear(self.rule.pattern, f"redaction rule {self.rule.name!r}")
        return self._pattern


class Scanner:
    """Finds what a table of rules finds. It keeps nothing of a text; threads may share it."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = tuple(map(Compiled, rules))
        self._prefilter = Prefilter(rules)

    def find(self, data: bytes, near: Sequence[Span] | None = None) -> Found:
        """The findings in order of their rules and places; with `near`, only of the chunks that these spans touch."""
        found = Found()
        if self._prefilter.is_quiet(data):
            return found
        reached: dict[int, int] = {}  # for each rule the end of its last match
        known: dict[object, tuple[list[Finding], dict[int, int], list[int]]] = {}
        for start, end in _chunks(len(data), near):
            context = (data[max(0, start - BEFORE) : end + AFTER + _CHUNK], min(start, BEFORE))
            ahead = tuple((order, at - start) for order, at in reached.items() if at > start)
            key = (*context, ahead)
            if key not in known or start <= BEFORE:
                if len(known) >= _REMEMBERED:
                    known.clear()
                known[key] = self._chunk(data, start, end, dict(ahead))
            findings, reached_here, failed = known[key]
            found.findings += [Finding(a + start, b + start, order) for a, b, order in findings]
            found.failed += failed
            reached |= {order: at + start for order, at in reached_here.items()}
        return found

    def _chunk(
        self, data: bytes, start: int, end: int, ahead: dict[int, int]
    ) -> tuple[list[Finding], dict[int, int], list[int]]:
        """Findings and ends of matches, counted from `start`; and which rules failed."""
        findings, reached, failed = [], {}, []
        for order in sorted(self._prefilter.rules_for(data, start, end)):
            rule = self._rules[order]
            position = start + ahead.get(order, 0)
            for begin, stop, spans, is_sound in _matches(rule, data, position, end):
                findings += [Finding(a - start, b - start, order) for a, b in spans]
                reached[order] = stop - start
                if not is_sound:
                    failed.append(order)
                    log.warning("redaction rule %r failed %d bytes into a text", rule.rule.name, begin)
        return findings, reached, failed


def _chunks(size: int, near: Sequence[Span] | None) -> Iterator[Span]:
    if size <= _WHOLE:
        yield 0, size
        return
    wanted = None if near is None else {c for a, b in near for c in range(max(0, a - AFTER) // _CHUNK, (b + BEFORE) // _CHUNK + 1)}
    for number in range(-(-size // _CHUNK)):
        if wanted is None or number in wanted:
            yield number * _CHUNK, min(size, (number + 1) * _CHUNK)


def _matches(rule: Compiled, data: bytes, position: int, end: int) -> Iterator[tuple[int, int, Sequence[Span], bool]]:
    """Every match that begins before `end`: where it begins and ends, its secrets, and whether its judge was sound."""
    size = len(data)
    stop = min(size, end + AFTER) if rule.rule.is_local else size
    pattern, judge = rule.pattern, rule.rule.judge
    while position < end and (match := pattern.search(data, position, stop)) is not None:
        begin, last = match.span()
        if begin >= end:
            return
        if last == stop < size:  # cut off by the window: a token may be long
            match = pattern.match(data, begin, size) or match
            last = match.end()
        is_sound = True
        try:
            spans = judge(data, match) if judge else (first_group(match, pattern.groups),)
        except Exception:  # a rule that fails must neither let its text through nor stop the others
            is_sound, spans = False, ((begin, _end_of_line(data, last) if rule.rule.is_local else size),)
        spans = [span for span in spans if span[1] > span[0]]
        last = max([last, *(b for _, b in spans)])
        yield begin, last, spans, is_sound
        position = last if last > position else position + 1


def _end_of_line(data: bytes, position: int) -> int:
    found = data.find(b"\n", position)
    return len(data) if found < 0 else found
