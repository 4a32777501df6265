"""Backup and restore: one file, written whole or not at all; what was there before is kept."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from pmg.base.errors import InputError, NotFound, StoreBusy, StoreError, StoreTooNew
from pmg.engine import Engine
from pmg.store.duckdb import migrations
from pmg.store.duckdb.database import Database
from pmg.store.restore import restore_backup


def say(engine: Engine, text: str, name: str) -> None:
    with engine.session(session_id=name) as session:
        session.add(user=text)


def test_a_backup_brings_back_the_memory_it_was_made_of(
    open_engine: Callable[..., Engine], home: Path, tmp_path: Path
) -> None:
    engine, file = open_engine(), tmp_path / "deep" / "b'ackup.duckdb"
    say(engine, "the cat", "s1")
    engine.recall("cat")
    engine.backup(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    say(engine, "the kitten came later", "s2")
    with pytest.raises(StoreBusy):
        restore_backup(home, file)
    engine.close()
    done = restore_backup(home, file)
    assert done.segments == 1
    engine = open_engine()
    assert [s.id for s in engine.sessions()] == ["s1"]
    assert [s.id for s in engine.recall("cat kitten", count=False).segments] == ["seg_s1_0"]
    assert engine.counts().recalls == 1
    engine.close()
    assert done.kept is not None
    restore_backup(home, done.kept)  # and back again
    assert [s.id for s in open_engine().sessions()] == ["s1", "s2"]


def test_what_a_killed_process_left_in_its_log_is_kept_too(
    open_engine: Callable[..., Engine], home: Path, tmp_path: Path
) -> None:
    engine = open_engine()
    engine.backup(tmp_path / "empty.duckdb")
    engine.session(session_id="s1").add(user="the cat")
    killed = tmp_path / "killed"
    killed.mkdir()
    for file in home.glob("memory.duckdb*"):  # as a kill leaves them: the log is not folded in
        shutil.copy(file, killed / file.name)
    engine.close()
    assert (killed / "memory.duckdb.wal").exists()
    done = restore_backup(killed, tmp_path / "empty.duckdb")
    assert done.kept is not None
    assert not (killed / "memory.duckdb.wal").exists()
    database = Database.open(done.kept, read_only=True)
    assert database.rows("SELECT text FROM lines") == [("the cat",)]
    database.close()


def test_a_backup_can_be_restored_into_an_empty_place(
    open_engine: Callable[..., Engine], home: Path, tmp_path: Path
) -> None:
    engine = open_engine()
    say(engine, "the cat", "s1")
    engine.backup(tmp_path / "backup.duckdb")
    engine.close()
    done = restore_backup(tmp_path / "new", tmp_path / "backup.duckdb")
    assert (done.segments, done.kept) == (1, None)


def test_a_bad_backup_is_refused_before_anything_is_touched(
    open_engine: Callable[..., Engine], home: Path, tmp_path: Path
) -> None:
    engine = open_engine()
    say(engine, "the cat", "s1")
    engine.backup(tmp_path / "newer.duckdb")
    engine.close()
    before = (home / "memory.duckdb").read_bytes()
    (tmp_path / "text.duckdb").write_text("not a database" * 1000)
    other = Database.open(tmp_path / "other.duckdb")
    other.run("CREATE TABLE t (a INTEGER)")
    other.close()
    newer = Database.open(tmp_path / "newer.duckdb")
    migrations.put_meta(newer, "schema_version", "99")
    newer.close()
    for name, error in (
        ("nowhere.duckdb", NotFound),
        ("text.duckdb", StoreError),
        ("other.duckdb", InputError),
        ("newer.duckdb", StoreTooNew),
    ):
        with pytest.raises(error):
            restore_backup(home, tmp_path / name)
    assert (home / "memory.duckdb").read_bytes() == before
    assert (home / "index").is_dir()


def test_a_backup_that_cannot_be_written_is_refused_and_leaves_nothing(
    engine: Engine, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="is a directory"):
        engine.backup(tmp_path)
    with pytest.raises(StoreError, match="Choose another place"):
        engine.backup(tmp_path / "file" / "backup.duckdb")
    for name in ("memory.duckdb", "memory.duckdb.wal"):
        with pytest.raises(InputError, match="is the memory itself"):
            engine.backup(home / name)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "memory"]


def test_an_older_backup_is_replaced_whole(engine: Engine, tmp_path: Path) -> None:
    file = tmp_path / "backup.duckdb"
    engine.backup(file)
    say(engine, "the cat", "s1")
    engine.backup(file)
    assert [p.name for p in tmp_path.glob("*backup*")] == ["backup.duckdb"]
    database = Database.open(file, read_only=True)
    assert database.rows("SELECT count(*) FROM segments") == [(1,)]
    database.close()


@pytest.mark.parametrize(
    "told", ["Correction: I don't live in Ulm, I live in Bonn.", "I work at Calder until 31 December 9999."]
)
def test_a_backup_with_days_at_the_ends_of_time_comes_back(
    open_engine: Callable[..., Engine], home: Path, tmp_path: Path, told: str
) -> None:
    """What was taken back never held: it is kept from the first day there is."""
    engine = open_engine()
    say(engine, "I live in Ulm.", "before")
    say(engine, told, "after")
    engine.extract()
    engine.backup(tmp_path / "backup.duckdb")
    claims = engine.sql("SELECT count(*) FROM claims").table
    engine.close()
    assert restore_backup(home, tmp_path / "backup.duckdb").segments == 2
    assert open_engine().sql("SELECT count(*) FROM claims").table == claims
