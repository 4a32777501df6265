"""Reading one memory where it was said: its words, its neighbours, its links and what is known of it.

Knows: how a segment with all that belongs to it is gathered and written as HTML.
Whatever leads to another memory is a button with its id in `data-pick`; clicks.py hears it.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

from pmg.base.errors import NotFound
from pmg.base.model import TYPED_KINDS, Edge, Kind, Origin, Segment, Session, State, segment_id
from pmg.engine import Engine
from pmg.figures.memory_words import state_name, tells
from pmg.ingest.tags import checked_tags
from pmg.ui import highlight, render, speakers

CONTEXT_TURNS = 3  # turns shown on each side
SHOWN_LINKS = 5  # links shown of one kind at once; the others unfold
MAX_LINKS = 60  # that unfold: a memory that is like everything says nothing by its links

_SAYS = {
    Kind.RELATED_TO: ("related to", "related to"),
    Kind.SUPPORTS: ("supports", "supported by"),
    Kind.CONTRADICTS: ("contradicts", "contradicted by"),
    Kind.PART_OF: ("part of", "has as a part"),
    Kind.CAUSED_BY: ("caused by", "led to"),
    Kind.EXTENDS_SOURCE: ("extends", "extended by"),
    Kind.SEMANTIC: ("alike, older", "alike, newer"),
    Kind.CHAIN: ("beside it", "beside it"),
}


@dataclass(frozen=True, slots=True)
class LinkView:
    """A link of the memory that is read, seen from it."""

    kind: Kind
    outward: bool
    weight: float
    origin: Origin
    other: Segment

    @property
    def says(self) -> str:
        return _SAYS[self.kind][0 if self.outward else 1]


@dataclass(frozen=True, slots=True)
class Reading:
    segment: Segment
    session: Session
    before: tuple[Segment, ...]  # in order of the session
    after: tuple[Segment, ...]
    ties: tuple[LinkView, ...]  # best first

    @property
    def chain(self) -> tuple[LinkView, ...]:
        return tuple(tie for tie in self.ties if tie.kind is Kind.CHAIN)

    @property
    def semantic(self) -> tuple[LinkView, ...]:
        return tuple(tie for tie in self.ties if tie.kind is Kind.SEMANTIC)

    @property
    def typed(self) -> tuple[LinkView, ...]:
        return tuple(tie for tie in self.ties if tie.kind in TYPED_KINDS)


def read(engine: Engine, segment_id: str, namespace: str, near: int = CONTEXT_TURNS) -> Reading:
    """A memory of this namespace with its neighbours and links; one in another namespace is not there."""
    segment = segment_in(engine, segment_id, namespace)
    session = engine.reads.session(segment.session_id)
    if session is None:
        raise NotFound(f"The session {segment.session_id!r} of this memory is gone: it was forgotten meanwhile.")
    shown, *beside = speakers.named(engine, [segment, *_neighbours(engine, segment, near)])
    return Reading(
        shown,
        session,
        tuple(other for other in beside if other.index < segment.index),
        tuple(other for other in beside if other.index > segment.index),
        _ties(engine, segment),
    )


def segment_in(engine: Engine, segment_id: str, namespace: str) -> Segment:
    """The segment, if it is there and in this namespace."""
    segment = engine.segment(segment_id)
    if segment.namespace != namespace:
        raise NotFound(f"There is no memory {segment_id!r} in {namespace}: it may have been forgotten.")
    return segment


def _neighbours(engine: Engine, segment: Segment, near: int) -> list[Segment]:
    places = [segment.index + step for step in range(-near, near + 1) if step]
    numbers = engine.reads.numbers_of([segment_id(segment.session_id, place) for place in places if place >= 0])
    return sorted(engine.reads.segments(list(numbers.values())), key=lambda other: other.index)


def _ties(engine: Engine, segment: Segment) -> tuple[LinkView, ...]:
    edges = engine.edges(segment.id)
    numbers = engine.reads.numbers_of([_far(edge, segment) for edge in edges])
    others = {other.id: other for other in speakers.named(engine, engine.reads.segments(list(numbers.values())))}
    best: dict[tuple[str, Kind, bool], LinkView] = {}
    for edge in edges:
        other = others.get(_far(edge, segment))
        if other is None or other.namespace != segment.namespace:
            continue
        outward = edge.source == segment.id or edge.kind is Kind.CHAIN  # a chain goes both ways: once is enough
        tie = LinkView(edge.kind, outward, edge.weight, edge.origin, other)
        known = best.get((other.id, edge.kind, outward))
        if known is None or known.weight < tie.weight:
            best[(other.id, edge.kind, outward)] = tie
    return tuple(sorted(best.values(), key=lambda tie: (-tie.weight, tie.other.number, tie.kind, tie.outward)))


def _far(edge: Edge, segment: Segment) -> str:
    return edge.target if edge.source == segment.id else edge.source


def tags_from(text: str) -> list[str]:
    """What a person typed, parted by commas: each once, in their order."""
    return checked_tags(text.split(","))


# as HTML


def as_html(reading: Reading, asked: str = "") -> str:
    """The whole page of one memory; its chain is the talk around it. Every stored word goes through `render.safe`.

    Words that it shares with what was asked are marked.
    """
    segment, terms = reading.segment, highlight.terms_of(asked)
    return (
        '<article class="pmg-reading">'
        f"<header>{_title(reading)}"
        f'<p class="pmg-quiet">{render.moment(segment.at)} · turn {segment.index + 1} of {reading.session.segments}'
        f" · from {render.safe(' · '.join(filter(None, (reading.session.project, reading.session.source))) or 'unknown')}</p>{facts(segment)}</header>"
        f'<h4>In its session</h4><div class="pmg-talk">{"".join(_neighbour(other) for other in reading.before)}'
        f'<div class="pmg-now" aria-current="true">'
        f"{render.lines(segment, lambda text: highlight.marked(text, terms))}</div>"
        f"{''.join(_neighbour(other) for other in reading.after)}</div>"
        f"{_group('Links', reading.typed)}{_group('Alike in meaning', reading.semantic)}"
        "</article>"
    )


def _title(reading: Reading) -> str:
    """The session's title; none where it is only the beginning of what stands below."""
    title = reading.session.name
    first = (reading.before or (reading.segment,))[0]
    if first.index == 0 and any(render.repeats(title, line.text) for line in first.lines):
        return ""
    return f"<h3 dir='auto'>{render.safe(title or 'Untitled session')}</h3>"


