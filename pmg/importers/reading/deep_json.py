"""JSON that nests deeper than Python's own decoder goes, read with a list instead of the stack.

Handles strict JSON, one value. Slow, so it is asked only where the fast decoder gave up for depth.
Deeper than `MAX_DEPTH` is no conversation.
"""

from __future__ import annotations

import json
import re
from typing import Any

MAX_DEPTH = 50_000
BLANK = re.compile(r"[ \t\r\n]*")
LITERAL = re.compile(r"true|false|null|NaN|-?Infinity|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
WORDS: dict[str, Any] = {"true": True, "false": False, "null": None}


def loads(written: str) -> Any:
    """The value, or ValueError where it is no JSON, is too deep, or is followed by anything else."""
    open_values: list[list[Any] | dict[str, Any]] = []
    keys: list[str] = []
    pos = _blank(written, 0)
    while True:
        mark = written[pos : pos + 1]
        if mark in ("{", "["):
            if len(open_values) >= MAX_DEPTH:
                raise ValueError(f"nested deeper than {MAX_DEPTH}")
            empty = _blank(written, pos + 1)
            container: list[Any] | dict[str, Any] = {} if mark == "{" else []
            if written[empty : empty + 1] != ("}" if mark == "{" else "]"):
                open_values.append(container)
                pos = _key(written, empty, keys) if isinstance(container, dict) else empty
                continue
            value: Any = container
            pos = empty + 1
        else:
            value, pos = _scalar(written, pos)
        while open_values:  # the value has ended: put it where it belongs, and close what ends with it
            top = open_values[-1]
            if isinstance(top, dict):
                top[keys.pop()] = value
            else:
                top.append(value)
            pos = _blank(written, pos)
            mark = written[pos : pos + 1]
            if mark == ",":
                pos = _blank(written, pos + 1)
                pos = _key(written, pos, keys) if isinstance(top, dict) else pos
                break
            if mark != ("}" if isinstance(top, dict) else "]"):
                raise ValueError(f"expected a comma or an end at character {pos}")
            value, pos = open_values.pop(), pos + 1
        else:
            if _blank(written, pos) != len(written):
                raise ValueError(f"extra data at character {pos}")
            return value


def _blank(written: str, pos: int) -> int:
    found = BLANK.match(written, pos)
    return found.end() if found else pos


def _key(written: str, pos: int, keys: list[str]) -> int:
    """Reads `"key":` and gives the position of its value."""
    found = STRING.match(written, pos)
    if found is None:
        raise ValueError(f"expected a key at character {pos}")
    pos = _blank(written, found.end())
    if written[pos : pos + 1] != ":":
        raise ValueError(f"expected a colon at character {pos}")
    keys.append(str(json.loads(found[0], strict=False)))
    return _blank(written, pos + 1)


def _scalar(written: str, pos: int) -> tuple[Any, int]:
    if quoted := STRING.match(written, pos):
        return json.loads(quoted[0], strict=False), quoted.end()
    found = LITERAL.match(written, pos)
    if found is None:
        raise ValueError(f"expected a value at character {pos}")
    word = found[0]
    if word in WORDS:
        return WORDS[word], found.end()
    whole = word.lstrip("-").isdigit() and len(word) < 4000
    return int(word) if whole else float(word), found.end()
