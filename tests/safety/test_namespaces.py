"""Namespaces on every surface: whatever is asked for inside one namespace, no word of another is in the answer."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pmg.answer.ask import ask
from pmg.base.model import Line, Role, Turn
from pmg.engine import Engine
from pmg.exporters.export import FORMATS, export
from pmg.ingest.turns import SessionInput
from pmg.people.knowledge import Knowledge
from pmg.people.portable import portable
from pmg.people.tools import detect_contradictions, get_entity_timeline
from pmg.store.exchange import ExportFilter
from steward.steward import Steward
from tests.stores import store_of

SPACES = ("mine", "yours", "theirs")
_WORDS = st.sampled_from("cat vet bread oven release blocked soup dinner knee doctor".split())
_texts = st.lists(_WORDS, min_size=2, max_size=5).map(" ".join)
_said = st.lists(st.tuples(st.sampled_from(SPACES), _texts), min_size=2, max_size=8)


def sessions(said: Sequence[tuple[str, str]]) -> list[SessionInput]:
    """The same words in two namespaces, so that everything would be a duplicate, an edge or a merge across them."""
    return [
        SessionInput(
            [
                Turn((Line(f"Canary{namespace}", Role.PERSON, text),)),
                Turn((Line(f"Canary{namespace}", Role.PERSON, f"{text} canary{namespace} {i}"),)),
            ],
            f"canary{namespace} title",
            id=f"canary{namespace}-{i}",
            namespace=namespace,
        )
        for i, (namespace, text) in enumerate(said)
    ]


def foreign(namespace: str, shown: str) -> list[str]:
    return [other for other in SPACES if other != namespace and f"canary{other}" in shown.lower()]


def answers(engine: Engine, namespace: str, query: str) -> Iterator[tuple[str, str]]:
    for mode in ("fixed", "diffuse"):
        found = engine.recall(query, namespace=namespace, mode=mode, count=False, limit=100, budget_tokens=5000)
        receipt = {**found.receipt.to_dict(), "query": "", "cues": ""}
        yield f"recall {mode}", json.dumps([found.context, receipt, [s.text for s in found.segments]], default=str)
    listed = engine.sessions(namespace)
    yield "sessions", repr(listed)
    yield "stats", json.dumps(asdict(engine.counts(namespace)), default=str)
    for session in listed:
        for segment in engine.reads.segments_of(session.id):
            yield "segment and edges", repr((segment, engine.edges(segment.id)))
    steward = Steward(engine)
    yield "topics", repr(steward.topics(namespace))
    yield "review", repr(steward.review(namespace))
    yield "archive", repr([steward.search_archive(asked, namespace=namespace) for asked in ("", query)])


def pairs_across(engine: Engine) -> list[object]:
    """Whatever joins two segments of different namespaces."""
    rows = store_of(engine).database.rows
    joined = {
        "edges": "edges e JOIN segments a ON a.number = e.source JOIN segments b ON b.number = e.target",
        "stands for": "segments a JOIN segments b ON b.number = a.stands_for",
        "reviews": "reviews r JOIN segments a ON a.number = r.a JOIN segments b ON b.number = r.b",
        "topics": "topic_members m JOIN topics a ON a.id = m.topic JOIN segments b ON b.number = m.segment",
    }
    return [
        (name, row)
        for name, tables in joined.items()
        for row in rows(f"SELECT a.namespace, b.namespace FROM {tables} WHERE a.namespace <> b.namespace")
    ]


@pytest.fixture
def brisk(open_engine: Callable[..., Engine]) -> Engine:
    return open_engine(config={"steward": {"rest": 0.0, "topic_size": 2}})


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(_said, _texts)
def test_nothing_of_one_namespace_is_shown_in_another(brisk: Engine, said: list[tuple[str, str]], query: str) -> None:
    engine = brisk  # one memory that grows: what earlier examples said stays in its namespace too
    engine.ingest(sessions(said))
    steward = Steward(engine)
    for plan in steward.plan(full=True).values():
        for pair in steward.pairs(plan):
            assert pair.a.namespace == pair.b.namespace
    steward.run(["score", "merge", "links"], full=True)
    assert pairs_across(engine) == []
    asked = f"{query} canarymine canaryyours canarytheirs"
    for namespace in SPACES:
        for surface, shown in answers(engine, namespace, asked):
            assert foreign(namespace, shown) == [], surface


def test_an_export_of_one_namespace_holds_no_other(open_engine: Callable[..., Engine], tmp_path: Path) -> None:
    engine = open_engine()
    engine.ingest(sessions([(namespace, "cat vet bread") for namespace in SPACES]))
    for form in FORMATS:
        export(engine, tmp_path / form, form, ExportFilter(namespace="mine"))
        files = [tmp_path / form] if (tmp_path / form).is_file() else sorted((tmp_path / form).rglob("*"))
        shown = b"".join(file.read_bytes() for file in files if file.is_file()).decode("latin-1")
        assert foreign("mine", shown) == [], form
        if form != "parquet":  # its pages may be packed; the namespaces of the rows are the same
            assert "canarymine" in shown.lower(), form


def test_what_waits_for_vectors_is_counted_in_its_namespace(open_engine: Callable[..., Engine]) -> None:
    engine = open_engine(embedder=None, load=False)
    engine.ingest(sessions([("mine", "cat vet"), ("yours", "cat vet"), ("yours", "bread oven")]))
    assert engine.counts("mine").pending == 2
    assert engine.counts("theirs").pending == 0
    assert engine.counts().pending == 6


def test_no_claim_entity_decision_or_answer_crosses_a_namespace(engine: Engine) -> None:
    """The same people in each namespace, each with an employer that is named in one only."""
    for namespace in SPACES:
        for place, talk in enumerate(("first", "second")):
            turns = [
                Turn((Line("Ana", Role.PERSON, f"I work at Canary{namespace} and I know Tom Canary{namespace}."),))
            ]
            engine.ingest(
                [SessionInput(turns, talk, id=f"{namespace}-{place}", namespace=namespace, conversation=talk)]
            )
    engine.extract()
    steward = Steward(engine)
    for namespace in SPACES:
        steward.reconcile(namespace)
        ana = Knowledge.read(engine.reads.people, namespace).named("Ana")[0]
        steward.rename(ana.id, f"Ana Canary{namespace}", namespace)
        steward.correct_claim(engine.reads.people.claims(namespace)[0].id, f"Canary{namespace} and sons", namespace)
    for namespace in SPACES:
        people = engine.reads.people
        first = people.entities(namespace)[0].id
        shown = {
            "entities": people.entities(namespace),
            "claims": people.claims(namespace),
            "claims about somebody": people.claims(namespace, about=list(range(first - 20, first + 20))),
            "decisions": list(portable(people, namespace)),
            "names": people.given_names(namespace),
            "rulings": people.rulings(namespace),
            "timeline": get_entity_timeline(people, namespace, "job", "Ana"),
            "contradictions": detect_contradictions(people, namespace, "Ana"),
            "answer": ask(engine, "Where does Ana work?", namespace=namespace),
        }
        for what, found in shown.items():
            assert foreign(namespace, repr(found)) == [], what
        assert f"Canary{namespace}" in repr(shown["claims"]) and f"Canary{namespace}" in repr(shown["answer"])


def test_two_that_begin_a_session_of_one_name_at_once_in_two_namespaces_get_two(engine: Engine) -> None:
    begun: list[threading.Thread] = []
    store = store_of(engine)
    plain = store.namespaces_of

    def while_another_begins(names: Sequence[str]) -> dict[str, str]:
        found = plain(names)
        if not begun:
            begun.append(threading.Thread(target=lambda: tell_in("yours")))
            begun[0].start()
            begun[0].join(0.3)  # it gets as far as it may
        return found

    def tell_in(space: str) -> None:
        session = engine.session(namespace=space, session_id="notes")
        engine.add_turn(session.id, Turn((Line("You", Role.USER, f"the bid of {space} is two thousand"),)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "namespaces_of", while_another_begins)
        tell_in("mine")
        begun[0].join()
    for space in ("mine", "yours"):
        (session,) = engine.sessions(namespace=space)
        (segment,) = engine.reads.segments_of(session.id)
        assert segment.namespace == space and f"bid of {space}" in segment.text
