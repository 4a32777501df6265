"""The prefilter: which rules are worth trying on which part of a text, found in a few fast passes.

Three patterns are asked: one that joins the literals of all rules, and two that join the gates of the rules without a
literal. Most text holds neither, and costs nothing more. What a rule finds is none of this file's business (scan.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pmg.ingest.redact.linear import Pattern, compile_linear, literal
from pmg.ingest.redact.rule import Rule

# A literal may stand a little behind the beginning of what its rule matches.
AHEAD = 256


@dataclass(frozen=True, slots=True)
class _GateGroup:
    """Gates with the rules behind each, and one pattern that finds whether any of them is there."""

    any_of: Pattern | None
    gates: tuple[tuple[Pattern, tuple[int, ...]], ...]

    @classmethod
    def of(cls, orders: dict[str, list[int]]) -> _GateGroup:
        gates = ((compile_linear(gate, "gate", captures=False), tuple(rules)) for gate, rules in orders.items())
        return cls(_union(list(orders)), tuple(gates))


class Prefilter:
    """Answers with the places of rules in the table they were given in."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._everywhere = [order for order, rule in enumerate(rules) if rule.is_everywhere]
        by_literal: dict[str, list[int]] = {}
        by_gate: dict[str, list[int]] = {}
        for order, rule in enumerate(rules):
            if rule.literals:
                for text in rule.literals:
                    by_literal.setdefault(text, []).append(order)
            elif not rule.is_everywhere:
                by_gate.setdefault(rule.gate or rule.pattern, []).append(order)
        literals = [_in_its_case(text) for text in sorted(by_literal, key=len, reverse=True)]
        self._literals = _union(literals)
        self._rules_of = _with_beginnings(by_literal)
        # Words and shapes apart: where a word is, as in every second text, no shape need be looked for.
        words = {gate: orders for gate, orders in by_gate.items() if gate.startswith("(?i)")}
        self._gates = [_GateGroup.of(group) for group in (words, {g: o for g, o in by_gate.items() if g not in words})]

    def is_quiet(self, data: bytes) -> bool:
        """Whether no rule is worth trying anywhere: the answer for most texts."""
        # Three patterns, not one of all: joined they need so many states that making these costs more than it saves.
        end = len(data)
        patterns = (self._literals, *(group.any_of for group in self._gates))
        return not self._everywhere and not any(p is not None and p.find(data, 0, end) is not None for p in patterns)

    def rules_for(self, data: bytes, start: int, end: int) -> set[int]:
        """The rules worth trying from `start` to `end`."""
        found = set(self._everywhere)
        end = min(len(data), end + AHEAD)
        position = start
        while self._literals is not None and (span := self._literals.find(data, position, end)) is not None:
            found.update(self._rules_with(data[span[0] : span[1]]))
            position = span[0] + 1
        for group in self._gates:
            if group.any_of is not None and group.any_of.find(data, start, end) is not None:
                for gate, orders in group.gates:
                    if gate.find(data, start, end) is not None:
                        found.update(orders)
        return found

    def _rules_with(self, written: bytes) -> tuple[int, ...]:
        known = self._rules_of.get(written)
        if known is None:  # in another case
            known = self._rules_of.get(written.decode("utf-8", "replace").casefold().encode(), ())
            self._rules_of[written] = known
        return known


def _in_its_case(text: str) -> str:
    return literal(text) if any(map(str.isupper, text)) else f"(?i){literal(text)}"


def _union(patterns: Sequence[str]) -> Pattern | None:
    if not patterns:
        return None
    return compile_linear("|".join(f"(?:{pattern})" for pattern in patterns), "prefilter", captures=False)


def _with_beginnings(by_literal: dict[str, list[int]]) -> dict[bytes, tuple[int, ...]]:
    """The longest literal is found first: where `sk-ant-` is found, so are the rules of `sk-`."""
    return {
        text.encode(): tuple({o for other, orders in by_literal.items() if _begins(text, other) for o in orders})
        for text in by_literal
    }


def _begins(text: str, other: str) -> bool:
    return text.startswith(other) or (other.islower() and text.casefold().startswith(other))
