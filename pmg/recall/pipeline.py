"""Recall: from a question to a dated, attributed block and the receipt of how it came about.

The order of the stages stands here; each has a file of its own beside this one.

    embed → search, filter, expand, fuse, diversify (a mode picks) → assemble → receipt
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime

from pmg.base.errors import InputError
from pmg.base.project import ProjectScope
from pmg.base.times import now
from pmg.components import Components
from pmg.config import RecallConfig
from pmg.recall import diffuse_mode, explain, fixed
from pmg.recall.assemble import ContextBlock, Placed, assemble
from pmg.recall.candidates import Query, SearchTarget
from pmg.recall.fence import QUOTED
from pmg.recall.line_order import LinePlace, line_order, rarity, with_matches
from pmg.recall.otherwise import with_newer
from pmg.recall.pack import BlockItem
from pmg.recall.passages import wanted_words
from pmg.recall.picks import Pick, Picked
from pmg.recall.question_focus import as_told, parts_of, sought, with_occasion
from pmg.recall.question_speaker import named_people
from pmg.recall.receipt import Dropped, Found, RankedLine, Recalled, Receipt, Signal

Changed = Callable[[Sequence[int]], Mapping[str, str]]  # segment numbers → by segment id what has changed since
MAX_QUERY = 20_000  # characters: beyond this a query is a document; its beginning and end say what it is about
PART_BEHIND = 0.5  # spreads: what fits one part of a question only, behind what fits the whole
MAX_DROPPED = 100  # in the receipt: enough to see why, few enough to read


def recall(
    components: Components,
    text: str,
    settings: RecallConfig,
    *,
    namespace: str,
    exclude_sessions: Sequence[str] = (),
    active_context: Sequence[str] = (),
    exclude_segments: Sequence[int] = (),
    scope: ProjectScope | None = None,
    at: datetime | None = None,
    changed: Changed | None = None,
) -> Recalled:
    """The memories that matter for `text`, and why. A query without words finds nothing and says so."""
    begun = time.perf_counter()
    asked = embed(components, text, settings, namespace, exclude_sessions, active_context, at or now())
    query = replace(asked, exclude_segments=tuple(exclude_segments), scope=scope)
    with components.indexes.lock.reading():
        picked = pick(components, query, settings)
        found = fetch(components, picked, query, settings)
        order = line_order(components, found)
        items = noted(with_newer(components, with_matches(components, query, found, order)), changed)
    items = named(components, items)
    block = assemble(
        [item for _, item in items],
        settings.budget_tokens,
        components.store.store_id,
        settings.flag_instructions,
        wanted_words(query.text, rarity(components, namespace)),
    )
    receipt = write_receipt(components, query, settings, picked, items, block)
    milliseconds = 1000 * (time.perf_counter() - begun)
    segments = tuple(item.segment for _, item in items)
    return Recalled(block.text, segments, ranked_lines(items, order, block), receipt, milliseconds)


def ranked_lines(
    items: Sequence[tuple[Pick, BlockItem]], order: Sequence[LinePlace], block: ContextBlock
) -> tuple[RankedLine, ...]:
    placed = {one.item.segment.number: one for one in block.placed}
    rows = []
    for at in order:
        segment = items[at.item][1].segment
        held = placed.get(segment.number)
        ranges = held.ranges.get(at.line, ()) if held is not None else ()
        share = held.shown.get(at.line, 0.0) if held is not None else 0.0
        rows.append(RankedLine(segment.id, at.line, round(at.score, 6), share, ranges))
    return tuple(rows)


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
    wanted = _targets(components, short, namespace) if settings.rephrase else {short: 0.0}
    texts = dict.fromkeys((short, *wanted))  # most questions have no frame: the same text is embedded once
    vectors = components.embedder.embed([*texts, *(shortened(turn) for turn in active)])
    rows = dict(zip(texts, vectors, strict=False))
    targets = tuple(SearchTarget(target, rows[target], behind) for target, behind in wanted.items())
    return Query(
        short,
        rows[short],
        namespace,
        at,
        tuple(exclude_sessions),
        vectors[len(texts) :],
        active,
        targets,
        settings.own_questions,
    )


def _targets(components: Components, question: str, namespace: str) -> dict[str, float]:
    """What is looked for by meaning, and how far behind the first each stands."""
    with components.indexes.lock.reading():
        people = named_people(question, components.indexes.catalogue, namespace)
    told = [as_told(question, people)] if people else []
    whole = dict.fromkeys((sought(question), *with_occasion(question), *told), 0.0)
    return whole | {part: PART_BEHIND for part in parts_of(question) if part not in whole}


def shortened(text: str) -> str:
    """A very long query keeps its beginning and its end; what a person asks for stands there."""
    half = (MAX_QUERY - 1) // 2  # with the break between them, what the word index reads
    return text if len(text) <= MAX_QUERY else f"{text[:half]}\n{text[-half:]}"


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
        found.append((chosen, BlockItem(segment, chosen.role)))
    return found[: settings.limit]


def noted(items: list[tuple[Pick, BlockItem]], changed: Changed | None) -> list[tuple[Pick, BlockItem]]:
    """The same, each with what has changed since it was said."""
    notes = changed([item.segment.number for _, item in items]) if changed is not None and items else {}
    return [(chosen, replace(item, note=notes.get(item.segment.id, ""))) for chosen, item in items] if notes else items


def named(components: Components, items: list[tuple[Pick, BlockItem]]) -> list[tuple[Pick, BlockItem]]:
    """The same; a session that nobody gave a title is called by its first words, as everywhere else."""
    untitled = sorted({item.segment.session_id for _, item in items if not item.segment.session_name})
    names = components.store.browse.first_words(untitled) if untitled else {}
    return [(chosen, _named(item, names)) for chosen, item in items] if names else items


def _named(item: BlockItem, names: Mapping[str, str]) -> BlockItem:
    name = item.segment.session_name or names.get(item.segment.session_id, "")
    return replace(item, segment=replace(item.segment, session_name=name))


def write_receipt(
    components: Components,
    query: Query,
    settings: RecallConfig,
    picked: Picked,
    items: Sequence[tuple[Pick, BlockItem]],
    block: ContextBlock,
) -> Receipt:
    through = {p.via for chosen, _ in items for p in chosen.parts} | {chosen.via for chosen, _ in items}
    refused = sorted(picked.refused.items(), key=lambda row: (-row[1][0], row[0]))[:MAX_DROPPED]
    mentioned = {number for number, _ in refused} | through | {chosen.segment for chosen, _ in items}
    names = components.indexes.catalogue.ids_of(mentioned)
    placed = {p.item.segment.number: p for p in block.placed}
    return Receipt(
        query=query.text,
        namespace=query.namespace,
        mode=settings.mode,
        note=explain.what_was_missing(components, query),
        cues=picked.cues,
        found=tuple(
            _found(chosen, item, placed.get(chosen.segment), block.headings.get(item.segment.id, 0), names)
            for chosen, item in items
        ),
        dropped=tuple(Dropped(names[n], round(score, 6), reason) for n, (score, reason) in refused if n in names),
        budget_tokens=settings.budget_tokens,
        used_tokens=block.tokens,
        settings={knob.name: getattr(settings, knob.name) for knob in fields(settings)},
    )


def _found(chosen: Pick, item: BlockItem, placed: Placed | None, heading: int, names: dict[int, str]) -> Found:
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
        heading=heading,
    )
