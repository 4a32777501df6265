"""A recall for somebody who works in a folder: what was said in its project first, and of all that only what bears on the question.

Knows: the order of the places, the words that stand above what comes from elsewhere, and how a recall is cut down. Whether something bears on a
question is decided in bearing.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pmg.base.model import Passage
from pmg.base.project import MAX_NAME, Project, ProjectScope, project_name
from pmg.engine import Engine
from pmg.index.terms import query_terms
from pmg.recall.assemble import Placed, assemble, label
from pmg.recall.fence import remarked
from pmg.recall.line_order import rarity
from pmg.recall.pack import BlockItem
from pmg.recall.passages import wanted_words
from pmg.recall.receipt import RankedLine, Recalled
from pmg.server.bearing import bearing_memories

MIN_PASSAGE_SHARE = 0.5  # of the best passage of a long text: what bears less is left out though there is room
NO_PLACE = "Nothing in {} bears on this. From other projects, which may not hold here:"
FROM_PLACE = "From {}, another project:"


@dataclass(frozen=True, slots=True)
class FoundHere:
    """A recall from where somebody works, and what is said in front of its block."""

    recalled: Recalled
    strength: float  # with which the best of it bears on the question; 0: nothing does
    remark: str = ""

    @property
    def bears(self) -> bool:
        return self.strength > 0

    @property
    def text(self) -> str:
        return remarked(self.recalled.context, self.remark)


def recall_here(
    engine: Engine, here: Project | None, question: str, ask: Callable[[ProjectScope | None], Recalled]
) -> FoundHere:
    """What was said in this project; in none (a chat), where it bears at least as much; in others only where these have nothing, or the question
    names one of them that bears more: the name may be an ordinary word (`tests`)."""
    if here is None:
        return _bearing(engine, ask(None))
    found = _bearing(engine, ask(ProjectScope(here, nowhere=True)), beside=True)
    others = (
        _bearing(engine, ask(ProjectScope(Project(name))), FROM_PLACE.format(label(name, MAX_NAME)))
        for name in _others_named(engine, here, question, found.recalled.receipt.namespace)
    )
    best = max((found, *others), key=lambda one: one.strength)
    if best.bears:
        return best
    outside = ProjectScope(here, here=False, elsewhere=True)
    return _bearing(engine, ask(outside), NO_PLACE.format(label(here.name, MAX_NAME)))


def _bearing(engine: Engine, found: Recalled, remark: str = "", beside: bool = False) -> FoundHere:
    """With a block of what bears on the question alone; as it was found where nothing does. `beside`: what is of no project stands behind."""
    strengths = bearing_memories(engine, found)
    if not strengths:
        return FoundHere(found, 0.0, remark)
    inside = max((strengths.get(one.number, 0.0) for one in found.segments if one.project), default=0.0)

    def is_kept(one: Passage) -> bool:
        is_behind = beside and not one.project and strengths.get(one.number, 0.0) < inside
        return one.number in strengths and not is_behind

    return FoundHere(narrowed(engine, found, is_kept, least=MIN_PASSAGE_SHARE), max(strengths.values()), remark)


def _others_named(engine: Engine, here: Project, question: str, namespace: str) -> list[str]:
    """The other projects whose names the question has among its words, where it does not have the name of this one."""
    words = set(query_terms(question))
    with engine.indexes.lock.reading():
        keys = engine.indexes.catalogue.projects_in(namespace)
    names = sorted({project_name(key) for key in keys if not here.has(key)} - {here.name})
    is_named = {
        name: bool(terms) and words.issuperset(terms) for name in (here.name, *names) for terms in [query_terms(name)]
    }
    return [] if is_named[here.name] else [name for name in names if is_named[name]]


def narrowed(
    engine: Engine,
    found: Recalled,
    lets: Callable[[Passage], bool],
    limit: int | None = None,
    least: float = 0.0,
) -> Recalled:
    """A recall of many, cut down to what is let through (the best of it, where there is a `limit`), with a block of that alone."""
    rows = [(s, entry) for s, entry in zip(found.segments, found.receipt.found, strict=True) if lets(s)][:limit]
    ranks: dict[str, dict[int, int]] = {}
    for place, line in enumerate(found.lines):
        ranks.setdefault(line.segment, {})[line.line] = place
    items = [BlockItem(s, entry.role, ranks.get(s.id, {})) for s, entry in rows]
    wanted = wanted_words(found.receipt.query, rarity(engine.components, found.receipt.namespace))
    is_marked = engine.config.recall.flag_instructions
    block = assemble(items, found.receipt.budget_tokens, engine.reads.store_id, is_marked, wanted, least)
    headings = [block.headings.get(entry.segment, 0) for _, entry in rows]
    entries = tuple(
        replace(entry, in_context=heading > 0, heading=heading)
        for (_, entry), heading in zip(rows, headings, strict=True)
    )
    settings = found.receipt.settings if limit is None else {**found.receipt.settings, "limit": limit}
    receipt = replace(found.receipt, found=entries, used_tokens=block.tokens, settings=settings)
    segments = tuple(s for s, _ in rows)
    placed = {one.item.segment.id: one for one in block.placed}
    inside = {s.id for s in segments}
    lines = tuple(_as_placed(line, placed.get(line.segment)) for line in found.lines if line.segment in inside)
    return replace(found, context=block.text, segments=segments, lines=lines, receipt=receipt)


def _as_placed(line: RankedLine, placed: Placed | None) -> RankedLine:
    if placed is None:
        return replace(line, shown=0.0, ranges=())
    return replace(line, shown=placed.shown.get(line.line, 0.0), ranges=placed.ranges.get(line.line, ()))
