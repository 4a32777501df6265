"""The engine's verbs: sessions, links, namespaces, recovery, and closing."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import pmg
from pmg import config as configuration
from pmg.base.errors import ConfigError, InputError, NotFound, StoreBusy, StoreError, WrongModel
from pmg.base.model import Kind, Line, Origin, Role, State, Turn
from pmg.engine import Engine, background_thread
from pmg.ingest import reembed
from pmg.ingest.turns import SessionInput
from tests.embedding import WordEmbedder
from tests.stores import store_of

NOON = datetime(2026, 3, 3, 12, 0, tzinfo=UTC)


def say(engine: Engine, text: str, name: str, namespace: str = "") -> str:
    with engine.session(session_id=name, namespace=namespace) as session:
        return session.add(user=text)


def test_what_was_said_is_recalled(engine: Engine) -> None:
    name = say(engine, "the cat has to see the vet", "s1")
    say(engine, "bread needs a hot oven", "s2")
    found = engine.recall("cat")
    assert name in {s.id for s in found.segments}
    assert "the cat has to see the vet" in found.context
    assert found.receipt.note == ""


def test_a_link_is_made_once_and_taken_away(engine: Engine) -> None:
    a, b = say(engine, "cat", "s1"), say(engine, "bread", "s2")
    for weight in (0.4, 0.8):
        engine.link(a, b, Kind.CONTRADICTS, weight)
    typed = [e for e in engine.edges(a) if e.kind is Kind.CONTRADICTS]
    assert [(e.source, e.target, round(e.weight, 3), e.origin) for e in typed] == [(a, b, 0.8, Origin.USER)]
    assert {s.id for s in engine.recall("cat", mode="fixed").segments} == {a, b}
    assert engine.unlink(a, b, Kind.CONTRADICTS) == 1
    assert {s.id for s in engine.recall("cat", mode="fixed").segments} == {a}


@pytest.mark.parametrize("kind", [Kind.CHAIN, Kind.SEMANTIC])
def test_what_nobody_linked_is_not_unlinked(engine: Engine, kind: Kind) -> None:
    with engine.session(session_id="s1") as session:
        a, b = session.add(user="cat"), session.add(user="bread")
    before = engine.edges(a)
    with pytest.raises(InputError, match=f"A {kind.value} link cannot be taken away: give one of related_to"):
        engine.unlink(a, b, kind)
    assert engine.edges(a) == before


def test_links_that_make_no_sense_are_refused(engine: Engine) -> None:
    a, b = say(engine, "cat", "s1"), say(engine, "bread", "s2")
    c = say(engine, "bread", "s3", "elsewhere")
    with pytest.raises(InputError, match="two segments of one namespace"):
        engine.link(a, a, Kind.SUPPORTS)
    with pytest.raises(InputError, match="two segments of one namespace"):
        engine.link(a, c, Kind.SUPPORTS)
    for kind, weight in ((Kind.CHAIN, 1.0), (Kind.SUPPORTS, 0.0), (Kind.SUPPORTS, 1.1)):
        with pytest.raises(InputError, match="above 0 to 1"):
            engine.link(a, b, kind, weight)
    with pytest.raises(NotFound, match="no segment 'seg_x_0'"):
        engine.link(a, "seg_x_0", Kind.SUPPORTS)


def test_names_that_are_not_there_are_told(engine: Engine) -> None:
    with pytest.raises(NotFound, match="seg_nowhere_0"):
        engine.segment("seg_nowhere_0")
    with pytest.raises(NotFound, match="'nowhere'"):
        engine.close_session("nowhere")
    with pytest.raises(NotFound, match="'nowhere'"):
        engine.add_turn("nowhere", Turn((Line("User", Role.USER, "hi"),)))
    with pytest.raises(NotFound, match="seg_nowhere_0"):
        engine.edges("seg_nowhere_0")


def test_a_name_that_is_taken_in_another_namespace_is_free_and_nothing_is_told_of_it(engine: Engine) -> None:
    say(engine, "mine", "shared", "mine")
    for text in ("yours", "once more"):  # the second time it is the same session again
        with engine.session(session_id="shared", namespace="yours") as opened:
            opened.add(user=text)
    assert [len(engine.reads.segments_of(s.id)) for s in engine.sessions("yours")] == [2]
    assert [s.id for s in engine.sessions("mine")] == ["shared"]
    assert len(engine.reads.segments_of("shared")) == 1


def test_the_same_session_can_be_added_in_two_namespaces(engine: Engine) -> None:
    for session_id in ("talk", ""):
        told = SessionInput([Turn((Line("User", Role.USER, "the cat"),), NOON)], "T", id=session_id)
        for namespace in ("mine", "yours"):
            assert engine.ingest([replace(told, namespace=namespace)]).turns == 1
            assert engine.ingest([replace(told, namespace=namespace)]).turns == 0
    assert [len(engine.sessions(namespace)) for namespace in ("mine", "yours")] == [2, 2]


@pytest.mark.parametrize("namespace", ["../out", "a/b", "a b", "é", "x" * 65])
def test_a_hostile_namespace_is_refused_before_anything_is_written(engine: Engine, home: Path, namespace: str) -> None:
    turn = Turn((Line("User", Role.USER, "hello"),))
    with pytest.raises(ConfigError, match="is not allowed"):
        engine.ingest([SessionInput([turn], namespace=namespace)])
    with pytest.raises(ConfigError, match="is not allowed"):
        engine.session(namespace=namespace)
    with pytest.raises(ConfigError, match="is not allowed"):
        engine.recall("hello", namespace=namespace)
    assert engine.sessions() == []
    assert list((home / "index").iterdir()) == []


def test_idle_sessions_are_closed_and_linked(engine: Engine) -> None:
    old, young = engine.session(session_id="old"), engine.session(session_id="young")
    now = datetime.now().astimezone()
    old.add(user="cat", at=now - timedelta(minutes=31))
    young.add(user="cat", at=now - timedelta(minutes=29))
    assert engine.close_idle() == ["old"]
    assert [session.id for session in engine.sessions() if session.is_open] == ["young"]


def test_a_session_can_be_taken_up_again(engine: Engine) -> None:
    say(engine, "the cat", "s1")
    with engine.session("another title", session_id="s1") as again:
        assert again.add(user="the kitten") == "seg_s1_1"
    (session,) = engine.sessions()
    assert (session.segments, session.is_open, session.title) == (2, False, "")


def test_closing_twice_is_harmless_and_frees_the_store(open_engine: Callable[..., Engine]) -> None:
    engine = open_engine()
    with pytest.raises(StoreBusy):
        open_engine()
    engine.close()
    engine.close()
    open_engine()


def test_a_failure_while_closing_still_frees_the_store(
    open_engine: Callable[..., Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_engine()

    def broken() -> None:
        raise OSError("no space left")

    monkeypatch.setattr(engine.indexes, "save", broken)
    engine.close()  # indexes are made again: a full disk is told in the log
    open_engine()


def test_a_failed_opening_frees_the_store(open_engine: Callable[..., Engine]) -> None:
    engine = open_engine()
    say(engine, "cat", "s1")
    engine.close()
    for _ in range(2):
        with pytest.raises(WrongModel):
            open_engine(embedder=WordEmbedder("other"))
    open_engine()


def test_another_model_is_refused_and_nothing_is_changed(open_engine: Callable[..., Engine], home: Path) -> None:
    engine = open_engine()
    say(engine, "cat", "s1")
    engine.close()
    before = (home / "memory.duckdb").read_bytes()
    with pytest.raises(WrongModel, match=r"vectors of the model 'words'.*asks for 'other'.*pmg reembed --model other"):
        open_engine(embedder=WordEmbedder("other"))
    assert (home / "memory.duckdb").read_bytes() == before


def test_a_configured_model_that_does_not_fit_is_refused_when_it_is_loaded(
    open_engine: Callable[..., Engine], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_engine()
    say(engine, "cat", "s1")
    engine.close()
    monkeypatch.setattr("pmg.ingest.model_in_force.open_embedder", lambda *_: WordEmbedder("other"))
    config = configuration.with_values(configuration.load(home, {}), {"embed": {"model": "a/model"}}, "test")
    with pytest.raises(WrongModel, match="asks for 'other'"):
        Engine.open(config)
    open_engine()


def test_a_mistake_in_the_rules_is_found_before_anything_is_opened(home: Path) -> None:
    config = configuration.with_values(configuration.load(home, {}), {"redact": {"rules": ["mine = ("]}}, "test")
    with pytest.raises(pmg.PmgError):
        Engine.open(config, embedder=WordEmbedder())
    assert not home.exists()


def test_an_unusable_directory_is_refused_with_the_mend(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match=r"cannot be used as a memory directory.*--home or PMG_HOME"):
        Engine.open(configuration.load(tmp_path / "file" / "home", {}), embedder=WordEmbedder())


@pytest.mark.parametrize("knobs", [{"top_k": 0}, {"depth": 3}, {"budget_tokens": 10}, {"mode": "magic"}])
def test_a_wrong_knob_of_recall_is_refused(engine: Engine, knobs: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        engine.recall("cat", **knobs)  # type: ignore[arg-type]


def test_recalls_are_counted_with_hits_and_their_secrets_left_out(engine: Engine) -> None:
    name = say(engine, "the cat", "s1")
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    engine.recall(f"the cat {secret}")
    engine.recall("the cat", count=False)
    assert engine.counts().recalls == 1
    segment = engine.segment(name)
    assert segment.hits == 1
    assert segment.last_hit is not None
    (row,) = store_of(engine).database.rows("SELECT query, segments FROM v_recalls")
    assert secret not in row[0]
    assert row[1] == 1


def test_one_long_session_is_linked_to_what_others_say(engine: Engine) -> None:
    """A session that is most of a memory must not hide the others from itself."""
    say(engine, "the cat has to see the vet", "other")
    turns = [Turn((Line("User", Role.USER, f"cat number {i}"),)) for i in range(300)]
    engine.ingest([SessionInput(turns, id="long")])
    for place in (0, 299):
        edges = engine.edges(f"seg_long_{place}")
        assert {e.target for e in edges if e.kind is Kind.SEMANTIC} == {"seg_other_0"}


def test_no_edges_are_made_when_the_cap_is_nought(open_engine: Callable[..., Engine]) -> None:
    engine = open_engine(config={"ingest": {"edge_cap": 0, "link_top": 0}})
    for i in range(3):
        say(engine, f"my cat number {i} sees the vet", f"s{i}")
    assert engine.counts().links[Kind.SEMANTIC] == 0
    assert engine.counts().segments[State.ACTIVE] == 3


def test_recall_works_while_another_thread_ingests_and_reembeds(engine: Engine) -> None:
    say(engine, "the cat has to see the vet", "first")
    stop, problems, answers = threading.Event(), [], []

    def ask() -> None:
        while not stop.is_set():
            try:
                answers.append("the cat has to see the vet" in engine.recall("cat vet", count=False).context)
            except BaseException as problem:
                problems.append(problem)
                return

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        for i in range(4):
            say(engine, f"bread {i}", f"s{i}")
        engine.reembed(WordEmbedder("second"))
        engine.reembed(WordEmbedder("third"))
    finally:
        stop.set()
        thread.join(120)
    assert problems == []
    assert answers
    assert all(answers)
    assert engine.reads.note(reembed.RELINK) == ""


def test_pmg_open_takes_a_directory(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pmg.ingest.model_in_force.open_embedder", lambda *_: WordEmbedder())
    monkeypatch.setenv("PMG_EMBED_MODEL", "stand-in")
    with pmg.open(home) as engine, engine.session("Planning") as session:
        session.add(user="the cat", assistant="the vet")
    with pmg.open(str(home)) as engine:
        assert engine.recall("cat").segments


def test_closing_while_everything_is_held_does_not_wait_for_a_thread_that_wants_the_lock(
    open_engine: Callable[..., Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server ends so. The thread that reads claims waits for the lock that the end holds, and the end waited for the thread."""
    monkeypatch.setattr(background_thread, "TIMEOUT", 10.0)
    engine = open_engine()
    extractor = engine._memory.extractor
    with engine.exclusive():
        extractor.wake()
        while extractor.has_work:  # until it has been taken up, and the lock is asked for
            time.sleep(0.01)
        engine.close()
        assert extractor._thread is not None and not extractor._thread.is_alive()
