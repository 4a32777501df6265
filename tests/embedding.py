"""A stand-in for the embedding model whose vectors a person can check by eye.

Each topic is one axis, and each word of a topic adds 1 to it. Stop words add nothing. Every other word adds 0.25 to one
of the last axes, chosen by a checksum of the word. The sum is scaled to length 1. So texts about one topic are near 1,
texts about different topics near 0, "cat" and "cat, bread" at 0.71, and the same words in any order are equal.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

TOPICS: tuple[frozenset[str], ...] = tuple(
    frozenset(words.split())
    for words in (
        "cat cats kitten pet vet purr",
        "dog dogs puppy walk leash bark",
        "bread dough flour oven bake baking sourdough yeast",
        "soup stew broth recipe cook cooking dinner lentil",
        "release deploy deployment version ship rollout blocked",
        "bug crash error traceback exception fix broken",
        "database sql duckdb query table index postgres",
        "python code function class test tests pytest",
        "flat apartment move moving landlord rent lease boxes",
        "job interview salary offer boss career manager",
        "doctor health knee pain clinic medicine physio",
        "garden plant plants tomato seeds soil flowers",
        "train flight travel trip holiday hotel ticket",
        "music guitar piano song concert band",
        "book novel read reading author chapter",
        "bike bicycle ride cycling wheel",
        "birthday party gift cake friends",
        "money budget bank tax invoice savings",
        "mother father sister brother family daughter son",
        "school exam teacher homework study course",
        "film movie cinema series actor",
        "football match team goal training marathon running",
        "weather rain snow sun storm",
    )
)
STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """a an and are as at be but by can could did do does for from had has have he her his how i in is it its me my
        no not of on or our she so that the their them then there they this to was we were what when where which who why
        will with would you your assistant user""",
    )
)
BUCKETS = 8
EMPTY_AXIS = len(TOPICS) + BUCKETS  # texts without a word that counts all lie on this one
DIMENSION = EMPTY_AXIS + 1  # 32

_TOKEN = re.compile(r"[一-鿿぀-ヿ가-힯]|[^\W一-鿿぀-ヿ가-힯]+|[^\w\s]")
_AXIS = {word: axis for axis, words in enumerate(TOPICS) for word in words}


class WordEmbedder:
    """Meets pmg.embed.embedder.Embedder. `embedded` counts the texts it was given."""

    def __init__(self, name: str = "words", max_tokens: int = 64) -> None:
        self.name = name
        self.fingerprint = hashlib.sha256(f"words:{name}".encode()).hexdigest()
        self.dimension = DIMENSION
        self.max_tokens = max_tokens
        self.embedded = 0

    def embed(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            tokens = _TOKEN.findall(text.lower())
            row[:] = vector_of(tokens[: self.max_tokens])
        self.embedded += len(texts)
        if progress:
            progress(len(texts))
        return rows

    def token_spans(self, text: str) -> NDArray[np.int64]:
        spans = [match.span() for match in _TOKEN.finditer(text)]
        return np.array(spans, dtype=np.int64).reshape(-1, 2)


def vector_of(tokens: Sequence[str]) -> NDArray[np.float32]:
    vector = np.zeros(DIMENSION, dtype=np.float64)
    for token, times in Counter(tokens).items():  # a long text says the same words again and again
        if token in _AXIS:
            vector[_AXIS[token]] += times
        elif token.isalnum() and token not in STOP_WORDS:
            vector[len(TOPICS) + zlib.crc32(token.encode("utf-8", "surrogatepass")) % BUCKETS] += 0.25 * times
    if not vector.any():
        vector[EMPTY_AXIS] = 1.0
    return (vector / np.linalg.norm(vector)).astype(np.float32)
