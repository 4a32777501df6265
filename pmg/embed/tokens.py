"""What both embedders do to text before a model sees it.

Knows: the `tokenizers` library and its limits (no lone surrogates, slow on one very long text).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from pmg.embed.embedder import Spans

BLOCK = 16_384  # characters a piece: long texts are tokenised in pieces, which is linear and uses all cores
MAX_CHARACTERS_PER_TOKEN = 128

_SURROGATES = re.compile("[\ud800-\udfff]")
_BLANK = re.compile(r"\s")
_PIECE = re.compile(r"[^\W]{1,3}|[^\w\s]")


def readable(text: str) -> str:
    """The text with each lone surrogate replaced by U+FFFD, so that offsets stay what they were."""
    return _SURROGATES.sub("\ufffd", text)


def for_model(text: str, max_tokens: int) -> str:
    """As much of the text as can matter to a vector of `max_tokens`: tokenising the rest would be thrown away."""
    return readable(text[: max_tokens * MAX_CHARACTERS_PER_TOKEN])


def spans_of(tokenizer: Any, text: str) -> Spans:
    """The spans of all tokens of a text of any length, without the model's special tokens."""
    ranges = list(blocks(text))
    clean = readable(text)
    encodings = tokenizer.encode_batch([clean[a:b] for a, b in ranges], add_special_tokens=False)
    parts = [
        np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2) + first
        for encoding, (first, _) in zip(encodings, ranges, strict=True)
    ]
    return np.concatenate(parts) if parts else np.empty((0, 2), dtype=np.int64)


def blocks(text: str) -> Iterator[tuple[int, int]]:
    """Consecutive ranges of at most BLOCK characters, ending after a blank where there is one."""
    first = 0
    while len(text) - first > BLOCK:
        # Only the last part of a block is looked at, so that a text without blanks stays linear.
        tail = first + BLOCK - 512
        blanks = [found.end() for found in _BLANK.finditer(text, tail, first + BLOCK)]
        last = blanks[-1] if blanks else first + BLOCK
        yield first, last
        first = last
    if first < len(text):
        yield first, len(text)


def pieces_of(text: str) -> Spans:
    """Spans for a model whose tokenizer cannot give them: pieces of at most three characters, so rather too many."""
    return np.array([found.span() for found in _PIECE.finditer(text)], dtype=np.int64).reshape(-1, 2)
