"""The questions behind the charts: which macro, asked for which namespace and range.

Knows: every chart's SQL, which is also what the page shows and what `pmg sql` takes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pyarrow as pa

from pmg import config as configuration
from pmg.analytics.date_range import DateRange
from pmg.base.errors import NotFound

if TYPE_CHECKING:
    from pmg.engine import Engine

SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Data:
    """What a chart is drawn from. `marks` are numbers to draw in, such as thresholds, by name."""

    table: pa.Table
    sql: str
    marks: Mapping[str, float] = field(default_factory=dict)
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class ChartQuery:
    """`macro` looks into one namespace; `ranged` says whether it takes a range of time."""

    macro: str
    ranged: bool = True

    def statement(self, namespace: str, span: DateRange, half_life_days: float = 60.0) -> str:
        namespace = configuration.checked_namespace(namespace)  # letters, digits, - and _: nothing to quote
        days = f", days := {half_life_days:g}" if self.macro == "half_lives" else ""
        return f"FROM {self.macro}('{namespace}'{span.arguments if self.ranged else ''}{days})"


QUESTIONS: dict[str, ChartQuery] = {
    question.macro: question
    for question in (
        ChartQuery("growth"),
        ChartQuery("volume"),
        ChartQuery("edge_growth"),
        ChartQuery("bytes_by_kind", ranged=False),
        ChartQuery("activity"),
        ChartQuery("sources"),
        ChartQuery("recall_days"),
        ChartQuery("recall_latency"),
        ChartQuery("recall_roles"),
        ChartQuery("recall_funnel"),
        ChartQuery("hit_counts"),
        ChartQuery("usefulness"),
        ChartQuery("topic_months"),
        ChartQuery("people"),
        ChartQuery("people_months"),
        ChartQuery("quality_spread"),
        ChartQuery("quality_by_age"),
        ChartQuery("degrees", ranged=False),
        ChartQuery("link_weights", ranged=False),
        ChartQuery("upkeep"),
        ChartQuery("states"),
        ChartQuery("half_lives", ranged=False),
        ChartQuery("tag_counts"),
    )
}


def ask(engine: Engine, name: str, namespace: str = "", span: DateRange | None = None) -> Data:
    """The answer to a question by its name, in one namespace (the configured one unless given)."""
    question = QUESTIONS.get(name)
    if question is None:
        raise NotFound(f"There is no question {name!r}. There are: {', '.join(QUESTIONS)}.")
    config = engine.config
    statement = question.statement(namespace or config.namespace, span or DateRange(), config.steward.half_life_days)
    answer = engine.sql(statement, seconds=SECONDS)
    return Data(answer.table, statement, milliseconds=answer.milliseconds)
