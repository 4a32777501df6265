"""Which colour and which name each group of memories has on the timeline.

Topics have the colour that they have everywhere (pmg/figures/colours.py); other groups are ranked over the whole namespace, so that a
group keeps its colour from year to minute.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pmg.figures import style
from pmg.figures.colours import topic_colour
from pmg.figures.memory_words import BANDS, state_name
from pmg.store.browse import BrowseFilter
from pmg.ui.app_context import AppContext

COLOURED = 7  # groups that are not topics with a colour of their own; the others share one
UNNAMED = {"topic": "no topic", "source": "unknown source", "person": "nobody"}
OTHERS, OTHERS_COLOUR = "all others", "#b8a99a"


@dataclass(frozen=True, slots=True)
class GroupColour:
    title: str
    colour: str


@dataclass(frozen=True, slots=True)
class GroupColours:
    known: Mapping[str, GroupColour]

    def of(self, group: str) -> GroupColour:
        return self.known.get(group, GroupColour(OTHERS, OTHERS_COLOUR))

    def order(self, group: str) -> int:
        """The place of a group in a stack of bars: the same everywhere."""
        return next((i for i, known in enumerate(self.known) if known == group), len(self.known))


def colours(context: AppContext, namespace: str, group_by: str) -> GroupColours:
    unnamed = {"": GroupColour(UNNAMED.get(group_by, "none"), style.NEUTRAL)}
    if group_by == "quality":
        return GroupColours({str(i): GroupColour(f"tells {band}", style.QUALITY[i]) for i, band in enumerate(BANDS)})
    if group_by == "topic":
        names = context.engine.reads.graph.topic_names(namespace)
        return GroupColours({key: GroupColour(name, topic_colour(key)) for key, name in names.items()} | unnamed)
    return GroupColours(_ranked(context, namespace, group_by) | unnamed)


def _ranked(context: AppContext, namespace: str, group_by: str) -> dict[str, GroupColour]:
    total: dict[str, int] = {}
    for bucket in context.engine.reads.browse.buckets(BrowseFilter(namespace), "year", group_by):
        total[bucket.group] = total.get(bucket.group, 0) + bucket.segments
    ranked = [name for name in sorted(total, key=lambda name: (-total[name], name)) if name][:COLOURED]
    titles = {name: state_name(name) if group_by == "state" else name for name in ranked}
    return {name: GroupColour(titles[name], style.COLOURS[i]) for i, name in enumerate(ranked)}
