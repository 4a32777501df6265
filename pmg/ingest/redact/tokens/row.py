"""A row of the token tables: the shape of one vendor's token, with examples and counter-examples as recipes (rule.py)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pmg.base.patterns import AnyMatch
from pmg.ingest.redact.anchored import LeftCheck, anywhere, at_token, at_word, judged_together
from pmg.ingest.redact.literals import any_of
from pmg.ingest.redact.rule import Rule, Span, before_body

# Before a short prefix: a word boundary, or what stands for one in escaped, URL-encoded and coloured text.
LEFT = r"(?:\b|_|\\[nrt]|%[0-9A-Fa-f]{2}|\x1b\[[0-9;]*m)"
# Behind a vendor's name: the rest of the name and what assigns a value to it.
NAMED = r"[\w .\-]{0,30}[\"'\]]{0,2}\s{0,3}(?:=>|:=|=|:|is)\s{0,3}[\"']?"

# A random body holds none of these; what documentation shows in its place does.
_STAND_IN = re.compile(rb"your|Your|YOUR|xxxx|XXXX")
# In small letters; each branch begins with a plain character, which makes it fast.
_STAND_IN_WORD = re.compile(
    rb"example|placeholder|\*\*\*|\.\.\.|abc\.\.|redacted|insert[_-]|replace[_-]|000000000000|_here$|-here$|"
    rb"my[_-](?:token|key|secret|api)|the[_-](?:token|key|secret|api)|some[_-](?:token|key|secret|api)|"
    rb"token[_-]?goes|key[_-]?goes|secret[_-]?goes"
)
# What each of these holds, in small letters: most bodies hold none of it.
_STAND_IN_PIECE = any_of(
    b"your xxxx example placeholder *** ... abc.. redacted insert replace 000000000000 here my_ my- the_ the- some_ some- goes".split()
)
# `highs_to_scipy_status_message` holds the beginning of a token by chance: nothing random is three words in small letters.
_WORDS = re.compile(rb"[a-z]+(?:[_-][a-z]+){3,}")
_ANY_WORDS = re.compile(rb"^[a-z]++(?:[_-][a-z]+){3,}$", re.MULTILINE)


_MIN_ENCODED_SIZE = 60  # characters
_DIGESTS = frozenset((b"sha256-", b"sha384-", b"sha512-"))  # as lock files have them
_DIGEST_SIZE = len(b"sha256-")
# The number of an account and an id are no token of a bot.
_ACCOUNT = re.compile(rb"[0-9]+:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class TokenRow:
    """`pattern` has one group around the token. `literals` are parted by spaces; a row without any has a `gate`.

    Nearly every pattern begins with one of its literals, behind a boundary: it is read where they stand. With `inside` the
    literal stands further on, and the pattern is searched around it.
    """

    name: str
    pattern: str
    literals: str
    examples: tuple[str, ...]
    counter_examples: tuple[str, ...]
    gate: str = ""
    inside: bool = False

    def rule(self) -> Rule:
        found = tuple((example,) for example in self.examples)
        missed = tuple((example,) for example in self.counter_examples)
        literals = tuple(self.literals.split())
        if self.gate or self.inside:
            return Rule(self.name, self.pattern, found, missed, literals, genuine, self.gate)
        pattern, left = anchored(self.pattern)
        return Rule(
            self.name, "", found, missed, literals, find=judged_together(self.name, pattern, are_stand_ins, left=left)
        )


_BOUNDARIES: tuple[tuple[str, LeftCheck], ...] = ((LEFT, at_token), (r"\b", at_word), ("", anywhere))


def anchored(pattern: str) -> tuple[bytes, LeftCheck]:
    """A pattern without the boundary that it begins with, and the check that stands for it."""
    flags = "(?i)" if pattern.startswith("(?i)") else ""
    bare = pattern.removeprefix(flags)
    boundary, left = next(pair for pair in _BOUNDARIES if bare.startswith(pair[0]))
    return (flags + bare.removeprefix(boundary)).encode(), left


def token(
    name: str,
    pattern: str,
    literals: str,
    *examples: str,
    not_found: Sequence[str] = (),
    gate: str = "",
    inside: bool = False,
) -> TokenRow:
    """A row; what documentation writes in place of the body is a counter-example of every one."""
    prefix = before_body(examples[0])
    return TokenRow(name, pattern, literals, examples, (prefix + "x" * 36, prefix + "…", *not_found), gate, inside)


def is_stand_in(data: bytes, start: int, end: int) -> bool:
    body = data[start:end]
    if (
        _WORDS.fullmatch(body) is not None
        or _ACCOUNT.fullmatch(body) is not None
        or (end - start > _MIN_ENCODED_SIZE and _is_of_zeros(body))
    ):
        return True
    lower = body.lower()
    return bool(_STAND_IN_PIECE(lower)) and (
        _STAND_IN.search(body) is not None or _STAND_IN_WORD.search(lower) is not None
    )


def are_stand_ins(bodies: Sequence[bytes]) -> list[bool]:
    """The same of many: one look at all of them, as most hold nothing that a stand-in does."""
    lines = b"\n".join(bodies)
    if _STAND_IN_PIECE(lines.lower()) or _ANY_WORDS.search(lines) is not None:
        return [is_stand_in(body, 0, len(body)) for body in bodies]
    return [len(body) > _MIN_ENCODED_SIZE and _is_of_zeros(body) for body in bodies]


def _is_of_zeros(body: bytes) -> bool:
    """Base64 of zeros, as attachments and pictures hold them."""
    return body.count(b"A") * 5 > 2 * len(body)


def genuine(data: bytes, match: AnyMatch) -> Sequence[Span]:
    """The judge of these rules: group 1 unless it is a stand-in, or a digest that says so."""
    start, end = match.span(1)
    if data[start - _DIGEST_SIZE : start] in _DIGESTS:
        return ()
    return () if is_stand_in(data, start, end) else ((start, end),)
