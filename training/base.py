"""What a reader begins from: a sentence encoder's weights, under the teacher's names and small enough to travel.

Knows: how all-MiniLM-L6-v2 and all-mpnet-base-v2 name their weights, and that mpnet counts its word pieces from four and its places from two on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, NDArray[np.float32]]
LAYER = {
    "bert": {
        "query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value", "out": "attention.output.dense",
        "first": "attention.output.LayerNorm", "wide": "intermediate.dense", "narrow": "output.dense", "second": "output.LayerNorm",
    },
    "mpnet": {
        "query": "attention.attn.q", "key": "attention.attn.k", "value": "attention.attn.v", "out": "attention.attn.o",
        "first": "attention.LayerNorm", "wide": "intermediate.dense", "narrow": "output.dense", "second": "output.LayerNorm",
    },
}  # fmt: skip
BIAS = "encoder.relative_attention_bias.weight"
PIECES, PLACES = 4, 2  # what comes before the first of each in mpnet
SPECIAL = {0: 1, 101: 0, 102: 2}  # BERT's [PAD], [CLS], [SEP] and mpnet's <pad>, <s>, </s>


def under_our_names(held: Mapping[str, NDArray[np.float32]], used: Iterable[int]) -> Arrays:
    """Word vectors that no text uses are left out (zero): they are not shipped either."""
    kind = "mpnet" if BIAS in held else "bert"
    words, places = held["embeddings.word_embeddings.weight"], held["embeddings.position_embeddings.weight"]
    if kind == "mpnet":
        words, places = words[PIECES:].copy(), places[PLACES:]
        words[list(SPECIAL)] = held["embeddings.word_embeddings.weight"][list(SPECIAL.values())]
    else:
        places = places + held["embeddings.token_type_embeddings.weight"][0]
    kept = np.zeros_like(words)
    rows = sorted(set(used))
    kept[rows] = words[rows]
    found: Arrays = {"words": kept, "places": places}
    if kind == "mpnet":
        found["relative"] = held[BIAS]
    layers = 1 + max(int(name.split(".")[2]) for name in held if name.startswith("encoder.layer."))
    for part in ("weight", "bias"):
        found[f"norm.{part}"] = held[f"embeddings.LayerNorm.{part}"]
        for layer in range(layers):
            for ours, theirs in LAYER[kind].items():
                found[f"layers.{layer}.{ours}.{part}"] = held[f"encoder.layer.{layer}.{theirs}.{part}"]
    return found


def packed(weights: Arrays) -> dict[str, NDArray[np.generic]]:
    """A byte a number and one scale a row: exact enough to begin from."""
    found: dict[str, NDArray[np.generic]] = {}
    for name, array in weights.items():
        if array.ndim < 2:
            found[name] = array.astype(np.float16)
            continue
        scale = np.maximum(np.abs(array).max(axis=1, keepdims=True), 1e-8) / 127
        found[name] = np.round(array / scale).astype(np.int8)
        found[f"{name} scale"] = scale.astype(np.float32)
    return found


def save(weights: Arrays, file: Path, whole: bool) -> None:
    """Whole: half floats, two bytes a number."""
    arrays = {name: array.astype(np.float16) for name, array in weights.items()} if whole else packed(weights)
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
