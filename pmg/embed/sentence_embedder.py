"""Embeds with sentence-transformers: any model by name or folder, and the fall-back for the bundled one.

Knows: sentence_transformers and torch; nobody else imports them.

Importing this module costs seconds, so only load.py does it, and only when there is no other way. Each text is run by
itself, as in onnx_embedder.py and for the same reason: a vector must not depend on what stood beside its text.
"""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from pmg.base.errors import ModelUnavailable
from pmg.embed.embedder import Progress, Spans, Vectors
from pmg.embed.tokens import for_model, pieces_of, spans_of

# Read when the libraries are imported, so they are set before. What the person set is kept.
os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")

import torch
from sentence_transformers import SentenceTransformer
from tokenizers import Tokenizer

MAX_WINDOW = 512  # a model that can read a whole book still gets windows that recall can point at


class SentenceEmbedder:
    """Meets Embedder, with any sentence-transformers model on the CPU."""

    def __init__(self, model: SentenceTransformer, name: str, fingerprint: str) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self.dimension = int(model.get_embedding_dimension() or 0)
        self._model = model
        # sentence-transformers changes its tokenizer's truncation while it runs, so it must not run twice at once.
        self._running = threading.Lock()
        self._tokenizer = _spanning(model.tokenizer)
        model.max_seq_length = min(int(model.max_seq_length or MAX_WINDOW), MAX_WINDOW)
        self.max_tokens = model.max_seq_length - int(model.tokenizer.num_special_tokens_to_add())

    @classmethod
    def open(
        cls, model: str | Path, name: str = "", fingerprint: str = "", threads: int | None = None
    ) -> SentenceEmbedder:
        """A folder and a name without an owner never make a network call: a slip of the finger must not be looked up. `owner/name` may, unless
        HF_HUB_OFFLINE is set or the model is cached."""
        if threads:
            torch.set_num_threads(threads)
        folder = Path(model).is_dir()
        try:
            with _quiet():
                loaded = SentenceTransformer(
                    str(model),
                    device="cpu",
                    trust_remote_code=False,
                    local_files_only=folder or _offline() or "/" not in str(model),
                )
        except (OSError, ValueError, RuntimeError, KeyError, ImportError) as error:
            raise ModelUnavailable(_why(str(model), folder, error)) from error
        return cls(loaded, name or _name_of(model), fingerprint or weights_fingerprint(loaded))

    def embed(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        rows = np.empty((len(texts), self.dimension), dtype=np.float32)
        for index, text in enumerate(texts):
            clean = for_model(text, self.max_tokens)
            with self._running:
                vector = self._model.encode([clean], batch_size=1, show_progress_bar=False)[0].astype(np.float64)
            length = np.sqrt(np.dot(vector, vector))
            rows[index] = vector / length if length else vector
            if progress:
                progress(index + 1)
        return rows

    def token_spans(self, text: str) -> Spans:
        return spans_of(self._tokenizer, text) if self._tokenizer is not None else pieces_of(text)


def _spanning(tokenizer: Any) -> Tokenizer | None:
    """A copy that never cuts or pads, for finding spans; None for a tokenizer written in Python."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        return None
    copy = Tokenizer.from_str(backend.to_str())
    copy.no_padding()
    copy.no_truncation()
    return copy


def weights_fingerprint(model: Any) -> str:
    """Names the weights whatever files they came from: the hash of every tensor's name, shape and bytes."""
    digest = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        flat = tensor.detach().cpu().contiguous().reshape(-1)
        digest.update(f"{name} {tuple(tensor.shape)} {tensor.dtype}\n".encode())
        digest.update(flat.view(torch.uint8).numpy().tobytes() if flat.numel() else b"")
    return digest.hexdigest()


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the lines that the libraries write of each attempt: what failed is told once, by us."""
    loggers = [logging.getLogger(name) for name in ("huggingface_hub", "transformers", "sentence_transformers")]
    levels = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.setLevel(logging.CRITICAL)
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _offline() -> bool:
    return os.environ.get("HF_HUB_OFFLINE", "").upper() in {"1", "TRUE", "YES", "ON"}


def _name_of(model: str | Path) -> str:
    return Path(model).resolve().name if Path(model).is_dir() else str(model)


def _why(model: str, folder: bool, error: Exception) -> str:
    reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    if folder:
        mend = (
            "The folder must be one that SentenceTransformer.save wrote; copy it again, or set the model to 'bundled'."
        )
    elif "/" not in model:
        return (
            f"There is no embedding model {model!r} on this machine, and nothing was asked of any other. There are 'bundled', 'multilingual', the folder "
            f"of a model, or a name with its owner, such as sentence-transformers/{model}, which is downloaded."
        )
    else:
        mend = "Give the folder of a downloaded model, connect once to download it, or set the model to 'bundled'."
    return f"The embedding model {model!r} cannot be loaded: {reason} {mend}"
