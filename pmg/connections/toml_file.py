"""Changing one entry of a TOML file that a person wrote: comments, order and the rest stay. The same for JSON stands in jsonc.py."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.toml_document import TOMLDocument

from pmg.errors import InputError

MARK = "\ufeff"  # a byte-order mark, which some editors write first


def get_entry(text: str, path: Sequence[str]) -> str | None:
    place = _table(_parsed(text), path[:-1])
    return None if place is None or path[-1] not in place else str(place[path[-1]])


def set_entry(text: str, path: Sequence[str], value: Mapping[str, object]) -> str:
    document = _parsed(text)
    place: MutableMapping[str, Any] = document
    for key in path[:-1]:
        if key not in place:
            place[key] = tomlkit.table(is_super_table=True)
        place = place[key]
        if not isinstance(place, MutableMapping):
            raise InputError(f"{key!r} is no table in this file: mend it by hand first.")
    table = tomlkit.table()
    table.update(dict(value))
    place[path[-1]] = table
    return _mark(text) + tomlkit.dumps(document)


def remove_entry(text: str, path: Sequence[str]) -> str:
    document = _parsed(text)
    place = _table(document, path[:-1])
    if place is None or path[-1] not in place:
        return text
    del place[path[-1]]
    return _mark(text) + tomlkit.dumps(document)


def value_of(text: str, path: Sequence[str]) -> Mapping[str, object] | None:
    """The values of an entry; None where it is no table, or not there."""
    place = _table(_parsed(text), path)
    return None if place is None else place


def _table(document: TOMLDocument, path: Sequence[str]) -> MutableMapping[str, Any] | None:
    place: Any = document
    for key in path:
        if not isinstance(place, MutableMapping) or key not in place:
            return None
        place = place[key]
    return place if isinstance(place, MutableMapping) else None


def _mark(text: str) -> str:
    return MARK if text.startswith(MARK) else ""


def _parsed(text: str) -> TOMLDocument:
    try:
        return tomlkit.parse(text.removeprefix(MARK))
    except TOMLKitError as error:
        raise InputError(f"This file is not TOML ({error}): mend it by hand first.") from None
