"""(to be replaced)"""

from __future__ import annotations

from pmg.config import Recall
from pmg.parts import Parts
from pmg.recall import fixed
from pmg.recall.picks import Picked
from pmg.recall.pool import Query


def pick(parts: Parts, query: Query, settings: Recall) -> Picked:
    return fixed.pick(parts, query, settings)
