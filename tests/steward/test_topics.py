"""Topics: sessions of a kind together, named by what they have in common, with a number and a name that stay."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest

from pmg.base.model import CHAT_SOURCE, Turn
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput, exchange
from pmg.store.maintenance import Topic
from steward import topic_groups
from steward.communities import best, groups
from steward.steward import Steward
from steward.topic_groups import UNASSIGNED, group, mutual, nearest
from steward.topics import match
from tests.steward.memories import NOON, said, tell

BREAD = "The sourdough bread needs flour, yeast and a hot oven; baking number"
RELEASE = "The deployment of the release is blocked by version number"
CATS = "The cat and her kitten purr at the vet, visit"


NUMBER = ("red", "green", "blue", "yellow", "white", "black")


def memory(engine: Engine, count: int = 5) -> Steward:
    """Sessions of three kinds, each with something that the kind does not say."""
    sessions = []
    for i in range(count):
        for kind, first, second in (
            ("bread", f"{BREAD} {i}x.", f"And then we bake and bake in the oven, {NUMBER[i]}."),
            ("release", f"{RELEASE} {i}y.", f"Another deploy, another rollout, {NUMBER[i]}."),
            ("cat", f"{CATS} {i}z.", f"A pet needs a vet, {NUMBER[i]}."),
        ):
            at = NOON + timedelta(days=i)
            sessions.append(SessionInput([said(first, at), said(second, at)], f"{kind}{i}", id=f"{kind}{i}"))
    engine.ingest(sessions)
    return Steward(engine, lambda: NOON + timedelta(days=9))


def kinds(engine: Engine, topic: Topic) -> set[str]:
    """Which of the three kinds the members of a topic are of."""
    return {segment.session_id.rstrip("0123456789") for segment in engine.reads.segments(topic.members)}


def test_whole_sessions_are_grouped_and_named(engine: Engine) -> None:
    steward = memory(engine)
    steward.run(["links"])
    found = steward.topics()
    assert sorted(sorted(kinds(engine, topic)) for topic in found) == [["bread"], ["cat"], ["release"]]
    assert all(len(topic.members) == 10 for topic in found)  # also the second turns, which say little by themselves
    names = {frozenset(kinds(engine, topic)): set(topic.terms) for topic in found}
    assert {"sourdough", "bread"} & names[frozenset({"bread"})]
    assert {"cat", "kitten", "vet"} & names[frozenset({"cat"})]


def test_what_the_chat_of_this_program_answers_names_no_topic(engine: Engine) -> None:
    for i in range(6):
        engine.session(session_id=f"chat{i}", source=CHAT_SOURCE)
        answered = exchange(f"The cat and her kitten purr, visit {NUMBER[i]}.", "The nearest zeppelin that I find:")
        engine.add_turn(f"chat{i}", Turn(answered, at=NOON + timedelta(days=i)))
        engine.close_session(f"chat{i}")
    numbers = [segment.number for i in range(6) for segment in engine.reads.segments_of(f"chat{i}")]
    said_by_people = " ".join(text for _, text in engine.reads.maintenance.texts(numbers, own_answers=False))
    assert "kitten" in said_by_people and "zeppelin" not in said_by_people
    Steward(engine, lambda: NOON + timedelta(days=9)).run(["links"])
    names = " ".join(topic.name.casefold() for topic in engine.reads.maintenance.topics())
    assert names and "zeppelin" not in names


def test_number_name_and_members_stay_when_little_is_new(engine: Engine) -> None:
    steward = memory(engine)
    steward.run(["links"])
    first = steward.topics()
    tell(engine, "bread9", f"{BREAD} 9x.", "Bake it.", at=NOON + timedelta(days=30))
    steward.run(["links"])
    second = steward.topics()
    assert [(topic.id, topic.name) for topic in second] == [(topic.id, topic.name) for topic in first]
    assert sum(len(topic.members) for topic in second) == 32


def test_a_number_is_never_given_again(engine: Engine) -> None:
    steward = memory(engine)
    steward.run(["links"])
    highest = max(topic.id for topic in steward.topics())
    with engine.changing() as tables:
        tables.put_topics([])
        assert tables.next_topic() == highest + 1
    steward.run(["links"])
    assert min(topic.id for topic in steward.topics()) == highest + 1


def test_topics_of_two_namespaces_are_apart(engine: Engine) -> None:
    for namespace in ("default", "work"):
        for i in range(4):
            tell(
                engine,
                f"{namespace}{i}",
                f"{BREAD} {i}.",
                f"Oven and flour, {NUMBER[i]}.",
                at=NOON + timedelta(days=i),
                namespace=namespace,
            )
    steward = Steward(engine, lambda: NOON)
    steward.run(["links"])
    assert [len(steward.topics(namespace)) for namespace in ("default", "work")] == [1, 1]
    steward.run(["links"], namespace="work")
    assert [len(steward.topics(namespace)) for namespace in ("default", "work")] == [1, 1]


def test_a_long_session_is_several_units(engine: Engine) -> None:
    text = " ".join(["bread oven flour yeast"] * 100)  # 400 words
    turns = [said(f"{text} {i}.", NOON + timedelta(minutes=i)) for i in range(10)]
    engine.ingest(
        [SessionInput(turns, "A day of baking", id="long"), SessionInput([said("hello there you")], id="short")]
    )
    taken = topic_groups.gather(Steward(engine)._work("test"), "default")
    parts = [unit for unit in taken.units if unit.title == "A day of baking"]
    assert len(parts) == 3
    assert sorted(number for unit in parts for number in unit.segments) == sorted(
        engine.segment(f"seg_long_{i}").number for i in range(10)
    )


def test_a_topic_goes_on_in_the_group_it_shares_most_with() -> None:
    old = [Topic(4, "default", "bread", ("bread",), (1, 2, 3, 4)), Topic(9, "default", "cats", ("cats",), (5, 6, 7))]
    found = match([{1, 2, 3, 8}, {4, 9, 10, 11}, {5, 6, 7}], old)
    assert {i: topic.id for i, (topic, _) in found.items()} == {0: 4, 2: 9}


def test_a_large_graph_gets_its_own_process_and_the_same_answer() -> None:
    random = np.random.default_rng(3)
    side = np.repeat(np.arange(2), 12_000)
    source = random.integers(0, 200, 24_000) + 200 * side
    target = random.integers(0, 200, 24_000) + 200 * side
    weight = np.ones(24_000)
    start = np.arange(400, dtype=np.int64)
    found = groups(400, source, target, weight, start)
    assert found.tolist() == best(400, source, target, weight, start, 1.0, 7).tolist()
    assert len(set(found[:200].tolist()) & set(found[200:].tolist())) == 0


def blobs(each: int, stray: int = 0) -> np.ndarray:
    """Three bundles of directions, and some that point anywhere else."""
    random = np.random.default_rng(1)
    rows = [np.eye(12)[axis] + 0.15 * random.standard_normal(12) for axis in range(3) for _ in range(each)]
    rows += [-np.eye(12)[5 + i] for i in range(stray)]
    made = np.array(rows, dtype=np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def test_what_is_like_nothing_else_belongs_nowhere() -> None:
    vectors = blobs(8, stray=2)
    found = group(vectors, np.full(len(vectors), UNASSIGNED), 3)
    assert len(set(found[:24].tolist())) == 3
    assert found[24:].tolist() == [UNASSIGNED, UNASSIGNED]


def test_beyond_the_limit_the_rest_joins_the_groups_of_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = blobs(20)
    whole = group(vectors, np.full(60, UNASSIGNED), 3)
    monkeypatch.setattr("steward.topic_groups.MAX_ROWS", 30)
    part = group(vectors, np.full(60, UNASSIGNED), 3)
    assert (part >= 0).mean() > 0.9
    both = (whole >= 0) & (part >= 0)
    assert len({(a, b) for a, b in zip(whole[both].tolist(), part[both].tolist(), strict=True)}) == 3


def test_neighbours_are_mutual_and_never_the_row_itself() -> None:
    vectors = blobs(6)
    near, cosine = nearest(vectors, 4)
    assert not (near == np.arange(len(vectors))[:, None]).any()
    assert (np.diff(cosine, axis=1) <= 1e-6).all()
    for a, b in zip(*mutual(vectors, 4)[:2], strict=True):
        assert b in near[a] and a in near[b]
