"""Changing one entry of a TOML file that a person wrote: comments, order and the rest stay. The same for JSON stands in jsonc.py.

Knows: tomlkit, which writes, and that what it wrote is read anew before anybody gets it: it says what was there and our entry, or nothing is
changed.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable, Table
from tomlkit.toml_document import TOMLDocument

from pmg.base.errors import InputError
from pmg.connections.jsonc import MARK


def get_entry(text: str, path: Sequence[str]) -> str | None:
    place = _table(_parsed(text), path[:-1])
    return None if place is None or path[-1] not in place else str(place[path[-1]])


def set_entry(text: str, path: Sequence[str], value: Mapping[str, object]) -> str:
    """The first way of putting it in after which the file says just that: TOML has several ways of writing a table, and a person may have
    used any of them."""
    wanted = _plain(text)
    place = wanted
    for key in path[:-1]:
        place = place.setdefault(key, {})
        if not isinstance(place, dict):
            raise InputError(f"{key!r} is no table in this file: mend it by hand first.")
    place[path[-1]] = dict(value)
    for way in (_as_is, _as_table, _inline):
        found = way(text, path, value)
        if _says(found, wanted):
            return found
    raise _by_hand(path)


def remove_entry(text: str, path: Sequence[str]) -> str:
    if get_entry(text, path) is None:
        return text
    wanted = _plain(text)
    place = wanted
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    found = _without(text, path)
    if not _says(found, wanted):
        raise _by_hand(path)
    return found


def _as_is(text: str, _path: Sequence[str], _value: Mapping[str, object]) -> str:
    """It says so already."""
    return text


def _as_table(text: str, path: Sequence[str], value: Mapping[str, object]) -> str:
    return _put(text, path, tomlkit.table(), value)


def _inline(text: str, path: Sequence[str], value: Mapping[str, object]) -> str:
    """Where the tables beside it stand in braces, or ours is written with dots (`mcp_servers.pmg.command = …`)."""
    return _put(text, path, tomlkit.inline_table(), value)


def _put(text: str, path: Sequence[str], entry: Table | InlineTable, value: Mapping[str, object]) -> str:
    document = _parsed(text)
    place: MutableMapping[str, Any] = document
    for key in path[:-1]:
        if key not in place:
            place[key] = tomlkit.table(is_super_table=True)
        place = place[key]
    entry.update(dict(value))
    place[path[-1]] = entry
    return _mark(text) + tomlkit.dumps(document)


def _without(text: str, path: Sequence[str]) -> str:
    document = _parsed(text)
    place = _table(document, path[:-1])
    if place is None or path[-1] not in place:
        return text
    del place[path[-1]]
    return _mark(text) + tomlkit.dumps(document)


def _says(text: str, wanted: Mapping[str, Any]) -> bool:
    try:
        return _comparable(_plain(text)) == _comparable(wanted)
    except InputError:
        return False


def _comparable(values: Mapping[str, Any]) -> str:
    """Without tables that hold nothing: the last entry may have taken its table along."""
    return json.dumps({key: one for key, one in values.items() if one != {}}, sort_keys=True, default=repr)


def _plain(text: str) -> dict[str, Any]:
    """By another reader than the one that writes."""
    try:
        return tomllib.loads(text.removeprefix(MARK))
    except ValueError as error:
        raise _not_toml(error) from None


def _by_hand(path: Sequence[str]) -> InputError:
    return InputError(
        f"The table {path[0]!r} is written in a way that PMG cannot change safely. Nothing was changed: mend it by hand. "
        "`pmg connect print` shows the entry."
    )


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
        raise _not_toml(error) from None


def _not_toml(error: Exception) -> InputError:
    return InputError(f"This file is not TOML ({error}): mend it by hand first.")
