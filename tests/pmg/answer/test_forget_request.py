"""Who wants something forgotten is shown what it may be; nothing is forgotten by a message, and the wish is no memory."""

from __future__ import annotations

import pytest

from pmg.answer.forget_request import what_to_forget
from pmg.answer.message import MessageKind, kind_of, tells_nothing
from pmg.answer.phrases import Phrase, say
from pmg.chat.extractive import Extractive
from pmg.chat.turn import ChatTarget, converse
from pmg.engine import Engine


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("forget what I said about Doreen's operation", "Doreen's operation"),
        ("please delete the line about Des's flat.", "Des's flat"),
        ("Could you forget everything you know about Anna", "Anna"),
        ("Forget that I mentioned the ring", "I mentioned the ring"),
        ("Vergiss bitte, dass der Alfons sich getrennt hat", "der Alfons sich getrennt hat"),
        ("Lösche die Notiz über den Zahnarzt", "den Zahnarzt"),
        ("vergiss, was ich über Anna gesagt habe", "Anna gesagt habe"),
    ],
)
def test_what_is_to_be_forgotten_is_read(text: str, what: str) -> None:
    assert what_to_forget(text) == what
    assert kind_of(text) is MessageKind.FORGET
    assert tells_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "don't forget that Tom is coming",
        "vergiss nicht die Milch",
        "forget that, it's on Tuesday",
        "Forget what I said, it is 5",
        "I always forget that mum is vegan",
        "delete the old branch tomorrow",
        "remove the snow tyres in April",
        "Forget what I said about Friday - the party is on Saturday",
        "forget everything I said about rent. Rent is 950",
        "forget that we need milk",
        "Remove that stain on the sofa with vinegar",
        "Delete the message on mum's answerphone",
        "Forget the note about bins they go out on Monday now",
        "Lösche die Nachricht von Peter auf dem AB",
    ],
)
def test_what_is_told_or_corrected_is_no_such_wish(text: str) -> None:
    assert kind_of(text) is not MessageKind.FORGET
    assert not tells_nothing(text)


def test_it_is_shown_and_kept(engine: Engine) -> None:
    def chat(text: str, session: str = "") -> tuple[str, list[str], str]:
        *_, last = converse(engine, Extractive(engine), ChatTarget("default", session), text)
        name = last.passage.session_id if last.passage else ""
        return last.answer.text, [quote.text for quote in last.answer.quotes], name

    *_, session = chat("Doreen is having a hernia operation on 4 July")
    chat("The tour coach is from Lister Travel", session)
    said, quotes, _ = chat("forget what I said about Doreen's operation", session)
    assert said == say(Phrase.FORGET, "forget")
    assert quotes == ["Doreen is having a hernia operation on 4 July"]
    assert "Forget" in say(Phrase.FORGET, "vergiss bitte das")  # as the page calls it
    _, quotes, _ = chat("when is Doreen's operation?")
    assert quotes[0] == "Doreen is having a hernia operation on 4 July"
    assert not any("forget" in quote for quote in quotes)


def test_of_what_was_never_told_nothing_is_found(engine: Engine) -> None:
    list(converse(engine, Extractive(engine), ChatTarget("default"), "The tour coach is from Lister Travel"))
    *_, last = converse(engine, Extractive(engine), ChatTarget("default"), "forget what I said about the zebra")
    assert not last.answer.quotes
