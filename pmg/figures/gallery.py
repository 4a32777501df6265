"""Every chart of the page, the report and the notebooks: its name, its group, where its data comes from, how it is drawn.

The page, a report and the notebooks all take their charts from here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from pmg.analytics import questions, vectors
from pmg.analytics.date_range import DateRange
from pmg.analytics.questions import Data
from pmg.base.errors import NotFound
from pmg.figures import content, growth, links, maintenance, use

if TYPE_CHECKING:
    from pmg.engine import Engine

GROUPS = ("Growth", "Use", "Content", "Graph", "Upkeep")
_Ask = Callable[["Engine", str, DateRange], Data]


@dataclass(frozen=True, slots=True)
class Chart:
    key: str
    group: str
    title: str
    about: str  # one sentence for the person
    draw: Callable[[Data], go.Figure]
    question: str = ""  # the question's name where it is not the key
    made: _Ask | None = None  # where no SQL alone gives the data
    ranged: bool = True  # whether a range of time changes it

    def data(self, engine: Engine, namespace: str, span: DateRange | None = None) -> Data:
        if self.made is not None:
            return self.made(engine, namespace, span or DateRange())
        return questions.ask(engine, self.question or self.key, namespace, span)


CHARTS: dict[str, Chart] = {
    chart.key: chart
    for chart in (
        Chart("growth", "Growth", "Memories", "All memories so far, also those put away since, by where they came from.", growth.growth),
        Chart("volume", "Growth", "Words said", "How much was said: by you to an assistant, by an assistant, and between people.", growth.volume),
        Chart("edge_growth", "Growth", "Links", "All links so far, by the month in which their newer end was said. A link joins two memories and counts once.", growth.edge_growth),
        Chart("bytes_by_kind", "Growth", "What takes the room", "The data itself, before the database packs it.", growth.bytes_by_kind, ranged=False),
        Chart("recalls", "Use", "Recalls", "How often memory was asked, and how often it had nothing to show.", use.recalls, "recall_days"),
        Chart("recall_funnel", "Use", "From stored to used", "How many memories are in recall, and how many were ever recalled.", use.recall_funnel),
        Chart("usefulness", "Use", "What is recalled", "Of what was said in each month: how much was ever recalled.", use.usefulness),
        Chart("hit_counts", "Use", "How often", "How many memories were recalled how often.", use.hit_counts),
        Chart("recall_roles", "Use", "How they were reached", "What a recall shows was found by the search, over a link, or beside one that was found.", use.roles),
        Chart("recall_latency", "Use", "How long recalls take", "How recall times are spread.", use.latency),
        Chart("recall_pace", "Use", "Recall time by day", "Half of a day's recalls, and nineteen of twenty, were at least this fast.", use.pace, "recall_days"),
        Chart("topic_months", "Content", "Topics over time", "What the memory was about, and how much of it, month by month.", content.topic_river),
        Chart("activity", "Content", "When things are said", "By day of the week and hour, on the clock of whoever spoke.", content.activity),
        Chart("people", "Content", "Who speaks", "By words.", content.people),
        Chart("people_months", "Content", "Who spoke when", "Lines of each speaker, month by month.", content.people_months),
        Chart("quality_spread", "Content", "How much memories tell", "From 0, small talk, to 1, full of names, numbers and facts; judged when it was written.", content.quality_spread),
        Chart("quality_by_age", "Content", "How much they tell, by age", "Each month's memories by how much they tell, as a share of that month.", content.quality_by_age),
        Chart("degrees", "Graph", "Links of a memory", "How many memories have so many links, by what joins them; a link counts at both of its ends.", links.degrees, ranged=False),
        Chart("similarity", "Graph", "Similarity and thresholds", "How alike random and linked pairs are, with the thresholds in force.", links.similarity, made=vectors.similarity, ranged=False),
        Chart("embedding_map", "Graph", "A map of meaning", "Each memory is a point, coloured by topic: the two directions in which they vary most. Of a large memory two thousand, spread evenly.", links.embedding_map, made=vectors.embedding_map, ranged=False),
        Chart("states", "Upkeep", "What is still in recall", "Merged and archived memories keep their text and can be brought back.", maintenance.states),
        Chart("upkeep", "Upkeep", "What upkeep did", "Merges, archiving, links and what you did yourself, day by day.", maintenance.upkeep),
        Chart("half_lives", "Upkeep", "How memories fade", "What is left of a memory's score while nobody asks for it; dotted, what its age alone would leave.", maintenance.half_lives, ranged=False),
    )
}  # fmt: skip


def chart(key: str) -> Chart:
    found = CHARTS.get(key)
    if found is None:
        raise NotFound(f"There is no chart {key!r}. There are: {', '.join(CHARTS)}.")
    return found


def of_group(group: str) -> list[Chart]:
    return [chart for chart in CHARTS.values() if chart.group == group]


def draw(engine: Engine, key: str, namespace: str = "", span: DateRange | None = None) -> go.Figure:
    """A chart by its name: what a notebook cell needs."""
    one = chart(key)
    return one.draw(one.data(engine, namespace or engine.config.namespace, span))
