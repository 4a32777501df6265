"""Writes a BERT sentence encoder as an ONNX graph, straight from its safetensors file.

Knows: the layout of BERT (embeddings, self-attention, feed-forward, layer norms) and of mean pooling.
Does not know: torch, tokenizers, where files are kept, or whether the result is right: onnx_export.py checks that.

There is no attention mask: the embedder never pads, because it never puts texts of different lengths into one run.
The result of a run is the mean of the last layer over the tokens, not yet scaled to length 1.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from pmg.base.errors import ModelUnavailable

OPSET = 20  # the first with Gelu as one operator
INPUT, OUTPUT = "input_ids", "mean"

Weights = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class BertShape:
    """The numbers of a BERT's config.json that the graph depends on."""

    layers: int
    heads: int
    hidden: int
    epsilon: float


@dataclass(slots=True)
class OnnxGraph:
    """Nodes and constants collected so far; `add` returns the name of what the new node computes."""

    nodes: list[Any] = field(default_factory=list)
    constants: list[Any] = field(default_factory=list)

    def add(self, op: str, *inputs: str, output: str = "", **attributes: object) -> str:
        name = output or f"{op}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, list(inputs), [name], name=name, **attributes))
        return name

    def constant(self, name: str, value: NDArray[Any]) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name


def read_shape(config_file: Path) -> BertShape:
    config = json.loads(config_file.read_text(encoding="utf-8"))
    described = (config["model_type"], config["hidden_act"], config.get("position_embedding_type", "absolute"))
    if described != ("bert", "gelu", "absolute"):
        raise ModelUnavailable(
            f"{config_file} describes {described}; only a BERT with gelu can be written as ONNX here."
        )
    return BertShape(
        layers=config["num_hidden_layers"],
        heads=config["num_attention_heads"],
        hidden=config["hidden_size"],
        epsilon=config["layer_norm_eps"],
    )


def read_weights(safetensors_file: Path) -> Weights:
    """The fp32 tensors of a safetensors file: eight bytes of header length, a JSON header, then the raw data."""
    data = safetensors_file.read_bytes()
    header_size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + header_size])
    body = memoryview(data)[8 + header_size :]
    weights = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        first, last = entry["data_offsets"]
        weights[name] = np.frombuffer(body[first:last], dtype="<f4").reshape(entry["shape"])
    return weights


def build_model(weights: Weights, shape: BertShape) -> bytes:
    """The whole encoder as a serialised ONNX model: input_ids (batch, length) to mean (batch, hidden)."""
    graph = OnnxGraph()
    hidden = _embeddings(graph, weights, shape)
    hidden = encoder(graph, weights, shape, hidden)
    graph.add("ReduceMean", hidden, graph.constant("length_axis", np.array([1])), output=OUTPUT, keepdims=0)
    return serialised(
        graph,
        "sentence-encoder",
        [helper.make_tensor_value_info(INPUT, TensorProto.INT64, ["batch", "length"])],
        [helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, ["batch", shape.hidden])],
    )


def serialised(graph: OnnxGraph, name: str, inputs: list[Any], outputs: list[Any]) -> bytes:
    model = helper.make_model(
        helper.make_graph(graph.nodes, name, inputs, outputs, graph.constants),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=9,  # what the oldest onnxruntime we accept can read
        producer_name="pmg",
    )
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


def encoder(graph: OnnxGraph, weights: Weights, shape: BertShape, hidden: str) -> str:
    """All layers, one after the other."""
    for number in range(shape.layers):
        prefix = f"encoder.layer.{number}."
        hidden = _attention(graph, weights, shape, prefix + "attention.", hidden)
        hidden = _feed_forward(graph, weights, shape, prefix, hidden)
    return hidden


def _embeddings(graph: OnnxGraph, weights: Weights, shape: BertShape) -> str:
    words = graph.constant("words", weights["embeddings.word_embeddings.weight"])
    # One sentence only, so the token type is always 0 and can be part of the position.
    types = weights["embeddings.token_type_embeddings.weight"][0]
    positions = graph.constant("positions", weights["embeddings.position_embeddings.weight"] + types)
    zero, one = graph.constant("zero", np.array([0])), graph.constant("one", np.array([1]))
    length = graph.add("Shape", INPUT, start=1, end=2)
    here = graph.add("Slice", positions, zero, length, zero, one)
    total = graph.add("Add", graph.add("Gather", words, INPUT), here)
    return layer_norm(graph, weights, shape, "embeddings.LayerNorm", total)


def _attention(graph: OnnxGraph, weights: Weights, shape: BertShape, prefix: str, hidden: str) -> str:
    width = shape.hidden // shape.heads
    split = _shared_shape(graph, "split", [0, 0, shape.heads, width])
    join = _shared_shape(graph, "join", [0, 0, shape.hidden])
    scale = 1.0 / math.sqrt(width)

    def projected(part: str, order: list[int], factor: float = 1.0) -> str:
        line = linear(graph, weights, f"{prefix}self.{part}", hidden, factor)
        return graph.add("Transpose", graph.add("Reshape", line, split), perm=order)

    # The scale goes into the query's weights: a multiplication less, and exact enough for the check at export.
    query = projected("query", [0, 2, 1, 3], scale)
    key = projected("key", [0, 2, 3, 1])
    value = projected("value", [0, 2, 1, 3])
    share = graph.add("Softmax", graph.add("MatMul", query, key), axis=-1)
    mixed = graph.add("Transpose", graph.add("MatMul", share, value), perm=[0, 2, 1, 3])
    out = linear(graph, weights, f"{prefix}output.dense", graph.add("Reshape", mixed, join))
    return layer_norm(graph, weights, shape, f"{prefix}output.LayerNorm", graph.add("Add", out, hidden))


def _feed_forward(graph: OnnxGraph, weights: Weights, shape: BertShape, prefix: str, hidden: str) -> str:
    wide = graph.add("Gelu", linear(graph, weights, f"{prefix}intermediate.dense", hidden))
    out = linear(graph, weights, f"{prefix}output.dense", wide)
    return layer_norm(graph, weights, shape, f"{prefix}output.LayerNorm", graph.add("Add", out, hidden))


def linear(graph: OnnxGraph, weights: Weights, name: str, source: str, factor: float = 1.0) -> str:
    matrix = graph.constant(f"{name}.weight", weights[f"{name}.weight"].T * np.float32(factor))
    bias = graph.constant(f"{name}.bias", weights[f"{name}.bias"] * np.float32(factor))
    return graph.add("Add", graph.add("MatMul", source, matrix), bias)


def layer_norm(graph: OnnxGraph, weights: Weights, shape: BertShape, name: str, source: str) -> str:
    scale = graph.constant(f"{name}.weight", weights[f"{name}.weight"])
    bias = graph.constant(f"{name}.bias", weights[f"{name}.bias"])
    return graph.add("LayerNormalization", source, scale, bias, axis=-1, epsilon=shape.epsilon)


def _shared_shape(graph: OnnxGraph, name: str, dims: list[int]) -> str:
    known = {constant.name for constant in graph.constants}
    return name if name in known else graph.constant(name, np.array(dims))
