"""A cross-encoder of sentence-transformers as a Reranker.

Knows: how it is loaded and asked, on the CPU. None comes inside a package, so it is off unless configured.
Importing this costs seconds: only reranker.py does it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sentence_transformers import CrossEncoder

from pmg.base.errors import ModelUnavailable

MAX_CHARACTERS = 2_000  # characters of a memory it reads: it would cut off the rest by itself


class CrossEncoderReranker:
    def __init__(self, model: CrossEncoder) -> None:
        self._model = model

    @classmethod
    def open(cls, name: str) -> CrossEncoderReranker:
        try:
            return cls(CrossEncoder(name, device="cpu", trust_remote_code=False))
        except (OSError, ValueError) as error:
            raise ModelUnavailable(
                f"The reranker {name!r} cannot be loaded: {error}. Give a folder, or empty recall.reranker."
            ) from error

    def scores(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        if not texts:
            return np.empty(0)
        found = self._model.predict([(query, text[:MAX_CHARACTERS]) for text in texts], show_progress_bar=False)
        return np.asarray(found, dtype=np.float64).reshape(len(texts), -1)[:, -1]
