"""Where a memory's size is going: the pace of its last months, carried on.

Knows: days with counts in, a pace and a size in a year out. A straight line: how much a person talks next year nobody knows, and the page says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

LOOKBACK_DAYS = 90  # whose pace counts
MIN_HISTORY_DAYS = 14  # a first day's pace, carried on for a year, is nonsense
HORIZON_DAYS = 365


@dataclass(frozen=True, slots=True)
class Forecast:
    """`per_day` segments a day in the last `days`; `segments` and `bytes` at the end of the time ahead."""

    days: int
    per_day: float
    segments: int
    bytes: int


def forecast(said: Mapping[date, int], total: int, size: int, held: int, today: date) -> Forecast | None:
    """None where there is too little to go by. The file has `size` bytes, of which `held` are what the memories themselves take: only
    those grow with them. An empty file has megabytes too, and a small memory would else take them along for each new one."""
    if not said or total <= 0:
        return None
    begin = max(today - timedelta(days=LOOKBACK_DAYS), min(said))
    days = (today - begin).days
    if days < MIN_HISTORY_DAYS:
        return None
    pace = sum(count for day, count in said.items() if begin < day <= today) / days
    ahead = total + round(pace * HORIZON_DAYS)
    return Forecast(days, pace, ahead, round(size + held * (ahead - total) / total))
