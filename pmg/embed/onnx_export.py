"""Makes the ONNX form of a model once, on this machine, and keeps it only if it gives the vectors that torch gives.

Knows: the cache folder's layout (model.onnx and manifest.json, which holds its checksum) and the check.
Does not know: how the graph is built (onnx_graph.py) or how torch is run: the reference vectors come from the caller.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pmg.base.errors import ModelUnavailable
from pmg.embed.bundled import ModelFolder
from pmg.embed.embedder import Vectors
from pmg.embed.files import sha256_of, write_cached
from pmg.embed.onnx_embedder import OnnxEmbedder

FORMAT = 1  # raise it when onnx_graph.py changes what it writes: older files are then made anew
MODEL, MANIFEST = "model.onnx", "manifest.json"
MIN_COSINE = 0.99999
MAX_DIFFERENCE = 1e-4

# Short and long, several scripts, code, emoji, nothing at all: where an export could differ from its original.
CHECK_TEXTS: tuple[str, ...] = (
    "",
    " ",
    "Hi",
    "Why is the release blocked?",
    "User: I moved to Lisbon in March 2024.\nAssistant: Congratulations! How is the new flat?",
    "def mean(xs):\n    return sum(xs) / len(xs)  # raises ZeroDivisionError for []",
    "Die Größe der Öfen überrascht: 1.234,56 € für façade & crème brûlée.",
    "我们昨天去了长城，天气很好。",
    "東京タワーは333メートルです。",
    "안녕하세요, 내일 회의가 몇 시예요?",
    "מתי הרכבת יוצאת מתל אביב?",
    "Встреча перенесена на пятницу, 14:30.",
    "😀🎉👩‍👩‍👧 nice!!!",
    "a\x00b\x07c \u200bzero width",
    "x" * 300,
    "https://example.org/a/very/long/path?with=query&and=more#fragment",
    "No. I did not say that she can't come; I said she won't.",
    "Remind me to water the tomatoes and call the landlord about the lease. " * 8,
    "The knee hurts after running more than ten kilometres, less on soft ground. " * 40,
)

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How near two sets of vectors of the same texts are."""

    least_cosine: float
    largest_difference: float

    @property
    def holds(self) -> bool:
        return self.least_cosine >= MIN_COSINE and self.largest_difference <= MAX_DIFFERENCE


def compare(vectors: Vectors, reference: Vectors) -> Agreement:
    if vectors.shape != reference.shape or not np.isfinite(vectors).all():
        return Agreement(-1.0, float("inf"))
    one, other = vectors.astype(np.float64), reference.astype(np.float64)
    lengths = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    return Agreement(float(((one * other).sum(axis=1) / lengths).min()), float(np.abs(one - other).max()))


def find_export(model: ModelFolder, folder: Path) -> Path | None:
    """The exported file if it is whole and of these weights, else None: it is then made anew."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        expected = {"format": FORMAT, "fingerprint": model.fingerprint, "sha256": sha256_of(folder / MODEL)}
    except (OSError, ValueError):
        return None
    whole = isinstance(manifest, dict) and all(manifest.get(key) == value for key, value in expected.items())
    return folder / MODEL if whole else None


def make_export(
    model: ModelFolder, folder: Path, max_length: int, reference: Callable[[Sequence[str]], Vectors], report: Report
) -> Path:
    """Writes the model as ONNX into the folder. Raises ModelUnavailable if its vectors are not the reference's."""
    from pmg.embed import onnx_graph  # imports onnx, which no later start needs

    report("Preparing the embedding model for this machine (once, a few seconds) …")
    data = onnx_graph.build_model(
        onnx_graph.read_weights(model.weights), onnx_graph.read_shape(model.path / "config.json")
    )
    (folder / MANIFEST).unlink(missing_ok=True)  # a file without a manifest counts as absent until the check is done
    write_cached(folder / MODEL, data)
    candidate = OnnxEmbedder.open(folder / MODEL, model.tokenizer, model.name, model.fingerprint, max_length)
    agreement = compare(candidate.embed(CHECK_TEXTS), reference(CHECK_TEXTS))
    if not agreement.holds:
        (folder / MODEL).unlink()
        raise ModelUnavailable(
            f"The ONNX form of {model.name} does not agree with torch: least cosine {agreement.least_cosine:.6f} (at least "
            f"{MIN_COSINE}), largest difference {agreement.largest_difference:.1e} (at most {MAX_DIFFERENCE:.0e})."
        )
    manifest = {
        "format": FORMAT,
        "fingerprint": model.fingerprint,
        "sha256": sha256_of(folder / MODEL),
        "least_cosine": agreement.least_cosine,
        "largest_difference": agreement.largest_difference,
    }
    write_cached(folder / MANIFEST, json.dumps(manifest, indent=1).encode())
    report("The embedding model is ready.")
    return folder / MODEL
