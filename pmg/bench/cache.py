"""Vectors by content, on disk: a benchmark embeds each text once in its life.

Knows: an Embedder that looks into a file before it computes. Does not know: which benchmark, or any store.
A record is the text's hash and its vector; a half-written last record (a kill) is cut off at the next start.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from pmg.embed.embedder import Embedder, Spans, Vectors

_KEY = 16
_AT_ONCE = 64  # texts computed between two writes: what a kill may cost


class CachedEmbedder:
    """The same vectors as the embedder it wraps, from the file where they are known."""

    def __init__(self, inner: Embedder, folder: Path, on_computed: Callable[[int, int], None] | None = None) -> None:
        self._inner = inner
        self.name, self.fingerprint = inner.name, inner.fingerprint
        self.dimension, self.max_tokens = inner.dimension, inner.max_tokens
        self._on_computed = on_computed
        self._size = _KEY + 4 * inner.dimension
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / f"{hashlib.sha256(inner.fingerprint.encode()).hexdigest()[:16]}.vectors"
        self._rows: dict[bytes, int] = {}
        self._vectors = np.empty((0, inner.dimension), dtype=np.float32)
        self._load()

    def _load(self) -> None:
        if not self._file.exists():
            self._file.touch(mode=0o600)
        whole = self._file.stat().st_size // self._size
        with self._file.open("r+b") as file:
            file.truncate(whole * self._size)
        record = np.dtype([("key", f"V{_KEY}"), ("vector", np.float32, (self.dimension,))])
        data = np.fromfile(self._file, dtype=record, count=whole)
        self._rows = {key.tobytes(): i for i, key in enumerate(data["key"])}
        self._vectors = np.ascontiguousarray(data["vector"])

    def token_spans(self, text: str) -> Spans:
        return self._inner.token_spans(text)

    def embed(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        keys = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:_KEY] for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._rows}
        self._compute(missing)
        if progress is not None:
            progress(len(texts))
        if not keys:
            return np.empty((0, self.dimension), dtype=np.float32)
        found: Vectors = self._vectors[np.array([self._rows[key] for key in keys])]
        return found

    def _compute(self, missing: dict[bytes, str]) -> None:
        todo = list(missing.items())
        fresh: list[Vectors] = []
        for start in range(0, len(todo), _AT_ONCE):
            part = todo[start : start + _AT_ONCE]
            vectors = self._inner.embed([text for _, text in part])
            with self._file.open("ab") as file:
                file.write(b"".join(key + row.tobytes() for (key, _), row in zip(part, vectors, strict=True)))
            fresh.append(vectors)
            if self._on_computed is not None:
                self._on_computed(start + len(part), len(todo))
        first = len(self._vectors)
        self._rows.update({key: first + i for i, (key, _) in enumerate(todo)})
        if fresh:
            self._vectors = np.concatenate([self._vectors, *fresh])
