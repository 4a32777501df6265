"""What a redaction rule is.

Knows: the shape of a rule and of its samples. Does not know: any particular secret.
Samples are kept in parts and joined at run time, so that no file holds a string that looks like a secret.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pmg.ingest.redact.linear import Match

Span = tuple[int, int]
Sample = tuple[str, ...]
# Says which bytes of a match are the secret; () when the match is harmless after all.
Judge = Callable[[bytes, Match], Sequence[Span]]
# As far as a judge looks around a match: the same surroundings are judged once, however often a text repeats them.
BEFORE, AFTER = 300, 1100


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of secret and one way it is written. Several rules may share a name, which is the kind.

    The secret is the first group that took part in the match, or the whole match. Two cheap tests spare most texts the
    pattern: `gate` must be found in the text, and one of `needles` in any case, or else `opening` (if any), near it.
    """

    name: str
    pattern: str
    examples: tuple[Sample, ...]
    counter_examples: tuple[Sample, ...]
    needles: tuple[str, ...] = ()
    judge: Judge | None = None
    gate: str = ""  # a pattern without long repeats; "" is the rule's own pattern
    opening: str = ""  # a pattern without long repeats that every match holds, for rules whose needles depend on case
    is_everywhere: bool = False  # runs over every text: a rule of the person's own has no gate and may span lines
    is_local: bool = True  # the judge looks at most BEFORE bytes back and AFTER ahead of a match


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


def joined(sample: Sample) -> str:
    return "".join(sample)


def first_group(match: Match, groups: int) -> Span:
    for group in range(1, groups + 1):
        span = match.span(group)
        if span[0] >= 0:
            return span
    return match.span(0)
