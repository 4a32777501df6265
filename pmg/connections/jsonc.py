"""Changing one entry of a JSON file that a person wrote, or one item of a list in it: comments, order, indentation and trailing commas stay.

Knows: just enough of JSON with comments to find where an entry begins and ends. Nothing is parsed and written anew; text is put in and
taken out. The same for TOML stands in toml_file.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pmg.base.errors import InputError

MARK = "\ufeff"  # a byte-order mark, which some editors write first
_CLOSING = {"{": "}", "[": "]"}


@dataclass(frozen=True, slots=True)
class JsonMember:
    key: str
    start: int  # of the key
    value: int
    end: int  # after the value
    comma: int  # of the comma that follows, or -1


@dataclass(frozen=True, slots=True)
class JsonArray:
    start: int
    end: int  # of the closing bracket
    members: tuple[JsonMember, ...]  # without keys


@dataclass(frozen=True, slots=True)
class JsonObject:
    start: int
    end: int  # of the closing brace
    members: tuple[JsonMember, ...]

    def member(self, key: str) -> JsonMember | None:
        """Of two with one key the last: that is the one which parsers take."""
        return next((one for one in reversed(self.members) if one.key == key), None)


def is_empty(text: str) -> bool:
    """Whether nothing stands there, or a byte-order mark alone."""
    return not text.removeprefix(MARK).strip()


def get_entry(text: str, path: Sequence[str]) -> str | None:
    """The text of an entry, or None where it is not there."""
    found = _root(text)
    for place, key in enumerate(path):
        member = found.member(key)
        if member is None:
            return None
        if place == len(path) - 1:
            return text[member.value : member.end]
        if text[member.value] != "{":
            return None
        found = _object(text, member.value)
    return None


def set_entry(text: str, path: Sequence[str], value: object) -> str:
    """The text with the entry at this path; objects on the way that are missing are made."""
    if is_empty(text):
        text = f"{text.strip()}{{}}\n"
    found, depth = _root(text), 0
    while depth < len(path) - 1:
        member = found.member(path[depth])
        if member is None:
            break
        if text[member.value] != "{":
            raise InputError(f"{path[depth]!r} is no object in this file: mend it by hand first.")
        found, depth = _object(text, member.value), depth + 1
    for key in reversed(path[depth + 1 :]):
        value = {key: value}
    member = found.member(path[depth])
    indent = _indent(text, found)
    written = json.dumps(value, indent=2, ensure_ascii=False).replace("\n", f"\n{indent}")
    if member is not None:
        return text[: member.value] + written + text[member.end :]
    return _appended(text, found, f"{json.dumps(path[depth])}: {written}", indent)


def remove_entry(text: str, path: Sequence[str]) -> str:
    """The text without the entry; as it was where there is none."""
    found = _root(text)
    for key in path[:-1]:
        member = found.member(key)
        if member is None or text[member.value] != "{":
            return text
        found = _object(text, member.value)
    gone = found.member(path[-1])
    if gone is None:
        return text
    return _without(text, found, found.members.index(gone))


def get_items(text: str, path: Sequence[str]) -> list[str]:
    """The texts of the items of a list; none where there is no such list."""
    held = _list(text, path)
    return [] if held is None else [text[one.value : one.end] for one in held.members]


def append_item(text: str, path: Sequence[str], value: object) -> str:
    """The text with one more item at the end of the list at this path; the list is made where it is missing."""
    there = None if is_empty(text) else get_entry(text, path)
    if there is None:
        return set_entry(text, path, [value])
    held = _list(text, path)
    if held is None:
        raise InputError(f"{path[-1]!r} is no list in this file: mend it by hand first.")
    indent = _indent(text, held)
    return _appended(text, held, json.dumps(value, indent=2, ensure_ascii=False).replace("\n", f"\n{indent}"), indent)


def remove_items(text: str, path: Sequence[str], ours: Callable[[str], bool]) -> str:
    """The text without the items that are ours. A list that is empty then goes too."""
    if is_empty(text):
        return text
    while (held := _list(text, path)) is not None:
        places = [place for place, one in enumerate(held.members) if ours(text[one.value : one.end])]
        if not places:
            break
        text = remove_entry(text, path) if len(held.members) == 1 else _without(text, held, places[-1])
    return text


def _list(text: str, path: Sequence[str]) -> JsonArray | None:
    found = None if is_empty(text) else _root(text)
    for place, key in enumerate(path):
        member = found.member(key) if found is not None else None
        if member is None:
            return None
        if place == len(path) - 1:
            return _array(text, member.value) if text[member.value] == "[" else None
        found = _object(text, member.value) if text[member.value] == "{" else None
    return None


def _without(text: str, found: JsonObject | JsonArray, place: int) -> str:
    gone = found.members[place]
    last = place == len(found.members) - 1
    end = gone.comma + 1 if gone.comma >= 0 else gone.end
    start = len(text[: gone.start].rstrip(" \t\r\n"))  # the line break before it goes with it
    before = found.members[place - 1] if place else None
    if last and before is not None and gone.comma < 0:  # the comma before it would now be the last thing
        return text[: before.comma] + text[before.comma + 1 : start] + text[end:]
    if len(found.members) == 1 and not text[found.start + 1 : start].strip() and not text[end : found.end].strip():
        return text[: found.start + 1] + text[found.end :]
    return text[:start] + text[end:]


def _appended(text: str, found: JsonObject | JsonArray, entry: str, indent: str) -> str:
    head, tail = text[: found.end], text[found.end :]
    outer = indent[:-2] if len(indent) >= 2 else ""
    if found.members:
        last = found.members[-1]
        outer = _line_indent(text, found.end) if "\n" in text[last.end : found.end] else outer
        if last.comma < 0:
            head = head[: last.end] + "," + head[last.end :]
        else:  # whoever ends the last entry with a comma finds ours ending so too
            entry += ","
    return f"{head.rstrip()}\n{indent}{entry}\n{outer}{tail}"


def _indent(text: str, found: JsonObject | JsonArray) -> str:
    """As the entries beside it have it."""
    if found.members and "\n" in text[found.start : found.members[0].start]:
        return _line_indent(text, found.members[0].start)
    return _line_indent(text, found.start) + "  "


def _line_indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _root(text: str) -> JsonObject:
    start = _skip(text, 1 if text.startswith(MARK) else 0)
    if text[start : start + 1] != "{":
        raise InputError("This file is not a JSON object: mend it by hand first.")
    return _object(text, start)


def _object(text: str, start: int) -> JsonObject:
    members: list[JsonMember] = []
    at = _skip(text, start + 1)
    while text[at : at + 1] != "}":
        if text[at : at + 1] != '"':
            raise _broken(text, at)
        key_end = _string_end(text, at)
        colon = _skip(text, key_end)
        if text[colon : colon + 1] != ":":
            raise _broken(text, colon)
        value = _skip(text, colon + 1)
        end = _value_end(text, value)
        after = _skip(text, end)
        comma = after if text[after : after + 1] == "," else -1
        members.append(JsonMember(_key(text, at, key_end), at, value, end, comma))
        if comma < 0 and text[after : after + 1] != "}":
            raise _broken(text, after)
        at = _skip(text, after + 1) if comma >= 0 else after
    return JsonObject(start, at, tuple(members))


def _key(text: str, start: int, end: int) -> str:
    try:
        return str(json.loads(text[start:end]))
    except ValueError:  # an escape that JSON does not have, or a line break
        raise _broken(text, start) from None


def _array(text: str, start: int) -> JsonArray:
    members: list[JsonMember] = []
    at = _skip(text, start + 1)
    while text[at : at + 1] != "]":
        end = _value_end(text, at)
        after = _skip(text, end)
        comma = after if text[after : after + 1] == "," else -1
        members.append(JsonMember("", at, at, end, comma))
        if comma < 0 and text[after : after + 1] != "]":
            raise _broken(text, after)
        at = _skip(text, after + 1) if comma >= 0 else after
    return JsonArray(start, at, tuple(members))


def _value_end(text: str, at: int) -> int:
    first = text[at : at + 1]
    if first == '"':
        return _string_end(text, at)
    if first in _CLOSING:
        inside = _skip(text, at + 1)
        while text[inside : inside + 1] != _CLOSING[first]:
            if text[inside : inside + 1] in (",", ":"):
                inside = _skip(text, inside + 1)
            else:
                inside = _skip(text, _value_end(text, inside))
        return inside + 1
    end = at
    while end < len(text) and text[end] not in ",]}:/ \t\r\n":
        end += 1
    if end == at:
        raise _broken(text, at)
    return end


def _string_end(text: str, at: int) -> int:
    at += 1
    while at < len(text) and text[at] != '"':
        at += 2 if text[at] == "\\" else 1
    if at >= len(text):
        raise _broken(text, at)
    return at + 1


def _skip(text: str, at: int) -> int:
    """Past white space and comments."""
    while at < len(text):
        if text[at] in " \t\r\n":
            at += 1
        elif text.startswith("//", at):
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        elif text.startswith("/*", at):
            end = text.find("*/", at)
            if end < 0:
                raise _broken(text, at)
            at = end + 2
        else:
            return at
    return at


def _broken(text: str, at: int) -> InputError:
    return InputError(f"Line {text.count(chr(10), 0, at) + 1} of this file is not JSON: mend it by hand first.")
