"""Doors: which rules are worth trying on which part of a text, found in one fast pass.

Knows: gates, needles and openings of rules, and the blocks of a long text. Does not know: what any rule finds.
Most texts open no door and cost a single pass; a long one is looked at only around what opened one.
"""

from __future__ import annotations

from collections.abc import Sequence

from pmg.ingest.redact.linear import PatternSet, literal
from pmg.ingest.redact.rule import Rule, Span

_BLOCK = 1024


class Doors:
    """A rule's door is open where its gate is, and its opening too if it has one, within a block of each other."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        gates = list(dict.fromkeys(_gate(rule) for rule in rules if not rule.is_everywhere))
        openings = list(dict.fromkeys(filter(None, map(_opening, rules))))
        self._everywhere = [order for order, rule in enumerate(rules) if rule.is_everywhere]
        self._gates, self._openings = PatternSet(gates), PatternSet(openings)
        # For each gate the rules that it alone opens, and by opening those that need one.
        self._simple: list[list[int]] = [[] for _ in gates]
        self._double: list[dict[int, list[int]]] = [{} for _ in gates]
        for order, rule in enumerate(rules):
            if rule.is_everywhere:
                continue
            gate, opening = gates.index(_gate(rule)), _opening(rule)
            if opening:
                self._double[gate].setdefault(openings.index(opening), []).append(order)
            else:
                self._simple[gate].append(order)

    def open_in(self, seen: bytes) -> list[tuple[int, Sequence[Span]]]:
        """Each rule worth trying, by its place in the table, with the regions to search."""
        whole = ((0, len(seen)),)
        blocks = _blocks(seen) if len(seen) > 3 * _BLOCK else whole
        texts = [seen] if len(blocks) < 4 else [seen[start:end] for start, end in blocks]
        gated = [self._gates.matching(text) for text in texts]
        opened: list[tuple[int, Sequence[Span]]] = [(order, whole) for order in self._everywhere]
        if not any(gated):  # most texts: nothing more to look for
            return opened
        for order, places in self._open(texts, gated).items():
            opened.append((order, whole if len(texts) == 1 else _regions(blocks, places)))
        return opened

    def _open(self, texts: Sequence[bytes], gated: Sequence[Sequence[int]]) -> dict[int, list[int]]:
        """For each rule the places of the texts where its door is open."""
        wanted: dict[int, list[int]] = {}
        opened: dict[int, Sequence[int]] = {}
        for place, gates in enumerate(gated):
            for gate in gates:
                for order in self._simple[gate]:
                    wanted.setdefault(order, []).append(place)
            double = [self._double[gate] for gate in gates if self._double[gate]]
            if not double:
                continue
            # A needle may stand a line above its key: the blocks beside this one count too.
            beside = range(max(0, place - 1), min(len(texts), place + 2))
            for near in beside:
                if near not in opened:
                    opened[near] = self._openings.matching(texts[near])
            for opening in {opening for near in beside for opening in opened[near]}:
                for rules in double:
                    for order in rules.get(opening, ()):
                        wanted.setdefault(order, []).append(place)
        return wanted


def _regions(blocks: Sequence[Span], places: Sequence[int]) -> list[Span]:
    """The blocks at these places, each with its neighbours for context; regions that touch are one."""
    regions: list[Span] = []
    for place in places:
        start, end = blocks[max(0, place - 1)][0], blocks[min(len(blocks) - 1, place + 1)][1]
        if regions and start <= regions[-1][1]:
            regions[-1] = (regions[-1][0], max(end, regions[-1][1]))
        else:
            regions.append((start, end))
    return regions


def _blocks(seen: bytes) -> Sequence[Span]:
    """Runs of whole lines, about a kilobyte each: no secret but a key block is longer than two of them."""
    blocks, start = [], 0
    while start < len(seen):
        end = seen.find(b"\n", start + _BLOCK) + 1 or len(seen)
        blocks.append((start, end))
        start = end
    return blocks


def _gate(rule: Rule) -> str:
    return rule.gate or rule.pattern


def _opening(rule: Rule) -> str:
    return f"(?i){'|'.join(map(literal, rule.needles))}" if rule.needles else rule.opening
