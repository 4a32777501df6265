"""A chat that began with a greeting is called by its first real message; a title of any other kind stays."""

from __future__ import annotations

import pytest

from pmg.base.model import CHAT_SOURCE, Session
from pmg.chat import sessions
from pmg.chat.extractive import Extractive
from pmg.chat.turn import ChatTarget, converse
from pmg.engine import Engine
from steward.steward import Steward

PLACE = ChatTarget("default", "chat-1")


def say(engine: Engine, *texts: str, place: ChatTarget = PLACE) -> Session:
    for text in texts:
        list(converse(engine, Extractive(engine), place, text))
    return sessions.session_in(engine, place.session, place.namespace)


def test_a_long_first_message_becomes_a_short_title() -> None:
    title = sessions.title_from("word " * 60)
    assert len(title) <= sessions.TITLE and title.endswith("…") and "\n" not in sessions.title_from("a\nb")


@pytest.mark.parametrize(
    ("greetings", "real"),
    [
        (["Hi!"], "My sister Anna moved to Leeds."),
        (["Guten Morgen", "Wie geht's?"], "Wann hat Oma Geburtstag?"),
        (["Thanks", "ok"], "sourdough recipe"),
    ],
)
def test_a_chat_that_began_with_a_greeting_is_called_by_its_first_real_message(
    engine: Engine, greetings: list[str], real: str
) -> None:
    assert say(engine, *greetings).title == greetings[0]
    assert say(engine, real).title == real
    assert say(engine, "And my brother lives in Ulm.").title == real
    assert {one.title for one in engine.reads.segments_of("chat-1")} == {real}


@pytest.mark.parametrize("first", ["Hi, my sister Anna moved to Leeds.", "Good morning, I sold the car."])
def test_a_title_from_a_real_message_stays(engine: Engine, first: str) -> None:
    assert say(engine, first, "The boiler hums at night.").title == first


def test_a_title_that_a_person_gave_stays_even_if_it_greets(engine: Engine) -> None:
    say(engine, "Hi!")
    sessions.rename(engine, "chat-1", "default", "Good morning")
    assert say(engine, "The boiler hums at night.").title == "Good morning"


def test_a_title_that_came_with_an_import_stays(engine: Engine) -> None:
    with engine.session("Hi", session_id="chat-1", source="chatgpt") as session:
        session.add(user="Hi", assistant="Hello.")
    assert say(engine, "The boiler hums at night.").title == "Hi"


def test_what_is_not_kept_names_no_chat(engine: Engine) -> None:
    say(engine, "Hi!")
    assert (
        say(engine, "Between us: I dislike marzipan.", place=ChatTarget("default", "chat-1", kept=False)).title == "Hi!"
    )


def test_a_greeting_that_is_changed_into_a_message_gives_its_place_to_it(engine: Engine) -> None:
    say(engine, "Hi!")
    (greeting,) = engine.reads.segments_of("chat-1")
    changed = ChatTarget("default", "chat-1", replaces=greeting.id)
    assert say(engine, "The boiler hums at night.", place=changed).title == "The boiler hums at night."


def test_a_chat_of_an_earlier_version_is_called_by_its_first_message_that_still_stands(engine: Engine) -> None:
    session = engine.session("Hi!", session_id="chat-1", source=CHAT_SOURCE)
    for text in ("Hi!", "The boat is in the shed.", "The boiler hums at night."):
        session.add(user=text, assistant="Noted.")
    Steward(engine).archive([engine.reads.segments_of("chat-1")[1].id])
    assert say(engine, "Thanks!").title == "The boiler hums at night."
