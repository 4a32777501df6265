"""The archive: who goes there, how it is searched, and the way back; a clock that jumps moves nobody."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pmg.base.errors import InputError
from pmg.base.model import Kind, State
from pmg.engine import Engine
from steward.archive import ArchivePlan
from steward.steward import Steward
from tests.steward.memories import NOON, recalled, snapshot, tell
from tests.stores import store_of

OLD = NOON - timedelta(days=900)
TEXTS = (
    "The landlord raised the rent of the flat.",
    "My guitar needs new strings for the concert.",
    "The soup wants more lentils and broth.",
    "The football match was lost by one goal.",
)


def old_memory(engine: Engine) -> Steward:
    tell(engine, "old", *TEXTS, at=OLD)
    tell(engine, "new", "The dog needs a walk and a new leash.", at=NOON - timedelta(days=3))
    return Steward(engine, lambda: NOON)


def states(engine: Engine) -> list[str]:
    return [engine.segment(f"seg_old_{i}").state.value for i in range(4)]


def test_old_idle_memories_leave_recall_and_stay_in_the_archive(engine: Engine) -> None:
    steward = old_memory(engine)
    store_of(engine).add_hits([2], NOON - timedelta(days=10))
    steward.pin(["seg_old_2"])
    assert recalled(engine, "guitar concert strings")[0] == "seg_old_1"
    steward.run(["archive"])
    assert states(engine) == ["archived", "active", "active", "archived"]
    assert engine.segment("seg_new_0").state is State.ACTIVE
    assert "seg_old_0" not in recalled(engine, "Who raised the rent of the flat?")
    assert steward.search_archive("the landlord and the rent")[0].segment.id == "seg_old_0"
    assert {one.segment.id for one in steward.search_archive()} == {"seg_old_0", "seg_old_3"}


def test_restore_brings_back_index_entries_and_edges(engine: Engine) -> None:
    steward = old_memory(engine)
    engine.link("seg_old_0", "seg_new_0", Kind.RELATED_TO)
    sizes, edges = engine.indexes.sizes(), engine.edges("seg_old_0")
    steward.run(["archive"], bulk=True)
    assert engine.indexes.sizes() != sizes
    assert steward.restore([f"seg_old_{i}" for i in range(4)]) == 4
    assert (engine.indexes.sizes(), engine.edges("seg_old_0")) == (sizes, edges)
    assert "seg_old_0" in recalled(engine, "Who raised the rent of the flat?")


def test_a_whole_run_is_undone_byte_for_byte(engine: Engine) -> None:
    steward = old_memory(engine)
    steward.run(["score"])
    before = snapshot(engine)
    report = steward.run(["score", "merge", "archive", "links"], full=True, bulk=True)
    assert "4 archived" in report.text
    assert "nothing was deleted" in report.text
    steward.undo(report.run)
    assert snapshot(engine) == before
    assert engine.indexes.sizes()["default"][1] == 5


def test_undoing_what_was_restored_is_refused(engine: Engine) -> None:
    steward = old_memory(engine)
    report = steward.run(["archive"], bulk=True)
    steward.restore(["seg_old_0"])
    before = snapshot(engine)
    with pytest.raises(InputError, match=r"Undo entry \d+ \(restore"):
        steward.undo(report.run)
    assert snapshot(engine) == before


def test_a_floor_spares_what_still_scores(engine: Engine) -> None:
    steward = old_memory(engine)
    store_of(engine).add_hits([1] * 8, NOON - timedelta(days=200))
    plan = steward.plan(["archive"])["archive"]
    assert isinstance(plan, ArchivePlan)
    assert plan.numbers == (2, 3, 4)


@pytest.mark.parametrize("jump", [timedelta(days=-365), timedelta(days=3650)])
def test_a_clock_that_jumps_archives_nothing(engine: Engine, jump: timedelta) -> None:
    for i in range(4):
        tell(engine, f"s{i}", *TEXTS[i:], *TEXTS[:i], at=NOON - timedelta(days=30 * i + 1))
    before = snapshot(engine)
    report = Steward(engine, lambda: NOON + jump).run(["archive"])
    assert snapshot(engine) == before
    assert bool(report.asks) == (jump.days > 0)
    if report.asks:
        assert "clock" in report.asks[0]


def test_a_learnt_document_is_never_archived(engine: Engine, tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "manual.md"
    file.write_text("The oven of the bakery must be cleaned with flour and yeast every week.")
    engine.learn(file)
    assert Steward(engine, lambda: NOON + timedelta(days=9000)).plan(["archive"])["archive"].leaving == 0


def test_a_duplicate_is_brought_back_and_stays_back(engine: Engine) -> None:
    (first,), (again,) = tell(engine, "one", TEXTS[0]), tell(engine, "two", TEXTS[0])
    steward = Steward(engine, lambda: NOON)
    before = snapshot(engine)
    assert (engine.segment(again).state, steward.restore([again])) == (State.DUPLICATE, 1)
    assert {first, again} <= set(recalled(engine, "Who raised the rent of the flat?"))
    steward.run(["merge"], full=True, bulk=True)
    assert (engine.segment(again).state, engine.segment(again).stands_for) == (State.ACTIVE, "")
    steward.undo("last")
    assert snapshot(engine) == before


def test_what_has_given_way_to_another_is_not_pinned_and_the_message_names_the_other(engine: Engine) -> None:
    (first,), (again,) = tell(engine, "one", TEXTS[0]), tell(engine, "two", TEXTS[0])
    with pytest.raises(InputError, match=f"{again} is a duplicate of {first}.*restore"):
        Steward(engine, lambda: NOON).pin([again])
    assert not engine.segment(again).pinned


BAKER, NURSE, DRIVER = (f"The job that my boss gave me is that of a {work}." for work in ("baker", "nurse", "driver"))


def told(engine: Engine, *rows: tuple[str, str, int]) -> Steward:
    """Each row: its session, its words and how many days ago."""
    for session, text, days in rows:
        tell(engine, session, text, at=NOON - timedelta(days=days))
    return Steward(engine, lambda: NOON)


def is_active(engine: Engine, *sessions: str) -> list[bool]:
    return [engine.segment(f"seg_{session}_0").state is State.ACTIVE for session in sessions]


def recall_often(engine: Engine, segment: str) -> None:
    store_of(engine).add_hits([engine.segment(segment).number] * 8, NOON - timedelta(days=10))


def test_the_newer_is_not_archived_while_the_older_about_the_same_stays(engine: Engine) -> None:
    steward = told(engine, ("old", BAKER, 1500), ("new", NURSE, 900), ("other", TEXTS[2], 900))
    recall_often(engine, "seg_old_0")
    before = snapshot(engine)
    report = steward.run(["archive"], bulk=True)
    assert is_active(engine, "old", "new", "other") == [True, True, False]
    steward.undo(report.run)
    assert snapshot(engine) == before


def test_what_is_held_by_an_older_one_holds_what_was_told_after_it(engine: Engine) -> None:
    pairs = (("The dough goes to the oven every day.", 1500), (NURSE, 1200), (DRIVER, 900))
    steward = told(engine, *((f"s{i}", text, days) for i, (text, days) in enumerate(pairs)))
    recall_often(engine, "seg_s0_0")
    engine.link("seg_s0_0", "seg_s1_0", Kind.RELATED_TO)  # the third has no link with the first
    links = {(edge.source, edge.target) for edge in engine.edges("seg_s0_0")}
    assert not any("seg_s2_0" in ends for ends in links)
    steward.run(["archive"], bulk=True)
    assert is_active(engine, "s0", "s1", "s2") == [True] * 3


def test_the_older_and_the_newer_go_together_and_the_older_alone_may_go(engine: Engine) -> None:
    steward = told(engine, ("old", BAKER, 1500), ("new", NURSE, 900))
    plan = steward.plan(["archive"])["archive"]
    assert isinstance(plan, ArchivePlan)
    assert plan.leaving == 2
    recall_often(engine, "seg_new_0")
    steward.run(["archive"], bulk=True)
    assert is_active(engine, "old", "new") == [False, True]


def test_the_oldest_are_archived_first_whenever_they_came_in(engine: Engine) -> None:
    steward = told(engine, ("new", NURSE, 900), ("old", BAKER, 1500))
    plan = steward.plan(["archive"])["archive"]
    assert isinstance(plan, ArchivePlan)
    assert engine.reads.ids_of(plan.numbers) == {2: "seg_old_0", 1: "seg_new_0"}
    assert plan.numbers == (2, 1)


def test_the_newer_of_one_session_stays_with_the_older(engine: Engine) -> None:
    tell(engine, "chat", BAKER, TEXTS[2], NURSE, at=OLD)
    recall_often(engine, "seg_chat_0")
    Steward(engine, lambda: NOON).run(["archive"])
    assert [engine.segment(f"seg_chat_{i}").state.value for i in range(3)] == ["active", "archived", "active"]


def test_a_pair_of_the_review_list_is_about_the_same(engine: Engine) -> None:
    from pmg.store.maintenance import KEPT, Review

    steward = told(engine, ("old", TEXTS[0], 1500), ("new", TEXTS[1], 900))
    recall_often(engine, "seg_old_0")
    assert steward.plan(["archive"])["archive"].leaving == 1
    store_of(engine).maintenance.replace_reviews([], [Review(1, 1, 2, 0.4, ("words",), KEPT, 0)])
    assert steward.plan(["archive"])["archive"].leaving == 0


def test_what_happened_on_another_day_or_is_of_the_same_topic_holds_nobody(engine: Engine) -> None:
    rows = (
        ("old", "Today my boss and I baked a loaf of rye bread in the oven, and it was hard.", 1500),
        ("again", "Today my sister and I baked a tray of sweet rolls in the oven, and it was fun.", 900),
        ("topic", "The oven of the bakery wants more flour and yeast for the bread.", 900),
    )
    steward = told(engine, *rows)
    recall_often(engine, "seg_old_0")
    steward.run(["archive"], bulk=True)
    assert is_active(engine, "old", "again", "topic") == [True, False, False]


def test_a_question_holds_nobody(engine: Engine) -> None:
    from pmg.base.model import Line, Role, Turn
    from pmg.ingest.turns import SessionInput

    asked = Turn((Line("Ana", Role.PERSON, BAKER),), NOON - timedelta(days=1500), meta={"asked": "yes"})
    engine.ingest([SessionInput([asked], id="asked")])
    steward = told(engine, ("new", NURSE, 900))
    recall_often(engine, "seg_asked_0")
    steward.run(["archive"], bulk=True)
    assert is_active(engine, "asked", "new") == [True, False]
