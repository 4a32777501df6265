"""What was told is remembered now: found by its words at once, by its meaning a moment later, while its session goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from pmg import doctor
from pmg.base.model import Kind, Line, Role, State, Turn
from pmg.chat import sessions as chats
from pmg.engine import Engine
from pmg.forget import Selection, forget, plan
from pmg.ingest.build import EMBEDDING
from pmg.ingest.turns import SessionInput
from pmg.recall.receipt import Recalled
from pmg.store.rows import StateChange
from tests.embedding import WordEmbedder
from tests.stores import store_of

Open = Callable[..., Engine]


class SteppingEmbedder(WordEmbedder):
    """Tells of every text of a long part; `before` is done ahead of the first."""

    before: Callable[[], object] = staticmethod(lambda: None)

    def embed(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        if progress and len(texts) > 3:
            self.before()
            for done in range(1, len(texts) + 1):
                progress(done)
        return super().embed(texts)


class HeldEmbedder(WordEmbedder):
    """Waits for `go` before it embeds what is stored; `texts` is what it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()
        self.texts: list[str] = []
        self.fails = 0

    def embed(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        if threading.current_thread().name == "pmg-embed":
            assert self.go.wait(60)
            if self.fails:
                self.fails -= 1
                raise RuntimeError("the model has a bad day")
        self.texts += texts
        return super().embed(texts, progress)


def ids(found: Recalled) -> list[str]:
    return [segment.id for segment in found.segments]


def signals(found: Recalled) -> set[str]:
    return {signal.name for entry in found.receipt.found for signal in entry.signals if signal.rank}


def wrong(engine: Engine) -> list[str]:
    return [finding.what for finding in doctor.examine(engine) if finding.level == doctor.BAD]


def test_told_in_an_open_session_is_found_by_words_at_once_and_by_meaning_after(open_engine: Open) -> None:
    model = HeldEmbedder()
    engine = open_engine(embedder=model)
    session = engine.session("Wheels", session_id="s1")
    assert session.add(user="my new bike is a red Cube") == "seg_s1_0"
    found = engine.recall("which Cube do I have?")
    assert ids(found) == ["seg_s1_0"]
    assert signals(found) == {"words"}
    assert engine.recall("bicycle cycling").segments == ()
    model.go.set()
    engine.settle()
    assert ids(engine.recall("bicycle cycling")) == ["seg_s1_0"]
    assert engine.sessions()[0].is_open
    assert wrong(engine) == []


def test_the_background_makes_the_vectors_by_itself_and_closing_makes_none_twice(open_engine: Open) -> None:
    model = HeldEmbedder()
    engine = open_engine(embedder=model)
    session = engine.session(session_id="s1")
    for said in ("the cat", "the kitten", "the vet"):
        session.add(user=said)
    model.go.set()
    wait_until(lambda: engine.counts().pending == 0)
    assert sorted(model.texts) == ["the cat", "the kitten", "the vet"]
    built = session.close()
    assert (built.segments, built.waiting) == (3, 0)
    assert len(model.texts) == 3
    assert wrong(engine) == []


def wait_until(there: Callable[[], bool]) -> None:
    waited = threading.Event()
    for _ in range(3000):
        if there():
            return
        waited.wait(0.02)
    raise AssertionError("it did not come")


def test_links_are_made_when_the_session_closes_and_once(engine: Engine) -> None:
    with engine.session(session_id="old") as session:
        session.add(user="cat kitten purr")
    one, two = engine.session(session_id="one"), engine.session(session_id="two")
    one.add(user="cat kitten vet")
    two.add(user="cat kitten pet")
    engine.settle()
    assert engine.counts().links[Kind.SEMANTIC] == 0
    one.close()
    linked = {(e.source, e.target) for e in engine.edges("seg_one_0") if e.kind is Kind.SEMANTIC}
    assert linked == {("seg_one_0", "seg_old_0")}  # two is still open: its links are its own to make
    two.close()
    linked = {(e.source, e.target) for e in engine.edges("seg_two_0") if e.kind is Kind.SEMANTIC}
    assert linked == {("seg_two_0", "seg_old_0"), ("seg_two_0", "seg_one_0")}
    doubled = "SELECT source, target, kind FROM edges GROUP BY ALL HAVING count(*) > 1"
    assert store_of(engine).database.rows(doubled) == []
    assert engine.edges("seg_two_0") != []


def test_links_do_not_depend_on_when_the_vectors_came(open_engine: Open, tmp_path: Path) -> None:
    texts = ["cat kitten", "bread oven", "cat vet", "dough oven", "the purr of a cat"]

    def told(at_once: bool) -> list[tuple[str, str, str, float]]:
        engine = open_engine(embedder=WordEmbedder())
        for i, said in enumerate(texts):
            name = f"{'a' if at_once else 'b'}{i}"
            with engine.session(session_id=name, namespace=name[0]) as session:
                session.add(user=said)
                if at_once:
                    engine.settle()
        rows = store_of(engine).database.rows(
            """SELECT a.id[6:], b.id[6:], e.kind, e.weight FROM edges e JOIN segments a ON a.number = e.source
               JOIN segments b ON b.number = e.target WHERE a.namespace = ? ORDER BY ALL""",
            ["a" if at_once else "b"],
        )
        engine.close()
        return [tuple(row) for row in rows]  # type: ignore[misc]

    assert told(at_once=True) == told(at_once=False) != []


def test_a_repetition_is_told_apart_when_the_session_closes(engine: Engine) -> None:
    said = "the cat has to see the vet on every second monday"
    with engine.session(session_id="s1") as session:
        session.add(user=said)
    again = engine.session(session_id="s2")
    again.add(user=said)
    engine.settle()
    assert engine.segment("seg_s2_0").state is State.ACTIVE
    assert again.close().duplicates == 1
    assert engine.segment("seg_s2_0").state is State.DUPLICATE
    assert ids(engine.recall("cat vet monday")) == ["seg_s1_0"]
    assert wrong(engine) == []


def test_the_session_that_asks_is_left_out_and_others_are_not(engine: Engine) -> None:
    mine, other = engine.session(session_id="mine"), engine.session(session_id="other")
    mine.add(user="the cat")
    other.add(user="the cat and the vet")
    found = engine.recall("cat", exclude_session="mine")
    assert ids(found) == ["seg_other_0"]
    assert [(one.segment, one.reason) for one in found.receipt.dropped] == [("seg_mine_0", "of the current session")]
    assert engine.recall("cat", namespace="elsewhere").segments == ()


def test_the_turn_before_is_context_while_the_session_goes_on(engine: Engine) -> None:
    session = engine.session(session_id="s1")
    for said in ("where do we go?", "Lisbon it is", "the ticket is paid"):
        session.add(user=said)
    number = engine.reads.numbers_of(["seg_s1_1"])["seg_s1_1"]
    catalogue = engine.indexes.catalogue
    around = [catalogue.chain(np.array([number]), step).tolist() for step in (-1, 1)]
    assert around == [[number - 1], [number + 1]]


def test_another_title_is_searched_while_the_session_is_open(engine: Engine) -> None:
    engine.session("Untitled", session_id="s1").add(user="we signed it")
    assert engine.recall("allotment").segments == ()
    chats.rename(engine, "s1", "default", "The allotment")
    assert ids(engine.recall("allotment")) == ["seg_s1_0"]
    assert engine.sessions()[0].is_open


def test_a_turn_of_an_open_session_can_be_forgotten(engine: Engine) -> None:
    session = engine.session(session_id="s1")
    session.add(user="the cat")
    session.add(user="the bread")
    forget(engine, plan(engine, Selection(segments=("seg_s1_0",))))
    assert engine.recall("cat").segments == ()
    assert ids(engine.recall("bread")) == ["seg_s1_1"]
    assert session.add(user="the oven") == "seg_s1_2"
    assert ids(engine.recall("oven"))[0] == "seg_s1_2"
    session.close()
    assert wrong(engine) == []


def test_archived_while_open_is_out_of_recall_and_comes_back(engine: Engine) -> None:
    session = engine.session(session_id="s1")
    session.add(user="the cat")
    number = engine.reads.numbers_of(["seg_s1_0"])["seg_s1_0"]
    for state, found in ((State.ARCHIVED, []), (State.ACTIVE, ["seg_s1_0"])):
        store_of(engine).change_states([StateChange(number, state)])
        engine.indexes.catch_up()
        assert ids(engine.recall("cat")) == found
    session.close()
    assert wrong(engine) == []


def test_the_same_session_taken_in_whole_adds_only_what_is_new(engine: Engine) -> None:
    session = engine.session(session_id="s1")
    session.add(user="the cat")
    turns = [Turn((Line("User", Role.USER, said),)) for said in ("the cat", "the bread")]
    done = engine.ingest([SessionInput(turns, id="s1")])
    assert (done.turns, done.known) == (1, 1)
    assert sorted(ids(engine.recall("cat bread"))) == ["seg_s1_0", "seg_s1_1"]
    assert session.add(user="the oven") == "seg_s1_2"  # it goes on
    assert engine.sessions()[0].is_open
    assert ids(engine.recall("oven"))[0] == "seg_s1_2"
    session.close()
    assert wrong(engine) == []


def test_indexes_saved_while_a_session_is_open_are_those_of_a_fresh_start(open_engine: Open) -> None:
    engine = open_engine()
    with engine.session(session_id="s0") as first:
        first.add(user="bread in the oven")
    session = engine.session("A title", session_id="s1")
    for said in ("the cat", "the vet and the cat"):
        session.add(user=said, assistant="noted")
    engine.settle()
    before = engine.recall("cat oven", count=False)
    sizes = engine.indexes.sizes()
    engine.close()
    again = open_engine()
    assert again.indexes.rebuilt == []
    assert again.indexes.sizes() == sizes
    found = again.recall("cat oven", count=False)
    assert found.context == before.context
    again.reindex()
    assert again.recall("cat oven", count=False).context == before.context


def test_turns_of_many_threads_are_all_found(engine: Engine) -> None:
    def tell(name: int) -> None:
        session = engine.session(session_id=f"s{name}")
        for i in range(8):
            session.add(user=f"marker{name}x{i}")
            assert ids(engine.recall(f"marker{name}x{i}", count=False))[:1] == [f"seg_s{name}_{i}"]

    threads = [threading.Thread(target=tell, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    engine.settle()
    chain = engine.indexes.catalogue.segment("next")
    for name in range(4):
        numbers = list(engine.reads.numbers_of([f"seg_s{name}_{i}" for i in range(8)]).values())
        assert [int(chain[n]) for n in sorted(numbers)] == [*sorted(numbers)[1:], 0]
    assert wrong(engine) == []


def test_what_fails_in_the_background_is_in_the_log_and_made_later(
    open_engine: Open, caplog: pytest.LogCaptureFixture
) -> None:
    model = HeldEmbedder()
    model.fails = 1
    model.go.set()
    engine = open_engine(embedder=model)
    session = engine.session(session_id="s1")
    session.add(user="the cat")
    wait_until(lambda: "could not be worked on" in caplog.text)
    assert "bad day" in caplog.text
    assert "the cat" not in caplog.text
    session.add(user="the dog")
    wait_until(lambda: engine.counts().pending == 0)
    assert wrong(engine) == []


def test_what_was_told_before_the_model_came_gets_its_vectors_when_it_does(
    open_engine: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = threading.Event()

    def load() -> WordEmbedder:
        assert loaded.wait(60)
        return WordEmbedder()

    monkeypatch.setattr("pmg.engine.engine.opener", lambda _config: load)
    engine = open_engine(embedder=None, wait=False)
    engine.session(session_id="s1").add(user="the cat")
    assert ids(engine.recall("cat")) == ["seg_s1_0"]
    assert engine.counts().pending == 1
    loaded.set()
    wait_until(lambda: engine.counts().pending == 0)
    assert ids(engine.recall("purr")) == ["seg_s1_0"]


def test_what_is_told_during_an_import_does_not_wait_for_its_end(
    open_engine: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pmg.ingest.build.BUILD_BATCH", 2)
    engine = open_engine()
    turns = [Turn((Line("User", Role.USER, f"bread {i}"),)) for i in range(8)]
    seen: list[int] = []

    def progress(what: str, _done: int, _total: int) -> None:
        if what == "storing turns":
            engine.session(session_id="told").add(user="the cat")
        elif not seen:
            seen.append(len(engine.recall("purr", count=False).segments))

    engine.ingest([SessionInput(turns, id="s1")], progress)
    assert seen == [1]


def test_a_long_turn_does_not_hold_up_the_others_and_what_was_embedded_stays(
    open_engine: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pmg.ingest.build.BATCH_CHARACTERS", 30)
    engine = open_engine()
    texts = ("the cat", "the dog", "bread " * 50, "the ball")
    turns = [Turn((Line("User", Role.USER, text),)) for text in texts]
    seen: list[int] = []

    def progress(what: str, done: int, _total: int) -> None:
        if what == EMBEDDING:
            seen.append(done)
        if done == 4 and len(seen) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine.ingest([SessionInput(turns, id="s1")], progress)
    assert seen == [0, 4] and engine.counts().pending == 2, "counted in words"
    engine.settle()
    assert engine.counts().pending == 0 and engine.recall("bread").segments


def test_a_long_turn_says_how_far_it_is_and_what_is_told_meanwhile_is_embedded_once(open_engine: Open) -> None:
    embedder = SteppingEmbedder()
    engine = open_engine(embedder=embedder)
    embedder.before = lambda: engine.session(session_id="told").add(user="the cat")
    seen: list[tuple[str, int, int]] = []
    turns = [Turn((Line("User", Role.USER, ". ".join(["bread is good"] * 400)),))]
    engine.ingest([SessionInput(turns, id="s1")], lambda what, done, total: seen.append((what, done, total)))
    words = [(done, total) for what, done, total in seen if what == EMBEDDING]
    assert len(words) > 10 and words == sorted(words) and words[0] == (0, 1_200) and words[-1][0] == 1_200
    assert engine.counts().pending == 0 and engine.recall("purr", count=False).segments
    assert wrong(engine) == []


def test_a_closed_memory_leaves_no_thread_behind(open_engine: Open) -> None:
    before = set(threading.enumerate())
    engine = open_engine()
    engine.session().add(user="the cat")
    engine.close()
    assert not [thread for thread in set(threading.enumerate()) - before if thread.name == "pmg-embed"]
