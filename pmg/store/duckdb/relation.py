"""A view or a macro with its explanation: the one place where the text, the meaning and the documentation come from.

Knows: what is common to the macros: the clock of whoever spoke, a range of time, and what counts as one link, and which links were made from vectors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pmg.base.model import AUTO_KINDS, Origin
from pmg.base.times import to_micros

RANGE = "ns, since := NULL, until := NULL"
SAID = "(g.said_at + to_seconds(g.said_offset))"  # on the clock of the person who said it
# The month is reckoned before a join with edges: there are many more of those.
MONTHS = f"(SELECT g.number, date_trunc('month', {SAID})::DATE AS month FROM segments g WHERE g.namespace = ns)"

# A link joins two memories and is counted once, whoever counts. The table `edges` (here `e`) holds a chain twice, once each way, so that
# a walk can go both; of those the row that leads from the later one stands for both.
IS_LINK = "(e.kind <> 'chain' OR e.source > e.target)"
# Follows from the vectors: made again when the words are embedded again. Every other link was somebody's decision, or says where an imported
# branch leaves.
_AUTO_KINDS = ", ".join(f"'{kind.value}'" for kind in AUTO_KINDS)
IS_AUTO_LINK = f"(e.origin = '{Origin.AUTO.value}' AND e.kind IN ({_AUTO_KINDS}))"


def said_compared(how: str, at: datetime) -> tuple[str, int | str]:
    """A condition on when a segment (here `g`) was said, and its value: by the moment, or without a zone by the clock of whoever spoke."""
    if at.tzinfo is None:
        return f"{SAID} {how} ?::TIMESTAMP", at.isoformat(sep=" ")
    return f"g.said_at {how} make_timestamp(?::BIGINT)", to_micros(at)


def within(column: str) -> str:
    return f"(since IS NULL OR {column} >= since::TIMESTAMP) AND (until IS NULL OR {column} < until::TIMESTAMP)"


@dataclass(frozen=True, slots=True)
class Relation:
    """`parameters` is empty for a view; for a macro it is what stands between the brackets."""

    name: str
    about: str
    columns: Mapping[str, str]
    sql: str
    parameters: str = ""

    @property
    def call(self) -> str:
        return f"{self.name}({self.parameters})" if self.parameters else self.name
