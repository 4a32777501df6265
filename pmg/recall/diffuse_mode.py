"""The default mode: every line of a pool gets a score made of parts; relevance flows along the chain and the links.

Knows: the order of the steps, and how scores become picks with their reasons. Does not know: how a part is computed.
A segment stands where its best line stands.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pmg.config import Recall
from pmg.index.catalogue import KINDS, ROLES
from pmg.model import Kind, State
from pmg.parts import Parts
from pmg.recall.diversify import mmr
from pmg.recall.lines import LinePool, background, gather
from pmg.recall.picks import ENTRY, LATERAL, VERTICAL, Part, Pick, Picked
from pmg.recall.pool import Hits, Query, Words, already_said, by_meaning, by_words, rule
from pmg.recall.scores import LineFacts, LineScores, score
from pmg.recall.when import timely, when
from pmg.recall.who import who
from pmg.times import from_micros

Scores = NDArray[np.float64]

# How much of a segment's score a typed link carries to its other end. A contradiction is the counterpoint a person must see.
CARRIES = {
    Kind.CONTRADICTS: 0.8,
    Kind.SUPPORTS: 0.4,
    Kind.CAUSED_BY: 0.4,
    Kind.PART_OF: 0.3,
    Kind.EXTENDS_SOURCE: 0.2,
}
MOST_YEARS = 30  # a month without a year is tried in so many
LINKING = 10  # the best segments whose links are followed


def pick(parts: Parts, query: Query, settings: Recall) -> Picked:
    """search → rule → pool → score → rank → follow links."""
    meaning = by_meaning(parts, query, settings.pool)
    words = by_words(parts, query, settings.pool) if settings.lexical else Words.none()
    found = np.unique(parts.indexes.catalogue.segments_of_lines(np.concatenate([meaning.line, words.hits.line])))
    ruling = rule(parts, query, found)
    refused = {number: (0.0, reason) for number, reason in ruling.refused.items()}
    if not len(ruling.allowed):
        return Picked((), refused)
    ordinary = background(parts, query, words)
    pool = gather(parts, query, ruling.allowed, meaning, words, ordinary.cosine_mean)
    facts, cues = _facts(parts, query, pool)
    scores = score(pool, ordinary, facts, settings)
    picks = _picks(parts, pool, scores, (meaning, words.hits))
    picks, absurd = _above_floor(parts, pool, picks)
    picks = _linked(parts, query, settings, picks)
    return _first(parts, query, settings, picks, {**refused, **absurd}, cues)


def _facts(parts: Parts, query: Query, pool: LinePool) -> tuple[LineFacts, tuple[str, ...]]:
    catalogue = parts.indexes.catalogue
    roles = [ROLES[code] for code in catalogue.line("role")[pool.line].tolist()]
    asked_of = who(query.text, catalogue.speakers.names, catalogue.line("speaker")[pool.line], roles)
    said_at = catalogue.segment("said_at")[pool.segment]
    years = range(from_micros(int(said_at.min())).year, from_micros(int(said_at.max())).year + 1)
    spans = when(query.text, query.at, years[-MOST_YEARS:])
    facts = LineFacts(
        catalogue.line("asserts")[pool.line], catalogue.line("asks")[pool.line], asked_of.wanted, timely(said_at, spans)
    )
    told = [asked_of.told, *(f"around {span.told}" for span in spans)]
    return facts, tuple(cue for cue in told if cue)


def _picks(parts: Parts, pool: LinePool, scores: LineScores, hits: tuple[Hits, Hits]) -> list[Pick]:
    """Every recallable segment of the pool by its best line, best first; ties go to the lower number."""
    total = np.round(scores.total, 9)  # sums in another order must not decide a tie
    ranks = [{line: i + 1 for i, line in enumerate(one.line.tolist())} for one in hits]
    states = parts.indexes.catalogue.segment("state")[pool.segment]
    active = states == list(State).index(State.ACTIVE)
    order = np.lexsort((pool.line, -total))
    best: dict[int, Pick] = {}
    for row in order[active[order]].tolist():
        segment, line = int(pool.segment[row]), int(pool.line[row])
        if segment in best:
            best[segment] = replace(best[segment], lines={**best[segment].lines, line: float(total[row])})
        else:
            best[segment] = _pick(pool, scores, row, ranks, float(total[row]))
    return list(best.values())


def _pick(pool: LinePool, scores: LineScores, row: int, ranks: list[dict[int, int]], total: float) -> Pick:
    line = int(pool.line[row])
    beside = {step: float(part[row]) for step, part in scores.beside.items()}
    strongest = max(beside, key=lambda step: (beside[step], -abs(step)))
    source = int(pool.step[strongest][row])
    via = int(pool.segment[source]) if source >= 0 and beside[strongest] > 0 else 0
    own, flowed = float(scores.own[row]), float(scores.flowed[row])
    role = VERTICAL if via and (flowed > own or not pool.found[row]) else ENTRY
    made = (
        Part("meaning", float(scores.meaning[row]), ranks[0].get(line, 0)),
        Part("words", float(scores.words[row]), ranks[1].get(line, 0)),
        Part("neighbour", flowed, via=via),
        Part("speaker", float(scores.speaker[row])),
        Part("date", float(scores.date[row])),
        Part("substance", float(scores.substance[row])),
    )
    vertical = role == VERTICAL
    return Pick(
        int(pool.segment[row]), role, total, via if vertical else 0, Kind.CHAIN.value if vertical else "",
        tuple(part for part in made if part.value or part.rank), {line: total},
    )  # fmt: skip


def _above_floor(parts: Parts, pool: LinePool, picks: list[Pick]) -> tuple[list[Pick], dict[int, tuple[float, str]]]:
    """Without a common word, without a neighbour that matches and under the floor: nothing speaks for it."""
    floor = parts.thresholds.floor
    near = {int(s): -1.0 for s in pool.segment}
    for segment, cosine, bm25 in zip(pool.segment.tolist(), pool.cosine.tolist(), pool.bm25.tolist(), strict=True):
        near[segment] = max(near[segment], cosine if not bm25 else 1.0)
    kept = [p for p in picks if near[p.segment] >= floor or p.role == VERTICAL]
    gone = {
        p.segment: (p.score, f"similarity {near[p.segment]:.2f} is under the floor {floor:.2f}")
        for p in picks
        if near[p.segment] < floor and p.role != VERTICAL
    }
    return kept, gone


def _linked(parts: Parts, query: Query, settings: Recall, picks: list[Pick]) -> list[Pick]:
    """The links of the best segments carry part of their score to the other end, which may be new to the pool."""
    catalogue = parts.indexes.catalogue
    top = {p.segment: p for p in picks[:LINKING]}
    links = catalogue.links(np.array(list(top), dtype=np.int64))
    allowed = set(rule(parts, query, np.unique(links.target)).allowed.tolist())
    ranked = {p.segment: p for p in picks}
    rows = zip(links.source.tolist(), links.target.tolist(), links.kind.tolist(), links.weight.tolist(), strict=True)
    for source, target, code, weight in sorted(rows):
        kind = KINDS[code]
        carried = CARRIES.get(kind, settings.semantic * 0.3) * weight * max(top[source].score, 0.0)
        if carried <= 0 or target not in allowed:
            continue
        share = Part("link", carried, via=source)
        known = ranked.get(target)
        if known is None:
            ranked[target] = Pick(target, LATERAL, carried, source, kind.value, (share,))
        elif not any(part.name == "link" and part.value >= carried for part in known.parts):
            others = tuple(part for part in known.parts if part.name != "link")
            before = sum(part.value for part in others)
            brought = {"role": LATERAL, "via": source, "edge": kind.value} if carried > before else {}
            ranked[target] = replace(known, score=before + carried, parts=(*others, share), **brought)
    return sorted(ranked.values(), key=lambda p: (-p.score, p.segment))


def _first(
    parts: Parts,
    query: Query,
    settings: Recall,
    picks: list[Pick],
    refused: dict[int, tuple[float, str]],
    cues: tuple[str, ...],
) -> Picked:
    """The first `limit`, without what the conversation already has; the next ones are told as outscored."""
    said = already_said(parts, query, [p.segment for p in picks[: 2 * settings.limit]])
    fresh = [p for p in picks if p.segment not in said]
    chosen = spread(parts, query, settings, fresh) if settings.diversity < 1 else fresh[: settings.limit]
    taken = {p.segment for p in chosen}
    for p in picks[: settings.limit + 200]:
        if p.segment in said:
            refused[p.segment] = (p.score, "already in the conversation")
        elif p.segment not in taken:
            refused[p.segment] = (p.score, f"not among the first {settings.limit}")
    return Picked(tuple(chosen), refused, cues)


def spread(parts: Parts, query: Query, settings: Recall, picks: list[Pick]) -> list[Pick]:
    """The first `limit` by maximal marginal relevance: each unlike those before it. Picks without a vector stand where they are."""
    index = parts.indexes.vector(query.namespace)
    some = picks[: 3 * settings.limit]
    catalogue = parts.indexes.catalogue
    best = np.array([max(p.lines, key=lambda line: (p.lines[line], -line), default=0) for p in some], dtype=np.int64)
    if index is None or not len(some) or (catalogue.line("windows")[best] == 0).any():
        return picks[: settings.limit]
    vectors = index.vectors_of(catalogue.line("first_window")[best])
    order = mmr(np.array([p.score for p in some]), vectors, settings.diversity, settings.limit)
    return [some[place] for place in order.tolist()]
