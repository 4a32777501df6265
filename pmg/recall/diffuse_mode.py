"""The default mode: every line of a pool gets a score made of parts; relevance flows along the chain and the links.

Knows: the order of the steps, and how scores become picks with their reasons.
A segment stands where its best line stands.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pmg.base.model import Kind, State
from pmg.base.times import from_micros
from pmg.components import Components
from pmg.config import RecallConfig
from pmg.index.adjacency import Links
from pmg.index.catalogue import KINDS, STATES
from pmg.index.marks import RECOUNTS
from pmg.recall.candidates import LexicalResult, LineHits, Query, already_said, by_targets, by_words, filter_segments
from pmg.recall.diversify import mmr
from pmg.recall.line_pool import Background, LinePool, background, gather
from pmg.recall.picks import ENTRY, LATERAL, VERTICAL, Pick, Picked, ScorePart
from pmg.recall.question_speaker import OF_ONESELF, who
from pmg.recall.question_time import TELLS_WHEN, asks_past, asks_when, timely, when
from pmg.recall.scores import LineFacts, LineScores, score
from pmg.store.rows import Numbers

Scores = NDArray[np.float64]

# How much of a segment's score a typed link carries to its other end. A contradiction is the counterpoint a person must see.
CARRIES = {
    Kind.CONTRADICTS: 1.0,
    Kind.SUPPORTS: 0.4,
    Kind.CAUSED_BY: 0.4,
    Kind.PART_OF: 0.3,
    Kind.EXTENDS_SOURCE: 0.2,
}
CONTRADICTS = KINDS.index(Kind.CONTRADICTS)
MAX_DROPPED = 100  # told in the receipt: enough to see why, few enough to read
MAX_YEARS = 30  # a month without a year is tried in so many
LINKING = (
    10  # the best segments whose links are followed; a contradiction is followed from every segment that may be shown
)


@dataclass(frozen=True, slots=True)
class Gathered:
    """All that the ranking of one question rests on, before any weight: `pool` is None where nothing may be recalled."""

    pool: LinePool | None
    background: Background
    facts: LineFacts | None
    hits: tuple[LineHits, LineHits]  # by meaning, by words
    refused: dict[int, tuple[float, str]]
    cues: tuple[str, ...] = ()


def pick(components: Components, query: Query, settings: RecallConfig) -> Picked:
    """search → rule → pool → score → rank → follow links."""
    known = gathered(components, query, settings)
    pool, facts = known.pool, known.facts
    if pool is None or facts is None:
        return Picked((), known.refused)
    scores = score(pool, known.background, facts, settings)
    rows, absurd = ranked(components, pool, scores)
    links = _links(components, settings, pool.segment[rows[: max(LINKING, settings.limit)]])
    # Twice as many as are wanted where some may fall out or change places; what is not wanted need not be described.
    spare = len(links.source) > 0 or bool(query.active_texts) or settings.diversity < 1
    depth = max(2 * settings.limit, LINKING) if spare else settings.limit  # whose links are followed must be there
    picks = _picks(pool, scores, facts, rows[:depth], known.hits)
    picks = _linked(components, query, settings, picks, links)
    after = rows[depth : 2 * settings.limit + MAX_DROPPED]
    later = dict(zip(pool.segment[after].tolist(), scores.total[after].tolist(), strict=True))
    return _first(components, query, settings, picks, later, {**known.refused, **absurd}, known.cues)


def gathered(components: Components, query: Query, settings: RecallConfig) -> Gathered:
    """search → rule → pool, and what is known of every line in it."""
    meaning = by_targets(components, query, settings.pool)
    words = (
        by_words(components, query, settings.pool, settings.kindred > 0) if settings.lexical else LexicalResult.none()
    )
    found = np.unique(components.indexes.catalogue.segments_of_lines(np.concatenate([meaning.line, words.hits.line])))
    ruling = filter_segments(components, query, found)
    refused = {number: (0.0, reason) for number, reason in ruling.refused.items()}
    hits, scale = (meaning, words.hits), background(words)
    if not len(ruling.allowed):
        return Gathered(None, scale, None, hits, refused)
    pool = gather(components, query, ruling.allowed, meaning, words)
    facts, cues = _facts(components, query, pool, words)
    return Gathered(pool, scale, facts, hits, refused, cues)


def _facts(
    components: Components, query: Query, pool: LinePool, words: LexicalResult
) -> tuple[LineFacts, tuple[str, ...]]:
    catalogue = components.indexes.catalogue
    speakers, roles = catalogue.line("speaker")[pool.line], catalogue.line("role")[pool.line]
    asked_of = who(query.text, catalogue.speakers.names, speakers, roles)
    said_at = catalogue.segment("said_at")[pool.segment]
    years = range(from_micros(int(said_at.min())).year, from_micros(int(said_at.max())).year + 1)
    spans = when(query.text, query.at, years[-MAX_YEARS:])
    nobody = np.zeros(len(pool.line), dtype=np.bool_)
    wanted = asked_of.wanted
    anybody = bool(wanted.any())
    facts = LineFacts(
        asserts=catalogue.line("asserts")[pool.line],
        asks=catalogue.line("asks")[pool.line],
        wanted=wanted,
        of_self=wanted & words.having(OF_ONESELF, pool.line) if anybody else nobody,
        recounts=wanted & words.having((RECOUNTS,), pool.line) if anybody and asks_past(query.text) else nobody,
        tells_when=words.having(TELLS_WHEN, pool.line) if asks_when(query.text) else nobody,
        timely=timely(said_at, spans),
    )
    description = [*looked_for(query), asked_of.description, *(f"around {span.description}" for span in spans)]
    return facts, tuple(cue for cue in description if cue)


def looked_for(query: Query) -> list[str]:
    """What was looked for where that is not the question itself."""
    return [f"looked for “{target.text}”" for target in query.targets if target.text != query.text]


def ranked(
    components: Components, pool: LinePool, scores: LineScores
) -> tuple[NDArray[np.int64], dict[int, tuple[float, str]]]:
    """The best line of every recallable segment, best first, ties to the lower id; and what lies under the floor.

    Without a common word, under the floor and without neighbours that match by more than it lacks, nothing speaks for a segment.
    """
    total = np.round(scores.total, 9)  # sums in another order must not decide a tie
    active = components.indexes.catalogue.segment("state")[pool.segment] == STATES.index(State.ACTIVE)
    order = np.lexsort((pool.line, -total))
    order = order[active[order]]
    _, first = np.unique(pool.segment[order], return_index=True)
    best = order[np.sort(first)]
    highest = np.full(int(pool.segment.max()) + 1, -1.0)
    np.maximum.at(highest, pool.segment, np.where(pool.bm25 > 0, 1.0, pool.cosine))
    outweighed = scores.own[best] + scores.flowed[best] > 0  # by neighbours that match
    absurd = (highest[pool.segment[best]] < components.thresholds.floor) & ~outweighed
    floor = f"is under the floor {components.thresholds.floor:.2f}"
    gone = {
        int(pool.segment[row]): (float(total[row]), f"similarity {highest[pool.segment[row]]:.2f} {floor}")
        for row in best[absurd][:MAX_DROPPED]
    }
    return best[~absurd], gone


def _picks(
    pool: LinePool, scores: LineScores, facts: LineFacts, rows: NDArray[np.int64], hits: tuple[LineHits, LineHits]
) -> list[Pick]:
    ranks = [{line: i + 1 for i, line in enumerate(one.line.tolist())} for one in hits]
    mine = np.flatnonzero(np.isin(pool.segment, pool.segment[rows]))
    lines: dict[int, dict[int, float]] = {}
    for segment, line, total in zip(*(c[mine].tolist() for c in (pool.segment, pool.line, scores.total)), strict=True):
        lines.setdefault(segment, {})[line] = total
    columns = [
        getattr(scores, name)[rows].tolist() for name in _COLUMNS
    ]  # at once: one by one costs several times as much
    return [
        _pick(pool, facts, row, ranks, _RowScores(*values), {n: float(p[row]) for n, p in scores.beside.items()}, lines)
        for row, *values in zip(rows.tolist(), *columns, strict=True)
    ]


class _RowScores(NamedTuple):
    """LineScores of one row."""

    meaning: float
    words: float
    kindred: float
    speaker: float
    date: float
    substance: float
    own: float
    flowed: float
    total: float


_COLUMNS = _RowScores._fields


def _pick(
    pool: LinePool,
    facts: LineFacts,
    row: int,
    ranks: list[dict[int, int]],
    scores: _RowScores,
    beside: dict[int, float],
    lines: dict[int, dict[int, float]],
) -> Pick:
    line, segment = int(pool.line[row]), int(pool.segment[row])
    strongest = max(beside, key=lambda step: (beside[step], -abs(step)))
    source = int(pool.step[strongest][row])
    via = int(pool.segment[source]) if source >= 0 and beside[strongest] > 0 else 0
    vertical = bool(via) and (scores.flowed > scores.own or not pool.found[row])
    made = (
        ("meaning", scores.meaning, ranks[0].get(line, 0), 0),
        ("words", scores.words, ranks[1].get(line, 0), 0),
        ("kindred", scores.kindred, 0, 0),
        (_flow_source(pool, facts, row, strongest, via), scores.flowed, 0, via),
        ("speaker", scores.speaker, 0, 0),
        ("date", scores.date, 0, 0),
        ("substance", scores.substance, 0, 0),
    )
    kept = tuple(ScorePart(name, value, rank, through) for name, value, rank, through in made if value or rank)
    if vertical:
        return Pick(segment, VERTICAL, scores.total, via, Kind.CHAIN.value, kept, lines[segment])
    return Pick(segment, ENTRY, scores.total, parts=kept, lines=lines[segment])


def _flow_source(pool: LinePool, facts: LineFacts, row: int, step: int, via: int) -> str:
    """How a person would say where the flow comes from."""
    if via == int(pool.segment[row]):
        return "turn"
    if step > 0 or not via:
        return "next" if via else "neighbour"
    return "answer" if step == -1 and facts.asks[pool.step[-1][row]] else "previous"


def _carrying(settings: RecallConfig) -> list[int]:
    """The kinds that carry anything: without semantic edges most segments have no such link, and nothing is to do."""
    return [
        code for code, kind in enumerate(KINDS) if kind in CARRIES or (settings.semantic > 0 and kind is not Kind.CHAIN)
    ]


def _links(components: Components, settings: RecallConfig, best: Numbers) -> Links:
    found = components.indexes.catalogue.links(best).of_kinds(_carrying(settings))
    return found.where(np.isin(found.source, best[:LINKING]) | (found.kind == CONTRADICTS))


def _linked(
    components: Components, query: Query, settings: RecallConfig, picks: list[Pick], links: Links
) -> list[Pick]:
    """The links of the best segments carry part of their score to the other end, which may be new to the pool."""
    top = {p.segment: p for p in picks}
    if not len(links.source):
        return picks
    allowed = set(filter_segments(components, query, np.unique(links.target)).allowed.tolist())
    ranked = {p.segment: p for p in picks}
    rows = zip(links.source.tolist(), links.target.tolist(), links.kind.tolist(), links.weight.tolist(), strict=True)
    for source, target, code, weight in sorted(rows):
        kind = KINDS[code]
        carried = CARRIES.get(kind, settings.semantic * 0.3) * weight * max(top[source].score, 0.0)
        if carried <= 0 or target not in allowed:
            continue
        share = ScorePart("link", carried, via=source)
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
    components: Components,
    query: Query,
    settings: RecallConfig,
    picks: list[Pick],
    later: dict[int, float],
    refused: dict[int, tuple[float, str]],
    cues: tuple[str, ...],
) -> Picked:
    """The first `limit`, without what the conversation already has; the next ones are told as outscored."""
    said = already_said(components, query, [p.segment for p in picks[: 2 * settings.limit]])
    fresh = [p for p in picks if p.segment not in said]
    chosen = spread(components, query, settings, fresh) if settings.diversity < 1 else fresh[: settings.limit]
    taken = {p.segment for p in chosen}
    for segment, total in {**{p.segment: p.score for p in picks}, **later}.items():
        if segment in said:
            refused[segment] = (total, "already in the conversation")
        elif segment not in taken:
            refused[segment] = (total, f"not among the first {settings.limit}")
    return Picked(tuple(chosen), refused, cues)


def spread(components: Components, query: Query, settings: RecallConfig, picks: list[Pick]) -> list[Pick]:
    """The first `limit` by maximal marginal relevance: each unlike those before it. Picks without a vector stand where they are."""
    index = components.indexes.vector(query.namespace)
    some = picks[: 2 * settings.limit]
    catalogue = components.indexes.catalogue
    best = np.array([max(p.lines, key=lambda line: (p.lines[line], -line), default=0) for p in some], dtype=np.int64)
    if index is None or not len(some) or (catalogue.line("windows")[best] == 0).any():
        return picks[: settings.limit]
    vectors = index.vectors_of(catalogue.line("first_window")[best])
    order = mmr(np.array([p.score for p in some]), vectors, settings.diversity, settings.limit)
    return [some[place] for place in order.tolist()]
