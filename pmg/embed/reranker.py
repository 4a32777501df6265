"""An optional second look: something that reads the question and a memory together and says how well they fit.

Knows: the contract, and how one is opened.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pmg.base.errors import ModelUnavailable


class Reranker(Protocol):
    def scores(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """One score a text, higher is better; the scale is its own."""


def open_reranker(name: str) -> Reranker:
    """A cross-encoder by folder, or by a name that sentence-transformers knows. A mistyped folder is never looked up outside."""
    folder = Path(name).expanduser()
    if (name.startswith((".", "/", "~")) or "\\" in name) and not folder.is_dir():
        raise ModelUnavailable(
            f"recall.reranker is {name!r}, and there is no such folder. Mend the path, or empty the knob."
        )
    from pmg.embed.cross_encoder import CrossEncoderReranker  # imports torch, which takes seconds

    return CrossEncoderReranker.open(str(folder) if folder.is_dir() else name)