def facts(segment: Segment) -> str:
    """What is known of a memory, as small chips."""
    last = f", last {render.day(segment.last_hit)}" if segment.last_hit else ""
    said = [
        ("state", state_name(segment.state.value)),
        ("recalled", f"{segment.hits} {'time' if segment.hits == 1 else 'times'}{last}"),
        ("tells", tells(segment.quality)),
    ]
    if segment.pinned:
        said.insert(1, ("pinned", "never archived"))
    chips = [f'<span class="pmg-chip"><b>{name}</b> {render.safe(value)}</span>' for name, value in said]
    tags = [f'<span class="pmg-chip pmg-tag">{render.safe(tag)}</span>' for tag in segment.tags]
    more = [
        f'<span class="pmg-chip"><b>{render.safe(key)}</b> {render.safe(render.shortened(value, 60))}</span>'
        for key, value in sorted(segment.meta.items())
    ]
    state = "" if segment.state is State.ACTIVE else '<p class="pmg-note">Not recalled while it is in this state.</p>'
    other = row(segment.stands_for, "gave way to", segment.stands_for) if segment.stands_for else ""
    return f'<p class="pmg-chips">{"".join([*chips, *tags, *more])}</p>{state}{other}'


def _neighbour(segment: Segment) -> str:
    return (
        f'<button type="button" class="pmg-beside" data-pick="{html.escape(segment.id)}" data-kind="chain" '
        f'title="Read this one">{render.lines(segment)}</button>'
    )


def _group(title: str, ties: Sequence[LinkView]) -> str:
    if not ties:
        return ""
    rows = [_tie(tie) for tie in ties[:MAX_LINKS]]
    weaker = "".join(rows[SHOWN_LINKS:])
    told = render.counted(len(ties) - SHOWN_LINKS, "weaker one", "weaker ones")
    more = f"<details><summary>{told}</summary>{weaker}</details>" if weaker else ""
    return f'<section class="pmg-ties"><h4>{title} ({len(ties)})</h4>{"".join(rows[:SHOWN_LINKS])}{more}</section>'


