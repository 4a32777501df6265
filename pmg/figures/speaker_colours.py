"""One colour a person, in every chart of the same range: whoever asks most has the colour of the role user, whoever answers most that of assistant.

Knows: rows of person, role and lines. Colours of the roles themselves are in growth.py, those of topics in topic_colours.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pmg.figures import style
from pmg.figures.growth import ROLES

KEPT = ("user", "assistant")  # roles whose colour belongs to the first person who has it


def speaker_colours(rows: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """By lines in all, so that a table by month and one without give the same."""
    lines: dict[str, dict[str, int]] = {}
    for row in rows:
        mine = lines.setdefault(row["person"], {})
        mine[row["role"]] = mine.get(row["role"], 0) + row["lines"]
    ranked = sorted(lines, key=lambda one: (-sum(lines[one].values()), one))
    found: dict[str, str] = {}
    for role in KEPT:
        first = next((one for one in ranked if _main_role(lines[one]) == role), None)
        if first is not None:
            found[first] = ROLES[role]
    free = [colour for colour in style.COLOURS if colour not in {ROLES[role] for role in KEPT}]
    others = [one for one in ranked if one not in found]
    return found | {one: free[i % len(free)] for i, one in enumerate(others)}


def _main_role(lines: Mapping[str, int]) -> str:
    return min(lines, key=lambda role: (-lines[role], role))
