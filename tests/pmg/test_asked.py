"""A question to the chat is history, not a memory: marked when it is kept, left out of recall with its reason, found if one wants."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pmg.base.model import Turn
from pmg.chat import turn
from pmg.chat.responder import ChatAnswer, ChatRequest
from pmg.chat.turn import ChatTarget
from pmg.engine import Engine
from pmg.exporters import tables
from pmg.ingest.asked import is_asked, only_asks
from pmg.ingest.turns import SessionInput, exchange


class Says:
    where, leaves, budget_tokens = "nowhere", False, None

    def __init__(self, text: str) -> None:
        self._text = text

    def answer(self, ask: ChatRequest) -> Iterator[ChatAnswer]:
        yield ChatAnswer(self._text)


def chat(engine: Engine, text: str, answer: str = "Noted.", session: str = "chat-1") -> str:
    (*_, last) = turn.converse(engine, Says(answer), ChatTarget("default", session), text)
    assert last.passage is not None
    return last.passage.id


@pytest.mark.parametrize(
    "text",
    [
        "Which bike do I have?",
        "which bike do I have",
        "how many pots of damson jam did Margaret make",
        "wieviel krieg ich für den comic",
        "wehre does micah live",
        "by which date must the poster be ready",
        "who can't eat gluten",
        "who makes the slides for the group project",
        "which bus goes to town",
        "what instead",
        "how many balls",
        "what temp for the focaccia",
        "warum nicht",
        "which used car",
        "which frozen peas",
        "which set menu",
        "which lost keys",
        "what good dentist",
        "what good restaurants",
        "what nice presents for mum",
        "what sweet wine",
        "wie oft hab ich physio",
        "wann hast du Zeit",
        "wo bist du",
        "when dose the aprentice start",
        "wovor fürchtet sich Lukas",
        "Hi! Who is Anna Berg?",
        "Thanks. And when was that?",
        "did I pay the rent",
        "whats our dog called",
        "who’s painting the flat",
        "on which day do I have to call Anna",
        "seit wann ist Anna hier",
        "Where do I live? And since when?",
        "Wann war ich beim Zahnarzt?",
        "was hat Anna gesagt",
        "an welchem tag wird der müll abgeholt",
        "welchem team gehört brieftaube",
        "wich route have i been given",
        "which film did Tom and I see",
        "If it rains tomorrow, what did we plan?",
        "For the party, who is coming?",
        "I was wondering, who is my dentist?",
        "我的自行车是什么颜色？",
    ],
)
def test_a_message_that_only_asks_is_a_question(text: str) -> None:
    assert only_asks(text)


@pytest.mark.parametrize(
    "text",
    [
        "What Mum wants for Christmas is a scarf",
        "how many eggs Nan's cake needs is four",
        "when the kids are back we have pizza",
        "wieviel Arbeit das war",
        "who knew it was so hard",
        "which makes sense to me",
        "which matters to us",
        "which reminds me",
        "which Tom hates",
        "which usually takes me 40 minutes",
        "who got the job, Ben",
        "what a day",
        "wie gesagt Kita zu bis Freitag",
        "wie vereinbart Schlüssel unter der Matte",
        "where possible oat milk for Ben",
        "What great news about Priya",
        "how we met",
        "where dad parked",
        "how many eggs: 12",
        "who wins the quiz gets a ham",
        "what dose I take: 20 mg",
        "which cost us ninety euros",
        "which took the whole afternoon",
        "which ruined the carpet",
        "which went well",
        "what great news",
        "what terrible service at the garage",
        "what good news",
        "Hab ich erledigt",
        "wie gesagt hab ich die Kita angerufen",
        "wo Anna wohnt hab ich vergessen",
        "Wieviele Kinder kommen ist noch offen",
        "My new bike is a red Cube.",
        "My new bike is a red Cube. Which one do I have?",
        "when I was small we lived in Kiel",
        "what I like about Lisbon is the light",
        "Who dares wins.",
        "What's more, I sold the car",
        "for what it's worth, I liked it",
        "in what I read today there was a mistake",
        "have a look at the garden",
        "Did you know that my new bike is a red Cube?",
        "Can you remember that my dentist is Dr Kowalski?",
        "I'm bringing an apple tart over this evening, how many sugars does Carmel take?",
        "plasterer's booked for friday btw, what was the electrician called?",
        "did my back in lifting posts, the claim is in",
        "New dentist is my neighbour's cousin",
        "As a kid I had my own room",
        "Ich hab jetzt endlich die Gliederung fertig, an welchem Tag ist Sprechstunde?",
        "had my eyes tested yesterday, need reading glasses",
        "knee",
        "Hello!",
        "",
    ],
)
def test_whatever_tells_something_or_is_in_doubt_is_not(text: str) -> None:
    assert not only_asks(text)


def test_an_answer_in_words_of_its_own_is_worth_keeping() -> None:
    asked = "How do I cook lentil soup?"
    reference = "From your memory:\n" + "\n".join(
        f"– Anna, 2026-03-0{i}, in 'A long talk about soups'" for i in range(1, 9)
    )
    assert is_asked(exchange(asked, reference))
    assert is_asked(exchange(asked, None))
    assert not is_asked(exchange(asked, "Take lentils and " + "stir " * 40))
    assert not is_asked(exchange(None, "Noted."))


@pytest.mark.parametrize("mode", ["diffuse", "fixed"])
def test_ones_own_question_is_left_out_with_its_reason_and_found_if_one_wants(engine: Engine, mode: str) -> None:
    told = chat(engine, "My cat Biscuit sees the vet on Monday.", session="chat-1")
    asked = chat(engine, "When does the cat Biscuit see the vet?", session="chat-2")
    engine.settle()
    found = engine.recall("cat Biscuit vet", mode=mode)
    assert [segment.id for segment in found.segments] == [told]
    assert [(one.segment, one.reason) for one in found.receipt.dropped] == [(asked, "a question of your own")]
    assert "When does" not in found.context
    both = engine.recall("cat Biscuit vet", mode=mode, own_questions=True)
    assert {segment.id for segment in both.segments} == {told, asked}


@pytest.mark.parametrize("mode", ["diffuse", "fixed"])
def test_a_question_beside_what_was_told_is_not_brought_along(engine: Engine, mode: str) -> None:
    chat(engine, "Where is the oven?")
    told = chat(engine, "My cat Biscuit sees the vet on Monday.")
    assert [segment.id for segment in engine.recall("cat Biscuit", mode=mode).segments] == [told]


def test_it_stays_in_the_history_is_counted_and_told_in_exports(engine: Engine) -> None:
    chat(engine, "Where is the cat?")
    chat(engine, "The cat is at the vet.")
    segments = engine.reads.segments_of("chat-1")
    assert [segment.lines[0].text for segment in segments] == ["Where is the cat?", "The cat is at the vet."]
    assert engine.counts().asked == 1
    assert engine.sql("SELECT asked FROM v_segments ORDER BY position").rows == [(True,), (False,)]
    (session,) = engine.sessions()
    place = list(tables.COLUMNS).index("asked")
    assert [row[place] for row in tables.rows_of(session, segments)] == [True, True, False, False]


def test_the_mark_is_kept_over_a_new_start_and_not_made_for_what_is_imported(engine: Engine) -> None:
    chat(engine, "Where is the cat?")
    engine.ingest([SessionInput([Turn(exchange("Where is the dog?", "On the leash."))], id="s1", source="chatgpt")])
    for _ in range(2):
        found = engine.recall("where is the dog and the cat")
        assert [segment.id for segment in found.segments] == ["seg_s1_0"]
        engine.reindex()
