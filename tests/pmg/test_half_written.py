"""Files are written whole or not at all; what a killed process left is told from what is being written, and from what is not ours."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from pmg.base.half_written import half_written, remove_half_written, written


def left_behind(folder: Path, text: str = "half") -> Path:
    """As `written` leaves it when its process is killed: the file is there, and nobody holds it."""
    handle, name = tempfile.mkstemp(prefix=".pmg-", suffix=".tmp", dir=folder)
    with os.fdopen(handle, "w") as stream:
        stream.write(text)
    return Path(name)


@pytest.mark.parametrize("durable", [False, True])
def test_a_file_appears_whole_and_nothing_stays_beside_it(tmp_path: Path, durable: bool) -> None:
    with written(tmp_path / "out", durable=durable) as stream:
        stream.write(b"all of it")
        assert not (tmp_path / "out").exists()
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("out", b"all of it")]


def test_where_the_block_fails_nothing_is_left(tmp_path: Path) -> None:
    with pytest.raises(ValueError), written(tmp_path / "out") as stream:
        stream.write(b"half")
        raise ValueError
    assert list(tmp_path.iterdir()) == []


def test_what_nobody_writes_goes_and_what_is_being_written_stays(tmp_path: Path) -> None:
    dead = left_behind(tmp_path)
    with written(tmp_path / "out") as stream:
        stream.write(b"all of it")
        found = remove_half_written([tmp_path])
        assert found.removed == (dead,) and len(found.left) == 1 and found.left[0].exists()
    assert (tmp_path / "out").read_bytes() == b"all of it"
    assert half_written([tmp_path]) == []


@pytest.mark.parametrize("name", [".pmg-notes.tmp", ".pmg-abcdefghi.tmp", "pmg-abcd1234.tmp", ".pmg-abcd1234.tmp.bak"])
def test_another_name_is_not_ours(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch(mode=0o600)
    assert remove_half_written([tmp_path]) == remove_half_written([tmp_path / "not there"])
    assert (tmp_path / name).exists()


def test_a_file_that_others_can_read_a_link_and_a_folder_are_not_ours(tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    diary.write_text("mine")
    (tmp_path / ".pmg-linked00.tmp").symlink_to(diary)
    (tmp_path / ".pmg-folder00.tmp").mkdir()
    left_behind(tmp_path).chmod(0o644)
    before = sorted(tmp_path.iterdir())
    assert remove_half_written([tmp_path]).removed == ()
    assert sorted(tmp_path.iterdir()) == before
