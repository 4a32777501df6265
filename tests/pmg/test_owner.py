"""One process owns a store; the second is told who and how to reach it. Links and unusable places are refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pmg.base.errors import StoreBusy, StoreError
from pmg.store.owner import Owner, prepare_home

HOLD = """
import sys
from pathlib import Path
from pmg.store.owner import Owner
owner = Owner.claim(Path(sys.argv[1]))
owner.note("http://127.0.0.1:7700")
print("held", flush=True)
sys.stdin.read()
"""


def test_a_store_held_by_another_process_is_refused_by_name_and_address(tmp_path: Path) -> None:
    words = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        try:
            with pytest.raises(StoreBusy) as refusal:
                Owner.claim(tmp_path)
            for told in (f"process {holder.pid} (-c", "reach it at http://127.0.0.1:7700", "Close that process"):
                assert told in str(refusal.value)
        finally:
            holder.kill()
    Owner.claim(tmp_path).release()  # the lock goes with the process, however it ended


def test_a_note_that_cannot_be_read_still_gives_a_clear_refusal(tmp_path: Path) -> None:
    owner = Owner.claim(tmp_path)
    (tmp_path / "owner.lock").write_text("{half a no")
    with pytest.raises(StoreBusy, match=r"held by process \?"):
        Owner.claim(tmp_path)
    owner.release()


def test_a_path_below_a_file_is_refused_with_the_mend(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for place in (tmp_path / "file", tmp_path / "file" / "memory"):
        with pytest.raises(StoreError, match=r"cannot be used as a memory directory.*--home or PMG_HOME"):
            prepare_home(place)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
def test_a_directory_that_cannot_be_written_is_refused_with_the_mend() -> None:
    with pytest.raises(StoreError, match="Choose a directory you can write to"):
        prepare_home(Path("/proc/pmg"))


@pytest.mark.parametrize("name", ["memory.duckdb", "owner.lock", "config.toml", "sessions"])
def test_a_symbolic_link_in_the_home_is_refused_and_not_followed(tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    outside.write_text("untouched")
    home = tmp_path / "home"
    home.mkdir()
    (home / name).symlink_to(outside)
    with pytest.raises(StoreError, match=f"symbolic links \\({name}\\)"):
        prepare_home(home)
    assert outside.read_text() == "untouched"


def test_nothing_is_left_behind_by_the_look_at_a_directory(tmp_path: Path) -> None:
    prepare_home(tmp_path / "a" / "b")
    assert list((tmp_path / "a" / "b").iterdir()) == []
