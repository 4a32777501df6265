"""A question about oneself that takes for granted what one never spoke of is declined, with what one did speak of."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pmg.base.model import Line, Role, Turn
from pmg.chat.ask import ask
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput
from pmg.people import kinds
from pmg.people.unmentioned import asked_things
from pmg.server import writes
from tests.pmg.people.talk import session, told_to_assistant

MAY = datetime(2023, 5, 8, 12, tzinfo=UTC)


@pytest.fixture
def mine(engine: Engine) -> Engine:
    engine.ingest(
        [
            told_to_assistant("pets", MAY, "My cat is called Luna, a lovely name.", "I practise guitar every day."),
            told_to_assistant("family", MAY, "My sister gave me a scarf as a birthday gift.", "My dad likes trains."),
            session("friends", MAY, ("Ben", "My hamster is called Toffee."), ("Eva", "What a name for a hamster!")),
        ]
    )
    engine.extract()
    return engine


@pytest.mark.parametrize(
    ("question", "why", "instead"),
    [
        ("What is the name of my hamster?", "Nothing you said mentions hamster", "Luna"),
        ("How often do I practise violin?", "Nothing you said mentions violin", "guitar"),
        ("What did my dad give me as a birthday gift?", "Nothing you said of dad is about that", "scarf"),
        ("When was I in Portugal?", "Nothing you said mentions Portugal", ""),
    ],
)
def test_it_is_declined_with_what_is_known_instead(mine: Engine, question: str, why: str, instead: str) -> None:
    found = mine.ask(question)
    assert found.abstained.startswith(why)
    assert [instead in line.text for line in found.lines] == ([True] if instead else [])


@pytest.mark.parametrize(
    "question",
    [
        "What is the name of my cat?",
        "What is my kitty called?",
        "What did my sister give me as a gift?",
        "Which instrument do I practise every day?",
        "Can you recommend a good hamster name?",
    ],
)
def test_what_one_spoke_of_or_only_asks_advice_about_is_not_declined(mine: Engine, question: str) -> None:
    assert "Nothing you said" not in mine.ask(question).abstained


def test_what_one_told_the_chat_is_ones_own_beside_a_history_under_ones_name(engine: Engine) -> None:
    lines = [
        Line("Mara", Role.USER, text) for text in ("I moved the desk.", "I live by the sea.", "My garden is small.")
    ]
    engine.ingest([SessionInput([Turn((line,), MAY) for line in lines], "named", id="named", started_at=MAY)])
    engine.extract()
    engine.ingest([told_to_assistant("family", MAY, "My dad likes trains.")])
    found = engine.ask("What does my father like?")
    assert found.route.people == ("Mara",) and "Nothing you said" not in found.abstained


def test_somebody_elses_hamster_is_asked_about_as_before(mine: Engine) -> None:
    found = mine.ask("What is Ben's hamster called?")
    assert not found.abstained and "Toffee" in found.lines[0].text


def test_what_follows_which_is_looked_for_and_not_taken_for_granted() -> None:
    assert asked_things("Which car do I drive?") == {}
    assert set(asked_things("How fast is my car?").values()) == {"car"}


@pytest.mark.parametrize(
    ("note", "question"),
    [
        ("The logging library is winston.", "which logging library do we use?"),
        ("The user goes to the gym on Mondays.", "When do I go to the gym?"),
        ("Our church choir meets on Tuesdays.", "When does our church choir meet?"),
    ],
)
def test_what_a_program_noted_is_not_denied(engine: Engine, note: str, question: str) -> None:
    writes.remember(engine, "default", "mcp", text=note, user="", assistant="", session="", when="2023-05-08 12:00")
    engine.extract()
    assert "Nothing you said" not in engine.ask(question).abstained
    assert [line.text for line in ask(engine, question).lines] == [note]


def test_of_what_we_have_another_may_have_spoken_who_does_not_tell_of_themselves(engine: Engine) -> None:
    said = (("Ben", "The logging library is winston."), ("Eva", "My gym is the one on the corner."))
    engine.ingest([session("team", MAY, *said), told_to_assistant("own", MAY, "I like tea.")])
    engine.extract()
    assert "Nothing you said" not in engine.ask("What do we use the logging library for?").abstained
    assert engine.ask("When is our gym open?").abstained.startswith("Nothing you said mentions gym")
    assert engine.ask("What do I use the logging library for?").abstained.startswith("Nothing you said mentions")


@pytest.mark.parametrize("speaker", ["Assistant", "aider"])
def test_what_an_assistant_answered_is_no_note(engine: Engine, speaker: str) -> None:
    """Under the name of its source neither."""
    turn = Turn((Line("User", Role.USER, "I like tea."), Line(speaker, Role.ASSISTANT, "So does my hamster.")), MAY)
    engine.ingest([SessionInput([turn], "tea", id="tea", started_at=MAY, source="aider")])
    engine.extract()
    assert engine.ask("What is my hamster called?").abstained.startswith("Nothing you said mentions hamster")


def test_the_members_of_a_kind_exclude_each_other_and_names_of_one_thing_do_not() -> None:
    assert "hamster" in kinds.others("cat") and "kitten" in kinds.same("cat")
    assert not kinds.others("cat") & kinds.same("cat")
    assert not kinds.same("role")


def test_what_was_told_by_another_name_is_shown_with_the_decline(engine: Engine) -> None:
    engine.ingest([told_to_assistant("day", MAY, "I parked the Golf on level P3 at the airport.", "I like tea.")])
    engine.extract()
    found = engine.ask("Where did I park my car?")
    assert found.abstained == "Nothing you said mentions car, as far as this memory knows. Nearest to it:"
    assert [line.text for line in found.lines] == ["I parked the Golf on level P3 at the airport."]
