"""The arguments of a tool as a model sends them, made what the tool takes; what is wrong with one is said in plain words.

Knows: the few types that our tools have, by their schema. Models send null for what they leave out, one text where a list of texts is
wanted, and numbers, true and false as texts: all are plain. An argument that a tool does not have is refused, for the answer would be to another question. No value is
repeated, for it may be a whole document.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from pmg.base.errors import InputError

Schema = Mapping[str, Any]
OLD_NAMES = {"question": "query", "type": "kind"}
_TRUTHS = {"true": True, "false": False}
_CALLED = {"string": "a text", "integer": "a whole number", "boolean": "true or false", "array": "a list of texts"}
_TYPES = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list", dict: "an object"}


def read_arguments(tool: str, given: Mapping[str, Any], schema: Schema) -> dict[str, Any]:
    """Raises InputError with what is wrong and what is taken."""
    known: Mapping[str, Schema] = schema.get("properties", {})
    if not known:  # some clients send something where nothing is taken
        return {}
    older = old_names(given, schema)
    given = {older.get(name, name): value for name, value in given.items()}
    takes = f"It takes {', '.join(known)}."
    unknown = [name for name in given if name not in known]
    if unknown:
        named = ", ".join(f"`{name[:40]}`" for name in unknown[:5])
        raise InputError(f"`{tool}` has no {named}. {takes}")
    values = {name: value for name, value in given.items() if value is not None}
    missing = [name for name in schema.get("required", ()) if name not in values]
    if missing:
        raise InputError(f"`{tool}` wants {', '.join(f'`{name}`' for name in missing)}. {takes}")
    return {name: _fitted(name, value, known[name]) for name, value in values.items()}


def old_names(given: Mapping[str, Any], schema: Schema) -> dict[str, str]:
    """Those of the arguments that came under the name they had before, with the name they have."""
    known = schema.get("properties", {})
    return {
        old: new
        for old, new in OLD_NAMES.items()
        if old in given and old not in known and new in known and new not in given
    }


def _fitted(name: str, value: Any, schema: Schema) -> Any:
    kind = schema.get("type", "string")
    choices = schema.get("enum")
    if choices is not None and value not in choices:
        raise InputError(f"`{name}` is none of {', '.join(map(str, choices))}: give one of them.")
    fitted = _READ[kind](value) if kind in _READ else value
    if not _is(fitted, kind):
        raise InputError(f"`{name}` is {_said(value)}: give {_CALLED[kind]}.")
    return fitted


def _list(value: Any) -> Any:
    """One text is a list of one; a list may come as its JSON."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            pass
    return [value] if value.strip() else []


def _number(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    text = value.strip() if isinstance(value, str) else ""
    return int(text) if text.removeprefix("-").isdecimal() and len(text) < 20 else value


def _truth(value: Any) -> Any:
    return _TRUTHS.get(value.strip().lower(), value) if isinstance(value, str) else value


_READ: Mapping[str, Callable[[Any], Any]] = {"array": _list, "integer": _number, "boolean": _truth}


def _is(value: Any, kind: str) -> bool:
    if kind == "array":
        return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, bool if kind == "boolean" else str)


def _said(value: Any) -> str:
    if isinstance(value, list) and not all(isinstance(one, str) for one in value):
        return "a list with something else than texts in it"
    return _TYPES.get(type(value), "something else")
