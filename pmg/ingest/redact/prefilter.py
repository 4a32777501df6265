"""The prefilter: which rules are worth trying on which part of a text, found in two fast passes.

One pass finds the literals of all rules and where they stand (literals.py); one tells which gates of the rules without a
literal are there. Most text holds neither, and costs nothing more. What a rule finds is none of this file's business
(scan.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pmg.base.patterns import PatternSet
from pmg.base.text import redaction_mark
from pmg.ingest.redact.literals import ExactTexts, LiteralPlaces, Literals, Place, outside_spans
from pmg.ingest.redact.marks import MARK_START
from pmg.ingest.redact.place_columns import PlaceColumns, columns_outside
from pmg.ingest.redact.rule import Rule, Span

# A literal may stand a little behind the beginning of what its rule matches.
AHEAD = 256
_MIN_LAZY_PLACES = 512  # literals: what counts of so many is told when it is asked for, or for all at once


class Prefilter:
    """Answers with the places of rules in the table they were given in."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._everywhere = frozenset(order for order, rule in enumerate(rules) if rule.is_everywhere)
        self._marks = ExactTexts(sorted({redaction_mark(rule.name).encode() for rule in rules}))
        by_literal: dict[str, list[int]] = {}
        by_gate: dict[str, list[int]] = {}
        for order, rule in enumerate(rules):
            for text in (*rule.literals, *rule.words):
                by_literal.setdefault(text, []).append(order)
            if not rule.literals and not rule.is_everywhere:
                by_gate.setdefault(rule.gate or rule.pattern, []).append(order)
        words = {text for rule in rules for text in rule.words}
        self._literals = Literals([text for text in by_literal if text not in words], words)
        self.rules_of = [tuple(by_literal[name]) for name in self._literals.names]  # by the number of a literal
        self._gates = PatternSet(list(by_gate), "gate") if by_gate else None
        self._rules_behind = [tuple(orders) for orders in by_gate.values()]

    @property
    def literal_names(self) -> Sequence[str]:
        """The literals, by their numbers."""
        return self._literals.names

    def places(self, data: bytes) -> LiteralPlaces:
        """Where literals stand, save in marks: what a mark says is no name of a secret."""
        found = self._literals.find_in_any_case(data)
        if not found:
            return LiteralPlaces(found)
        marks = self._marks.spans(data) if MARK_START in data else []
        counting = partial(self._counting, data, marks)
        return (
            LiteralPlaces(counting(found)) if len(found) < _MIN_LAZY_PLACES else LiteralPlaces(found, counting, marks)
        )

    def _counting(self, data: bytes, marks: Sequence[Span], found: list[Place]) -> list[Place]:
        places = self._literals.counting(data, found)
        return outside_spans(places, marks) if marks else places

    def columns(self, data: bytes, places: LiteralPlaces) -> PlaceColumns | None:
        """The same in any case and as columns, where there are many."""
        return columns_outside(places.found, places.marks, len(data)) if places.is_unjudged else None

    def counting(self, data: bytes, columns: PlaceColumns) -> PlaceColumns:
        return columns.counting(data, self._literals)

    def gates(self, data: bytes) -> list[int]:
        """Which gates a text, or a part of it, holds."""
        return self._gates.found_in(data) if self._gates is not None else []

    def is_quiet(self, places: LiteralPlaces | PlaceColumns, gates: list[int]) -> bool:
        """Whether no rule is worth trying anywhere: the answer for most texts."""
        return not (places or gates or self._everywhere)

    def gated(self, data: bytes, gates: list[int], start: int, end: int) -> set[int]:
        """The rules without a literal that are worth trying from `start` to `end`; `gates` are those of the whole text."""
        if gates and end - start < len(data):
            gates = self.gates(data[start : end + AHEAD])
        return set(self._everywhere).union(*(self._rules_behind[gate] for gate in gates))
