"""How much a turn is worth keeping fresh, judged when it is written, without a language model.

Knows: a number from 0 to 1 made of four things a person would name too: how much is said, how specific it is (numbers,
names, code, rare long words), how varied the words are, and whether it is a statement rather than a greeting.
Does not know: use over time; the steward combines this with hits and age.
"""

from __future__ import annotations

import math
import re

from pmg.model import Line

_WORD = re.compile(r"\w+", re.UNICODE)
_SPECIFIC = re.compile(r"\d|[^\W\d_][^\W_]*[A-Z]|[_/@#]|```|(?<=[a-z,;] )[A-Z]\w+")
_SMALL_TALK = frozenset(
    "hi hello hey thanks thank you ok okay yes no sure great good bye goodbye please sorry lol haha cool nice wow morning "
    "night welcome yeah yep nope right fine alright hmm um uh oh well the a i it is that this so and to of".split()
)


def quality(lines: tuple[Line, ...]) -> float:
    """0.35 length + 0.35 specificity + 0.2 variety + 0.1 substance, each from 0 to 1 and saturating."""
    text = "\n".join(line.text for line in lines)[:20_000]
    words = _WORD.findall(text)
    if not words:
        return 0.0
    lower = [word.lower() for word in words]
    telling = [word for word in lower if word not in _SMALL_TALK]
    length = min(1.0, math.log2(1 + len(telling)) / math.log2(1 + 120))
    specific = min(1.0, len(_SPECIFIC.findall(text)) / 8 + sum(len(word) > 8 for word in telling) / 24)
    variety = len(set(telling)) / len(telling) if telling else 0.0
    substance = len(telling) / len(lower)
    return round(0.35 * length + 0.35 * specific + 0.2 * variety * min(1.0, len(telling) / 8) + 0.1 * substance, 4)
