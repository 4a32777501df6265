from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pmg.base.atomic_files import write_atomically
from pmg.base.errors import IndexDamaged
from pmg.index.lexical import LexicalDoc, LexicalIndex
from pmg.index.manifest import MANIFEST_NAME, Manifest, expect_manifest, read_manifest, write_manifest
from pmg.index.vector import VectorIndex

HERE = Manifest(store_id="store", model="model", generation=2, change=11)


def save_both(folder: Path) -> None:
    vectors = VectorIndex(4, threads=1)
    vectors.add(np.arange(50), np.eye(4, dtype=np.float32)[np.arange(50) % 4])
    vectors.save(folder / "vector", HERE)
    lexical = LexicalIndex(folder / "lexical")
    lexical.add(LexicalDoc(number, number, f"word{number} and more", "Anna") for number in range(50))
    lexical.remove(np.array([3]))
    lexical.save(HERE)


def load_both(folder: Path) -> None:
    assert len(VectorIndex.load(folder / "vector", HERE, 4, threads=1)) == 50
    assert len(LexicalIndex.load(folder / "lexical", HERE)) == 49


def test_a_manifest_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_manifest(tmp_path, HERE)
    assert read_manifest(tmp_path) == HERE
    assert expect_manifest(tmp_path, replace(HERE, change=99)) == HERE


@pytest.mark.parametrize("other", [{"store_id": "x"}, {"model": "x"}, {"generation": 3}])
def test_a_foreign_manifest_is_named_by_what_differs(tmp_path: Path, other: dict) -> None:
    write_manifest(tmp_path, HERE)
    with pytest.raises(IndexDamaged, match=next(iter(other))):
        expect_manifest(tmp_path, replace(HERE, **other))


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b"\xff\xfe", b'{"seal": 1}', b"null"])
def test_an_unreadable_manifest_is_damage(tmp_path: Path, content: bytes) -> None:
    (tmp_path / MANIFEST_NAME).write_bytes(content)
    with pytest.raises(IndexDamaged):
        read_manifest(tmp_path)


def test_a_manifest_of_another_format_is_damage(tmp_path: Path) -> None:
    write_manifest(tmp_path, replace(HERE, format=0))
    with pytest.raises(IndexDamaged, match="format 0"):
        read_manifest(tmp_path)


def test_an_index_that_is_not_there_is_damage(tmp_path: Path) -> None:
    with pytest.raises(IndexDamaged, match="no index"):
        LexicalIndex.load(tmp_path / "none", HERE)
    with pytest.raises(IndexDamaged, match="no index"):
        VectorIndex.load(tmp_path / "none", HERE, 4)


def test_every_single_flipped_bit_is_noticed(tmp_path: Path) -> None:
    save_both(tmp_path)
    load_both(tmp_path)
    rng = np.random.default_rng(0)
    for path in sorted(path for path in tmp_path.rglob("*") if path.is_file()):
        good = path.read_bytes()
        for place in rng.integers(0, len(good), 12).tolist():
            bad = bytearray(good)
            bad[place] ^= 1 << int(rng.integers(8))
            path.write_bytes(bad)
            with pytest.raises(IndexDamaged):
                load_both(tmp_path)
        path.write_bytes(good)
    load_both(tmp_path)


def test_every_missing_or_shortened_file_is_noticed(tmp_path: Path) -> None:
    save_both(tmp_path)
    for path in sorted(path for path in tmp_path.rglob("*") if path.is_file()):
        good = path.read_bytes()
        for bad in (good[:-1], good[: len(good) // 2], good + b"x", b""):
            path.write_bytes(bad)
            with pytest.raises(IndexDamaged):
                load_both(tmp_path)
        path.unlink()
        with pytest.raises(IndexDamaged):
            load_both(tmp_path)
        path.write_bytes(good)
    load_both(tmp_path)


def test_files_and_folders_are_for_their_owner_only_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        save_both(tmp_path / "index")
    finally:
        os.umask(before)
    for path in [tmp_path / "index", *(tmp_path / "index").rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_a_writer_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomically(path, b"old")

    def fail(file: object) -> None:
        file.write(b"half")  # type: ignore[attr-defined]
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        write_atomically(path, fail)
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


def test_a_temporary_file_of_a_killed_writer_is_ignored_and_then_cleared(tmp_path: Path) -> None:
    save_both(tmp_path)
    for name in ("vector", "lexical"):
        (tmp_path / name / ".manifest.json.abc.tmp").write_bytes(b"half")
        (tmp_path / name / ("0" * 40 + ".piece")).write_bytes(b"not named by any catalog")
    load_both(tmp_path)
    save_both(tmp_path)
    assert not list(tmp_path.rglob("*.tmp")) and not list(tmp_path.rglob("0000*.piece"))


def test_a_folder_cleared_behind_the_index_is_written_whole_again(tmp_path: Path) -> None:
    vectors, lexical = VectorIndex(4, threads=1), LexicalIndex(tmp_path / "lexical")
    vectors.add(np.arange(3), np.eye(4, dtype=np.float32)[:3])
    lexical.add([LexicalDoc(1, 1, "words")])
    for _ in range(2):
        vectors.save(tmp_path / "vector", HERE)
        lexical.save(HERE)
        assert len(VectorIndex.load(tmp_path / "vector", HERE, 4)) == 3
        assert len(LexicalIndex.load(tmp_path / "lexical", HERE)) == 1
        for name in ("vector", "lexical"):
            shutil.rmtree(tmp_path / name)


WRITER = """
import sys
from pathlib import Path
import numpy as np
from pmg.index.lexical import LexicalDoc, LexicalIndex
from pmg.index.manifest import Manifest
from pmg.index.vector import VectorIndex
folder = Path(sys.argv[1])
vectors, lexical = VectorIndex(8, threads=1), LexicalIndex(folder / "lexical")
for change in range(1, 10_000):
    ids = np.arange(change * 7, change * 7 + 7)
    vectors.add(ids, np.full((7, 8), change, np.float32))
    lexical.add(LexicalDoc(int(id_), change, f"change{change}") for id_ in ids)
    vectors.save(folder / "vector", Manifest("store", "model", 2, change))
    lexical.save(Manifest("store", "model", 2, change))
    print(change, flush=True)
"""


@pytest.mark.slow
@pytest.mark.crash
@pytest.mark.parametrize("wait_for", [1, 3, 6, 10, 17, 25, 40, 60])
def test_a_kill_at_any_time_leaves_a_saved_state_whole(tmp_path: Path, wait_for: int) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(Path.cwd())}) as writer:
        assert writer.stdout is not None
        lines = [int(writer.stdout.readline()) for _ in range(wait_for)]
        writer.kill()
    vectors = VectorIndex.load(tmp_path / "vector", HERE, 8, threads=1)
    lexical = LexicalIndex.load(tmp_path / "lexical", HERE)
    for index in (vectors, lexical):
        assert index.manifest is not None and index.manifest.change >= lines[-1]
        assert len(index) == 7 * index.manifest.change
