"""Finders for patterns that begin at a literal: read there with Python's own `re`, one cheap call a literal.

A text may be full of what such a rule looks for, and each call to the other library costs as much as all of that. The
patterns are anchored and repeat without going back, so their time grows with what they match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pmg.ingest.redact.rule import Finder, Judge, RuleHit, Span

_WORD = frozenset(b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")


def at_literals(kind: str, pattern: bytes, judge: Judge, run: bytes = b"", is_word: bool = True) -> Finder:
    """What `pattern` matches where a literal begins; with `is_word` only at the beginning of a word.

    Where it does not match, literals within the same `run` of characters cannot either: they are passed over, so that
    a run full of literals is read once.
    """
    compiled, skipped = re.compile(pattern), re.compile(run)

    def find(data: bytes, start: int, end: int, places: Sequence[Span]) -> Iterator[RuleHit]:
        position = start
        for begin, _ in places:
            if begin < position or (is_word and begin and data[begin - 1] in _WORD):
                continue
            found = compiled.match(data, begin)
            if found is not None:
                position = found.end()
                spans = judge(data, found)
                if spans or position > end:
                    yield RuleHit(begin, position, spans, kind)
            elif run and (passed := skipped.match(data, begin)) is not None:
                position = passed.end()
                yield RuleHit(begin, position, (), kind)

    return find
