"""A row: one decoded line of a JSONL file or one element of an array, with its place.

Knows: a value and where it stood.
Does not know: what reads it.
"""

from __future__ import annotations

from dataclasses import dataclass

from pmg.importers.conversation import Where
from pmg.importers.fields import Json


@dataclass(frozen=True, slots=True)
class Row:
    value: Json
    where: Where
