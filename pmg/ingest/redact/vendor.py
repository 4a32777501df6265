"""How a vendor's token becomes a rule: a telling prefix, a body, and the check that it is no placeholder.

Knows: what documentation writes where a real token would stand. Does not know: any vendor.
"""

from __future__ import annotations

from collections.abc import Sequence

from pmg.ingest.redact.linear import Match, compile_linear
from pmg.ingest.redact.rule import Rule, Sample, Span

# Before a short prefix: a word boundary, or what stands for one in escaped, URL-encoded and coloured text.
LEFT = r"(?:\b|_|\\[nrt]|%[0-9A-Fa-f]{2}|\x1b\[[0-9;]*m)"

# Every token is a long unbroken run somewhere; sentences have none, so this one test spares them all these rules.
LONG_RUN = r"[A-Za-z0-9_+/=~%-]{16}"

# A random body holds none of these; what documentation shows in its place does.
_STAND_IN = compile_linear(
    r"your|Your|YOUR|xxxx|XXXX|(?i)example|placeholder|\*\*\*|\.\.\.|abc\.\.|redacted|insert[_-]|replace[_-]|0{12}|"
    r"_here$|-here$|(?:my|the|some)[_-](?:token|key|secret|api)|(?:token|key|secret)[_-]?goes",
    "stand-ins",
)


def is_stand_in(data: bytes, start: int, end: int) -> bool:
    return _STAND_IN.search(data[start:end]) is not None


def genuine(data: bytes, match: Match) -> Sequence[Span]:
    """The judge of vendor rules: group 1 unless it is a stand-in."""
    start, end = match.span(1)
    return () if is_stand_in(data, start, end) else ((start, end),)


def token(name: str, pattern: str, needles: str, *examples: Sample, no: Sequence[str] = (), opening: str = "") -> Rule:
    """A rule whose pattern holds one group around the token; needles are parted by spaces, or there is an opening."""
    prefix = examples[0][0]
    counter = ((prefix, "x" * 36), (prefix, "…"), *((text,) for text in no))
    return Rule(name, pattern, examples, counter, tuple(needles.split()), genuine, LONG_RUN, opening)
