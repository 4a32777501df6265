"""The people tab without a browser: whom it lists, what it says of them, what it can change; in one namespace, hostile text as text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from pmg.base.errors import InputError, NotFound
from pmg.base.model import Line, Role, Turn
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput
from pmg.store.people import EntityKind
from pmg.ui.app_context import AppContext
from pmg.ui.people import landing, people_actions, people_data, people_html, person_html
from pmg.ui.people.people_data import EntityRow, listed, matching
from pmg.ui.people.people_forms import ClaimForm
from pmg.ui.people.people_tab import address_of, done, filter_address, list_of, number, page_of
from pmg.ui.people.person_data import PersonView, person_view
from pmg.ui.people.whereabouts import told_apart
from steward.steward import Steward
from tests.pmg.people.talk import session
from tests.ui.hostile import HOSTILE, IMAGE, alive
from tests.ui.memories import opened

SPACE = "default"
MAY, JUNE, SEPTEMBER = (datetime(2023, month, 8, 12, tzinfo=UTC) for month in (5, 6, 9))


def mine(name: str, at: datetime, *texts: str) -> SessionInput:
    return SessionInput([Turn((Line("User", Role.USER, text),), at) for text in texts], name, id=name, started_at=at)


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppContext]:
    """One for all: a test that changes something undoes it."""
    with opened(tmp_path_factory.mktemp("people") / "memory") as made:
        made.engine.ingest(
            [
                mine("spring", MAY, "I live in Seattle. My sister Eva plays the violin.", "I like hiking."),
                mine("autumn", SEPTEMBER, "I live in Austin.", "The old API depends on PostgreSQL."),
                session("a", MAY, ("John", "I live in Oslo. I work at TechCorp."), ("Lena", "Hello."), ("John", "I live in Bergen."), ("Lena", "John is a baker."), conversation="c"),
                session("b", JUNE, ("John", "I like jazz."), ("Lena", "I like jazz."), conversation="d"),
                session("hostile", JUNE, (HOSTILE, f"I live in {HOSTILE}. I like tea."), ("Lena", "Oh.")),
                session("n", MAY, ("Noor", "I live in Lisbon."), ("Rui", "Nice."), conversation="n"),
                session("o", JUNE, ("Noor", "I moved to Porto last week."), ("Rui", "Oh."), conversation="n"),
                session("p", SEPTEMBER, ("Noor", "I live in Porto."), ("Rui", "Oh."), conversation="n"),
                session("walled", MAY, ("Zara", "I live in Ulmwood."), ("Lena", "Oh."), namespace="private"),
            ]
        )  # fmt: skip
        made.engine.extract()
        yield made


def row(context: AppContext, name: str) -> EntityRow:
    return next(one for one in listed(context.engine, SPACE) if one.name == name)


def view(context: AppContext, name: str) -> PersonView:
    return person_view(context.engine, SPACE, row(context, name).id)


def test_you_stand_first_and_are_never_called_user(context: AppContext) -> None:
    first, *others = listed(context.engine, SPACE)
    assert first.is_you and first.name == "You"
    assert [one.kind for one in others] == sorted((one.kind for one in others), key=list(EntityKind).index)
    shown = person_html.person_html(view(context, "You"))
    assert "You live in Austin." in shown and "You like hiking." in shown
    assert "User" not in shown and "What my memory knows about you" in shown


def test_what_changed_says_before_and_now(context: AppContext) -> None:
    (change,) = view(context, "You").changes
    assert change.before.text.text == "You live in Seattle"
    assert change.after is not None and change.after.text.text == "You live in Austin"
    assert change.end == SEPTEMBER.date()
    assert f"to {change.end.day} {change.end:%b %Y}" in person_html.change_html(change)
    assert person_html.change_html(replace(change, start=change.end)).count(f"on {change.end.day} ") == 1


def test_a_move_that_names_its_day_is_one_change_and_not_an_end_of_its_own(context: AppContext) -> None:
    (change,) = view(context, "Noor").changes
    assert (change.before.text.text, change.end) == ("Noor lives in Lisbon", date(2023, 6, 1))
    assert change.after is not None and change.after.text.text == "Noor lives in Porto"
    assert [one.object for one in view(context, "Noor").facts] == ["Porto"]


def test_a_list_is_searched_by_name_and_kind(context: AppContext) -> None:
    rows = listed(context.engine, SPACE)
    assert {one.name for one in matching(rows, "le", "")} == {"Lena"} | {one.name for one in rows if "le" in one.name}
    assert [one.name for one in matching(rows, "", EntityKind.TOOL.value)] == ["PostgreSQL"]
    assert "Nobody by that name" in list_of(context, SPACE, "nobody at all", "", 0)


def test_who_said_what_about_whom_is_told_apart(context: AppContext) -> None:
    john, lena = view(context, "John"), view(context, "Lena")
    assert [one.speaker for one in john.by_others] == ["Lena"]
    assert [one.text.text for one in john.by_others] == ["John is a baker"]
    assert [one.about for one in lena.of_others] == ["John"]
    assert {"Oslo", "TechCorp"} <= {one.name for one in john.neighbours}


def test_a_contradiction_is_settled_from_its_button_and_undone(context: AppContext) -> None:
    ((a, b, why),) = view(context, "John").conflicts
    assert "cannot be told" in why
    assert "Settled" in done(context, SPACE, f"settle:{a.id}:{b.id}:second")
    after = view(context, "John")
    assert after.conflicts == () and "John lives in Bergen" in {one.text.text for one in after.facts}
    people_actions.undo(context, SPACE)
    assert len(view(context, "John").conflicts) == 1
    with pytest.raises(NotFound, match="Look again"):
        done(context, SPACE, "nonsense:1:2")


def test_a_claim_is_corrected_or_set_aside_and_both_are_undone(context: AppContext) -> None:
    claim = next(one for one in view(context, "You").facts if one.object == "hiking")
    people_actions.correct(context, SPACE, claim.id, "sailing")
    fact = next(one for one in view(context, "You").facts if one.id == claim.id)
    assert fact.text.text == "You like sailing" and fact.tones == ("corrected by you",)
    people_actions.set_aside(context, SPACE, claim.id)
    assert claim.id not in {one.id for one in view(context, "You").timeline}
    for _ in range(2):
        people_actions.undo(context, SPACE)
    assert view(context, "You").facts == tuple(one for one in view(context, "You").facts if one.object != "sailing")
    with pytest.raises(InputError, match="Type what is right"):
        people_actions.correct(context, SPACE, claim.id, " ")


def test_people_are_renamed_merged_and_split_and_each_is_undone(context: AppContext) -> None:
    one, other = (row for row in listed(context.engine, SPACE) if row.name == "John")
    people_actions.rename(context, SPACE, one.id, "John Smith")
    assert row(context, "John Smith").id == one.id
    people_actions.merge(context, SPACE, one.id, str(other.id))
    both = row(context, "John Smith")
    assert set(both.ids) == {one.id, other.id} and len(both.conversations) == 2
    assert "2 sessions, last on" in person_html.person_html(person_view(context.engine, SPACE, other.id))
    people_actions.split(context, SPACE, both.id, str(other.id))
    assert row(context, "John Smith").ids == (one.id,)
    for _ in range(3):
        people_actions.undo(context, SPACE)
    assert [row.ids for row in listed(context.engine, SPACE) if row.name == "John"] == [one.ids, other.ids]


def test_pairs_that_nobody_can_tell_are_asked_about(context: AppContext) -> None:
    assert "wait for your word" in people_actions.reconcile(context, SPACE)
    asked = page_of(context, SPACE, 0)
    assert "One person or two?" in asked and "same:" in asked
    assert "Perhaps the same as" in person_html.person_html(view(context, "John"))
    people_actions.undo(context, SPACE)


def test_forgetting_a_person_is_planned_first_and_spares_their_namesake(context: AppContext) -> None:
    john = row(context, "John")
    plan = people_actions.plan_of(context.engine, SPACE, john, with_others=False)
    assert set(plan.ids) == {"seg_a_0", "seg_a_2"}
    assert "seg_a_3" in people_actions.plan_of(context.engine, SPACE, john, with_others=True).ids
    assert "It cannot be undone." in people_actions.plan_html(context.engine, SPACE, john, False)
    with pytest.raises(InputError, match="choose it in the timeline"):
        people_actions.plan_of(context.engine, SPACE, row(context, "You"), with_others=False)
    with pytest.raises(InputError, match="only spoken of"):
        people_actions.plan_of(context.engine, SPACE, row(context, "Eva"), with_others=False)


def test_nobody_in_another_namespace_is_listed_shown_or_changed(context: AppContext) -> None:
    (zara,) = (one for one in listed(context.engine, "private") if one.name == "Zara")
    assert "Zara" not in list_of(context, SPACE, "", "", 0)
    with pytest.raises(NotFound):
        person_view(context.engine, SPACE, zara.id)
    with pytest.raises(NotFound):
        people_actions.rename(context, SPACE, zara.id, "Zoe")
    claim = person_view(context.engine, "private", zara.id).timeline[0].id
    with pytest.raises(NotFound):
        people_actions.set_aside(context, SPACE, claim)


def test_hostile_names_and_words_stay_text(context: AppContext) -> None:
    hostile = next(one for one in listed(context.engine, SPACE) if IMAGE in one.name)
    shown = list_of(context, SPACE, "", "", hostile.id) + page_of(context, SPACE, hostile.id)
    assert [tag for tag in alive(shown) if tag != "svg"] == []  # the picture of who is near is ours


def test_before_anybody_is_chosen_the_tab_says_what_it_knows_about_you(context: AppContext) -> None:
    first = page_of(context, SPACE, 0)
    places = [
        first.index(part) for part in ("What I know about you", ">Home<", "You live in Austin", ">Likes<", "hiking")
    ]
    assert places == sorted(places) and "You live in Seattle" not in first[: first.index("Changed lately")]
    assert f'data-pick="who:{row(context, "You").id}"' in first
    assert 'data-pick="read:' in first  # each leads to the line that says so
    assert "Zara" not in first  # she is in another namespace
    assert "pmg-p-landing" not in page_of(context, "nothing-here", 0)


def test_what_is_known_is_corrected_pinned_and_removed_in_its_place(context: AppContext) -> None:
    claim = next(one for one in view(context, "You").facts if one.object == "hiking")
    opened = ClaimForm(*(None,) * 7).opened(context.engine, SPACE, claim.id)  # type: ignore[arg-type]
    assert opened[1] == claim.id and opened[3] == "hiking"
    for says in ("Pinned", "No longer"):
        assert done(context, SPACE, f"pin:{claim.segment}").startswith(says)
        assert ("Unpin<" in page_of(context, SPACE, 0)) is (says == "Pinned")
    assert "Set aside" in done(context, SPACE, f"drop:{claim.id}")
    assert "hiking" not in page_of(context, SPACE, 0)
    people_actions.undo(context, SPACE)
    assert "hiking" in page_of(context, SPACE, 0)


@pytest.mark.parametrize(
    ("said", "stands"),
    [("I like the table.", False), ("I like it.", False), ("I like The Hague.", True), ("I like a strong tea.", True)],
)
def test_only_what_says_something_on_its_own_is_known_of_you(engine: Engine, said: str, stands: bool) -> None:
    engine.ingest([mine("one", MAY, said)])
    engine.extract()
    assert bool(landing.landing(engine, SPACE).known) is stands


def test_somebody_of_whom_nothing_lasts_has_their_sessions_and_last_day(context: AppContext) -> None:
    lena = person_html.person_html(view(context, "Lena"))
    assert "1 session, last on Mon 8 May 2023" in lena and "Last talked with or of" in lena
    assert view(context, "You").seen.count == 0


def test_an_empty_memory_says_how_it_fills(context: AppContext) -> None:
    assert "without a language model" in list_of(context, "nothing-here", "", "", 0)
    assert "whom you talk with" in page_of(context, "nothing-here", 0)
    assert people_html.list_html([], waiting=3).startswith(
        '<p class="pmg-quiet" role="status">Still reading 3 sessions'
    )
    assert people_data.waiting(context.engine) == 0


def test_an_address_holds_a_number_and_takes_none_on_trust() -> None:
    assert json.loads(address_of(7, "le", ""))["people-at"] == "7"
    # The field is filled anew at every Back and Forward: then it must not close what is read, here or in another tab.
    assert json.loads(filter_address("le", "")) == {"people-words": "le", "people-kind": ""}
    assert [number(text) for text in ("12", "-1", "x", "9" * 40, "²")] == [12, 0, 0, 0, 0]


def test_two_of_one_name_are_told_apart_as_a_person_would(engine: Engine) -> None:
    """By whom they talk with; by a title where that is the same; never by the name that an importer gave a conversation."""
    engine.ingest(
        [
            mine("Siblings", MAY, "My brother Jonah cooks."),
            session("a", MAY, ("User", "Hello."), ("Jonah", "I like jazz."), conversation="conv-1"),
            session(
                "b", JUNE, ("User", "Hi."), ("Jonah", "I like tea."), ("Carys", "I like rain."), conversation="conv-2"
            ),
            session("Plans", JUNE, ("User", "Hi."), ("Lena", "I like tea."), conversation="conv-3"),
            session("Bikes", JUNE, ("User", "Hi."), ("Lena", "I like rain."), conversation="conv-4"),
        ]
    )
    engine.extract()
    rows = listed(engine, SPACE)
    found = told_apart(engine, SPACE, rows)
    said = sorted((row.name, found[row.id]) for row in rows if row.id in found)
    assert said == [
        ("Jonah", "named by you in “Siblings”"),
        ("Jonah", "talks with you"),
        ("Jonah", "talks with you and Carys"),
        ("Lena", "talks with you · in “Bikes”"),
        ("Lena", "talks with you · in “Plans”"),
    ]
    context = AppContext(engine, Steward(engine))
    html = list_of(context, SPACE, "", "", 0)
    assert html.count(">Jonah<") == html.count(">Lena<") == 1 and "perhaps 3 people" in html and "conv-" not in html
    jonah = next(row for row in rows if row.name == "Jonah")
    assert "talks with you and Carys" in page_of(context, SPACE, jonah.id)
    context.steward.reconcile()
    page = page_of(context, SPACE, 0) + page_of(context, SPACE, next(row.id for row in rows if row.name == "Lena"))
    assert (
        "One person or two?" in page and "Perhaps the same as" in page and "in “Plans”" in page and "conv-" not in page
    )
