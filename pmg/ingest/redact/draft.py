"""A text while marks are written into it, round after round: what is left of it, what was taken out, and where to look again.

Does not know: what a secret is (scan.py) or which of them stay (redactor.py).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter

from pmg.ingest.redact.marks import Secret, kept_places, moved, spliced
from pmg.ingest.redact.place_columns import PlaceColumns
from pmg.ingest.redact.rule import Span
from pmg.store.seal import SecretBox
from pmg.store.sealed import SealedText

_SURROGATE = re.compile("[\ud800-\udfff]")
_KIND = itemgetter(2)  # of a secret
_MIN_SPARSE_BYTES = 4096  # a secret: where they are fewer, only their surroundings are scanned again


class Draft:
    """`seen` is what patterns look at; `near` and `places` tell the next scan where to look and what is there already."""

    def __init__(self, raw: bytes, seen: bytes, box: SecretBox | None) -> None:
        """With both from `encoded`."""
        self._raw, self.seen = raw, seen
        self._is_plain = raw is seen
        self._box = box
        self._kept: list[tuple[int, SealedText]] = []
        self.counts = Counter[str]()
        self.near: list[Span] | None = None
        self.places: PlaceColumns | None = None
        self.marked = 0  # in this round
        self._size = len(self.seen)

    def begin_round(self, places: PlaceColumns | None) -> None:
        self.places, self.near, self.marked, self._size = places, [], 0, len(self.seen)

    def write(self, secrets: Sequence[Secret]) -> None:
        """Marks in place of these, which are in order."""
        if not secrets:
            return
        self.marked += len(secrets)
        self.counts.update(map(_KIND, secrets))
        if self._box is not None:
            new = [closed(self._box, self._raw[start:end], kind) for start, end, kind in secrets]
            self._kept = kept_places(self._kept, secrets, new)
        # Where they are many, all of the text is scanned again, with the literals that were found in it.
        is_sparse = self.near is not None and self.marked * _MIN_SPARSE_BYTES < self._size
        self.near = moved(secrets, self.near or ()) if is_sparse else None
        self.places = self.places.moved(secrets) if self.places is not None and not is_sparse else None
        self._raw, seen = spliced(self._raw, secrets), b"" if self._is_plain else spliced(self.seen, secrets)
        self.seen = self._raw if self._is_plain else seen

    @property
    def text(self) -> str:
        return self._raw.decode("utf-8", "surrogatepass")

    @property
    def sealed(self) -> tuple[SealedText, ...]:
        return placed(self._raw, self._kept) if self._kept else ()


def encoded(text: str) -> tuple[bytes, bytes]:
    """The bytes to cut and the bytes to look at: the same, save that lone surrogates, which are not
    valid UTF-8 and would stop a pattern, are seen as U+FFFD. Both take three bytes, so offsets agree."""
    try:
        raw = text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass"), _SURROGATE.sub("\ufffd", text).encode("utf-8")
    return raw, raw


def closed(box: SecretBox, secret: bytes, kind: str) -> SealedText:
    return SealedText(0, len(secret.decode("utf-8", "surrogatepass")), kind, box.close(secret, kind))


def placed(data: bytes, kept: Sequence[tuple[int, SealedText]]) -> tuple[SealedText, ...]:
    """With the places of their marks in characters."""
    out, at, characters = [], 0, 0
    for start, one in kept:
        characters += len(data[at:start].decode("utf-8", "surrogatepass"))
        at = start
        out.append(replace(one, place=characters))
    return tuple(out)
