"""The derived files: whatever is missing, stale, foreign or corrupt is made again and gives the same answers."""

from __future__ import annotations

import json
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pmg import doctor
from pmg.base.model import Line, Role, State, Turn
from pmg.engine import Engine
from pmg.index.lexical import LexicalIndex
from pmg.index.manifest import Manifest
from pmg.index.read_write_lock import ReadWriteLock
from pmg.ingest.turns import SessionInput
from pmg.store.rows import StateChange
from tests.embedding import WordEmbedder
from tests.stores import store_of
from tests.tiers import one_fast

TEXTS = (
    "the cat has to see the vet",
    "bake the bread in a hot oven",
    "the release is blocked",
    "lentil soup for dinner",
)
QUERIES = ("cat vet", "bread", "why is the release blocked", "dinner")


def inputs(texts: tuple[str, ...] = TEXTS, prefix: str = "s", namespace: str = "") -> list[SessionInput]:
    return [
        SessionInput([Turn((Line("User", Role.USER, text),)), Turn((Line("User", Role.USER, f"more on {text}"),))],
                     id=f"{prefix}{i}", namespace=namespace)
        for i, text in enumerate(texts)
    ]  # fmt: skip


def answers(engine: Engine, namespace: str = "") -> list[object]:
    found = [engine.recall(query, namespace=namespace, count=False) for query in QUERIES]
    return [(f.context, f.receipt) for f in found]


def healthy(engine: Engine) -> bool:
    return not [f for f in doctor.examine(engine) if f.level == doctor.BAD]


def links(engine: Engine) -> list[tuple[int, int]]:
    found = engine.indexes.catalogue.links(np.arange(1, 100))
    return list(zip(found.source.tolist(), found.target.tolist(), strict=True))


def flip(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(bytes(data))


def truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-3])


def foreign(file: Path) -> None:
    """Another store's file: whole, but not ours."""
    if file.name == "manifest.json":
        file.write_text(json.dumps(json.loads(file.read_text()) | {"store_id": "another"}))
    else:
        file.write_bytes(b"another store's bytes")


@pytest.mark.parametrize(
    "damage", one_fast([Path.unlink, truncate, flip, foreign]), ids=["deleted", "cut", "flipped", "foreign"]
)
@pytest.mark.parametrize("part", ["vector", "lexical"])
def test_any_damaged_file_is_noticed_and_made_again(
    open_engine: Callable[..., Engine], home: Path, part: str, damage: Callable[[Path], None]
) -> None:
    engine = open_engine()
    engine.ingest(inputs())
    before = answers(engine)
    engine.close()
    for number in range(3):  # manifest, catalog and a piece
        damage(sorted((home / "index" / "default" / part).iterdir())[number])
        engine = open_engine()
        assert any(f"default/{part}" in reason for reason in engine.indexes.rebuilt)
        assert answers(engine) == before
        assert healthy(engine)
        engine.close()
    assert open_engine().indexes.rebuilt == []


def test_no_index_folder_at_all_gives_the_same_answers(open_engine: Callable[..., Engine], home: Path) -> None:
    engine = open_engine()
    engine.ingest(inputs())
    before = answers(engine)
    engine.close()
    shutil.rmtree(home / "index")
    engine = open_engine()
    assert answers(engine) == before
    engine.rebuild()
    assert answers(engine) == before


