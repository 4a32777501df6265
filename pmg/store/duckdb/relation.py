"""A view or a macro with its explanation: the one place where the text, the meaning and the documentation come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


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
