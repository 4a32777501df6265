"""The DuckDB store: exact round trips, one writer, transactions around whole sessions, views for analysis."""

from __future__ import annotations

import stat
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pmg.base.errors import NotFound, StoreBusy, StoreError
from pmg.base.model import Kind, Line, Origin, Role, Session, State, segment_id
from pmg.store.duckdb.store import DuckStore
from pmg.store.rows import JournalEntry, NewEdges, NewSegment, NewVectors, RecallRecord, StateChange

NOON = datetime(2026, 3, 3, 12, 0, tzinfo=UTC)


@pytest.fixture
def store(home: Path) -> Iterator[DuckStore]:
    opened = DuckStore.open(home)
    yield opened
    opened.close()


def session(name: str = "s1", namespace: str = "default", **more: Any) -> Session:
    return Session(name, namespace, "talk", "A title", "api", NOON, None, True, **more)


def turn(text: str, index: int = 0, name: str = "s1", **more: Any) -> NewSegment:
    return NewSegment(name, index, NOON + timedelta(minutes=index), (Line("User", Role.USER, text),), **more)


def filled(store: DuckStore, count: int = 3, name: str = "s1", namespace: str = "default") -> list[int]:
    store.put_session(session(name, namespace))
    numbers = store.append([turn(f"turn {i}", i, name) for i in range(count)])
    store.close_sessions([name])
    return numbers


anything = st.text(st.characters(codec=None) | st.sampled_from("\x00\ud83d\ude00\U0010ffff\u202e"))
moments = st.builds(
    lambda at, seconds: at.replace(tzinfo=timezone(timedelta(seconds=seconds))),
    st.datetimes(),
    st.integers(-23 * 3600, 23 * 3600),
)
lines = st.lists(st.builds(Line, anything, st.sampled_from(list(Role)), anything), min_size=1, max_size=4).map(tuple)
metas = st.dictionaries(anything, anything, max_size=3)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(st.lists(st.tuples(lines, moments, anything, metas), min_size=1, max_size=6), anything, anything, moments, metas)
def test_any_session_comes_back_exactly_after_reopening(
    tmp_path_factory: pytest.TempPathFactory,
    turns: list[tuple[tuple[Line, ...], datetime, str, dict[str, str]]],
    title: str,
    conversation: str,
    begun: datetime,
    meta: dict[str, str],
) -> None:
    home = tmp_path_factory.mktemp("trip") / "memory"
    store = DuckStore.open(home)
    told = Session("s1", "default", conversation, title, title, begun, None, True, 0, meta)
    store.put_session(told)
    store.append([NewSegment("s1", i, at, said, 0.5, origin, m) for i, (said, at, origin, m) in enumerate(turns)])
    store.close()
    store = DuckStore.open(home)
    try:
        assert store.session("s1") == replace(told, segments=len(turns))
        found = store.segments_of("s1")
        assert [(s.lines, s.at, s.meta) for s in found] == [(said, at, m) for said, at, _, m in turns]
        assert [s.at.utcoffset() for s in found] == [at.utcoffset() for _, at, _, _ in turns]
        assert [origin for _, origin in store.known_turns(["s1"])["s1"]] == [origin for _, _, origin, _ in turns]
    finally:
        store.close()


def test_numbers_grow_and_neighbours_are_chained_both_ways(store: DuckStore) -> None:
    assert filled(store) == [1, 2, 3]
    assert filled(store, name="s2") == [4, 5, 6]
    chain = {(e.source, e.target) for e in store.edges_of(segment_id("s1", 1)) if e.kind is Kind.CHAIN}
    names = [segment_id("s1", i) for i in range(3)]
    assert chain == {(names[0], names[1]), (names[1], names[0]), (names[1], names[2]), (names[2], names[1])}


def test_a_turn_added_later_is_chained_to_the_one_before(store: DuckStore) -> None:
    filled(store, 2)
    store.append([turn("one more", 2)])
    assert len([e for e in store.edges_of(segment_id("s1", 2)) if e.kind is Kind.CHAIN]) == 2
    assert not store.edges_of(segment_id("s1", 7))


def test_a_turn_for_a_session_that_is_not_there_is_refused(store: DuckStore) -> None:
    with pytest.raises(NotFound, match="no session 'nowhere'"):
        store.append([turn("hello", name="nowhere")])
    assert store.counts().lines == 0


def test_an_error_undoes_the_whole_transaction(store: DuckStore) -> None:
    with pytest.raises(RuntimeError), store.writing():
        filled(store)
        raise RuntimeError
    assert store.sessions() == []
    assert store.counts().segments[State.ACTIVE] == 0
    assert filled(store)  # and the store can be written again


