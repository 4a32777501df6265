"""Closing a store: all of it is in the one file, quickly; the crumbs of many small sessions are merged now and then."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from pmg.base.errors import StoreError
from pmg.store.duckdb import checkpoint
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.store import FILE_NAME, DuckStore
from tests.pmg.test_store import filled


def row_groups(store: DuckStore) -> int:
    row = store.database.row("SELECT count(DISTINCT row_group_id) FROM pragma_storage_info('edges')")
    assert row is not None
    return int(row[0])


def log_of(home: Path) -> Path:
    return home / f"{FILE_NAME}.wal"


def test_after_closing_the_file_alone_holds_everything(home: Path, tmp_path: Path) -> None:
    store = DuckStore.open(home)
    filled(store, 5)
    assert log_of(home).stat().st_size > 0
    store.close()
    assert not log_of(home).exists() or log_of(home).stat().st_size == 0
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / FILE_NAME).write_bytes((home / FILE_NAME).read_bytes())
    moved = DuckStore.open(alone)
    assert [segment.lines[0].text for segment in moved.segments_of("s1")] == [f"turn {i}" for i in range(5)]
    moved.close()


def test_small_sessions_leave_crumbs_that_are_merged_now_and_then(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "MERGE_EVERY", 6)
    groups = []
    for i in range(9):
        store = DuckStore.open(home)
        groups.append(row_groups(store))
        filled(store, 3, name=f"s{i}")
        store.close()
    assert groups[:6] == [0, 1, 2, 3, 4, 5]
    assert max(groups[6:]) < 5
    store = DuckStore.open(home)
    assert len(store.sessions()) == 9
    assert sum(len(store.segments_of(f"s{i}")) for i in range(9)) == 27
    store.close()


def test_closing_with_nothing_written_changes_no_byte(home: Path) -> None:
    store = DuckStore.open(home)
    filled(store)
    store.close()
    before = (home / FILE_NAME).read_bytes()
    DuckStore.open(home).close()
    assert (home / FILE_NAME).read_bytes() == before


def test_a_file_that_cannot_be_written_at_the_end_loses_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = DuckStore.open(home)
    filled(store, 4)

    def full(*_: object) -> None:
        raise StoreError("no space left")

    monkeypatch.setattr(Database, "checkpoint", full)
    store.close()
    again = DuckStore.open(home)
    assert len(again.segments_of("s1")) == 4
    again.close()


def test_writing_much_merges_nothing_on_the_way(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint on the way only adds: merging would write what is there again and again."""
    store = DuckStore.open(home)
    monkeypatch.setattr(checkpoint, "WORKING", 100_000)
    for i in range(60):
        filled(store, 40, name=f"s{i}")
    assert row_groups(store) > 3
    assert len(store.sessions()) == 60
    store.close()


def test_pages_that_were_given_up_are_read_again(home: Path) -> None:
    store = DuckStore.open(home)
    filled(store, 4)
    limit = store.database.row("SELECT current_setting('memory_limit')")
    store.release_pages()
    assert len(store.segments_of("s1")) == 4
    assert store.database.row("SELECT current_setting('memory_limit')") == limit
    store.close()


def test_no_pages_are_given_up_while_somebody_else_asks(home: Path) -> None:
    store = DuckStore.open(home)
    filled(store, 4)
    limits: list[str] = []
    asked = store.database.run
    store.database.run = lambda sql, *more: (limits.append(sql), asked(sql, *more))[1]  # type: ignore[method-assign]
    rows = store.database.batches("SELECT * FROM lines", 1)
    other = threading.Thread(target=lambda: next(rows))  # has begun to ask, and is not done
    other.start()
    other.join()
    store.release_pages()
    assert not limits
    rows.close()  # type: ignore[attr-defined]
    store.close()
