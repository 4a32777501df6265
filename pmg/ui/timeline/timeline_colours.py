"""Which colour and which name each sort of memory has on the timeline.

Topics have the colour that they have everywhere (pmg/figures/topic_colours.py); other sorts are ranked over the whole namespace, so that a
sort keeps its colour from year to minute.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pmg.figures import style
from pmg.figures.topic_colours import topic_colour
from pmg.store.browse import BrowseFilter
from pmg.ui.app_context import AppContext

COLOURED = 7  # sorts that are not topics with a colour of their own; the others share one
BANDS = ("0–20 %", "20–40 %", "40–60 %", "60–80 %", "80–100 %")
UNNAMED = {"topic": "no topic", "source": "unknown source", "person": "nobody"}
OTHERS, OTHERS_COLOUR = "all others", "#b8a99a"


@dataclass(frozen=True, slots=True)
class SortColour:
    title: str
    colour: str


@dataclass(frozen=True, slots=True)
class SortColours:
    known: Mapping[str, SortColour]

    def of(self, sort: str) -> SortColour:
        return self.known.get(sort, SortColour(OTHERS, OTHERS_COLOUR))

    def order(self, sort: str) -> int:
        """The place of a sort in a stack of bars: the same everywhere."""
        return next((i for i, known in enumerate(self.known) if known == sort), len(self.known))


def colours(context: AppContext, namespace: str, sort: str) -> SortColours:
    unnamed = {"": SortColour(UNNAMED.get(sort, "none"), style.NEUTRAL)}
    if sort == "quality":
        return SortColours({str(i): SortColour(BANDS[i], style.QUALITY[i]) for i in range(5)})
    if sort == "topic":
        names = context.engine.reads.graph.topic_names(namespace)
        return SortColours({key: SortColour(name, topic_colour(key)) for key, name in names.items()} | unnamed)
    return SortColours(_ranked(context, namespace, sort) | unnamed)


def _ranked(context: AppContext, namespace: str, sort: str) -> dict[str, SortColour]:
    total: dict[str, int] = {}
    for bucket in context.engine.reads.browse.buckets(BrowseFilter(namespace), "year", sort):
        total[bucket.sort] = total.get(bucket.sort, 0) + bucket.segments
    ranked = [name for name in sorted(total, key=lambda name: (-total[name], name)) if name][:COLOURED]
    return {name: SortColour("You" if name == "User" else name, style.COLOURS[i]) for i, name in enumerate(ranked)}
