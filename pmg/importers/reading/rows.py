"""A row: one decoded line of a JSONL file or one element of an array, with its place."""

from __future__ import annotations

from dataclasses import dataclass

from pmg.importers.conversation import Where
from pmg.importers.reading.fields import Json


@dataclass(frozen=True, slots=True)
class Row:
    value: Json
    where: Where
