"""Reading untrusted JSON with types: every function takes anything and returns the type it names.

Handles how to ask a decoded JSON value for a text, a mapping or a list without trusting it.
"""

from __future__ import annotations

import json
from typing import Any

Json = dict[str, Any]


def mapping(value: object) -> Json:
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def mappings(value: object) -> list[Json]:
    """The mappings of a list; what else the list holds is not asked for."""
    return [item for item in items(value) if isinstance(item, dict)]


def text(value: object) -> str:
    """A string as it is; numbers as written; anything else is no text."""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return ""


def first_text(source: Json, *keys: str) -> str:
    """The first of these fields that holds a text that is not empty."""
    for key in keys:
        found = text(source.get(key))
        if found:
            return found
    return ""


def raw(value: object) -> str:
    """The value as compact JSON: how what is not understood is kept."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    except RecursionError:  # what could just be read may be too deep to write, further down the stack
        return "[nested too deeply to show]"


def joined(parts: list[str], glue: str = "\n") -> str:
    return glue.join(part for part in parts if part)


def notes(**values: object) -> dict[str, str]:
    """A meta mapping: only what holds something, as text (anything nested as JSON)."""
    found: dict[str, str] = {}
    for key, value in values.items():
        if value is None or value == "" or value == [] or value == {} or value is False:
            continue
        found[key] = value if isinstance(value, str) else "yes" if value is True else raw(value)
    return found
