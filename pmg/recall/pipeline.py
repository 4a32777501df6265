"""Recall: from a question to a dated, attributed block and the receipt of how it came about.

The order of the stages stands here; each has a file of its own beside this one.

    embed → search, filter, expand, fuse, diversify (a mode picks) → assemble → receipt
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import datetime

import numpy as np

from pmg.components import Components
from pmg.config import RecallConfig
from pmg.errors import InputError
from pmg.model import Passage
from pmg.recall import diffuse_mode, explain, fixed
from pmg.recall.assemble import BlockItem, ContextBlock, Placed, assemble
from pmg.recall.candidates import Query, SearchTarget
from pmg.recall.injection import QUOTED
from pmg.recall.picks import Pick, Picked, ScorePart
from pmg.recall.question_focus import parts_of, sought
from pmg.recall.receipt import Dropped, Found, RankedLine, Recalled, Receipt, Signal
from pmg.times import now

LONGEST_QUERY = 20_000  # characters: beyond this a query is a document; its beginning and end say what it is about
PART_BEHIND = 0.5  # spreads: what fits one part of a question only, behind what fits the whole
MOST_DROPPED = 100  # in the receipt: enough to see why, few enough to read


def recall(
    components: Components,
    text: str,
    settings: RecallConfig,
    *,
    namespace: str,
    exclude_sessions: Sequence[str] = (),
    active_context: Sequence[str] = (),
    exclude_segments: Sequence[int] = (),
    at: datetime | None = None,
) -> Recalled:
    """The memories that matter for `text`, and why. A query without words finds nothing and says so."""
    begun = time.perf_counter()
    asked = embed(components, text, settings, namespace, exclude_sessions, active_context, at or now())
    query = replace(asked, exclude_segments=tuple(exclude_segments))
    with components.indexes.gate.reading():
        picked = pick(components, query, settings)
        items = rerank(components, query, fetch(components, picked, query, settings))
    block = assemble(
        [item for _, item in items], settings.budget_tokens, components.store.store_id, settings.flag_instructions
    )
    receipt = write_receipt(components, query, settings, picked, items, block)
    milliseconds = 1000 * (time.perf_counter() - begun)
    segments = tuple(item.segment for _, item in items)
    return Recalled(block.text, segments, rank_lines(components, items, block), receipt, milliseconds)


def rank_lines(
    components: Components, items: Sequence[tuple[Pick, BlockItem]], block: ContextBlock
) -> tuple[RankedLine, ...]:
    """The lines of the result by their own score; where a mode ranks only segments, in their order."""
    shown = {p.item.segment.number: p.shown for p in block.placed}
    firsts = components.indexes.catalogue.segment("first_line")
    rows = []
    for place, (chosen, item) in enumerate(items):
        first = int(firsts[chosen.segment])
        for i in range(len(item.segment.lines)):
            score = chosen.lines.get(first + i, 0.0)
            share = shown.get(chosen.segment, {}).get(i, 0.0)
            rows.append((-score, place, i, RankedLine(item.segment.id, i, round(score, 6), share)))
    return tuple(row[3] for row in sorted(rows, key=lambda row: row[:3]))


def embed(
    components: Components,
    text: str,
    settings: RecallConfig,
    namespace: str,
    exclude_sessions: Sequence[str],
    active_context: Sequence[str],
    at: datetime,
) -> Query:
    short = shortened(text)
    active = tuple(turn for turn in active_context if turn.strip())
    if components.embedder is None or not short.strip():
        return Query(
            short, None, namespace, at, tuple(exclude_sessions), None, active, own_questions=settings.own_questions
        )
    wanted = (sought(short), *parts_of(short)) if settings.rephrase else (short,)
    texts = dict.fromkeys((short, *wanted))  # most questions have no frame: the same text is embedded once
    vectors = components.embedder.embed([*texts, *(shortened(turn) for turn in active)])
    rows = dict(zip(texts, vectors, strict=False))
    aims = tuple(SearchTarget(aim, rows[aim], PART_BEHIND if place else 0.0) for place, aim in enumerate(wanted))
    return Query(
        short,
        rows[short],
        namespace,
        at,
        tuple(exclude_sessions),
        vectors[len(texts) :],
        active,
        aims,
        settings.own_questions,
    )


def shortened(text: str) -> str:
    """A very long query keeps its beginning and its end; what a person asks for stands there."""
    half = (LONGEST_QUERY - 1) // 2  # with the break between them, what the word index reads
    return text if len(text) <= LONGEST_QUERY else f"{text[:half]}\n{text[-half:]}"


def pick(components: Components, query: Query, settings: RecallConfig) -> Picked:
    if not query.text.strip():
        return Picked((), {})
    if settings.mode == "fixed":
        return fixed.pick(components, query, settings)
    if settings.mode == "diffuse":
        return diffuse_mode.pick(components, query, settings)
    raise InputError(f"recall.mode is {settings.mode!r}; it must be diffuse or fixed.")


def fetch(components: Components, picked: Picked, query: Query, settings: RecallConfig) -> list[tuple[Pick, BlockItem]]:
    """The texts of the picks, in order of rank, without those that stand word for word in the conversation."""
    words = components.store.lines_of([p.segment for p in picked.picks[: settings.limit]])
    segments = components.indexes.catalogue.passages(words)
    said = {turn.strip() for turn in query.active_texts}
    found = []
    for chosen in picked.picks:
        segment = segments.get(chosen.segment)
        if segment is None or (said and any(line.text.strip() in said for line in segment.lines)):
            continue
        found.append((chosen, BlockItem(segment, chosen.role, _focus(components, chosen, segment, query))))
    return found[: settings.limit]


def rerank(components: Components, query: Query, items: list[tuple[Pick, BlockItem]]) -> list[tuple[Pick, BlockItem]]:
    """The same memories in the order of a cross-encoder, where one is configured; the receipt shows its score beside the others."""
    if components.reranker is None or not items:
        return items
    scores = components.reranker.scores(query.text, [item.segment.text for _, item in items]).tolist()
    order = sorted(range(len(items)), key=lambda i: (-scores[i], i))
    description = [
        replace(chosen, parts=(*chosen.parts, ScorePart("rerank", 0.0, order.index(i) + 1)))
        for i, (chosen, _) in enumerate(items)
    ]
    return [(description[i], items[i][1]) for i in order]


def _focus(components: Components, chosen: Pick, segment: Passage, query: Query) -> dict[int, tuple[int, int]]:
    """Which characters of each line matched the query best: an excerpt is cut around them."""
    best = max(chosen.lines.values(), default=0.0)
    strong = {line for line, score in chosen.lines.items() if score >= 0.5 * best}
    first = int(components.indexes.catalogue.segment("first_line")[segment.number])
    return {
        i: words_focus(segment.lines[i].text, query.text)
        for i in range(len(segment.lines))
        if not strong or first + i in strong
    }


def words_focus(text: str, query: str) -> tuple[int, int]:
    """The stretch of the text where the query's longer words stand closest together, else its beginning."""
    if len(text) < 400:
        return (0, len(text))
    lower = text.lower()
    wanted = {word.strip(".,;:!?\"'()").lower() for word in query.split() if len(word) > 3}
    places = np.array(sorted(at for word in wanted if word for at in _occurrences(lower, word)), dtype=np.int64)
    if not len(places):
        return (0, min(len(text), 400))
    inside = np.searchsorted(places, places + 300) - np.arange(len(places))
    start = int(np.argmax(inside))
    return (int(places[start]), int(places[start + inside[start] - 1]) + 20)


