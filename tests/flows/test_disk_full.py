"""A full disk: what cannot be written is refused in words before it is begun, reading goes on, and nothing is lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pmg.base.errors import DiskFull
from pmg.doctor import BAD, examine
from pmg.engine import Engine
from pmg.exporters.export import export
from pmg.forget import Selection, forget, order, plan, resume
from pmg.forget import carry_out as carrying
from pmg.store import disk_space
from pmg.store.duckdb import backup
from tests.tiers import one_fast

Open = Callable[..., Engine]


def say(engine: Engine, name: str, *texts: str) -> None:
    with engine.session(session_id=name) as session:
        for text in texts:
            session.add(user=text)


@pytest.fixture
def fill(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    return lambda free: monkeypatch.setattr(disk_space, "free_bytes", lambda _: free)


def test_writing_is_refused_in_words_and_reading_goes_on(open_engine: Open, fill: Callable[[int], None]) -> None:
    engine = open_engine()
    say(engine, "s1", "the cat sleeps")
    left = engine.session(session_id="s2")
    left.add(user="the dog barks")
    fill(200_000)
    with pytest.raises(DiskFull, match=r"Only 0\.2 MB are free.*Nothing was changed.*Free some space"):
        left.add(user="not kept")
    assert [s.id for s in engine.recall("cat").segments] == ["seg_s1_0"]
    engine.close()
    engine = open_engine()  # with a session left open, which cannot be closed now
    assert [s.id for s in engine.recall("cat").segments] == ["seg_s1_0"]
    assert [s.lines[0].text for s in engine.reads.segments_of("s2")] == ["the dog barks"]
    engine.close()
    fill(10**12)
    assert all(not session.is_open for session in open_engine().sessions())


def test_what_only_reads_and_what_is_written_to_another_disk_asks_for_no_room(
    open_engine: Open, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    engine = open_engine()
    engine._memory.extractor.stop()  # so that claims wait to be read
    say(engine, "s1", "the cat sleeps")
    monkeypatch.setattr(disk_space, "free_bytes", lambda folder: 200_000 if folder == home else 10**12)
    assert engine.recall("cat").segments  # a recall that cannot be counted
    assert BAD not in {finding.level for finding in examine(engine)}
    assert engine.sql("SELECT count(*) FROM segments").rows == [(1,)]
    assert engine.extract() == 0
    exported, copied = tmp_path / "elsewhere" / "all.jsonl", tmp_path / "elsewhere" / "all.duckdb"
    export(engine, exported, "jsonl")
    engine.backup(copied)
    assert "the cat sleeps" in exported.read_text(encoding="utf-8")
    assert backup.check(copied) == 1
    told = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert "about people is not known" in told.pop(0)
    assert len(told) == 2 and all("`pmg forget` will not clean it" in one for one in told)
    assert str(exported) in told[0] and str(copied) in told[1]


def test_a_forgetting_is_refused_before_it_is_promised(
    open_engine: Open, home: Path, fill: Callable[[int], None]
) -> None:
    engine = open_engine()
    say(engine, "s1", "the spare key lies under the blue flowerpot", "the bakery opens at seven")
    todo = plan(engine, Selection(segments=("seg_s1_0",)))
    fill(1_000_000)
    with pytest.raises(DiskFull):
        forget(engine, todo)
    assert not (home / order.NAME).exists()


def test_a_half_done_forgetting_does_not_keep_a_memory_closed(
    open_engine: Open, home: Path, fill: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_engine()
    say(engine, "s1", "the spare key lies under the blue flowerpot", "the bakery opens at seven")
    todo = plan(engine, Selection(segments=("seg_s1_0",)))

    def full(*_: object) -> None:
        fill(1_000_000)
        disk_space.require_free(home)

    with monkeypatch.context() as patched:
        patched.setattr(carrying, "_clean_exports", full)
        with pytest.raises(DiskFull):
            forget(engine, todo)
    engine.close()
    engine = open_engine()
    assert resume(engine) is None
    assert engine.recall("bakery").segments
    assert (home / order.NAME).exists()
    engine.close()
    fill(10**12)
    engine = open_engine()
    receipt = resume(engine)
    assert receipt is not None and receipt.clean
    assert [s.id for s in engine.reads.segments_of("s1")] == ["seg_s1_1"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a small disk cannot be mounted here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


WORK = """
import sys
from pathlib import Path
from pmg import config
from pmg.engine import Engine
from pmg.base.errors import DiskFull
from tests.embedding import WordEmbedder
with Engine.open(config.load(Path(sys.argv[1]), {}), embedder=WordEmbedder()) as engine:
    said = 0
    try:
        for number in range(int(sys.argv[2])):
            with engine.session(session_id=f"{sys.argv[3]}-{number}") as session:
                session.add(user=f"the cat number {number}")
                said += 1
    except DiskFull:
        pass
    found = len(engine.recall("cat").segments)
print(said, found, sum(engine.counts().segments.values()) if not engine._memory.closed else "")
"""


@pytest.mark.parametrize("free", one_fast([0, 200_000, 4_000_000]))
def test_on_a_disk_that_is_really_full_nothing_aborts_and_everything_is_read(small_disk: Path, free: int) -> None:
    home, ballast = small_disk / "memory", small_disk / "ballast"

    def run(count: int, name: str) -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", WORK, str(home), str(count), name],
            capture_output=True, text=True, check=False, env={**os.environ, "OMP_NUM_THREADS": "1"},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-2000:]
        assert "Traceback" not in done.stderr
        return done.stdout.split()

    assert run(5, "a")[0] == "5"
    with ballast.open("wb") as file:
        left = os.statvfs(small_disk)
        os.posix_fallocate(file.fileno(), 0, left.f_bavail * left.f_frsize - free)
    said, found, *_ = run(5, "b")
    assert said == "0"
    assert int(found) > 0
    ballast.unlink()
    assert run(5, "c")[0] == "5"
