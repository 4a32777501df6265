"""A pick: one segment chosen by a mode of recall, before the block is made of it.

The two modes are fixed.py and diffuse_mode.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

ENTRY, LATERAL, VERTICAL = "entry", "lateral", "vertical"


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One summand of a score. `via` is the segment number it came through, 0 for the segment itself."""

    name: str
    value: float
    rank: int = 0
    via: int = 0


@dataclass(frozen=True, slots=True)
class Pick:
    segment: int
    role: str
    score: float
    via: int = 0
    edge: str = ""
    parts: tuple[ScorePart, ...] = ()
    lines: Mapping[int, float] = field(default_factory=dict)  # line id → score, where the mode ranks lines


@dataclass(frozen=True, slots=True)
class Picked:
    """Picks in order of rank, what was refused and why, and how the query was understood."""

    picks: tuple[Pick, ...]
    refused: Mapping[int, tuple[float, str]]
    cues: tuple[str, ...] = ()
