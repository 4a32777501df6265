"""Which turns hold the words of a query, read as the word index reads them: case, accents and endings do not count, a part of a longer word is another word.

Knows: words alone. Every stored turn is read, not the index: what was merged or archived is not in it, and is forgotten too. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable

from pmg.index.lexical import READ_QUERY
from pmg.index.terms import document_terms, query_terms


def has_words(query: str) -> bool:
    """Whether there is any word in it; signs alone can only be looked for as they stand."""
    return bool(document_terms(query[:READ_QUERY]))


def holding_words(query: str, lines: Iterable[tuple[int, str]]) -> list[int]:
    """The segments in which a line holds the query's words one after the other; where none does, those that hold each of them somewhere.

    `lines` are segments with what was said in them. Words that say nothing ("the", "about") count only in the first case.
    """
    phrase = _joined(document_terms(query[:READ_QUERY]))
    needed = frozenset(query_terms(query[:READ_QUERY]))
    together: set[int] = set()
    held: dict[int, set[str]] = {}
    for segment, text in lines:
        terms = document_terms(text)
        some = needed.intersection(terms)
        if not some:
            continue
        held.setdefault(segment, set()).update(some)
        if len(some) == len(needed) and phrase in _joined(terms):
            together.add(segment)
    return sorted(together or (segment for segment, some in held.items() if len(some) == len(needed)))


def _joined(terms: list[str]) -> str:
    """So that one run of terms can be looked for in another; no term has a zero byte in it."""
    return "\0".join(("", *terms, ""))
