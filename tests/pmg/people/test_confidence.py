"""The confidence beside a line: a chance that grows with what a line holds and how far it is ahead."""

from __future__ import annotations

from pmg.engine import Engine
from pmg.people.confidence import CLAIMS_RIGHT, LineTraits, chance
from tests.pmg.people.talk import MAY, told_to_assistant


def test_it_grows_with_what_a_line_holds_and_falls_with_the_size_of_the_memory() -> None:
    best = LineTraits(share=1.0, is_first=True, ahead=1.0, lines=50)
    assert 0.9 < chance(best) < 1.0
    assert chance(LineTraits(0.5, True, 0.1, 50)) < chance(LineTraits(0.9, True, 0.5, 50)) < chance(best)
    assert chance(LineTraits(1.0, True, 1.0, 50_000)) < chance(best)
    assert chance(LineTraits(0.5, False, -0.5, 5_000)) < 0.1


def test_a_plain_answer_in_a_small_memory_is_likely_and_a_stray_word_is_not(engine: Engine) -> None:
    engine.ingest(
        [told_to_assistant("one", MAY, "My dentist is called Dr Kowalski.", "I bought a red bicycle in Graz.")]
    )
    engine.extract()
    assert engine.ask("Who is my dentist?").lines[0].confidence > 0.8
    assert engine.ask("Which red lamp did I sell at the market?").lines[0].confidence < 0.5


def test_what_a_claim_says_is_as_likely_as_claims_are_right(engine: Engine) -> None:
    engine.ingest([told_to_assistant("one", MAY, "I live in Graz.", "My neighbours live in a tent.")])
    engine.extract()
    first, second = engine.ask("Where do I live?").lines
    assert first.confidence == CLAIMS_RIGHT and second.confidence < 0.1  # what is left for a line beside it
