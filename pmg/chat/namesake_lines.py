"""Lines that answer, of several people of one first name: "Anna Berg lives in Leeds", "Anna Weiss lives in York", where Anna is asked for.

Knows: how a first name with a family name is written in a line. Who is known as a person of that name is shared_names.py's; here nobody needs to be. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

from pmg.base.calendar_words import GERMAN_WEEKDAYS, MONTHS, ONLY_GERMAN_MONTHS, WEEKDAYS
from pmg.base.words import STOP_WORDS
from pmg.people.entities import folded
from pmg.people.roles import asked_role
from pmg.people.shared_names import names_alone

_PART = r"[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]+(?:['’-][A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]+)*"
# "Anna Berg lives", "Anna Berg's flat", "… with Anna Berg."; not "Training Halle 3"
_FULL_NAME = re.compile(
    rf"(?<![\w'’-])(?P<first>{_PART}) (?P<last>{_PART})(?=['’]s?\b|\s+(?:[a-zß-öø-ÿ(]|[-–—])|[^\w\s'’-]|\s*\Z)"
)
_NO_FAMILY = frozenset((*WEEKDAYS, *GERMAN_WEEKDAYS, *MONTHS, *ONLY_GERMAN_MONTHS)) | STOP_WORDS
_OF_A_THING = re.compile(
    r"\b(?:my|our|your|his|her|their|new|mein\w*|unser\w*|dein\w*|sein\w*|ihr\w*)\W+\Z", re.IGNORECASE
)


def of_namesakes(question: str, lines: Sequence[str]) -> list[int]:
    """Of each who has the first name that the question gives alone, the first line that names them in full; none where no two differ."""
    full = [
        (place, folded(one["first"]), folded(one["last"]))
        for place, line in enumerate(lines)
        for one in _FULL_NAME.finditer(line)
    ]
    for name in names_alone(question, {first for _, first, _ in full}):
        first = folded(name)
        before = question[: question.find(name)]
        if first in STOP_WORDS or asked_role(question, name) or _OF_A_THING.search(before):
            continue
        places: dict[str, int] = {}
        for place, called, last in full:
            if called == first and last not in _NO_FAMILY and last not in folded(question).split():
                places.setdefault(last, place)
        if any(_are_two(a, b) for a, b in combinations(places, 2)):
            return sorted(set(places.values()))
    return []


def _are_two(a: str, b: str) -> bool:
    """ "Berg" may have become "Berg-Meier"."""
    return a not in b.split("-") and b not in a.split("-")
