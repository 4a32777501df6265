"""A text while marks are written into it, round after round: what is left of it, what was taken out, and where to look again.

Does not know: what a secret is (scan.py) or which of them stay (redactor.py).
"""

from __future__ import annotations

import re
from bisect import bisect_left
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
_SPACE = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")  # all of Unicode's but the plain one
_SPACE_BYTES = re.compile(rb"\xc2\xa0|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xaf]|\xe2\x81\x9f|\xe3\x80\x80")
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
        cut = secrets if len(self._raw) == len(self.seen) else _among_spaces(self._raw, secrets)
        self.marked += len(secrets)
        self.counts.update(map(_KIND, secrets))
        if self._box is not None:
            new = [closed(self._box, self._raw[start:end], kind) for start, end, kind in cut]
            self._kept = kept_places(self._kept, cut, new)
        # Where they are many, all of the text is scanned again, with the literals that were found in it.
        is_sparse = self.near is not None and self.marked * _MIN_SPARSE_BYTES < self._size
        self.near = moved(secrets, self.near or ()) if is_sparse else None
        self.places = self.places.moved(secrets) if self.places is not None and not is_sparse else None
        self._raw, seen = spliced(self._raw, cut), b"" if self._is_plain else spliced(self.seen, secrets)
        self.seen = self._raw if self._is_plain else seen

    @property
    def text(self) -> str:
        return self._raw.decode("utf-8", "surrogatepass")

    @property
    def sealed(self) -> tuple[SealedText, ...]:
        return placed(self._raw, self._kept) if self._kept else ()


def encoded(text: str) -> tuple[bytes, bytes]:
    """The bytes to cut and the bytes to look at: the same, save that lone surrogates, which are not valid UTF-8 and would stop
    a pattern, are seen as U+FFFD, which takes three bytes as they do, and every other space as a plain one: a pasted no-break
    space hides nothing."""
    if text.isascii():
        return (raw := text.encode()), raw
    seen = _SPACE.sub(" ", text)
    try:
        raw = text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass"), _SURROGATE.sub("\ufffd", seen).encode("utf-8")
    return raw, raw if seen == text else seen.encode("utf-8")


def _among_spaces(raw: bytes, secrets: Sequence[Secret]) -> list[Secret]:
    """Where secrets that were seen among plain spaces stand among those of the text, which take more bytes."""
    places, surplus, total = (
        list[int](),
        [0],
        0,
    )  # of the spaces as they are seen; the bytes that each and those before it have more
    for space in _SPACE_BYTES.finditer(raw):
        places.append(space.start() - total)
        total += len(space[0]) - 1
        surplus.append(total)

    def in_raw(place: int) -> int:
        return place + surplus[bisect_left(places, place)]

    return [(in_raw(start), in_raw(end), kind) for start, end, kind in secrets]


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
