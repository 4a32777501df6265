"""Pieces of what is forgotten, as hashes: enough to recognise it anywhere, and no word of it.

Knows: a rolling hash over bytes, vectorised: the hash of every run of 16 (for short texts 8) bytes, at every place. A run counts
only where it occurs nowhere in what stays, so a phrase that others use too is no trace.

With p odd, S[i] = Σ b[k] · p^k (k < i) wraps at 2^64; the run at i has the hash (S[i + n] − S[i]) · p^−i, wherever it stands.
"""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

LONG, SHORT = 16, 8  # bytes of a piece; texts shorter than a long one are known by short ones
MAX_SHINGLES = 200_000  # pieces kept: of more, some from everywhere
VARIED = 5  # different bytes in a piece: a row of zeros or dashes is nobody's
BLOCK = 1 << 18  # bytes looked at together: what the processor's own memory holds
_BITS = 22

Hashes = NDArray[np.uint64]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Shingles:
    """The hashes for each length, sorted."""

    factor: int
    long: Hashes
    short: Hashes
    _bitmaps: dict[int, NDArray[np.bool_]] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, factor: int, long: Hashes, short: Hashes) -> Shingles:
        made = cls(factor, np.unique(long), np.unique(short))
        for length, hashes in ((LONG, made.long), (SHORT, made.short)):
            bitmap = np.zeros(1 << _BITS, dtype=np.bool_)
            bitmap[_slot(hashes)] = True
            made._bitmaps[length] = bitmap
        return made

    def __len__(self) -> int:
        return len(self.long) + len(self.short)

    def found(self, data: Bytes) -> NDArray[np.int64]:
        """Where in the data a piece begins."""
        places = [np.empty(0, dtype=np.int64)]
        for length, hashes in ((LONG, self.long), (SHORT, self.short)):
            if len(hashes) and len(data) >= length:
                here = rolling(data, length, self.factor)
                likely = np.flatnonzero(self._bitmaps[length][_slot(here)])
                nearest = np.searchsorted(hashes, here[likely]).clip(
                    max=len(hashes) - 1
                )  # they are sorted: no need to sort again
                places.append(likely[hashes[nearest] == here[likely]])
        return np.sort(np.concatenate(places))

    def count(self, data: Bytes) -> int:
        """How many places of a large file, block by block."""
        total = 0
        for start in range(0, max(len(data) - SHORT + 1, 0), BLOCK):
            places = self.found(data[start : start + BLOCK + LONG - 1])
            total += int((places < BLOCK).sum())
        return total

    def held_by(self, texts: Sequence[str]) -> NDArray[np.bool_]:
        """Which of some texts hold a piece."""
        held = np.zeros(len(texts), dtype=np.bool_)
        if not len(texts) or not len(self):
            return held
        coded = [(text or "").encode("utf-8", "surrogatepass") for text in texts]
        ends = np.cumsum([len(one) + 1 for one in coded])
        for place in self.found(as_bytes(b"\0".join(coded))):  # no piece has a zero byte in it, so none lies across two
            held[np.searchsorted(ends, place, "right")] = True
        return held

    def without(self, data: Bytes) -> Shingles:
        """Those that do not occur in some data that stays."""
        kept = []
        for length, hashes in ((LONG, self.long), (SHORT, self.short)):
            here = rolling(data, length, self.factor) if len(hashes) and len(data) >= length else np.empty(0, np.uint64)
            likely = here[self._bitmaps[length][_slot(here)]] if len(here) else here
            kept.append(hashes[~np.isin(hashes, likely)] if len(likely) else hashes)
        return (
            self
            if all(len(a) == len(b) for a, b in zip(kept, (self.long, self.short), strict=True))
            else Shingles.of(self.factor, *kept)
        )

    def fewer(self) -> Shingles:
        return Shingles.of(
            self.factor, *(some[:: -(-len(some) // MAX_SHINGLES) or 1] for some in (self.long, self.short))
        )

    def joined(self, other: Shingles) -> Shingles:
        """Both sets; they must have the same factor."""
        return Shingles.of(
            self.factor, np.concatenate([self.long, other.long]), np.concatenate([self.short, other.short])
        )

    def to_json(self) -> str:
        note = {"factor": self.factor, "long": _coded(self.long), "short": _coded(self.short)}
        return json.dumps(note)

    @classmethod
    def from_json(cls, text: str) -> Shingles:
        note = json.loads(text)
        return cls.of(note["factor"], _decoded(note["long"]), _decoded(note["short"]))


def new_factor() -> int:
    """One for each order: two orders have no hash in common."""
    return secrets.randbits(64) | 1


def of_texts(texts: Iterable[bytes], factor: int, varied: int = VARIED, zeros: bool = False) -> Shingles:
    """Every run of every text that has enough different bytes in it; one with a zero byte only if asked (vectors have them)."""
    long, short = [np.empty(0, np.uint64)], [np.empty(0, np.uint64)]
    for text in texts:
        data = as_bytes(text)
        length, into = (LONG, long) if len(data) >= LONG else (SHORT, short)
        if len(data) >= length:
            into.append(rolling(data, length, factor)[_varied(data, length, varied, zeros)])
    return Shingles.of(factor, np.concatenate(long), np.concatenate(short))


def as_bytes(data: bytes) -> Bytes:
    return np.frombuffer(data, dtype=np.uint8)


def rolling(data: Bytes, length: int, factor: int) -> Hashes:
    """The hash of the run of `length` bytes that begins at each place."""
    count = len(data)
    size = max(BLOCK + LONG, 1 << (count - 1).bit_length())
    sums = np.zeros(count + 1, dtype=np.uint64)
    # A byte is counted as one more than it is: zeros are then told from nothing.
    np.cumsum((data.astype(np.uint64) + np.uint64(1)) * _powers(factor, size)[:count], out=sums[1:])
    back = _powers(pow(factor, -1, 1 << 64), size)
    return np.asarray((sums[length:] - sums[:-length]) * back[: count - length + 1], dtype=np.uint64)


@lru_cache(maxsize=4)
def _powers(factor: int, count: int) -> Hashes:
    steps = np.full(count, factor, dtype=np.uint64)
    steps[0] = 1
    return np.asarray(np.multiply.accumulate(steps), dtype=np.uint64)


def _varied(data: Bytes, length: int, varied: int, zeros: bool) -> NDArray[np.bool_]:
    runs = np.sort(np.lib.stride_tricks.sliding_window_view(data, length), axis=1)
    different = (np.diff(runs.astype(np.int16), axis=1) > 0).sum(axis=1) + 1
    return np.asarray((different >= varied) & ((runs[:, 0] > 0) | zeros))


def _slot(hashes: Hashes) -> NDArray[np.int64]:
    return (hashes >> np.uint64(64 - _BITS)).astype(np.int64)


def _coded(hashes: Hashes) -> str:
    return base64.b64encode(hashes.astype("<u8").tobytes()).decode()


def _decoded(text: str) -> Hashes:
    return np.frombuffer(base64.b64decode(text), dtype="<u8").astype(np.uint64)
