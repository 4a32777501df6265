"""What the rest of PMG asks of an embedding model.

Knows: the contract. Does not know: any model or library; onnx_embedder.py and sentence_embedder.py meet it, and so does
the readable stand-in of the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pmg.base import arguments

Vectors = NDArray[np.float32]  # (texts, dimension); every row has length 1
Spans = NDArray[np.int64]  # (tokens, 2): first and one past the last character of each token, in order

Progress = Callable[[int], None]  # called with the number of texts done so far


@runtime_checkable
class Embedder(Protocol):
    """Turns text into vectors. The same text gives the same vector, bit for bit, alone or in any batch.

    No text makes it raise: empty, blank, emoji, NUL bytes, lone surrogates and very long texts all have a vector.
    What does not fit into `max_tokens` does not reach the vector, so callers cut long text with `windows.cut` first.
    """

    @property
    def name(self) -> str:
        """What a person calls the model: all-MiniLM-L6-v2."""

    @property
    def fingerprint(self) -> str:
        """Names the weights: two embedders with the same fingerprint give comparable vectors."""

    @property
    def dimension(self) -> int: ...

    @property
    def max_tokens(self) -> int:
        """How many tokens of text one vector can stand for (the model's own special tokens are not counted)."""

    def embed(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """One row a text, in the order given."""

    def token_spans(self, text: str) -> Spans:
        """Where the model's tokens lie in the text; characters the model does not see lie in no span."""


def checked_embedder(value: object) -> Embedder:
    """What a caller gave as a model; the name of one is none."""
    if not isinstance(value, Embedder):
        raise arguments.wrong(
            value, "embedder", "give an embedding model, which pmg.embed.load.open_embedder opens by its name"
        )
    return value
