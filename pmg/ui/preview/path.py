"""The way from the question to each memory, drawn: the question, the entries it found, and what each of those brought in.

Knows: how found memories hang on each other, and the HTML of that tree. Why each was found is in the receipt; how a card reads in stages.py.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pmg.figures import style
from pmg.recall.receipt import Found
from pmg.ui import render

_VIA = re.compile(r", from (\S+?)(?=\)|,|$)")

CSS = """
.pmg-path, .pmg-path ul { list-style: none; margin: 0; padding: 0; }
.pmg-path ul { padding-left: 26px; }
.pmg-path li { position: relative; margin: 0; padding: 0 0 2px; }
.pmg-path ul > li::before { content: ""; position: absolute; left: -15px; top: -6px; width: 15px; height: 26px; border-style: solid;
  border-color: var(--kind, #98a3a0) !important; border-width: 0 0 2px 2px; border-bottom-left-radius: 10px; z-index: 1; }
.pmg-path ul > li:not(:last-child)::after { content: ""; position: absolute; left: -15px; top: 0; bottom: 0; border-left: 2px solid var(--border-color-primary); }
.pmg-path li[data-kind="contradicts"]::before, .pmg-path li[data-kind="caused_by"]::before { border-style: dashed; }
.pmg-asked { display: inline-block; margin: 0 0 8px; padding: 8px 14px; border-radius: 14px; background: var(--primary-600); color: #fff;
  font-size: .92rem; overflow-wrap: anywhere; }
.pmg-by { font-weight: 600; color: color-mix(in srgb, var(--kind, var(--body-text-color-subdued)) 62%, black); }
.dark .pmg-by { color: color-mix(in srgb, var(--kind, var(--body-text-color-subdued)) 60%, white); }
"""


@dataclass(frozen=True, slots=True)
class PathNode:
    """A found memory, its place in the result, and what it brought in."""

    place: int
    found: Found
    brought: tuple[PathNode, ...] = ()


def tree(found: Sequence[Found]) -> tuple[PathNode, ...]:
    """Entries in their order, each with what came through it. What came through something that is not shown stands by itself."""
    places = {one.segment: place for place, one in enumerate(found, 1)}
    children: dict[str, list[Found]] = {}
    for one in found:
        above = one.via if one.via in places and one.via != one.segment else ""
        children.setdefault(above, []).append(one)
    seen: set[str] = set()

    def node(one: Found) -> PathNode:
        seen.add(one.segment)
        below = [other for other in children.get(one.segment, []) if other.segment not in seen]
        return PathNode(places[one.segment], one, tuple(node(other) for other in below if other.segment not in seen))

    roots = [node(one) for one in children.get("", [])]
    # Two that brought each other in hang on nothing: the better one is where they begin.
    roots += [node(one) for one in found if one.segment not in seen]
    return tuple(sorted(roots, key=lambda one: one.place))


def drawn(query: str, found: Sequence[Found], card: Callable[[int, Found], str]) -> str:
    rows = "".join(_branch(one, card) for one in tree(found))
    return (
        f'<ul class="pmg-path" aria-label="From the question to each memory"><li><span class="pmg-asked" dir="auto">{render.safe(query)}</span>'
        f"<ul>{rows}</ul></li></ul>"
    )


def _branch(one: PathNode, card: Callable[[int, Found], str]) -> str:
    kind = one.found.edge if one.found.role != "entry" else ""
    colour = style.KINDS.get(kind, "#1d716a" if not kind else style.NEUTRAL)
    inside = "".join(_branch(other, card) for other in one.brought)
    below = f"<ul>{inside}</ul>" if inside else ""
    return f'<li data-kind="{html.escape(kind)}" style="--kind:{colour}">{card(one.place, one.found)}{below}</li>'


def says(one: Found) -> str:
    """What the line to a memory is; nothing for one that the search found itself: its bars say by what."""
    if one.role == "entry":
        return ""
    if one.role == "vertical":
        return "beside what was found"
    return f"linked: {link_words(one.edge)}" if one.edge else "linked"


def link_words(edge: str) -> str:
    """A kind of link as the page says it."""
    return {"semantic": "alike in meaning", "chain": "said beside it"}.get(edge, render.safe(edge.replace("_", " ")))


def without_ids(why: str, places: Mapping[str, int]) -> str:
    """A reason for a person: where it names a memory by its id, the place in the list stands."""
    return _VIA.sub(lambda found: f", from number {places[found[1]]}" if found[1] in places else "", why)
