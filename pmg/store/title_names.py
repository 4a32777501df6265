"""Names taken out of titles. The names are known by their hashes alone, for an order to forget a person holds no word of them.

Knows: how a name stands in a title, whatever its case, accents and signs, and how the title reads without it. Which sessions lose a name
is known by whoever makes the order (pmg/forget/plan.py).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pmg.base.patterns import linear, plain
from pmg.store.forget import ForgetOrder, digest

MAX_WORDS = 16  # words of a name
_TOKEN = plain(r"\w+|[^\w\s]")
_CUT = "\0"
_JOINT = r"(?:,[\s\pZ]*|[\s\pZ]+and[\s\pZ]+|[\s\pZ]*&[\s\pZ]*)"
_LISTED = linear(f"{_JOINT}{_CUT}|{_CUT}{_JOINT}")
_SIGNS = plain(f"[~+]\\s*{_CUT}|{_CUT}[\\ufe0f\\u200d)\\]]+")  # that belong to a name and are no words of it


@dataclass(frozen=True, slots=True)
class TitleNames:
    """The names that titles lose, and the sessions whose titles they are."""

    sessions: frozenset[str]
    names: frozenset[str]
    store_id: str

    def without(self, session: str, title: str) -> str:
        """The title of a session as it may stay."""
        return self.cut(title) if session in self.sessions else title

    def cut(self, title: str) -> str:
        """A list of names ("Sam and Anna") has one less; elsewhere three dots stand for the name. Empty if nothing is left."""
        composed = unicodedata.normalize("NFC", title)
        spans = list(self._spans(composed)) if self.names else []
        if not spans:
            return title
        for start, end in reversed(spans):
            composed = composed[:start] + _CUT + composed[end:]
        left = _SIGNS.sub(_CUT, composed)
        while (fewer := _LISTED.sub("", left, count=1)) != left:
            left = fewer
        return "" if left.strip() == _CUT else " ".join(left.replace(_CUT, "…").split())

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where a name stands, the longest first."""
        words = [(match.start(), match.end(), folded) for match in _TOKEN.finditer(text) if (folded := _word(match[0]))]
        at = 0
        while at < len(words):
            for count in range(min(MAX_WORDS, len(words) - at), 0, -1):
                some = words[at : at + count]
                if _digest(self.store_id, [word for _, _, word in some]) in self.names:
                    yield some[0][0], some[-1][1]
                    at += count - 1
                    break
            at += 1


def title_names(gone: ForgetOrder) -> TitleNames:
    return TitleNames(frozenset(gone.unnamed), frozenset(gone.names), gone.store_id)


def name_digest(store_id: str, name: str) -> str:
    """What a name is known by in an order."""
    tokens = _TOKEN.findall(unicodedata.normalize("NFC", name))
    return _digest(store_id, [word for token in tokens if (word := _word(token))])


def _digest(store_id: str, words: Sequence[str]) -> str:
    return digest(store_id, "name", *words)


def _word(token: str) -> str:
    """Letters, digits and pictures; other signs are not part of a name, for the name of a file has none."""
    if not (token[0].isalnum() or token[0] == "_" or unicodedata.category(token[0]) == "So"):
        return ""
    apart = unicodedata.normalize("NFKD", token.casefold())
    return "".join(character for character in apart if not unicodedata.combining(character))
