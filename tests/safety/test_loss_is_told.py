"""Loss is told, and what knows more than the memory is kept: the missing file, the cut log, the older copy, the fuller backup."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pmg import doctor
from pmg.base.errors import InputError, StoreBehind, StoreError
from pmg.engine import Engine
from pmg.importers.import_run import ImportOptions, import_paths
from pmg.store.duckdb import backup
from pmg.store.records import store_of
from pmg.store.restore import accept_loss, restore_backup
from steward import backups
from steward.steward import Steward

Open = Callable[..., Engine]


def say(engine: Engine, name: str, *texts: str) -> None:
    with engine.session(session_id=name) as session:
        for text in texts:
            session.add(user=text)


def all_files(home: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in home.rglob("*") if file.is_file() and file.name != "owner.lock"}


def as_killed(home: Path, target: Path) -> Path:
    shutil.copytree(home, target)
    return target


def test_a_missing_database_is_not_replaced_by_an_empty_one(open_engine: Open, home: Path) -> None:
    engine = open_engine()
    say(engine, "s1", "the cat sleeps")
    engine.backup(home / "backups" / "mine.duckdb")
    engine.close()
    (home / "memory.duckdb").unlink()
    before = all_files(home)
    with pytest.raises(
        StoreBehind, match=r"is missing, and 1 sessions as plain text, 1 backups.*pmg restore .*mine.duckdb"
    ):
        open_engine()
    assert all_files(home) == before
    restore_backup(home, home / "backups" / "mine.duckdb")
    assert [s.id for s in open_engine().sessions()] == ["s1"]


@pytest.mark.parametrize("evidence", ["sessions", "index", "backups"])
def test_each_sign_of_a_memory_is_enough(open_engine: Open, home: Path, evidence: str) -> None:
    engine = open_engine()
    say(engine, "s1", "the cat sleeps")
    engine.backup(home / "backups" / "mine.duckdb")
    engine.close()
    for file in home.glob("memory.duckdb*"):
        file.unlink()
    for name in {"sessions", "index", "backups"} - {evidence}:
        shutil.rmtree(home / name)
    with pytest.raises(StoreBehind):
        open_engine()


@pytest.mark.parametrize("damage", ["gone", "cut", "changed"])
def test_a_damaged_log_is_made_whole_from_its_copy_and_told(
    open_engine: Open, home: Path, tmp_path: Path, damage: str
) -> None:
    engine = open_engine()
    session = engine.session(session_id="s1")
    for i in range(8):
        session.add(user=f"the cat number {i}")
    killed = as_killed(home, tmp_path / "killed")
    engine.close()
    log = killed / "memory.duckdb.wal"
    data = bytearray(log.read_bytes())
    if damage == "gone":
        log.unlink()
    elif damage == "cut":
        log.write_bytes(data[: len(data) // 2])
    else:
        data[len(data) // 2] ^= 0x55
        log.write_bytes(data)
    home.rename(tmp_path / "first")
    killed.rename(home)
    engine = open_engine()
    assert [s.lines[0].text for s in engine.reads.segments_of("s1")] == [f"the cat number {i}" for i in range(8)]
    assert any("made whole from its copy" in what for what in engine.reads.mended)
    assert any("made whole" in finding.what for finding in doctor.examine(engine))
    engine.close()
    assert open_engine().reads.mended == []


def test_a_damaged_copy_of_the_log_does_no_harm(open_engine: Open, home: Path, tmp_path: Path) -> None:
    engine = open_engine()
    session = engine.session(session_id="s1")
    for i in range(8):
        session.add(user=f"the cat number {i}")
    killed = as_killed(home, tmp_path / "killed")
    engine.close()
    copy = killed / "memory.duckdb.wal.copy"
    data = bytearray(copy.read_bytes())
    data[len(data) // 2] ^= 0x55
    copy.write_bytes(data)
    home.rename(tmp_path / "first")
    killed.rename(home)
    engine = open_engine()
    assert len(engine.reads.segments_of("s1")) == 8
    assert engine.reads.mended == []
    say(engine, "s2", "it goes on")


def test_an_older_copy_in_place_of_the_memory_is_noticed(open_engine: Open, home: Path, tmp_path: Path) -> None:
    engine = open_engine()
    say(engine, "s1", "the cat sleeps")
    engine.close()
    shutil.copy(home / "memory.duckdb", tmp_path / "older.duckdb")
    engine = open_engine()
    say(engine, "s2", "the dog barks", "and barks")
    engine.close()
    shutil.copy(tmp_path / "older.duckdb", home / "memory.duckdb")
    before = all_files(home)
    with pytest.raises(StoreBehind, match="the index knows 2 lines"):
        open_engine()
    assert {f: d for f, d in all_files(home).items() if ".wal" not in f.name} == {
        f: d for f, d in before.items() if ".wal" not in f.name
    }
    accept_loss(home)
    engine = open_engine()
    assert [s.id for s in engine.sessions()] == ["s1"]
    assert any("s2.md" in finding.what for finding in doctor.examine(engine))
    assert list(home.glob("sessions/*/*/s2.md"))


def test_a_fuller_backup_is_not_rotated_out_for_an_emptier_one(open_engine: Open, home: Path, tmp_path: Path) -> None:
    engine = open_engine(config={"steward": {"backup_keep": 2}})
    engine.backup(tmp_path / "empty.duckdb")
    say(engine, "s1", "the cat sleeps")
    Steward(engine).run(["backup"])
    (full,) = backups.automatic(home / "backups")
    engine.close()
    restore_backup(home, tmp_path / "empty.duckdb")
    engine = open_engine(config={"steward": {"backup_keep": 2}})
    assert any("holds 1 memory more" in f.what for f in doctor.examine(engine) if f.level == doctor.BAD)
    for _ in range(4):
        Steward(engine).run(["backup"])
    assert full in backups.automatic(home / "backups")
    assert backup.check(full) == 1
    assert any("holds more than the memory" in entry.reason for entry in engine.reads.journal())


def test_restoring_keeps_plain_text_that_the_backup_does_not_know(
    open_engine: Open, home: Path, tmp_path: Path
) -> None:
    engine = open_engine()
    say(engine, "s1", "the cat sleeps")
    engine.backup(tmp_path / "one.duckdb")
    say(engine, "s2", "the dog barks")
    engine.close()
    restore_backup(home, tmp_path / "one.duckdb")
    assert [file.name for file in home.glob("sessions/*/*/*.md")] == ["s2.md"]


def test_a_folder_that_is_a_file_and_a_broken_schema_number_are_told(open_engine: Open, home: Path) -> None:
    engine = open_engine()
    engine.close()
    shutil.rmtree(home / "index")
    (home / "index").write_text("not a folder")
    with pytest.raises(StoreError, match="is a file, and a folder of that name is needed"):
        open_engine()
    (home / "index").unlink()
    engine = open_engine()
    engine._memory.store.database.run("UPDATE meta SET value = 'four' WHERE key = 'schema_version'")  # type: ignore[attr-defined]
    engine.close()
    with pytest.raises(StoreError, match="'four', which is no number"):
        open_engine()


@pytest.mark.parametrize("version", ["2", "1.5", '"1"', "null", "true and more"])
def test_an_export_of_another_version_is_refused(version: str) -> None:
    with pytest.raises(InputError):
        store_of(f'{{"pmg": "export", "version": {version}, "store": "x"}}')


def test_the_first_import_is_backed_up_without_anybody_asking(engine: Engine, home: Path, tmp_path: Path) -> None:
    note = tmp_path / "chat.jsonl"
    note.write_text('{"role": "user", "content": "the cat sleeps"}\n{"role": "assistant", "content": "it does"}\n')
    assert import_paths(engine, [note], ImportOptions()).built.segments == 1
    (first,) = backups.automatic(home / "backups")
    assert backup.check(first) == 1
    import_paths(engine, [note], ImportOptions())
    assert backups.automatic(home / "backups") == [first]
