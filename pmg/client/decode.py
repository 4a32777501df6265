"""JSON back into the frozen dataclasses it was made from, by their annotations.

Fields that this version does not know are passed over: a newer server may say more. Text is taken as it is, half characters from
broken exports too, which a validating library would refuse.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints


def decode(kind: Any, value: Any) -> Any:
    """`value`, as json.loads gave it, as a `kind`. KeyError, TypeError or ValueError for what is none."""
    if isinstance(kind, type) and is_dataclass(kind):
        return kind(**{name: decode(hint, value[name]) for name, hint in _hints(kind).items() if name in value})
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType:
        other = next(one for one in inner if one is not NoneType)
        return None if value is None else decode(other, value)
    if origin is tuple:
        return tuple(decode(inner[0], one) for one in value)
    if origin is Counter:
        return Counter({decode(inner[0], key): count for key, count in value.items()})
    if origin is Mapping:
        return {decode(inner[0], key): decode(inner[1], one) for key, one in value.items()}
    if kind is datetime or kind is date:
        return kind.fromisoformat(value)
    return kind(value) if isinstance(kind, type) and issubclass(kind, Enum) else value


@lru_cache
def _hints(kind: type[Any]) -> dict[str, Any]:
    found = get_type_hints(kind)
    return {field.name: found[field.name] for field in fields(kind)}
