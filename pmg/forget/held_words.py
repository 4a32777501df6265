"""Which turns hold the words of a query, read as the word index reads them: case, accents and endings do not count, a part of a longer word is another word. A name
counts as it is written, where anybody has written it so: "Peters" is not Peter.

Knows: words alone. Every stored turn is read, not the index: what was merged or archived is not in it, and is forgotten too. Pure.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from pmg.index.lexical import READ_QUERY
from pmg.index.terms import document_terms, query_terms

_WORD = re.compile(r"[^\W\d_]+")
_POSSESSIVE = re.compile(r"['’]s\b")
_FIRST_HAN = "\u3005"  # beyond it a single character is a term beside the pairs


def has_words(query: str) -> bool:
    """Whether there is any word in it; signs alone can only be looked for as they stand."""
    return bool(document_terms(query[:READ_QUERY]))


def holding_words(query: str, lines: Iterable[tuple[int, str]]) -> list[int]:
    """The segments in which a line holds the query's words one after the other; where none does, those that hold each of them somewhere.

    `lines` are segments with what was said in them. Words that say nothing ("the", "about") count only in the first case.
    """
    phrase = _joined(document_terms(query[:READ_QUERY]))
    needed = frozenset(query_terms(query[:READ_QUERY]))
    names = frozenset(
        _folded(word) for word in _WORD.findall(query[:READ_QUERY]) if word[0].isupper() and not word.isupper()
    )
    together: set[int] = set()
    held: dict[int, set[str]] = {}
    named: dict[int, set[str]] = {}
    for segment, text in lines:
        terms = document_terms(text)
        some = needed.intersection(terms)
        if not some:
            continue
        held.setdefault(segment, set()).update(some)
        if names:
            words = _WORD.findall(_folded(_POSSESSIVE.sub("", text)))
            named.setdefault(segment, set()).update(names.intersection(words))
        if len(some) == len(needed) and phrase in _joined(terms):
            together.add(segment)
    found = together or {segment for segment, some in held.items() if len(some) == len(needed)}
    as_written = {segment for segment in found if names and named[segment] == names}
    return sorted(as_written or found)


def _folded(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in apart if not unicodedata.combining(character))


def _joined(terms: list[str]) -> str:
    """So that one run of terms can be looked for in another; no term has a zero byte in it. Of a script without spaces the pairs of characters alone stand in a row."""
    pairs = [term for term in terms if len(term) > 1 or term < _FIRST_HAN]
    return "\0".join(("", *(pairs or terms), ""))
