"""`python -m training.export READER.npz FIT.json`: what the teacher wrote as the file that is shipped, and its card.

Weights are kept as half floats and read as floats. The graph begins from word vectors: they are those of the bundled model, and are looked up outside.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, helper

from pmg.embed.onnx_graph import BertShape, OnnxGraph, encoder, layer_norm, linear, serialised
from pmg.reader.reader import CARD, MODEL
from training.base import LAYER

HEADS, EPSILON = 12, 1e-12
OURS = Path(__file__).parent.parent / "pmg" / "reader"
Arrays = dict[str, NDArray[Any]]


class HalfGraph(OnnxGraph):
    """Its matrices are stored in half the size; the runtime widens them once, when it opens the file."""

    def constant(self, name: str, value: NDArray[Any]) -> str:
        if value.dtype != np.float32 or value.ndim < 2:
            return super().constant(name, value)
        return self.add("Cast", super().constant(f"{name}.half", value.astype(np.float16)), to=TensorProto.FLOAT)


def read(file: Path) -> Arrays:
    return {name: array.astype(np.float32) for name, array in np.load(file).items()}


def bert_names(state: Arrays) -> Arrays:
    """The layers as the encoder's graph knows them."""
    found: Arrays = {}
    for name, array in state.items():
        kind, *rest = name.split(".")
        if kind == "layers":
            number, ours, part = rest
            found[f"encoder.layer.{number}.{LAYER['bert'][ours]}.{part}"] = array
        else:
            found[name] = array
    return found


def build(state: Arrays) -> bytes:
    """words (1, length, width) and parts (1, length) to relevance, relation and, a piece, where the answer begins and ends."""
    weights = bert_names(state)
    width = state["places"].shape[1]
    layers = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("layers."))
    shape = BertShape(layers, HEADS, width, EPSILON)
    graph = HalfGraph()
    zero, one = graph.constant("zero", np.array([0])), graph.constant("one", np.array([1]))
    length = graph.add("Shape", "words", start=1, end=2)
    places = graph.add("Slice", graph.constant("places", state["places"]), zero, length, zero, one)
    of_parts = graph.add("Gather", graph.constant("part_vectors", state["parts"]), "parts")
    begin = graph.add("Add", graph.add("Add", "words", places), of_parts)
    hidden = encoder(graph, weights, shape, layer_norm(graph, weights, shape, "norm", begin))
    mean = graph.add("ReduceMean", hidden, graph.constant("length_axis", np.array([1])), keepdims=0)
    for head, source in (("relevance", mean), ("relation", mean), ("span", hidden)):
        graph.add("Identity", linear(graph, weights, head, source), output=head)
    return serialised(
        graph,
        "reader",
        [
            helper.make_tensor_value_info("words", TensorProto.FLOAT, [1, "length", width]),
            helper.make_tensor_value_info("parts", TensorProto.INT64, [1, "length"]),
        ],
        [
            helper.make_tensor_value_info("relevance", TensorProto.FLOAT, [1, 1]),
            helper.make_tensor_value_info("relation", TensorProto.FLOAT, [1, 4]),
            helper.make_tensor_value_info("span", TensorProto.FLOAT, [1, "length", 2]),
        ],
    )


def main(state_file: Path, manifest: Path) -> None:
    """Writes both into the package; `manifest` says what it was taught with."""
    data = build(read(state_file))
    (OURS / MODEL).write_bytes(data)
    card = {"sha256": hashlib.sha256(data).hexdigest(), **json.loads(manifest.read_text(encoding="utf-8"))}
    (OURS / CARD).write_text(json.dumps(card, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{OURS / MODEL}: {len(data):,} bytes, sha256 {card['sha256'][:12]}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
