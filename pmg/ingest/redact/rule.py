"""What a redaction rule is. The rules themselves stand in the tables (table.py joins them).

Samples are recipes that are made up at run time, so that no file holds a string that looks like a secret: in parts that
are joined, and with `{alnum 36}` for that many characters of an alphabet, `{uuid}` for one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

from pmg.base.patterns import AnyMatch, Match

Span = tuple[int, int]
Sample = tuple[str, ...]
# Says which bytes of a match are the secret; () when the match is harmless after all.
Judge = Callable[[bytes, AnyMatch], Sequence[Span]]


# What a finder found: where the match begins and ends, the secrets in it, and their kind. A plain tuple: a text may hold
# tens of thousands, and a class would take as long as finding them.
RuleHit = tuple[int, int, Sequence[Span], str]
# For rules that need more than a pattern: what begins between two places of a text, where literals of the rule stand at
# the spans given. Rules may share one; each takes its kind. A hit without secrets says how far the text was read.
Finder = Callable[[bytes, int, int, Sequence[Span]], Iterable[RuleHit]]
# As far as a judge looks around a match: text with the same surroundings is judged once, however often it is repeated.
BEFORE, AFTER = 300, 1100


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of secret and one way it is written. Several rules may share a name, which is the kind.

    The secret is the first group that took part in the match, or the whole match. A rule is tried only near one of its
    `literals` or, where it has none, near what its `gate` matches: most text has neither. A literal with a capital
    counts as it is written, one without in any case.
    """

    name: str
    pattern: str
    examples: tuple[Sample, ...]
    counter_examples: tuple[Sample, ...]
    literals: tuple[str, ...] = ()
    judge: Judge | None = None
    gate: str = ""  # a pattern without long repeats, for what has no literal; "" is the rule's own pattern
    find: Finder | None = None  # in place of a pattern and a judge
    follow: bytes = b""  # a finder is only told of literals with one of these bytes behind them; b"" is any
    whole: tuple[str, ...] = ()  # of the literals, those that a finder is not told of where a small letter follows them
    unspaced: tuple[
        str, ...
    ] = ()  # of the literals, those that a finder is not told of where a blank and a word follow
    words: tuple[str, ...] = ()  # further literals, so short that they count only with no letter or digit beside them
    is_everywhere: bool = False  # runs over every text: a rule of the person's own has no gate and may span lines
    is_local: bool = (
        True  # a match and what its judge looks at end at most AFTER bytes behind the beginning of the match
    )


class ExtraRule(NamedTuple):
    """A rule of the person's own: what to call it and what to look for."""

    name: str
    pattern: str


ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
HEX = "0123456789abcdef"
UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
DIGITS = "0123456789"


def filler(length: int, alphabet: str = ALNUM, seed: int = 7) -> str:
    """Random-looking characters that are the same on every run: the body of a made-up secret."""
    state, out = seed * 7919 + length, []
    for _ in range(length):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        out.append(alphabet[(state >> 12) % len(alphabet)])
    return "".join(out)


_ALPHABETS = {
    "alnum": ALNUM,
    "hex": HEX,
    "upper": UPPER,
    "lower": UPPER.lower(),
    "digits": DIGITS,
    "base64": ALNUM + "/+",
}
_BODY = re.compile(r"\{(?:(uuid)|(alnum|hex|upper|lower|digits|base64) (\d+))\}")


class MadeUp(NamedTuple):
    """The text of a sample, and the random bodies in it."""

    text: str
    bodies: tuple[str, ...]


def assembled(sample: Sample, seed: int = 7) -> MadeUp:
    """A sample with bodies that depend on the seed; no two in it are alike."""
    seeds, bodies = count(seed), list[str]()

    def body(found: re.Match[str]) -> str:
        if found[1]:
            bodies.append("-".join(filler(size, HEX, next(seeds)) for size in (8, 4, 4, 4, 12)))
        else:
            bodies.append(filler(int(found[3]), _ALPHABETS[found[2]], next(seeds)))
        return bodies[-1]

    return MadeUp(_BODY.sub(body, "".join(sample)), tuple(bodies))


def made_up(sample: Sample) -> str:
    """The text of a sample, the same on every run."""
    return assembled(sample).text


def before_body(recipe: str) -> str:
    return recipe[: found.start()] if (found := _BODY.search(recipe)) else recipe


def first_group(match: Match, groups: int) -> Span:
    for group in range(1, groups + 1):
        span = match.span(group)
        if span[0] >= 0:
            return span
    return match.span(0)