def _occurrences(text: str, word: str) -> list[int]:
    found: list[int] = []
    at = text.find(word)
    while at >= 0 and len(found) < 50:
        found.append(at)
        at = text.find(word, at + len(word))
    return found


def write_receipt(
    components: Components,
    query: Query,
    settings: RecallConfig,
    picked: Picked,
    items: Sequence[tuple[Pick, BlockItem]],
    block: ContextBlock,
) -> Receipt:
    through = {p.via for chosen, _ in items for p in chosen.parts} | {chosen.via for chosen, _ in items}
    names = components.indexes.catalogue.ids_of({*picked.refused, *through, *(chosen.segment for chosen, _ in items)})
    placed = {p.item.segment.number: p for p in block.placed}
    refused = sorted(picked.refused.items(), key=lambda row: (-row[1][0], row[0]))[:MOST_DROPPED]
    return Receipt(
        query=query.text,
        namespace=query.namespace,
        mode=settings.mode,
        note=explain.what_was_missing(components, query),
        cues=picked.cues,
        found=tuple(_found(chosen, item, placed.get(chosen.segment), names) for chosen, item in items),
        dropped=tuple(Dropped(names[n], round(score, 6), reason) for n, (score, reason) in refused if n in names),
        budget_tokens=settings.budget_tokens,
        used_tokens=block.tokens,
        settings={knob.name: getattr(settings, knob.name) for knob in fields(settings)},
    )


def _found(chosen: Pick, item: BlockItem, placed: Placed | None, names: dict[int, str]) -> Found:
    total = sum(part.value for part in chosen.parts if part.value > 0) or 1.0
    signals = tuple(
        Signal(
            part.name, round(part.value, 6), round(max(part.value, 0.0) / total, 4), part.rank, names.get(part.via, "")
        )
        for part in chosen.parts
    )
    return Found(
        segment=item.segment.id,
        role=chosen.role,
        score=round(chosen.score, 6),
        via=names.get(chosen.via, ""),
        edge=chosen.edge,
        signals=signals,
        why=explain.why(chosen, signals),
        in_context=placed is not None,
        tokens=placed.tokens if placed else 0,
        trust=placed.trust if placed else QUOTED,
    )
