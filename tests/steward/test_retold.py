"""What people say nearly twice in different sittings: shown side by side, whatever the form of the turn, and never merged by itself."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pmg.base.model import Line, Role, Turn
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput
from steward import retold
from steward.merge import MergePlan
from steward.retold import rare_words, rarity, sentences
from steward.steward import Steward
from tests.steward.memories import NOON, tell

LIKENESS = 0.71  # of the two texts that are only about the same thing
DOSE = "The cat gets medicine from the vet: {} mg in the morning."


def asked(engine: Engine, session: str, question: str, answer: str, days: int) -> None:
    lines = (Line("Ana", Role.USER, question), Line("Assistant", Role.ASSISTANT, answer))
    engine.ingest([SessionInput([Turn(lines, NOON + timedelta(days=days))], session, id=session)])


def planned(engine: Engine) -> MergePlan:
    plan = Steward(engine, lambda: NOON).plan(["merge"], full=True)["merge"]
    assert isinstance(plan, MergePlan)
    return plan


def test_a_change_told_to_the_assistant_and_to_a_friend_is_a_pair(engine: Engine) -> None:
    asked(engine, "vet", DOSE.format("2.5"), "Noted, the dinner can wait.", 0)
    tell(engine, "friend", DOSE.format("5"), at=NOON + timedelta(days=9))
    plan = planned(engine)
    assert plan.merges == ()
    assert [(pair.a, pair.b, pair.kinds) for pair in plan.blocked] == [(1, 2, ("speaker", "number"))]


def test_what_is_told_three_times_is_a_pair_each_time(engine: Engine) -> None:
    """Not only with the one that is nearest: the dose of May and of June, of June and of July, of May and of July."""
    for day, dose in enumerate(("2.5", "5", "7.5")):
        asked(engine, f"day{day}", DOSE.format(dose), ("Noted.", "The dinner can wait.", "A song, a guitar.")[day], day)
    assert {(pair.a, pair.b) for pair in planned(engine).blocked} == {(1, 2), (1, 3), (2, 3)}


def test_what_is_said_twice_in_one_sitting_is_no_pair(engine: Engine) -> None:
    tell(engine, "vet", DOSE.format("2.5"), "The garden needs seeds and soil today.")
    tell(engine, "other", "The guitar song for the band has a chapter.", at=NOON + timedelta(days=3))
    assert planned(engine).blocked == ()


def test_an_assistant_that_repeats_itself_is_no_pair(engine: Engine) -> None:
    answer = "Ask the vet about the medicine for the cat, in the clinic."
    asked(engine, "one", "The release is blocked by a version bug.", answer, 0)
    asked(engine, "two", "The soup needs a broth and lentil stew.", answer, 5)
    assert planned(engine).blocked == ()


def test_the_list_takes_no_more_than_a_person_reads(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("steward.merge.MAX_OPEN", 1)
    for i, topic in enumerate(("cat vet purr", "bread oven flour")):
        for at in (0, 1):
            answer = ("The rain and snow storm.", "A guitar, a piano, a song.")[at]
            asked(engine, f"{i}-{at}", f"How much of {topic} is {at} today?", answer, 7 * at)
    assert len(planned(engine).blocked) == 1


def test_the_pair_is_shown_with_what_people_say_side_by_side(engine: Engine) -> None:
    asked(engine, "vet", DOSE.format("2.5"), "Noted, the dinner can wait.", 0)
    tell(engine, "friend", DOSE.format("5"), at=NOON + timedelta(days=9))
    steward = Steward(engine, lambda: NOON)
    steward.run(["merge"], full=True)
    (pair,) = steward.review()
    assert [difference.kind for difference in pair.why] == ["speaker", "number"]
    first = pair.lines[0]
    assert (first[0], first[2]) == ("Ana", "Ana")
    assert [text for text, differs in first[1] if differs] == ["2.5"]
    assert [speaker for speaker, _ in pair.side(True)] == ["Ana"], "no row where only the other has a line"
    assert len(pair.side(False)) == 2


def test_a_fact_told_anew_in_a_longer_turn_is_a_pair_by_the_words_it_shares(engine: Engine) -> None:
    """As wholes the two are about different things; one sentence of each is about the same."""
    before = "The garden needs soil. Naproxen from Marsh, 250 mg twice daily with omeprazole."
    after = "The song for the band is done. Marsh says naproxen, now 500 mg twice daily with omeprazole, a medicine for the garden."
    tell(engine, "winter", before)
    tell(engine, "spring", after, at=NOON + timedelta(days=30))
    for place, other in enumerate(
        ("The train trip to the hotel is booked now.", "We bake the sourdough bread in the oven.")
    ):
        tell(engine, f"other{place}", other, at=NOON + timedelta(days=60 + place))
    assert [(pair.a, pair.b) for pair in planned(engine).blocked] == [(1, 2)]


def test_what_is_only_about_the_same_thing_is_no_pair(engine: Engine) -> None:
    """Somewhat alike, and no rare word in common: below the likeness of sure links that is not worth a look."""
    tell(engine, "one", "Somebody has a kitten and a vet, friendly on Monday.")
    tell(engine, "two", "An author of a chapter with cats that purr, quietly, near lamps.", at=NOON + timedelta(days=3))
    thresholds = engine.components.thresholds
    assert retold.review_threshold(thresholds) < LIKENESS < thresholds.link
    assert planned(engine).blocked == ()


def test_a_word_of_one_text_weighs_one_and_a_word_of_all_nothing() -> None:
    assert rarity(1, 1000) > 0.9
    assert rarity(1000, 1000) < 0.01
    assert rarity(1, 1000) > rarity(10, 1000) > rarity(100, 1000) > rarity(1000, 1000) >= 0


def test_words_count_only_where_they_stand_in_one_sentence() -> None:
    together = sentences("Naproxen 250 mg from Marsh.")
    apart = sentences("Marsh rang. It rained. Naproxen is in the drawer.")
    weights = {term: 1.0 for parts in (together, apart) for part in parts for term in part}
    whole = rare_words(together, sentences("Now Marsh says naproxen."), weights | {"now": 0.0, "say": 0.0, "says": 0.0})
    assert whole == 2.0
    assert rare_words(together, apart, weights) == 1.0


def test_texts_without_a_common_word_share_nothing() -> None:
    assert rare_words(sentences("A cat."), sentences("Two dogs!"), {}) == 0.0
    assert rare_words(sentences(""), sentences("Two dogs!"), {}) == 0.0