@pytest.mark.slow
def test_a_word_index_whose_terms_were_made_otherwise_is_made_again(
    open_engine: Callable[..., Engine], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pmg.index.indexes.TERMS", "terms of an older version")
    engine = open_engine()
    engine.ingest(inputs())
    before = answers(engine)
    engine.close()
    monkeypatch.undo()
    engine = open_engine()
    assert [reason for reason in engine.indexes.rebuilt if "default/lexical" in reason]
    assert not [reason for reason in engine.indexes.rebuilt if "default/vector" in reason]
    assert answers(engine) == before


def test_a_stale_index_catches_up_without_being_made_again(open_engine: Callable[..., Engine], home: Path) -> None:
    engine = open_engine()
    engine.ingest(inputs(TEXTS[:2]))
    engine.close()
    shutil.copytree(home / "index", home.parent / "old")
    engine = open_engine()
    engine.ingest(inputs(TEXTS[2:], "t"))
    store_of(engine).change_states([StateChange(1, State.ARCHIVED)])
    engine.indexes.catch_up()
    before = answers(engine)
    engine.close()
    shutil.rmtree(home / "index")
    shutil.copytree(home.parent / "old", home / "index")
    engine = open_engine()
    assert engine.indexes.rebuilt == []
    assert answers(engine) == before
    assert healthy(engine)


@pytest.mark.slow
def test_an_index_that_saw_a_change_which_was_undone_is_made_again(
    open_engine: Callable[..., Engine], home: Path
) -> None:
    engine = open_engine()
    engine.ingest(inputs(TEXTS[:2]))
    before = answers(engine)
    with pytest.raises(RuntimeError), store_of(engine).writing():
        store_of(engine).maintenance.touch([1])
        raise RuntimeError("undone")
    engine.indexes.catch_up()
    engine.close()
    engine = open_engine()
    assert any("ahead of the store" in reason for reason in engine.indexes.rebuilt)
    assert answers(engine) == before
    assert healthy(engine)


def test_one_damaged_namespace_does_not_spoil_the_other(open_engine: Callable[..., Engine], home: Path) -> None:
    engine = open_engine()
    engine.ingest([*inputs(prefix="a", namespace="mine"), *inputs(prefix="b", namespace="yours")])
    engine.close()
    saved = home.parent / "saved"
    shutil.copytree(home / "index" / "mine", saved)
    engine = open_engine()
    store_of(engine).change_states([StateChange(1, State.ARCHIVED)])  # the saved index of `mine` knows nothing of it
    engine.indexes.catch_up()
    before = answers(engine, "mine"), answers(engine, "yours")
    engine.close()
    shutil.rmtree(home / "index" / "mine")
    shutil.copytree(saved, home / "index" / "mine")
    shutil.rmtree(home / "index" / "yours")
    engine = open_engine()
    assert (answers(engine, "mine"), answers(engine, "yours")) == before
    assert healthy(engine)


def test_a_kill_between_saving_two_namespaces_loses_no_window(open_engine: Callable[..., Engine], home: Path) -> None:
    """Turns of `a` wait for the model while the index of `a` is saved; then only the index of `b` is."""
    engine = open_engine()
    engine.ingest([*inputs(prefix="a", namespace="a"), *inputs(prefix="b", namespace="b")])
    model, engine._memory.model = engine.model, type(engine.model)(WordEmbedder)
    engine.ingest(inputs(("kitten and cat",), "later", "a"))
    engine._memory.model = model
    engine.indexes.save()
    shutil.copytree(home / "index" / "a" / "vector", home.parent / "a")
    engine.settle()
    engine.ingest(inputs(("puppy and dog",), "last", "b"))
    before = answers(engine, "a"), answers(engine, "b")
    engine.close()
    shutil.rmtree(home / "index" / "a" / "vector")
    shutil.copytree(home.parent / "a", home / "index" / "a" / "vector")
    engine = open_engine()
    assert healthy(engine)
    assert (answers(engine, "a"), answers(engine, "b")) == before


def test_the_doctor_sees_an_index_that_lacks_something(engine: Engine) -> None:
    engine.ingest(inputs())
    assert healthy(engine)
    index = engine.indexes.vector("default")
    assert index is not None
    index.remove(index.ids()[:1])
    assert not healthy(engine)
    engine.rebuild()
    assert healthy(engine)


def test_a_failed_commit_leaves_the_indexes_untouched(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    engine.ingest(inputs(TEXTS[:2]))
    before, sizes, edges = answers(engine), engine.indexes.sizes(), links(engine)

    def broken(*_: object) -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(store_of(engine), "put_edges", broken)
    with pytest.raises(RuntimeError):
        engine.ingest([SessionInput([Turn((Line("User", Role.USER, "cat cat cat"),))], id="new")])
    assert engine.indexes.sizes()["default"][0] == sizes["default"][0]
    assert links(engine) == edges
    monkeypatch.undo()
    assert engine.settle().segments == 1
    assert engine.indexes.sizes()["default"][0] == sizes["default"][0] + 1
    assert before != answers(engine)
    assert healthy(engine)


def test_indexes_keep_namespaces_apart_on_disk_too(engine: Engine, home: Path) -> None:
    engine.ingest([*inputs(prefix="a", namespace="mine"), *inputs(TEXTS[:1], "b", "yours")])
    assert engine.indexes.sizes() == {"mine": (8, 8), "yours": (2, 2)}
    engine.indexes.save()
    assert sorted(p.name for p in (home / "index").iterdir()) == ["mine", "yours"]


@pytest.mark.slow
def test_an_archived_segment_that_gets_vectors_stays_out_of_the_index(open_engine: Callable[..., Engine]) -> None:
    engine = open_engine()
    model, engine._memory.model = engine.model, type(engine.model)(WordEmbedder)
    engine.ingest(inputs(TEXTS[:1]))
    store_of(engine).change_states([StateChange(1, State.ARCHIVED)])
    engine.indexes.catch_up()
    engine._memory.model = model
    engine.settle()
    assert engine.indexes.sizes()["default"] == (1, 1)
    store_of(engine).change_states([StateChange(1, State.ACTIVE)])
    engine.indexes.catch_up()
    assert engine.indexes.sizes()["default"] == (2, 2)
    assert {s.id for s in engine.recall("cat vet", mode="fixed").segments} == {"seg_s0_0", "seg_s0_1"}


def test_many_read_at_once_and_a_change_waits_for_all_of_them() -> None:
    gate, inside, order = ReadWriteLock(), threading.Barrier(3), []

    def read() -> None:
        with gate.reading():
            inside.wait(120)  # passes only if all three are inside together
            order.append("read")

    def change() -> None:
        with gate.changing():
            order.append("change")

    readers = [threading.Thread(target=read) for _ in range(2)]
    with gate.reading():
        for thread in readers:
            thread.start()
        inside.wait(120)
        writer = threading.Thread(target=change)
        writer.start()
        writer.join(0.1)
        assert "change" not in order
    for thread in [*readers, writer]:
        thread.join(120)
    assert order == ["read", "read", "change"]


def test_a_waiting_change_is_not_starved_by_new_readers() -> None:
    gate, done = ReadWriteLock(), threading.Event()

    def change() -> None:
        with gate.changing():
            done.set()

    def late() -> None:
        with gate.reading():
            assert done.is_set()

    with gate.reading():
        writer = threading.Thread(target=change)
        writer.start()
        while not gate._waiting:
            pass
        reader = threading.Thread(target=late)
        reader.start()
    writer.join(120)
    reader.join(120)
    assert done.is_set()


@pytest.mark.slow
def test_those_who_save_take_turns(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    engine.ingest(inputs())
    inside, together = threading.Semaphore(1), []

    def save(index: LexicalIndex, manifest: Manifest) -> None:
        if not inside.acquire(blocking=False):
            together.append(manifest)
            return
        time.sleep(0.1)  # long enough that whoever does not wait is seen
        inside.release()

    monkeypatch.setattr(LexicalIndex, "save", save)
    threads = [threading.Thread(target=engine.indexes.save) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert together == []


@pytest.mark.slow
def test_two_threads_that_close_sessions_at_once_embed_each_turn_once(engine: Engine) -> None:
    problems: list[BaseException] = []

    def work(mine: int) -> None:
        try:
            for i in range(6):
                with engine.session(session_id=f"t{mine}-{i}", namespace=f"n{mine % 2}") as session:
                    session.add(user=f"{TEXTS[i % 4]} {mine} {i}")
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert problems == []
    rows = store_of(engine).database.rows("SELECT segment, count(*) FROM embedded GROUP BY segment HAVING count(*) > 1")
    assert rows == []
    sizes = engine.indexes.sizes()
    assert sizes == {"n0": (12, 12), "n1": (12, 12)}
    ids = np.concatenate([engine.indexes.vector(n).ids() for n in sizes])  # type: ignore[union-attr]
    assert len(set(ids.tolist())) == 24
    assert healthy(engine)
