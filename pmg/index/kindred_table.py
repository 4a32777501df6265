"""Makes the table of kindred words from the bundled embedding model: `python -m pmg.index.kindred_table`.

Knows: every whole word of the model's vocabulary goes through the model alone; what all words share (their mean, and the one direction
in which they differ most, which is how common a word is) is taken out; the words of one stem are averaged; and the nearest stems
by cosine are kept. Nothing is trusted that the embeddings are not made with anyway. kindred.py reads the table.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pmg.embed.bundled import bundled_model
from pmg.embed.embedder import Embedder
from pmg.embed.load import BUNDLED, default_cache_dir, open_embedder
from pmg.index.kindred import FILE, KindredWords
from pmg.index.terms import document_terms

MAX_KINDRED = 16  # kindred of a stem: twice as many find nothing more on LoCoMo
FLOOR = 0.4  # cosine: under it words have little to do with each other
ORDINARY = 0.3  # cosine that counts as closeness 0
MIN_LETTERS = 3  # letters
SAMPLE = 4  # every so-many-th word decides the direction that is taken out
BATCH = 1_024  # stems compared together

Vectors = NDArray[np.float64]


def whole_words(tokenizer_file: Path) -> list[str]:
    """The vocabulary's whole words, in its order."""
    vocabulary = json.loads(tokenizer_file.read_text(encoding="utf-8"))["model"]["vocab"]
    known = sorted((number, word) for word, number in vocabulary.items())
    return [word for _, word in known if word.isascii() and word.isalpha() and len(word) >= MIN_LETTERS]


def distilled(words: Sequence[str], vectors: NDArray[np.float32]) -> KindredWords:
    """The table of these words, whose vectors stand row for row."""
    names, rows = stems_of(words, _standing_out(vectors.astype(np.float64)))
    starts, kin, closeness = [0], [], []
    for first in range(0, len(names), BATCH):
        cosines = rows[first : first + BATCH] @ rows.T
        for at, cosine in enumerate(cosines):
            cosine[first + at] = -1.0  # itself
            nearest = np.lexsort((np.arange(len(cosine)), -cosine))[:MAX_KINDRED]
            kept = nearest[cosine[nearest] >= FLOOR][::-1]
            kin += kept.tolist()
            closeness += np.round(255 * (cosine[kept] - ORDINARY) / (1 - ORDINARY)).tolist()
            starts.append(len(kin))
    return KindredWords(
        names, np.array(starts, np.uint32), np.array(kin, np.uint16), np.array(closeness).astype(np.uint8)
    )


def _standing_out(vectors: Vectors) -> Vectors:
    """The vectors without what all of them share."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    unit -= unit.mean(axis=0)
    shared = np.linalg.svd(unit[::SAMPLE], full_matrices=False)[2][:1]
    return np.asarray(unit - (unit @ shared.T) @ shared)


def stems_of(words: Sequence[str], vectors: Vectors) -> tuple[list[str], Vectors]:
    """The stems in order of the alphabet, each with the mean of its words, of length 1."""
    rows: dict[str, list[int]] = {}
    for row, word in enumerate(words):
        terms = document_terms(word)
        if len(terms) == 1:
            rows.setdefault(terms[0], []).append(row)
    names = sorted(rows)
    means = np.stack([vectors[rows[name]].mean(axis=0) for name in names])
    return names, means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-12)


def make(embedder: Embedder, tokenizer_file: Path, file: Path) -> None:
    words = whole_words(tokenizer_file)
    arrays = distilled(words, embedder.embed(words)).arrays()
    np.savez_compressed(file, allow_pickle=False, **arrays)


if __name__ == "__main__":
    make(
        open_embedder(BUNDLED, default_cache_dir()),
        bundled_model(default_cache_dir()).tokenizer,
        Path(__file__).with_name(FILE),
    )