def _tie(tie: LinkView) -> str:
    strength = "" if tie.kind is Kind.CHAIN else f" · {tie.weight:.2f}"
    by = {Origin.USER: " · by you", Origin.MODEL: " · by a model"}.get(tie.origin, "")
    about = f"{tie.says}{strength}{by} · {render.day(tie.other.at)}"
    return row(tie.other.id, about, render.plain(tie.other), tie.kind.value)


def row(segment: str, about: str, text: str, kind: str = "") -> str:
    """One memory in a list: a button that leads to it. `about` is ours or was made safe by the caller's own words."""
    return (
        f'<button type="button" class="pmg-row" data-pick="{html.escape(segment)}" data-kind="{html.escape(kind)}">'
        f'<span class="pmg-quiet">{render.safe(about)}</span>'
        f"<span>{render.safe(render.shortened(text, 180))}</span></button>"
    )


NOTHING = '<p class="pmg-empty">Choose a memory to read it here, in its session and with its links.</p>'

CSS = """
.pmg-reading { background: var(--block-background-fill); border: 1px solid var(--border-color-primary); border-radius: 8px;
  padding: 14px 16px; }
.pmg-reading h3 { margin: 0 0 2px; font-size: 1.05rem; line-height: 1.3; overflow-wrap: anywhere; }
.pmg-reading h4 { margin: 14px 0 4px; font-size: .8rem; font-weight: 600; color: var(--body-text-color-subdued); }
.pmg-quiet { color: var(--body-text-color-subdued); font-size: .82rem; margin: 0; }
.pmg-empty, .pmg-note { color: var(--body-text-color-subdued); font-size: .9rem; }
.pmg-empty { padding: 18px 4px; }
.pmg-note { margin: 4px 0 0; }
.pmg-chips { display: flex; flex-wrap: wrap; gap: 6px; margin: 8px 0 0; }
.pmg-chip { border: 1px solid var(--border-color-primary); border-radius: 999px; padding: 1px 9px; font-size: .78rem;
  overflow-wrap: anywhere; }
.pmg-chip b { font-weight: 500; color: var(--body-text-color-subdued); }
.pmg-tag { border-color: var(--color-accent); }
.pmg-talk { max-height: 60vh; overflow-y: auto; border-left: 2px solid var(--border-color-primary);
  padding-left: 8px; }
.pmg-now { padding: 8px 10px; margin: 4px 0; border-radius: 8px; background: var(--background-fill-secondary);
  border-left: 3px solid var(--color-accent); overflow-wrap: anywhere; }
.pmg-beside { display: block; width: 100%; text-align: left; padding: 5px 10px; border: 0; border-radius: 8px;
  background: none; color: var(--body-text-color-subdued); font: inherit; font-size: .88rem; cursor: pointer;
  overflow-wrap: anywhere; }
.pmg-beside .pmg-line { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; padding: 0; }
.pmg-beside:hover, .pmg-row:hover { background: var(--background-fill-secondary); color: var(--body-text-color); }
.pmg-beside:focus-visible, .pmg-row:focus-visible { outline: 2px solid var(--color-accent); outline-offset: -2px; }
.pmg-line { margin: 2px 0; line-height: 1.5; }
.pmg-who { font-weight: 600; margin-right: 4px; }
.pmg-row { display: flex; flex-direction: column; gap: 1px; width: 100%; text-align: left; padding: 6px 8px; border: 0;
  border-left: 3px solid var(--border-color-primary); background: none; color: var(--body-text-color); font: inherit;
  font-size: .88rem; cursor: pointer; margin: 2px 0; border-radius: 0 6px 6px 0; overflow-wrap: anywhere; }
.pmg-ties summary { cursor: pointer; font-size: .82rem; color: var(--body-text-color-subdued); padding: 4px 8px; }
.pmg-row[data-kind="contradicts"] { border-left-color: #d1495b; }
.pmg-row[data-kind="supports"] { border-left-color: #3a9d6e; }
.pmg-row[data-kind="semantic"] { border-left-color: #4f7cac; }
"""
