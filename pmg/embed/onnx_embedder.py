"""Embeds with onnxruntime: the fast way, without torch.

Knows: onnxruntime, and the graph that onnx_graph.py writes. Does not know: where the file comes from or whether it is
right; onnx_export.py does.

Every text is run by itself, never padded and never beside another. So a text's vector cannot depend on its company, and
on a CPU nothing is lost: several texts run at once, one a core, which measured as fast as batches.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as kinds
from tokenizers import Tokenizer

from pmg.base.errors import ModelUnavailable
from pmg.embed.embedder import Progress, Spans, Vectors
from pmg.embed.tokens import for_model, spans_of

INPUT = "input_ids"
SPECIAL_TOKENS = 2  # [CLS] and [SEP]
CHUNK = 64  # texts between two reports of progress …
CHUNK_CHARACTERS = 16_000  # … and of text: whoever is told may want to end, and sixteen long windows take seconds

# onnxruntime's errors have no common root but Exception.
CANNOT_OPEN = (
    kinds.Fail,
    kinds.InvalidArgument,
    kinds.InvalidGraph,
    kinds.InvalidProtobuf,
    kinds.NoSuchFile,
    kinds.NotImplemented,
    kinds.RuntimeException,
)


class OnnxEmbedder:
    """Meets Embedder. Safe to call from several threads."""

    def __init__(
        self,
        session: onnxruntime.InferenceSession,
        tokenizer: Tokenizer,
        name: str,
        fingerprint: str,
        max_tokens: int,
        threads: int,
    ) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self.max_tokens = max_tokens
        self.dimension = int(session.get_outputs()[0].shape[1])
        self._session = session
        self._tokenizer = tokenizer
        self._threads = threads

    @classmethod
    def open(
        cls,
        onnx_file: Path,
        tokenizer_file: Path,
        name: str,
        fingerprint: str,
        max_length: int,
        threads: int | None = None,
    ) -> OnnxEmbedder:
        """`max_length` is what the model takes with its special tokens; `threads` is the number of cores unless given."""
        count = threads or os.cpu_count() or 1
        try:
            session = open_session(onnx_file, count)
        except CANNOT_OPEN as error:
            raise ModelUnavailable(f"The model {onnx_file} cannot be opened: {error}") from error
        tokenizer = Tokenizer.from_file(str(tokenizer_file))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return cls(session, tokenizer, name, fingerprint, max_length - SPECIAL_TOKENS, count)

    def embed(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        rows = np.empty((len(texts), self.dimension), dtype=np.float32)
        if len(texts) == 1:
            rows[0] = self._vector(self._ids(texts[0]))
            if progress:
                progress(1)
            return rows
        with ThreadPoolExecutor(self._threads) as pool:
            for part in _chunks(texts):
                self._embed_chunk(texts[part], rows[part], pool)
                if progress:
                    progress(part.stop)
        return rows

    def token_spans(self, text: str) -> Spans:
        return spans_of(self._tokenizer, text)

    def _embed_chunk(self, texts: Sequence[str], rows: Vectors, pool: ThreadPoolExecutor) -> None:
        ids = [self._ids(text) for text in texts]
        # The longest first, so that no core is left with a long text at the end.
        order = sorted(range(len(ids)), key=lambda index: (-len(ids[index]), index))
        for index, vector in zip(order, pool.map(self._vector, (ids[index] for index in order)), strict=True):
            rows[index] = vector

    def _ids(self, text: str) -> list[int]:
        """[CLS], as many tokens as fit, [SEP]."""
        ids: list[int] = self._tokenizer.encode(for_model(text, self.max_tokens)).ids
        if len(ids) <= self.max_tokens + SPECIAL_TOKENS:
            return ids
        return ids[: self.max_tokens + 1] + ids[-1:]

    def _vector(self, ids: list[int]) -> NDArray[np.float32]:
        mean = self._session.run(None, {INPUT: np.array([ids], dtype=np.int64)})[0][0].astype(np.float64)
        return np.asarray(mean / np.sqrt(np.dot(mean, mean)), dtype=np.float32)


def _chunks(texts: Sequence[str]) -> Iterator[slice]:
    first, size = 0, 0
    for at, text in enumerate(texts):
        if at > first and (at - first == CHUNK or size + len(text) > CHUNK_CHARACTERS):
            yield slice(first, at)
            first, size = at, 0
        size += len(text)
    if texts:
        yield slice(first, len(texts))


def open_session(model: Path | bytes, threads: int) -> onnxruntime.InferenceSession:
    onnxruntime.disable_telemetry_events()
    onnxruntime.set_default_logger_severity(3)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Waiting threads that spin make it three times slower beside any other busy process.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
