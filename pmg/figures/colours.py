"""One colour a topic and one a person, in every picture and on every page.

A topic's is a function of its number, which stays with it from run to run: how many topics there are changes no other's colour. Hues step by
the golden angle, so that topics with neighbouring numbers lie far apart; every third has another lightness. All of them are in OKLCH
(Ottosson 2020), where equal steps look equal, and at lightnesses that can be read on white and on black.

Of people, whoever asks most has the colour of the role user, whoever answers most that of assistant.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from pmg.figures import style
from pmg.figures.growth import ROLES
from pmg.figures.style import NEUTRAL

OTHER = 0  # the number of no topic: what belongs to none
OTHER_NAME = "other"
_GOLDEN_ANGLE = 137.508  # degrees
_FIRST_HUE = 190.0  # the page's own teal
_LIGHTNESS = (0.62, 0.70, 0.55)
_CHROMA = 0.11


def topic_colour(topic: int | str | None) -> str:
    """The colour of a topic by its number; neutral for what belongs to none. A number may come as text, as it does from a table."""
    number = int(topic) if topic not in (None, "") else OTHER
    if number == OTHER:
        return NEUTRAL
    hue = math.radians((_FIRST_HUE + (number - 1) * _GOLDEN_ANGLE) % 360)
    return _hex(_LIGHTNESS[(number - 1) % 3], _CHROMA * math.cos(hue), _CHROMA * math.sin(hue))


def _hex(lightness: float, a: float, b: float) -> str:
    """From OKLab to sRGB, with the constants of its definition."""
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )
    return "#" + "".join(f"{round(255 * _gamma(min(1.0, max(0.0, one)))):02x}" for one in linear)


def _gamma(linear: float) -> float:
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055


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
