"""Whether a line tells a name of somebody, also one that stands in nobody's words: "Anna (sister)", "Ben's sister". Pure.

Knows: that a line tells a role only where it says whose name it belongs to. What is dropped when no line tells a name any more is known by
pmg/store/duckdb/people_cleanup.py for the memory and by pmg/forget/copies.py for exports.
"""

from __future__ import annotations

import re

from pmg.base.text import has_name

_ROLE = re.compile(r"(?P<name>.+) \((?P<role>[^()]+)\)")  # "Anna (sister)": the role is added to the words of a name


def tells_name(name: str, speaker: str, text: str) -> bool:
    """Whether a line itself tells a name, and a role in it: what another line told of them may be what is forgotten."""
    said = f"{speaker}\n{text}".casefold()
    whole = name.casefold()
    if whole.endswith(" (?)"):  # that several have the name is told by no line alone
        return False
    if has_name(said, whole, as_written=True):
        return True
    if with_role := _ROLE.fullmatch(whole):
        return _tells_role(said, with_role["name"], with_role["role"])
    return all(has_name(said, part, as_written=True) for part in whole.split("'s "))


def _tells_role(said: str, name: str, role: str) -> bool:
    """ "My boss Anna", "my boss is called Anna", "Anna is my boss"; never "Anna called her boss"."""
    name, role = re.escape(name), re.escape(role)
    before = rf"{role},? (?:(?:is|was) )?(?:(?:called|named) )?{name}"
    after = rf"{name}(?:,| is| was) (?:my|our) (?:\w+ ){{0,2}}?{role}(?!['’]s)"
    return _has(said, before) or _has(said, after)


def _has(said: str, pattern: str) -> bool:
    return re.search(rf"(?<!\w)(?:{pattern})(?!\w)", said) is not None
