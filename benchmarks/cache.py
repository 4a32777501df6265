"""Vectors by content, on disk: a benchmark embeds each text once in its life.

Knows: an Embedder that looks into a file before it computes.
A record is the text's hash and its vector, appended whole. Several processes may fill one file: they write under a lock, and a
half-written last record (a kill) is cut off by the next writer.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from pmg.embed.embedder import Embedder, Spans, Vectors
from pmg.embed.load import default_cache_dir

try:
    import fcntl
except ImportError:  # Windows: there one process at a time may fill the cache
    fcntl = None  # type: ignore[assignment]

_KEY = 16
_BATCH = 64  # texts computed between two writes: what a kill may cost

Computed = Callable[[int, int], None]  # texts computed, of how many


def default_folder() -> Path:
    return default_cache_dir().parent / "bench"


class CachedEmbedder:
    """The same vectors as the embedder it wraps, from the file where they are known."""

    def __init__(self, inner: Embedder, folder: Path, on_computed: Computed | None = None) -> None:
        self._inner = inner
        self.name, self.fingerprint = inner.name, inner.fingerprint
        self.dimension, self.max_tokens = inner.dimension, inner.max_tokens
        self._on_computed = on_computed
        self._size = _KEY + 4 * inner.dimension
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._file = folder / f"{hashlib.sha256(inner.fingerprint.encode()).hexdigest()[:16]}.vectors"
        self._rows: dict[bytes, int] = {}
        self._vectors = np.empty((0, inner.dimension), dtype=np.float32)  # with room at its end: see _keep
        self._load()

    def _load(self) -> None:
        self._file.touch(mode=0o600)
        record = np.dtype([("key", f"V{_KEY}"), ("vector", np.float32, (self.dimension,))])
        data = np.fromfile(self._file, dtype=record, count=self._file.stat().st_size // self._size)
        self._keep([key.tobytes() for key in data["key"]], data["vector"])

    def _keep(self, keys: Sequence[bytes], vectors: Vectors) -> None:
        """Room doubles when it runs out, so that many small additions do not copy everything each time."""
        first, need = len(self._rows), len(self._rows) + len(keys)
        if need > len(self._vectors):
            grown = np.empty((max(need, 2 * len(self._vectors)), self.dimension), dtype=np.float32)
            grown[:first] = self._vectors[:first]
            self._vectors = grown
        for key, vector in zip(keys, vectors, strict=True):
            row = self._rows.setdefault(key, len(self._rows))  # two processes may have written the same text
            self._vectors[row] = vector

    def token_spans(self, text: str) -> Spans:
        return self._inner.token_spans(text)

    def embed(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        keys = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:_KEY] for text in texts]
        self._compute({key: text for key, text in zip(keys, texts, strict=True) if key not in self._rows})
        if progress is not None:
            progress(len(texts))
        rows = np.array([self._rows[key] for key in keys], dtype=np.int64)
        found: Vectors = self._vectors[rows]
        return found

    def _compute(self, missing: dict[bytes, str]) -> None:
        todo = sorted(missing.items(), key=lambda item: len(item[1]))  # texts of one length waste no padding
        for start in range(0, len(todo), _BATCH):
            part = todo[start : start + _BATCH]
            vectors = self._inner.embed([text for _, text in part])
            self._write(b"".join(key + row.tobytes() for (key, _), row in zip(part, vectors, strict=True)))
            self._keep([key for key, _ in part], vectors)
            if self._on_computed is not None:
                self._on_computed(start + len(part), len(todo))

    def _write(self, records: bytes) -> None:
        descriptor = os.open(self._file, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            if fcntl is not None:
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            size = os.fstat(descriptor).st_size
            if size % self._size:
                os.ftruncate(descriptor, size - size % self._size)
            while records:
                records = records[os.write(descriptor, records) :]
        finally:
            os.close(descriptor)
