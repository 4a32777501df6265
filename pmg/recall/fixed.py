"""The published rule: a few entry points, a fixed neighbourhood of each.

Knows: floor, top-k entries, lateral neighbours over semantic and typed edges, ±n neighbours in the chain.
"""

from __future__ import annotations

import numpy as np

from pmg.base.model import Kind
from pmg.components import Components
from pmg.config import RecallConfig
from pmg.index.catalogue import KINDS
from pmg.recall import fuse
from pmg.recall.candidates import LineHits, Query, already_said, by_meaning, by_words, filter_context, filter_segments
from pmg.recall.picks import ENTRY, LATERAL, VERTICAL, Pick, Picked, ScorePart
from pmg.store.rows import Numbers


def pick(components: Components, query: Query, settings: RecallConfig) -> Picked:
    """entries → lateral → vertical; a segment keeps the first role it gets."""
    meaning = _segments(components, by_meaning(components, query, settings.pool))
    words = _segments(components, by_words(components, query, settings.pool).hits)
    entries, refused = _entries(components, query, settings, meaning, words)
    picks: dict[int, Pick] = {entry.segment: entry for entry in entries}
    for entry in entries:
        for found in [*_lateral(components, query, settings, entry), *_vertical(components, query, settings, entry)]:
            picks.setdefault(found.segment, found)
    return Picked(tuple(picks.values()), {k: v for k, v in refused.items() if k not in picks})


def _segments(components: Components, hits: LineHits) -> LineHits:
    """The best line of each segment stands for it."""
    segments = components.indexes.catalogue.segments_of_lines(hits.line)
    _, first = np.unique(segments, return_index=True)
    first.sort()
    return LineHits(segments[first], hits.score[first])


def _entries(
    components: Components, query: Query, settings: RecallConfig, meaning: LineHits, words: LineHits
) -> tuple[list[Pick], dict[int, tuple[float, str]]]:
    floor = components.thresholds.floor
    ranked, scores = (
        fuse.rrf([meaning.line, words.line])
        if settings.fusion == "rrf"
        else fuse.scaled([(meaning.line, meaning.score), (words.line, words.score)])
    )
    ruling = filter_segments(components, query, ranked)
    cosine = dict(zip(meaning.line.tolist(), meaning.score.tolist(), strict=True))
    lexical = dict(zip(words.line.tolist(), words.score.tolist(), strict=True))
    places = [{number: i + 1 for i, number in enumerate(hits.line.tolist())} for hits in (meaning, words)]
    fused = dict(zip(ranked.tolist(), scores.tolist(), strict=True))
    refused = {number: (fused[number], reason) for number, reason in ruling.refused.items()}
    said = already_said(components, query, ruling.allowed[: 4 * settings.top_k].tolist())
    entries: list[Pick] = []
    for number in ruling.allowed.tolist():
        if number not in lexical and cosine[number] < floor:
            refused[number] = (fused[number], f"similarity {cosine[number]:.2f} is under the floor {floor:.2f}")
        elif number in said:
            refused[number] = (fused[number], "already in the conversation")
        elif len(entries) >= settings.top_k:
            refused[number] = (fused[number], f"not among the first {settings.top_k} entries")
        else:
            signals = (
                ScorePart("meaning", cosine.get(number, 0.0), places[0].get(number, 0)),
                ScorePart("words", lexical.get(number, 0.0), places[1].get(number, 0)),
            )
            entries.append(Pick(number, ENTRY, fused[number], parts=signals))
    return entries, refused


def _lateral(components: Components, query: Query, settings: RecallConfig, entry: Pick) -> list[Pick]:
    catalogue = components.indexes.catalogue
    links = catalogue.links(np.array([entry.segment], dtype=np.int64))
    may = set(filter_segments(components, query, links.target).allowed.tolist())
    order = np.lexsort((links.target, -links.weight, links.kind != KINDS.index(Kind.CONTRADICTS)))
    found: dict[int, Pick] = {}
    for row in order.tolist():
        if len(found) >= settings.lateral:
            break
        target, kind = int(links.target[row]), KINDS[links.kind[row]]
        if target in may and target not in found:
            # A contradiction is a counterpoint worth as much as the entry itself; other links carry their weight.
            weight = 1.0 if kind is Kind.CONTRADICTS else float(links.weight[row])
            share = ScorePart("link", entry.score * weight, via=entry.segment)
            found[target] = Pick(target, LATERAL, share.value, entry.segment, kind.value, (share,))
    return list(found.values())


def _vertical(components: Components, query: Query, settings: RecallConfig, entry: Pick) -> list[Pick]:
    catalogue = components.indexes.catalogue
    steps = [step for distance in range(1, settings.vertical + 1) for step in (-distance, distance)]
    at: Numbers = np.array([entry.segment], dtype=np.int64)
    reached = {int(catalogue.chain(at, step)[0]): step for step in steps}
    reached.pop(0, None)
    numbers = np.array(list(reached), dtype=np.int64)
    shown = filter_context(components, query, numbers)
    found = []
    for number in shown.tolist():
        share = ScorePart("neighbour", entry.score / (1 + abs(reached[number])), via=entry.segment)
        found.append(Pick(number, VERTICAL, share.value, entry.segment, Kind.CHAIN.value, (share,)))
    return found
