"""The questions behind the charts: which macro, asked for which wall and range.

Knows: every chart's SQL, which is also what the page shows and what `pmg sql` takes. Does not know: how an answer is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pyarrow as pa

from pmg import config as configuration
from pmg.analytics.span import Span
from pmg.errors import NotFound

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
class Question:
    """`macro` looks behind one wall; `ranged` says whether it takes a range of time."""

    macro: str
    ranged: bool = True

    def statement(self, namespace: str, span: Span, half_life_days: float = 60.0) -> str:
        space = configuration.checked_namespace(namespace)  # letters, digits, - and _: nothing to quote
        days = f", days := {half_life_days:g}" if self.macro == "half_lives" else ""
        return f"FROM {self.macro}('{space}'{span.arguments if self.ranged else ''}{days})"


QUESTIONS: dict[str, Question] = {
    question.macro: question
    for question in (
        Question("growth"),
        Question("volume"),
        Question("edge_growth"),
        Question("bytes_by_kind", ranged=False),
        Question("activity"),
        Question("sources"),
        Question("recall_days"),
        Question("recall_latency"),
        Question("recall_roles"),
        Question("recall_funnel"),
        Question("hit_counts"),
        Question("usefulness"),
        Question("topic_months"),
        Question("people"),
        Question("people_months"),
        Question("quality_spread"),
        Question("quality_by_age"),
        Question("degrees", ranged=False),
        Question("link_weights", ranged=False),
        Question("upkeep"),
        Question("states"),
        Question("half_lives", ranged=False),
        Question("tag_counts"),
    )
}


def ask(engine: Engine, name: str, namespace: str = "", span: Span | None = None) -> Data:
    """The answer to a question by its name, behind one wall (the configured one unless given)."""
    question = QUESTIONS.get(name)
    if question is None:
        raise NotFound(f"There is no question {name!r}. There are: {', '.join(QUESTIONS)}.")
    config = engine.config
    statement = question.statement(namespace or config.namespace, span or Span(), config.steward.half_life_days)
    answer = engine.sql(statement, seconds=SECONDS)
    return Data(answer.table, statement, milliseconds=answer.milliseconds)