def test_a_transaction_that_cannot_begin_does_not_leave_the_door_open(
    store: DuckStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = store.database.run

    def broken(sql: str, parameters: Any = ()) -> None:
        if sql.startswith("BEGIN"):
            raise StoreError("the disk is gone")
        run(sql, parameters)

    monkeypatch.setattr(store.database, "run", broken)
    with pytest.raises(StoreError):
        filled(store)
    monkeypatch.undo()
    with pytest.raises(RuntimeError), store.writing():  # a true transaction again: this is undone
        filled(store)
        raise RuntimeError
    assert store.sessions() == []


def test_files_and_folder_are_for_their_owner_only(home: Path) -> None:
    DuckStore.open(home).close()
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert {stat.S_IMODE(f.stat().st_mode) for f in home.iterdir()} == {0o600}


def test_a_store_is_held_by_one_opener_at_a_time(store: DuckStore, home: Path) -> None:
    with pytest.raises(StoreBusy, match=r"held by process \d+"):
        DuckStore.open(home)


def test_states_change_and_stamp_what_they_touch(store: DuckStore) -> None:
    first, second, _ = filled(store)
    before = store.last_change()
    store.change_states([StateChange(second, State.MERGED, first)])
    found = store.segments([second])[0]
    assert (found.state, found.stands_for) == (State.MERGED, segment_id("s1", 0))
    assert store.changed_segments(before).tolist() == [second]
    assert store.indexable_lines() == 2


def test_turns_of_an_open_session_are_fed_to_the_indexes_and_closing_changes_nothing_for_them(store: DuckStore) -> None:
    store.put_session(session())
    store.append([turn("still talking")])
    assert [line.text for batch in store.index_lines(0) for line in batch] == ["still talking"]
    assert (store.pending(0), store.indexable_lines()) == (1, 1)
    before = store.last_change()
    store.close_sessions(["s1"])
    assert store.changed_segments(before).tolist() == []
    store.touch_sessions(["s1"])  # another title
    assert store.changed_segments(before).tolist() == [1]


def test_a_turn_added_alone_tells_the_indexes_what_the_feeds_tell(store: DuckStore) -> None:
    store.put_session(replace(session(), title="A title with \ud800 half a character"))
    told = [store.append_turn(turn(f"turn {i} \ud801", index=i)) for i in range(2)]
    segments, lines = store.catalogue_rows(told[0].change - 1)
    assert pa.concat_tables([one.segment for one in told]).to_pylist() == segments.to_pylist()
    assert pa.concat_tables([one.lines for one in told]).to_pylist() == lines.to_pylist()
    fed = [line for batch in store.index_lines(0) for line in batch]
    assert [line for one in told for line in one.index_lines] == fed
    assert [one.change for one in told] == [store.last_change() - 1, store.last_change()]


def test_a_turn_takes_its_closed_session_up_again(store: DuckStore) -> None:
    filled(store)
    store.append_turn(turn("one more", index=9))
    again = store.session("s1")
    assert again is not None
    assert (again.is_open, again.ended_at) == (True, None)
    with pytest.raises(NotFound, match="begin it first"):
        store.append_turn(turn("nowhere", name="nobody"))


def test_closing_ends_a_session_with_its_last_turn(store: DuckStore) -> None:
    filled(store)
    closed = store.session("s1")
    assert closed is not None
    assert (closed.is_open, closed.ended_at) == (False, NOON + timedelta(minutes=2))
    store.put_session(session("s2"))
    store.close_sessions(["s2"], {"s2": NOON + timedelta(hours=9)})
    ended = store.session("s2")
    assert ended is not None
    assert ended.ended_at == NOON + timedelta(hours=9)


def vectors_for(number: int, line: int, count: int = 1) -> NewVectors:
    places = np.arange(count, dtype=np.int32)
    many = np.full(count, number, dtype=np.int64), np.full(count, line, dtype=np.int64)
    return NewVectors(*many, places, places + 1, np.eye(count, 4, dtype=np.float32))


def test_vectors_come_back_as_they_went_in(store: DuckStore) -> None:
    numbers = filled(store)
    model = store.use_model("m", "print", 4)
    assert store.pending(model.generation) == 3
    ids = store.put_vectors(model.generation, vectors_for(numbers[0], 1, 2), [numbers[0]])
    assert store.pending(model.generation) == 2
    (batch,) = list(store.index_vectors(0, 0, model.generation))
    assert batch[0].tolist() == ids.tolist()
    assert batch[2].tolist() == np.eye(2, 4).tolist()
    assert store.indexable_windows(model.generation) == 2


def test_a_change_of_model_keeps_the_old_vectors_until_it_is_done(store: DuckStore) -> None:
    numbers = filled(store, 1)
    old = store.use_model("old", "a", 4)
    store.put_vectors(old.generation, vectors_for(numbers[0], 1), numbers)
    new = store.begin_next_model("new", "b", 2)
    assert store.begin_next_model("new", "b", 2) == new  # taken up again, not begun again
    assert store.model == old
    assert (store.pending(old.generation), store.pending(new.generation)) == (0, 1)
    third = store.begin_next_model("third", "c", 3)
    store.promote_next_model()
    assert store.model == third
    assert store.next_model is None
    assert store.counts().windows == 0
    with pytest.raises(NotFound, match="no re-embedding"):
        store.promote_next_model()


def test_a_model_change_that_is_undone_is_not_remembered(store: DuckStore) -> None:
    filled(store, 1)
    with pytest.raises(RuntimeError), store.writing():
        assert store.use_model("m", "print", 4) == store.model
        store.put_note("key", "value")
        assert store.note("key") == "value"
        raise RuntimeError
    assert store.model is None
    assert store.note("key") is None


def test_a_reader_beside_a_writer_does_not_remember_an_older_state(store: DuckStore) -> None:
    with store.writing():
        store.put_note("key", "value")
        seen: list[str | None] = []
        reader = threading.Thread(target=lambda: seen.append(store.note("key")))
        reader.start()
        reader.join()
    assert seen == [None]
    assert store.note("key") == "value"


def test_the_last_change_waits_for_the_writer(store: DuckStore) -> None:
    """A change that is taken but not committed must not be believed to be followed."""
    filled(store)
    before, seen = store.last_change(), []
    reader = threading.Thread(target=lambda: seen.append(store.last_change()))
    with store.writing():
        store.maintenance.touch([1])
        reader.start()
        reader.join(0.2)
        assert seen == []
    reader.join(120)
    assert seen == [before + 1]


def test_links_are_kept_dropped_and_made_anew(store: DuckStore) -> None:
    a, b, _ = filled(store)
    store.put_edges(NewEdges.one(a, b, Kind.SUPPORTS, 0.5, Origin.USER))
    store.put_edges(NewEdges.one(b, a, Kind.SEMANTIC, 0.7, Origin.AUTO))
    assert [e.kind for e in store.edges_of(segment_id("s1", 0))].count(Kind.SEMANTIC) == 1
    store.drop_auto_edges([Kind.SEMANTIC])
    assert store.counts().links[Kind.SEMANTIC] == 0
    assert store.drop_edges(a, b, Kind.SUPPORTS) == 1
    assert store.drop_edges(a, b, Kind.SUPPORTS) == 0
    assert store.orphan_edges() == 0


def test_the_views_show_what_is_stored(store: DuckStore) -> None:
    a, b, _ = filled(store)
    store.change_states([StateChange(b, State.DUPLICATE, a)])
    store.put_edges(NewEdges.one(a, b, Kind.SUPPORTS, 0.5, Origin.USER))
    store.record_recalls([RecallRecord(NOON, "default", "why?", "fixed", 1.5, [(a, "entry", 0.9)])])
    store.add_hits([a, a], NOON)
    rows = store.database.rows
    assert rows("SELECT session, title, segments, hits FROM v_sessions") == [("s1", "A title", 3, 2)]
    assert rows("SELECT segment, state, stands_for, speakers, words, text FROM v_segments ORDER BY position")[1] == (
        ("seg_s1_1", "duplicate", "seg_s1_0", ["User"], 2, "User: turn 1")
    )
    assert rows("SELECT source, target, weight FROM v_edges WHERE kind = 'supports'") == [("seg_s1_0", "seg_s1_1", 0.5)]
    assert rows("SELECT query, mode, segments, best_score FROM v_recalls") == [("why?", "fixed", 1, 0.9)]


def test_the_journal_comes_back_newest_first(store: DuckStore) -> None:
    entries = [JournalEntry(0, "run", NOON, "steward", "merge", f"\ud800 {i}", "{}", "{}") for i in range(3)]
    store.write_journal(entries[:2])
    store.write_journal(entries[2:])
    assert [(e.id, e.reason) for e in store.journal(2)] == [(3, "\ud800 2"), (2, "\ud800 1")]


def test_counts_stay_in_the_namespace(store: DuckStore) -> None:
    filled(store, 2, "a", "mine")
    filled(store, 5, "b", "yours")
    assert store.counts("mine").segments[State.ACTIVE] == 2
    assert (store.counts("mine").sessions, store.counts("nobody").sessions) == (1, 0)
    assert store.counts().lines == 7
    assert [s.id for s in store.sessions("yours")] == ["b"]


def test_two_threads_read_while_one_writes(store: DuckStore) -> None:
    filled(store, 5, "fixed")
    stop, problems, reads = threading.Event(), [], [0, 0]

    def read(mine: int) -> None:
        while not stop.is_set():
            found = [s.lines[0].text for s in store.segments_of("fixed")]
            reads[mine] += 1
            if found != [f"turn {i}" for i in range(5)]:
                problems.append(found)

    threads = [threading.Thread(target=read, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for i in range(10):
        filled(store, 3, f"w{i}")
    stop.set()
    for thread in threads:
        thread.join()
    assert problems == []
    assert min(reads) > 0
    assert store.counts().sessions == 11


def test_a_damaged_file_is_refused_and_left_as_it_is(home: Path) -> None:
    home.mkdir()
    (home / "memory.duckdb").write_bytes(b"not a database at all" * 500)
    with pytest.raises(StoreError, match="restore the newest backup"):
        DuckStore.open(home)
    assert (home / "memory.duckdb").read_bytes() == b"not a database at all" * 500
