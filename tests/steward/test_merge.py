"""Merging: what may merge, who stays, what passes over; and the way back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from pmg.base.errors import InputError
from pmg.base.model import Kind, Origin, State
from pmg.engine import Engine
from pmg.ingest.guard import blocks
from pmg.ingest.turns import SessionInput
from pmg.store.maintenance import EdgeRow
from steward.merge import MergePair, MergePlan, carried, clusters
from steward.steward import Steward
from tests.steward.memories import NOON, OTHER, SAME, TALK, recalled, said, snapshot, tell
from tests.stores import store_of


def merged(engine: Engine, full: bool = True) -> Steward:
    steward = Steward(engine, lambda: NOON + timedelta(days=1))
    steward.run(["merge"], full=full, bulk=True)
    return steward


def test_a_near_duplicate_gives_way_and_keeps_its_words(engine: Engine) -> None:
    first, second = tell(engine, "one", *SAME)
    store_of(engine).add_hits([2], NOON)
    before = engine.segment(first).lines
    merged(engine)
    loser, winner = engine.segment(first), engine.segment(second)
    assert (loser.state, loser.stands_for, loser.lines) == (State.MERGED, second, before)
    assert (winner.state, winner.hits) == (State.ACTIVE, 1)
    assert first not in recalled(engine, "Where did my sister move last spring?")
    assert second in recalled(engine, "Where did my sister move last spring?")
    assert {edge.kind for edge in engine.edges(first)} == {Kind.CHAIN}


def test_hits_add_up_and_the_later_time_stays(engine: Engine) -> None:
    tell(engine, "one", *SAME)
    store_of(engine).add_hits([1, 1, 1], NOON)
    store_of(engine).add_hits([2, 2], NOON + timedelta(hours=1))
    merged(engine)
    winner = engine.reads.segments([1])[0]
    assert (winner.hits, winner.last_hit) == (5, NOON + timedelta(hours=1))


def test_undo_brings_everything_back_byte_for_byte(engine: Engine) -> None:
    a, b = tell(engine, "one", *SAME)
    (c,) = tell(engine, "two", "The flat in Berlin has a garden, I moved last spring.")
    engine.link(a, c, Kind.SUPPORTS)
    engine.link(c, b, Kind.CAUSED_BY)
    steward = Steward(engine, lambda: NOON)
    steward.run(["score"])
    before = snapshot(engine)
    steward.run(["merge"], full=True, bulk=True)
    assert snapshot(engine) != before
    steward.undo("last")
    assert snapshot(engine) == before
    assert {a, b} <= set(recalled(engine, "Where did my sister move last spring?"))


def test_a_pair_that_differs_is_linked_and_listed_and_both_stay(engine: Engine) -> None:
    a, b = tell(engine, "one", SAME[0], OTHER)
    steward = merged(engine)
    assert {engine.segment(i).state for i in (a, b)} == {State.ACTIVE}
    assert [(e.kind, e.origin) for e in engine.edges(a) if e.kind is not Kind.CHAIN] == [(Kind.RELATED_TO, Origin.AUTO)]
    (pair,) = steward.review()
    assert "negation" in {d.kind for d in pair.why}
    assert any(differs for _, _, _, runs in pair.lines for _, differs in runs)
    steward.run(["merge"], full=True, bulk=True)
    assert len(steward.review()) == 1  # asked once


def test_a_decision_is_kept_and_can_be_undone(engine: Engine) -> None:
    tell(engine, "one", SAME[0], OTHER)
    steward = merged(engine)
    before = snapshot(engine)
    number = steward.review()[0].review
    steward.decide(number, "merge")
    assert engine.counts().segments[State.MERGED] == 1
    assert steward.review() == []
    with pytest.raises(InputError, match="already"):
        steward.decide(number, "keep")
    steward.undo("last")
    assert snapshot(engine) == before
    steward.decide(number, "link", Kind.CONTRADICTS)
    assert Kind.CONTRADICTS in {e.kind for e in engine.edges("seg_one_0")}
    steward.undo("last")
    steward.decide(number, "keep")
    assert steward.review() == []


def test_undoing_the_listing_is_refused_once_the_person_has_decided(engine: Engine) -> None:
    tell(engine, "one", SAME[0], OTHER)
    steward = merged(engine)
    listing = next(entry for entry in steward.history() if entry.action == "review")
    steward.decide(steward.review()[0].review, "keep")
    decided = next(entry for entry in steward.history() if entry.action == "keep")
    before = snapshot(engine)
    told = rf"decided on the pair since, kept \(entry {decided.id}\): `pmg steward undo {decided.id}` first"
    with pytest.raises(InputError, match=told):
        steward.undo(str(listing.id))
    assert snapshot(engine) == before
    steward.undo(str(decided.id))
    steward.undo(str(listing.id))
    assert steward.review() == []


def test_a_cluster_of_three_has_one_winner(engine: Engine) -> None:
    tell(engine, "one", *SAME, "- My sister and I moved to Berlin last spring")
    store_of(engine).add_hits([2], NOON)
    merged(engine)
    states = [engine.segment(f"seg_one_{i}") for i in range(3)]
    assert [s.state for s in states] == [State.MERGED, State.ACTIVE, State.MERGED]
    assert {s.stands_for for s in states} == {"", "seg_one_1"}


def test_members_blocked_against_each_other_do_not_share_a_winner() -> None:
    signal = {1: (False, 9, 0.5, 0, -1), 2: (False, 0, 0.5, 0, -2), 3: (False, 0, 0.5, 0, -3)}
    passed = {(1, 2): 0.95, (1, 3): 0.93}
    assert clusters(passed, {(2, 3)}, signal) == [MergePair(1, 2, 0.95)]
    assert clusters(passed, set(), signal) == [MergePair(1, 2, 0.95), MergePair(1, 3, 0.93)]


def test_a_chain_of_small_steps_never_merges_its_ends() -> None:
    signal = {n: (False, 0, 0.5, 0, -n) for n in (1, 2, 3)}
    assert clusters({(1, 2): 0.9, (2, 3): 0.9}, set(), signal) == [MergePair(1, 2, 0.9)]


def test_what_is_pinned_never_gives_way(engine: Engine) -> None:
    first, second = tell(engine, "one", *SAME)
    store_of(engine).add_hits([1, 1], NOON)
    steward = Steward(engine, lambda: NOON)
    steward.pin([second])
    steward.run(["merge"], full=True, bulk=True)
    assert engine.segment(first).stands_for == second
    steward.undo("last")
    steward.pin([first])
    steward.run(["merge"], full=True, bulk=True)
    assert {engine.segment(i).state for i in (first, second)} == {State.ACTIVE}


def test_links_pass_over_without_doubles_or_loops() -> None:
    def edge(a: int, b: int, weight: float, kind: Kind = Kind.SEMANTIC, origin: Origin = Origin.AUTO) -> EdgeRow:
        return EdgeRow(a, b, kind, weight, origin, 7)

    mine = [edge(1, 5, 0.7), edge(2, 1, 0.9), edge(1, 8, 0.6, Kind.SUPPORTS)]
    theirs = [
        edge(2, 1, 0.9), edge(5, 2, 0.8), edge(2, 6, 0.5), edge(8, 2, 1.0, Kind.SUPPORTS, Origin.USER),
    ]  # fmt: skip
    gone, new = carried(mine, theirs, 1, 2)
    assert sorted(gone) == sorted([*theirs, edge(1, 5, 0.7)])
    assert sorted(new) == sorted([edge(1, 5, 0.8), edge(1, 6, 0.5), edge(8, 1, 1.0, Kind.SUPPORTS, Origin.USER)])


def test_only_what_is_new_is_looked_at_after_the_first_pass(engine: Engine) -> None:
    tell(engine, "one", "The landlord raised the rent of the flat again.")
    steward = Steward(engine, lambda: NOON)
    steward.run(["merge"])
    store_of(engine).add_hits([1], NOON)
    tell(engine, "two", *SAME)
    found = steward.plan(["merge"])["merge"]
    assert isinstance(found, MergePlan)
    assert [(p.winner, p.loser) for p in found.merges] == [(2, 3)]
    steward.run(["merge"], bulk=True)
    assert steward.plan(["merge"])["merge"].leaving == 0


def test_a_plan_changes_nothing(engine: Engine) -> None:
    tell(engine, "one", *SAME, OTHER)
    before = snapshot(engine)
    plans = Steward(engine, lambda: NOON).plan(full=True)
    assert snapshot(engine) == before
    assert plans["merge"].leaving == 1
    assert engine.reads.journal() == []


def test_namespaces_hold(engine: Engine) -> None:
    tell(engine, "one", SAME[0], namespace="home")
    tell(engine, "two", SAME[1], namespace="work")
    merged(engine)
    assert engine.counts().segments[State.MERGED] == 0


def test_tomorrow_said_on_two_days_is_two_days(engine: Engine) -> None:
    tell(engine, "one", "I see the doctor about my knee tomorrow.")
    tell(engine, "two", "i see the doctor about my knee tomorrow", at=NOON + timedelta(days=40))
    a, b = engine.reads.segments([1, 2])
    assert [d.kind for d in blocks(a, b)] == ["date"]


def test_a_question_asked_twice_with_two_answers_is_never_merged_and_is_shown_to_the_person(engine: Engine) -> None:
    for session, answer in (
        ("one", "The oven is broken, bake it at home."),
        ("two", "The train leaves at the station."),
    ):
        with engine.session(session_id=session) as opened:
            opened.add(user="Where can I bake the bread for dinner?", assistant=answer, at=NOON)
    plan = Steward(engine, lambda: NOON).plan(["merge"], full=True)["merge"]
    assert isinstance(plan, MergePlan)
    assert (plan.merges, [(pair.a, pair.b) for pair in plan.blocked]) == ((), [(1, 2)])


FACTS = (
    "The cat sleeps on the red sofa in the kitchen.",
    "My dentist is called Hofer and has white hair.",
    "Paula is allergic to hazelnuts and kiwi.",
)


def chatted(engine: Engine, *rows: tuple[str, str]) -> list[str]:
    """One sitting in the chat: what was told, and what the assistant said to it."""
    with engine.session(session_id="chat") as opened:
        for minute, (told, answer) in enumerate(rows):
            opened.add(user=told, assistant=answer, at=NOON + timedelta(minutes=minute))
    return [f"seg_chat_{i}" for i in range(len(rows))]


@pytest.mark.parametrize("answers", [("ok",), ("Noted.", "ok"), ("Good to know, I will keep that in mind.",)])
def test_what_is_told_twice_in_the_chat_is_merged_whatever_the_assistant_says_to_it(
    engine: Engine, answers: tuple[str, ...]
) -> None:
    told = [*FACTS, *(fact.replace(".", "!") for fact in FACTS)]
    chatted(engine, *((text, answers[i % len(answers)]) for i, text in enumerate(told)))
    before = snapshot(engine)
    steward = merged(engine)
    assert engine.counts().segments[State.MERGED] == len(FACTS)
    assert steward.review() == []
    assert [engine.segment(f"seg_chat_{i}").lines[0].text for i in range(len(told))] == told
    steward.undo("last")
    assert snapshot(engine) == before


def test_what_was_told_otherwise_in_between_is_shown_with_the_reason(engine: Engine) -> None:
    five, ten = (f"My medicine is {dose} mg of ramipril in the morning." for dose in (5, 10))
    names = chatted(engine, (five, "ok"), (ten, "ok"), (five.replace(".", "!"), "ok"))
    steward = merged(engine)
    assert {engine.segment(name).state for name in names} == {State.ACTIVE}
    reasons = {(pair.a.id, pair.b.id): pair.why[0].kind for pair in steward.review()}
    assert reasons[(names[0], names[2])] == "what was told in between"
    assert reasons[(names[0], names[1])] == "number"


def test_a_changed_answer_since_the_plan_is_left_alone(engine: Engine) -> None:
    from steward import merge

    tell(engine, "one", *SAME)
    steward = Steward(engine, lambda: NOON)
    plan = steward.plan(["merge"], full=True)["merge"]
    assert isinstance(plan, MergePlan)
    steward.pin([f"seg_one_{plan.merges[0].loser - 1}"])
    merge.apply(steward._work("user"), plan)
    assert engine.counts().segments[State.MERGED] == 0


def test_later_merges_must_be_undone_first(open_engine: Callable[..., Engine]) -> None:
    engine = open_engine()
    tell(engine, "one", *SAME)
    store_of(engine).add_hits([1, 1, 2], NOON)
    steward = merged(engine)
    (first,) = [e for e in steward.history() if e.action == "merge"]
    tell(engine, "two", "The flat in Berlin is large, my sister says.")
    work = steward._work("user")
    from steward.merge import merge_pairs

    assert merge_pairs(work, [MergePair(3, 1, 0.9)]) == 1
    before = snapshot(engine)
    with pytest.raises(InputError, match="Undo entry") as refused:
        steward.undo(str(first.id))
    assert f"run {work.who.run}" in str(refused.value)
    assert snapshot(engine) == before
    steward.undo(work.who.run)
    steward.undo(str(first.id))
    with pytest.raises(InputError, match="undone already"):
        steward.undo(str(first.id))
    assert engine.counts().segments[State.ACTIVE] == 3


def test_a_turn_of_an_open_session_is_compared_once_it_is_closed_and_not_before(engine: Engine) -> None:
    (first,) = tell(engine, "one", SAME[0])
    going_on = engine.session(session_id="two", conversation=TALK)
    second = going_on.add(lines=said(SAME[1]).lines, at=NOON)
    engine.settle()
    merged(engine, full=False)
    assert {engine.segment(name).state for name in (first, second)} == {State.ACTIVE}
    going_on.close()
    merged(engine, full=False)  # it was not passed over for good
    assert engine.segment(second).state is not State.ACTIVE or engine.segment(first).state is not State.ACTIVE


def test_namesakes_of_two_conversations_are_neither_merged_nor_listed(engine: Engine) -> None:
    for number, text in enumerate(SAME):
        engine.ingest([SessionInput([said(text)], id=f"s{number}", conversation=f"talk {number}")])
    steward = merged(engine)
    assert [engine.segment(f"seg_s{number}_0").state for number in range(2)] == [State.ACTIVE] * 2
    assert steward.review() == []


def test_what_goes_back_to_what_it_was_is_not_merged(engine: Engine) -> None:
    there, again = SAME
    ids = tell(engine, "one", there, there.replace("Berlin", "Hamburg"), again)
    steward = merged(engine)
    assert [engine.segment(name).state for name in ids] == [State.ACTIVE] * 3
    (why,) = next(pair.why for pair in steward.review() if {pair.a.id, pair.b.id} == {ids[0], ids[2]})
    assert why.kind == "what was told in between"


def test_an_undone_merge_is_a_decision_that_holds(engine: Engine) -> None:
    ids = tell(engine, "one", *SAME)
    steward = merged(engine)
    steward.undo("last")
    merged(engine, full=True)
    assert [engine.segment(name).state for name in ids] == [State.ACTIVE] * 2
    assert steward.review() == []


def test_an_undone_run_lists_its_pairs_again_when_it_is_run_again(engine: Engine) -> None:
    tell(engine, "one", SAME[0], OTHER)
    steward = merged(engine, full=False)
    assert len(steward.review()) == 1
    steward.undo("last")
    assert steward.review() == []
    merged(engine, full=False)
    assert len(steward.review()) == 1
