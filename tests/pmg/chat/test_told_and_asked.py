"""Facts told to an empty memory and asked for in another chat: kept, found, and never sure without what is asked for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from benchmarks.dialogues import until_embedded
from pmg.answer.evidence import Tone
from pmg.answer.phrases import Phrase, say
from pmg.chat.extractive import Extractive
from pmg.chat.responder import ChatAnswer
from pmg.chat.turn import ChatTarget, converse
from pmg.engine import Engine

pytestmark = pytest.mark.slow


@pytest.fixture
def told(engine: Engine) -> Callable[..., Callable[[str], ChatAnswer]]:
    def tell(*texts: str) -> Callable[[str], ChatAnswer]:
        session = ""
        for text in texts:
            *_, last = converse(engine, Extractive(engine), ChatTarget("default", session), text)
            session = last.passage.session_id if last.passage else ""
        until_embedded(engine)  # else it would depend on the machine whether a line is near in meaning yet
        return lambda question: _answer(engine, question)

    return tell


def _answer(engine: Engine, text: str) -> ChatAnswer:
    *_, last = converse(engine, Extractive(engine), ChatTarget("default", kept=False), text)
    return last.answer


def shown(answer: ChatAnswer) -> str:
    return " | ".join(quote.text for quote in answer.quotes)


def test_a_short_statement_is_remembered(told: Callable[..., Callable[[str], ChatAnswer]]) -> None:
    ask = told("Wilf planted dahlias", "Phil doesn't eat pork", "The shed needs paint")
    assert "dahlias" in shown(ask("What did Wilf plant?"))
    assert "Phil doesn't eat pork" in shown(ask("Does Phil eat pork?"))


def test_the_very_words_of_a_yes_or_no_question_answer_it(told: Callable[..., Callable[[str], ChatAnswer]]) -> None:
    ask = told("I'm allergic to shellfish.", "Marcus has our ladder", "I am not allergic to nuts")
    assert "shellfish" in shown(ask("Am I allergic to shellfish?"))
    assert "Marcus has our ladder" in shown(ask("Is the ladder at Marcus's?"))


def test_another_form_of_the_verb_is_known(told: Callable[..., Callable[[str], ChatAnswer]]) -> None:
    ask = told("I lent Graham the drill", "The guitar is out of tune", "Our soup recipe has lentils")
    assert "drill" in shown(ask("What did I lend to people?"))


@pytest.mark.parametrize(
    "question",
    ["How much is the cottage?", "Why did Northwind cancel the contract?", "When is the next gig?", "how old is Jun"],
)
def test_what_lacks_the_wanted_is_never_sure(told: Callable[..., Callable[[str], ChatAnswer]], question: str) -> None:
    ask = told(
        "We booked a cottage near Seahouses",
        "Northwind cancelled the contract for autumn",
        "next gig is in Setubal",
        "The accompanist is called Jun",
    )
    assert ask(question).tone is not Tone.SURE


def test_a_secret_is_said_to_be_left_out(told: Callable[..., Callable[[str], ChatAnswer]], engine: Engine) -> None:
    secret = "-".join(("marmalade", str(77)))
    ask = told(f"The wifi password at home is {secret}")
    answer = ask("What is the wifi password at home?")
    assert answer.text == say(Phrase.SECRET, "what") and answer.tone is Tone.UNSURE
    *_, last = converse(engine, Extractive(engine), ChatTarget("default"), f"My router password is {secret}")
    assert last.answer.text == say(Phrase.NOTED_BUT_SECRET, "my")


def test_what_stands_before_a_question_is_told_and_not_looked_for(
    told: Callable[..., Callable[[str], ChatAnswer]], engine: Engine
) -> None:
    ask = told("The concert is in October", "Anna plays alto now on Sunday")
    *_, last = converse(engine, Extractive(engine), ChatTarget("default"), "I sing alto now, when is the concert?")
    assert "October" in last.answer.quotes[0].text
    assert "alto" in shown(ask("What do I sing?"))


def test_in_doubt_it_is_looked_for_and_kept(told: Callable[..., Callable[[str], ChatAnswer]], engine: Engine) -> None:
    *_, last = converse(engine, Extractive(engine), ChatTarget("default"), "the dishwasher leaks")
    assert last.answer.text == say(Phrase.NOTED, "the")
    assert "leaks" in shown(told("The guitar is out of tune")("What is wrong with the dishwasher?"))


def test_the_language_is_that_of_the_chat_where_the_words_have_none(engine: Engine) -> None:
    session = ""
    for text in ("Minka hat Nierenprobleme", "Super!"):
        *_, last = converse(engine, Extractive(engine), ChatTarget("default", session), text)
        session = last.passage.session_id if last.passage else ""
    assert last.answer.text == say(Phrase.WELCOME, "vielen Dank")


def test_what_was_told_today_is_listed_line_by_line(told: Callable[..., Callable[[str], ChatAnswer]]) -> None:
    ask = told("The cat went to the vet", "where is the cat?", "she plays the guitar")
    for question in ("what did I tell you today?", "what have I told you today?", "was habe ich dir heute erzählt?"):
        assert shown(ask(question)) == "The cat went to the vet | she plays the guitar"
    assert ask("what did I tell you today?").text == say(Phrase.TOLD_OF, "today")
    assert ask("what did I tell you yesterday?").tone is Tone.NOTHING


def test_a_line_that_begins_with_a_pronoun_is_found_again(told: Callable[..., Callable[[str], ChatAnswer]]) -> None:
    ask = told("she plays the guitar", "Show starts at 7:30 on Thursday at the Lowry.", "Soup is on the stove")
    assert "guitar" in shown(ask("guitar"))
    assert "7:30" in shown(ask("when does the show at the Lowry start?"))


def test_a_question_hides_no_memory_from_the_next_and_is_none_itself(engine: Engine) -> None:
    told_once = "Barney brought back the wax melter and Margaret made eleven pots of damson jam"
    *_, last = converse(engine, Extractive(engine), ChatTarget("default"), told_once)
    session = ""
    for question in (
        "how many pots of damson jam did Margaret make",
        "how many pots of damson jam did Margaret make",
        "who brought back the wax melter",
    ):
        *_, last = converse(engine, Extractive(engine), ChatTarget("default", session), question)
        session = last.passage.session_id if last.passage else ""
        assert [quote.text for quote in last.answer.quotes] == [told_once]


def test_small_talk_is_no_memory(told: Callable[..., Callable[[str], ChatAnswer]], engine: Engine) -> None:
    told("okay", "The technician comes on Wednesday", "ah, I see", "Hi there")
    assert engine.reads.memories() == 1
